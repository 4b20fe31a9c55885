from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from review.office import Office

FRIDAY = dt.datetime(2026, 11, 27, 12, tzinfo=dt.UTC)
WEEKDAYS = frozenset(range(1, 6))


@pytest.mark.parametrize(
    ("office", "start", "hours", "due"),
    [
        (Office(), FRIDAY, 24, FRIDAY + dt.timedelta(hours=24)),
        (Office(days=WEEKDAYS), FRIDAY, 24, dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)),
        (Office(days=WEEKDAYS), FRIDAY, 11, FRIDAY + dt.timedelta(hours=11)),
        (Office(days=WEEKDAYS), FRIDAY + dt.timedelta(days=1), 24, dt.datetime(2026, 12, 1, tzinfo=dt.UTC)),
        (
            Office(days=WEEKDAYS, holidays=frozenset({dt.date(2026, 11, 30)})),
            FRIDAY,
            24,
            dt.datetime(2026, 12, 1, 12, tzinfo=dt.UTC),
        ),
        (Office(days=frozenset()), FRIDAY, 24, FRIDAY + dt.timedelta(hours=24)),
    ],
)
def test_a_deadline_leaves_out_the_days_nobody_works(office, start, hours, due):
    assert office.after(start, dt.timedelta(hours=hours)) == due


def test_the_working_day_that_is_under_way_or_comes_next():
    office = Office(days=WEEKDAYS, zone=ZoneInfo("Asia/Shanghai"))
    noon = dt.datetime(2026, 11, 27, 4, tzinfo=dt.UTC)
    assert office.closing(noon) == dt.datetime(2026, 11, 27, 10, tzinfo=dt.UTC)
    evening = noon + dt.timedelta(hours=8)
    assert office.closing(evening) == dt.datetime(2026, 11, 30, 10, tzinfo=dt.UTC)
    assert office.opening(evening) == dt.datetime(2026, 11, 30, 1, tzinfo=dt.UTC)
