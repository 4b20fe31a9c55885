"""The monthly report adds up."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest
from django.utils import timezone

from ingest.models import Attempt
from ingest.monthly import first_of, month_of, neighbours
from resumes.models import Resume
from resumes.states import State
from resumes.transitions import move
from tests.texts import ADA

from .people import POOR, person, sent, worked_off

pytestmark = pytest.mark.django_db


def this_month() -> dt.date:
    return timezone.localdate().replace(day=1)


def dead(code: str = "worker_lost", failure_class: str = "resource") -> Resume:
    resume = sent(None, f"dead {uuid.uuid4()}")
    move(resume, State.DEAD_LETTER, node="relay", reason=code, failure_class=failure_class, failure_code=code)
    return resume


def test_rates_levels_and_codes_of_a_month():
    for number in range(6):
        worked_off(sent(None, ADA + f"\n{number}"))
    worked_off(sent(None, POOR))
    dead()
    skipped = sent(None, "left out")
    move(skipped, State.SKIPPED, node="batch", reason="cancelled")
    last_month = dead()
    Resume.objects.filter(pk=last_month.pk).update(
        received_at=timezone.make_aware(dt.datetime.combine(neighbours(this_month())[0], dt.time(12)))
    )
    month = month_of(this_month())
    assert (month.received, month.done, month.settled) == (9, 6, 8)
    assert month.technical_rate == 1 / 8
    assert month.by_people_rate == 1 / 8
    assert month.refused_rate == 0
    assert month.level_shares[0] == ("text", 6, 1.0)
    assert dict(month.codes)["worker_lost"] == 1
    assert sum(number for _, number in month.codes) == 2
    assert month_of(neighbours(this_month())[0]).received == 1


def test_a_failed_try_that_was_made_good_counts_as_a_try_and_not_as_a_failure():
    resume = worked_off(sent(None, ADA))
    Attempt.objects.create(
        resume=resume,
        run=1,
        stage="extract",
        token=uuid.uuid4(),
        outcome="failed",
        failure_class="resource",
        failure_code="timeout",
    )
    month = month_of(this_month())
    assert (month.technical, month.failed_tries, month.failed_codes) == (0, 1, (("timeout", 1),))


def test_an_empty_month_has_no_rates():
    month = month_of(dt.date(2020, 2, 1))
    assert (month.received, month.technical_rate, month.by_people_rate) == (0, None, None)


@pytest.mark.parametrize(
    ("first", "before", "after"),
    [("2026-01", "2025-12-01", "2026-02-01"), ("2026-12", "2026-11-01", "2027-01-01"), ("2024-02", "2024-01-01", "2024-03-01")],
)
def test_months_follow_each_other(first, before, after):
    assert [day.isoformat() for day in neighbours(first_of(first))] == [before, after]


@pytest.mark.parametrize("text", ["", "soon", "2026-13", "2026-1-1"])
def test_what_is_no_month_is_the_present_one(text):
    assert first_of(text) == this_month()


@pytest.mark.parametrize(("role", "code"), [("recruiter", 403), ("reviewer", 403), ("operator", 200), ("admin", 200)])
def test_the_page_is_for_operators(client, role, code):
    worked_off(sent(None, POOR))
    dead()
    client.force_login(person(f"{role}-one", role))
    answer = client.get("/admin/ingest/heartbeat/month/")
    assert answer.status_code == code
    if code == 200:
        page = answer.content.decode()
        assert "50.00 %" in page
        assert "worker_lost" in page
        assert b"<script>" not in answer.content
        assert client.get("/admin/ingest/heartbeat/month/?month=2020-02").status_code == 200
