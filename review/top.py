"""What stands above every page of the review: the four tabs, the discard that can be taken back, the work in the background."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import Count
from django.http import HttpRequest

from review import words
from review.models import BulkJob, Case

_UNDO = "review_undo"
"""Key of the session under which the case stands that was discarded last."""


def offer_undo(request: HttpRequest, case: Case) -> None:
    """Remember the discard for the page this person sees next."""
    request.session[_UNDO] = str(case.pk)


def forget_undo(request: HttpRequest) -> None:
    request.session.pop(_UNDO, None)


def undoable(request: HttpRequest) -> dict[str, Any]:
    """The case this person has just discarded, to be offered back once."""
    pk = request.session.pop(_UNDO, None)
    case = Case.objects.filter(pk=pk, state=Case.State.DISCARDED).select_related("resume").first() if pk else None
    return {"undo": case, "undo_title": words.title(case, blind=settings.GLEANER_BLIND_REVIEW)} if case else {}


def tabs() -> list[tuple[str, Any, int]]:
    """The four groups of cases with their counts."""
    counts = dict(Case.objects.order_by().values_list("state").annotate(number=Count("pk")))
    return [(state.value, state.label, counts.get(state.value, 0)) for state in Case.State]


def jobs() -> list[BulkJob]:
    """Decisions for many cases that are still being made."""
    return list(BulkJob.objects.filter(ended_at=None)[:5])
