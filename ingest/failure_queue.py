"""The failure queue: what did not make it by itself, and what happens next."""

from __future__ import annotations

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from ingest.models import Attempt, BatchEntry
from resumes.states import State

STATES = (State.REJECTED, State.DEAD_LETTER, State.REVIEW_NEEDED, State.RETRY_WAITING)


def failures(entries: QuerySet[BatchEntry]) -> QuerySet[BatchEntry]:
    """Of these entries the ones in the queue; `last_code` says why a waiting one is tried again."""
    attempts = Attempt.objects.filter(resume=OuterRef("resume"), run=OuterRef("resume__run")).exclude(failure_code="")
    return (
        entries.filter(Q(resume__state__in=STATES), unpacked_at=None)
        .annotate(last_code=Subquery(attempts.order_by("-id").values("failure_code")[:1]))
        .select_related("resume")
    )


def what_next(state: State) -> str:
    """What happens next to a resume in a state, in the reader's language."""
    match state:
        case State.RETRY_WAITING:
            return _("It is tried again by itself.")
        case State.REVIEW_NEEDED:
            return _("A person completes it in the review.")
        case State.DEAD_LETTER:
            return _("An operator decides: run again, send to review or refuse.")
        case State.REJECTED:
            return _("Nothing more by itself. Run it again, or send a better file.")
        case State.COMPLETED | State.REVIEWED | State.SKIPPED:
            return _("Nothing more.")
        case _:
            return _("It is being worked on.")
