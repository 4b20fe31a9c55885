"""The failure queue: what did not make it by itself, what happens next, and what one can do about it."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from ingest.models import Attempt, BatchEntry
from resumes import reruns, transitions
from resumes.models import Resume
from resumes.reruns import CannotRerun
from resumes.roles import Act, Visitor, may
from resumes.states import State
from resumes.taxonomy import CODES, FailureClass

STATES = (State.REJECTED, State.DEAD_LETTER, State.REVIEW_NEEDED, State.RETRY_WAITING)
_NOT_PEOPLES = (State.DEAD_LETTER, State.RETRY_WAITING)
"""Here automation or an operator has the next move, not the people who hire."""
_PERMISSION_CODES = sorted(code for code, entry in CODES.items() if entry.failure_class is FailureClass.PERMISSION)


class Who(enum.StrEnum):
    """Whose move is next."""

    NOBODY = "nobody"
    """It is tried again by itself."""
    REVIEWER = "reviewer"
    OPERATOR = "operator"
    SENDER = "sender"
    """Only a better file helps, or somebody who says that none is needed."""


class Action(enum.StrEnum):
    """What one can do with a failed resume."""

    RETRY = "retry"
    """Run it again from the start; by one OCR channel alone where one is named."""
    REVIEW = "review"
    """Give it to a person, with all that was found."""
    REJECT = "reject"
    """Confirm that it has failed."""
    SKIP = "skip"
    """Approve that it is left out."""


ACTS: Mapping[Action, Act] = MappingProxyType(
    {Action.RETRY: Act.RETRY, Action.REVIEW: Act.RETRY, Action.REJECT: Act.CONCLUDE, Action.SKIP: Act.CONCLUDE}
)
_POSSIBLE: Mapping[State, tuple[Action, ...]] = MappingProxyType(
    {
        State.RETRY_WAITING: (Action.REVIEW, Action.REJECT, Action.SKIP),
        State.REVIEW_NEEDED: (Action.RETRY, Action.REJECT, Action.SKIP),
        State.DEAD_LETTER: (Action.RETRY, Action.REVIEW, Action.REJECT, Action.SKIP),
        State.REJECTED: (Action.RETRY, Action.REVIEW, Action.SKIP),
    }
)
_WITHOUT_FILE = frozenset({Action.REJECT, Action.SKIP})
"""What can still be done where there is no file: it was refused at the door."""


def failures(entries: QuerySet[BatchEntry], user: Visitor) -> QuerySet[BatchEntry]:
    """Of these entries the ones in the queue of a user; `last_code` says why a waiting one is tried again."""
    rows = _with_last_code(entries.filter(Q(resume__state__in=STATES), unpacked_at=None), "resume__")
    queue: QuerySet[BatchEntry] = _for(rows, user, "resume__").select_related("resume")
    return queue


def failed_resumes(resumes: QuerySet[Resume], user: Visitor) -> QuerySet[Resume]:
    """The same of resumes, in a batch or not."""
    queue: QuerySet[Resume] = _for(_with_last_code(resumes.filter(state__in=STATES), ""), user, "")
    return queue


def _with_last_code(rows: Any, to_resume: str) -> Any:
    resume = OuterRef(f"{to_resume}pk") if not to_resume else OuterRef("resume")
    attempts = Attempt.objects.filter(resume=resume, run=OuterRef(f"{to_resume}run")).exclude(failure_code="")
    latest = Subquery(attempts.order_by("-id").values("failure_code")[:1])
    return rows.annotate(last_code=Coalesce(latest, Value("")))


def _for(rows: Any, user: Visitor, to_resume: str) -> Any:
    """Refused access is for those who run Gleaner; the people who hire can do nothing about it and are not asked to."""
    if may(user, Act.OPERATE):
        return rows
    waits = Q(**{f"{to_resume}state__in": _NOT_PEOPLES})
    refused = Q(**{f"{to_resume}failure_class": FailureClass.PERMISSION.value}) | Q(last_code__in=_PERMISSION_CODES)
    return rows.exclude(waits & refused)


def whose_move(state: State) -> Who:
    """Who has the next move for a resume in the queue."""
    return {
        State.RETRY_WAITING: Who.NOBODY,
        State.REVIEW_NEEDED: Who.REVIEWER,
        State.DEAD_LETTER: Who.OPERATOR,
        State.REJECTED: Who.SENDER,
    }.get(state, Who.NOBODY)


def possible(resume: Resume, user: Visitor) -> list[Action]:
    """What the user can do with a resume as it stands."""
    actions = _POSSIBLE.get(State(resume.state), ())
    return [
        action for action in actions if may(user, ACTS[action]) and (resume.document_id is not None or action in _WITHOUT_FILE)
    ]


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


def act(resume: Resume, action: Action, user: User, reason: str, *, node: str, channel: str = "") -> None:
    """Do it, on record with the user and the reason, in one transaction.

    Raises CannotRerun(wrong_state, no_file, unpacked, held, unknown_channel) and `Moved`; nothing is done then.
    """
    if action not in _POSSIBLE.get(State(resume.state), ()):
        raise CannotRerun("wrong_state")
    if import_string(settings.RESUMES_HELD)(resume, user.pk):
        raise CannotRerun("held")
    if channel and channel not in settings.OCR_CHANNELS:
        raise CannotRerun("unknown_channel")
    actor, origin = transitions.user_actor(user.pk), State(resume.state)
    with transaction.atomic():
        match action:
            case Action.RETRY:
                reruns.retry(resume, user, reason or "run again", node=node, channel=channel)
            case Action.REVIEW if origin is State.REJECTED:
                reruns.to_review(resume, user, reason or "sent to review", node=node)
            case Action.REVIEW:
                transitions.move(resume, State.REVIEW_NEEDED, node=node, actor=actor, reason=reason or "sent to review")
            case Action.REJECT:
                columns = _concluded(user, reason)
                code = resume.failure_code or _last_code(resume)
                columns |= {"failure_class": CODES[code].failure_class.value, "failure_code": code}
                why = f"confirmed as failed: {reason}" if reason else "confirmed as failed"
                transitions.move(resume, State.REJECTED, node=node, actor=actor, reason=why, **columns)
            case Action.SKIP:
                why = f"left out: {reason}" if reason else "left out"
                if origin is State.REJECTED:  # its run has ended: the approval opens one that ends at once
                    transitions.reopen(resume, State.PENDING, node=node, actor=actor, reason=why)
                columns = _concluded(user, reason) | {"failure_class": "", "failure_code": ""}
                transitions.move(resume, State.SKIPPED, node=node, actor=actor, reason=why, **columns)


def _concluded(user: User, reason: str) -> dict[str, Any]:
    return {"concluded_by": user, "concluded_at": timezone.now(), "conclusion": reason[:500]}


def _last_code(resume: Resume) -> str:
    """Why the last try of this run failed; a resume that was flagged has failed for what it lacks."""
    failed = Attempt.objects.filter(resume=resume, run=resume.run).exclude(failure_code="")
    return failed.order_by("-id").values_list("failure_code", flat=True).first() or "low_completeness"
