"""Cases that wait too long: told after a day, folded away after three; and how many there will be by tonight."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format

from ingest import alerts
from ingest.models import Alert
from review import office, priority
from review.cases import OPEN
from review.models import Case

_CHUNK = 500
_LEAST = dt.timedelta(minutes=30)
"""A pace is not judged by less time than this."""
_PACE_DAYS = 7
_FEWEST = 5
"""Nor, over these days, by fewer cases."""


def tend() -> int:
    """Escalate, fold away and free what has waited too long, and tell it; how many cases were escalated now."""
    now = timezone.now()
    Case.objects.filter(state=Case.State.IN_PROGRESS, claimed_until__lt=now).update(
        state=Case.State.PENDING, claimed_by=None, claimed_until=None
    )
    Case.objects.filter(state=Case.State.PENDING, folded=False, fold_at__lt=now).update(folded=True)
    late = Case.objects.filter(state=Case.State.PENDING, escalated_at=None, due_at__lt=now).order_by("pk")
    escalated = 0
    while rows := list(late[:_CHUNK]):
        for case in rows:
            case.urgency = priority.escalated(case.urgency)
            case.priority = priority.priority(case.salvageable, case.urgency)
            case.escalated_at = now
        Case.objects.bulk_update(rows, ["urgency", "priority", "escalated_at"])
        escalated += len(rows)
    if escalated:
        alerts.tell(alerts.Sighting(Alert.Kind.REVIEW_LATE, "review", escalated, f"due after {settings.GLEANER_REVIEW_DUE_H} h"))
    return escalated


@dataclass(frozen=True, slots=True)
class Forecast:
    """What tonight will look like at today's pace."""

    closes_at: dt.datetime
    pace: float | None
    """Cases an hour; None where nobody has closed any for days."""
    due: int
    """Open cases that are overdue by then unless somebody completes them."""
    overdue: int
    """Of these, those that will be."""
    waiting: int
    minutes: int | None
    """How long what waits takes at this pace."""

    @property
    def closes_text(self) -> str:
        """When that is, with the day where it is not today."""
        closes = timezone.localtime(self.closes_at)
        time = date_format(closes, "H:i")
        return time if closes.date() == timezone.localdate() else f"{date_format(closes, 'D')} {time}"


def forecast(now: dt.datetime | None = None) -> Forecast:
    """How many cases will be overdue when the working day ends, at today's pace; before it begins, at that of the last days."""
    now = now or timezone.now()
    hours = office.office()
    closes_at = hours.closing(now)
    opened_at = hours.opening(now)
    pace = _pace(opened_at, now) if now - opened_at >= _LEAST else None
    if not pace:
        day = closes_at - opened_at
        closed = Case.objects.filter(closed_at__gte=now - dt.timedelta(days=_PACE_DAYS)).exclude(closed_by=None).count()
        pace = closed / (_PACE_DAYS * day / dt.timedelta(hours=1)) if closed >= _FEWEST else None
    left_h = (closes_at - max(now, opened_at)) / dt.timedelta(hours=1)
    waiting = Case.objects.filter(state__in=OPEN, folded=False).count()
    due = Case.objects.filter(Q(state__in=OPEN, folded=False), due_at__lt=closes_at).count()
    done = int((pace or 0.0) * left_h)
    return Forecast(closes_at, pace, due, max(0, due - done), waiting, round(waiting / pace * 60) if pace else None)


def _pace(since: dt.datetime, now: dt.datetime) -> float | None:
    closed = Case.objects.filter(closed_at__gte=since, closed_at__lte=now).exclude(closed_by=None).count()
    return closed / ((now - since) / dt.timedelta(hours=1)) if closed else None
