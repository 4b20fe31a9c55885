"""Office hours: when people work here, and what that makes of a deadline. Pure; the settings say when.

A deadline counts clock time and leaves out the days nobody works: what comes in on Friday at noon and is due in 24 hours
is due on Monday at noon, where nobody works at weekends.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.conf import settings
from django.utils.timezone import get_default_timezone

_DAY = dt.timedelta(days=1)
_FARTHEST = 400
"""Days to look ahead at most: an office that never opens must not hang a page."""


@dataclass(frozen=True, slots=True)
class Office:
    """When people work."""

    days: frozenset[int] = frozenset(range(1, 8))
    """ISO weekdays: 1 is Monday."""
    opens: dt.time = dt.time(9)
    closes: dt.time = dt.time(18)
    holidays: frozenset[dt.date] = frozenset()
    zone: dt.tzinfo = dt.UTC

    def works_on(self, day: dt.date) -> bool:
        return day.isoweekday() in self.days and day not in self.holidays

    def after(self, start: dt.datetime, span: dt.timedelta) -> dt.datetime:
        """`span` after `start`, days off left out."""
        moment, left = start.astimezone(self.zone), span
        for _ in range(_FARTHEST):
            midnight = self._at(moment.date() + _DAY, dt.time())
            if self.works_on(moment.date()):
                if moment + left <= midnight:
                    return moment + left
                left -= midnight - moment
            moment = midnight
        return start + span

    def closing(self, now: dt.datetime) -> dt.datetime:
        """When the working day ends that is under way or comes next."""
        local = now.astimezone(self.zone)
        for ahead in range(_FARTHEST):
            day = local.date() + ahead * _DAY
            if self.works_on(day) and self._at(day, self.closes) > local:
                return self._at(day, self.closes)
        return local + _DAY

    def opening(self, now: dt.datetime) -> dt.datetime:
        """When the working day of `closing(now)` begins."""
        return self._at(self.closing(now).date(), self.opens)

    def _at(self, day: dt.date, time: dt.time) -> dt.datetime:
        return dt.datetime.combine(day, time, tzinfo=self.zone)


def office() -> Office:
    """The office as the settings have it, in the time zone in force."""
    opens, closes = settings.GLEANER_OFFICE_HOURS
    return Office(
        frozenset(settings.GLEANER_OFFICE_DAYS), opens, closes, frozenset(settings.GLEANER_HOLIDAYS), get_default_timezone()
    )
