"""Stuck: resumes that automation ought to be moving and is not, though the relay has had its chances."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.db.models import Case, F, Q, QuerySet, Value, When
from django.utils import timezone

from resumes.models import Resume
from resumes.states import ACTIVE

_PATIENCE = dt.timedelta(minutes=5)
"""The relay looks every few seconds, so what is due for this long has been passed over."""


def stuck() -> QuerySet[Resume]:
    """Claims that ran out and were not freed, retries whose time has passed, and what has no next stage at all.

    Waiting in a long queue is not being stuck; that is what `gleaner_oldest_pending_seconds` tells.
    """
    limit = timezone.now() - _PATIENCE
    unfreed = Q(token__isnull=False, lease_until__lt=limit)
    overdue = Q(token=None, next_attempt_at__lt=limit)
    nowhere = Q(token=None, next_stage="", state_since__lt=limit)
    return Resume.objects.filter(unfreed | overdue | nowhere, state__in=ACTIVE).order_by("state_since")


def wake(rows: QuerySet[Resume]) -> int:
    """Make stuck resumes due at once, from the first stage where they have none; the relay sends them. How many."""
    chosen = stuck().filter(pk__in=list(rows.values_list("pk", flat=True)))
    entry = Case(When(next_stage="", then=Value(settings.RESUMES_ENTRY_STAGE)), default=F("next_stage"))
    return chosen.order_by().update(token=None, lease_until=None, next_attempt_at=None, dispatched_at=None, next_stage=entry)
