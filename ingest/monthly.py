"""The monthly report: of the resumes that came in a month, how many made it, by which level, and what went wrong."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils import timezone

from ingest.figures import LEVELS
from ingest.metrics import tally
from ingest.models import Attempt
from resumes.models import Resume
from resumes.states import SUCCEEDED, State

_TECHNICAL = ("resource", "permission")
_TOP = 10


@dataclass(frozen=True, slots=True)
class Month:
    """Figures of the resumes received in one month, as they stand now."""

    first: dt.date
    received: int
    states: Mapping[str, int]
    levels: Mapping[str, int]
    """Completed or reviewed, by the costliest level that took part."""
    technical: int
    """Neither completed nor reviewed, for a reason of resources or permissions: what Gleaner itself owes."""
    codes: tuple[tuple[str, int], ...]
    """Why resumes needed a person or were refused: the most frequent codes."""
    tries: int
    failed_tries: int
    failed_codes: tuple[tuple[str, int], ...]
    """Why tries failed, those included that a later try made good."""

    @property
    def done(self) -> int:
        return sum(self.states.get(state, 0) for state in SUCCEEDED)

    @property
    def settled(self) -> int:
        """What has an end or waits for people: the base of the rates. What was left out on purpose does not count."""
        return self.done + sum(self.states.get(state, 0) for state in (State.REJECTED, State.REVIEW_NEEDED, State.DEAD_LETTER))

    @property
    def technical_rate(self) -> float | None:
        return self.technical / self.settled if self.settled else None

    @property
    def refused_rate(self) -> float | None:
        return self.states.get(State.REJECTED, 0) / self.settled if self.settled else None

    @property
    def by_people_rate(self) -> float | None:
        people = self.states.get(State.REVIEWED, 0) + self.states.get(State.REVIEW_NEEDED, 0)
        return people / self.settled if self.settled else None

    @property
    def level_shares(self) -> list[tuple[str, int, float]]:
        return [
            (level, self.levels.get(level, 0), self.levels.get(level, 0) / self.done if self.done else 0.0) for level in LEVELS
        ]


def month_of(first: dt.date) -> Month:
    """The figures of the month that begins on `first`."""
    begin, end = _bounds(first)
    came = Resume.objects.filter(received_at__gte=begin, received_at__lt=end)
    tried = Attempt.objects.filter(started_at__gte=begin, started_at__lt=end)
    unfinished = came.exclude(state__in=[*SUCCEEDED, State.SKIPPED])
    counted = tried.aggregate(number=Count("pk"), failed=Count("pk", filter=~Q(failure_code="")))
    return Month(
        first=first,
        received=came.count(),
        states=tally(came, "state"),
        levels=tally(came.filter(state__in=SUCCEEDED), "level"),
        technical=unfinished.filter(failure_class__in=_TECHNICAL).count(),
        codes=_top(tally(unfinished.exclude(failure_code=""), "failure_code")),
        tries=counted["number"],
        failed_tries=counted["failed"],
        failed_codes=_top(tally(tried.exclude(failure_code=""), "failure_code")),
    )


def first_of(text: str) -> dt.date:
    """The first day of the month written `YYYY-MM`; of the present month for anything else."""
    try:
        return dt.date.fromisoformat(f"{text}-01")
    except ValueError:
        return timezone.localdate().replace(day=1)


def neighbours(first: dt.date) -> tuple[dt.date, dt.date]:
    """The months before and after."""
    return (first - dt.timedelta(days=1)).replace(day=1), (first + dt.timedelta(days=31)).replace(day=1)


def _bounds(first: dt.date) -> tuple[dt.datetime, dt.datetime]:
    begin, end = (timezone.make_aware(dt.datetime.combine(day, dt.time())) for day in (first, neighbours(first)[1]))
    return begin, end


def _top(counts: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_TOP])
