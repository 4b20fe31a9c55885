"""Moving a resume: the only writer of its state.

`move()` compares and sets, writes the log row and the outbox row, and runs the follow-ups the settings name, all in one
transaction; the message leaves after commit. `claim()` is the move that takes a resume for a stage, `reopen()` the one
that opens the next run.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.module_loading import import_string

from resumes import correlation
from resumes.models import OutboxMessage, Resume, Transition
from resumes.states import REOPENS, State, is_allowed

SYSTEM = "system"


def user_actor(user_id: int | None) -> str:
    """The actor of a move a person made."""
    return f"user:{user_id}"


class Moved(Exception):
    """The resume was no longer where the caller believed it to be: somebody else has moved or claimed it."""


@dataclass(frozen=True, slots=True)
class Wake:
    """A message to send after commit: an explicit task name and ids."""

    topic: str
    payload: dict[str, Any] = field(default_factory=dict)
    due_at: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """What a follow-up is told of a move."""

    resume: Resume
    """The row as it now is."""
    transition: Transition


FollowUp = Callable[[Move], None]


def move(
    resume: Resume,
    to: State,
    *,
    node: str,
    reason: str,
    actor: str = SYSTEM,
    token: uuid.UUID | None = None,
    wake: Wake | None = None,
    hold: bool = False,
    **columns: Any,
) -> Transition:
    """Move `resume` from the state and run its instance shows to `to`, and set `columns` with it.

    With a `token` the move also needs the claim to be still ours; with `hold` a fresh claim is taken in its place.
    Raises `Moved` when the row is elsewhere by now and ValueError for a move the table does not allow. The instance then
    shows what was written.
    """
    origin = State(resume.state)
    if not is_allowed(origin, to):
        raise ValueError(f"A resume cannot move from {origin} to {to}.")
    conditions = Q(state=origin, run=resume.run)
    if token is not None:
        conditions &= Q(token=token)
    return _write(
        resume,
        to,
        conditions=conditions,
        node=node,
        reason=reason,
        actor=actor,
        wake=wake,
        columns=_claim_after(wake, hold=hold) | columns,
    )


def reopen(
    resume: Resume, to: State, *, node: str, reason: str, actor: str, wake: Wake | None = None, **columns: Any
) -> Transition:
    """Open the next run of a settled or waiting resume: back to the queue (PENDING) or to review.

    Raises `Moved` and ValueError like `move`.
    """
    origin = State(resume.state)
    if to not in REOPENS.get(origin, frozenset()):
        raise ValueError(f"A resume in {origin} cannot be opened again as {to}.")
    fresh: dict[str, Any] = {
        "run": resume.run + 1,
        "correlation": correlation.current(),
        "worked_s": 0.0,
        "alone": False,
        "failure_class": "",
        "failure_code": "",
        "level": "",
        "next_stage": settings.RESUMES_ENTRY_STAGE if to is State.PENDING else "",
        "next_channel": "",
        "route": [] if to is State.PENDING else resume.route,
        "channels": [] if to is State.PENDING else resume.channels,
        "warnings": [] if to is State.PENDING else resume.warnings,
        "as_pictures": False,
        "concluded_by": None,
        "concluded_at": None,
        "conclusion": "",
    }
    if to is State.PENDING and wake is None:
        wake = stage_wake(settings.RESUMES_ENTRY_STAGE, resume.id, resume.run + 1)
    return _write(
        resume,
        to,
        conditions=Q(state=origin, run=resume.run),
        node=node,
        reason=reason,
        actor=actor,
        wake=wake,
        columns=_claim_after(wake) | fresh | columns,
    )


def claim(
    resume_id: uuid.UUID, run: int, stage: str, *, state_from: Callable[[State], State | None], allowed: Iterable[State]
) -> Resume | None:
    """Take the resume for a stage: set a fresh token and a lease, and move it to the state `state_from` names, if any.

    None when there is nothing to do: another worker holds it, the stage is not the one that is due, or its time has not
    come by the database's clock. Otherwise the row as claimed.
    """
    with transaction.atomic():
        free = Q(lease_until=None) | Q(lease_until__lt=Now())
        due = Q(next_attempt_at=None) | Q(next_attempt_at__lte=Now())
        conditions = free & due & Q(run=run, next_stage=stage, state__in=list(allowed))
        resume = Resume.objects.filter(conditions, pk=resume_id).select_related("document").first()
        if resume is None:
            return None
        origin = State(resume.state)
        state = state_from(origin)
        columns: dict[str, Any] = _fresh_claim() | {"next_attempt_at": None, "parked_for": ""}
        if state is not None and state is not origin:
            if not is_allowed(origin, state):
                raise ValueError(f"Stage {stage} cannot take a resume in {origin}.")
            columns |= {"state": state, "state_since": timezone.now()}
        if not Resume.objects.filter(conditions, pk=resume_id, state=origin).update(**columns):
            return None
        resume.token = columns["token"]
        resume.attempts += 1
        if "state" in columns:
            resume.state = state or origin
            Transition.objects.create(
                resume=resume, run=run, from_state=origin, to_state=resume.state, node=stage, actor=SYSTEM, reason="claimed"
            )
    return resume


def _fresh_claim() -> dict[str, Any]:
    """The columns of a fresh claim: a new token, a lease by the database's clock, one attempt more."""
    return {
        "token": uuid.uuid4(),
        "lease_until": Now() + dt.timedelta(seconds=settings.GLEANER_LEASE_S),
        "attempts": F("attempts") + 1,
    }


def renew(resume_id: uuid.UUID, token: uuid.UUID) -> bool:
    """Extend the lease of a claim; False when it is no longer ours."""
    lease = Now() + dt.timedelta(seconds=settings.GLEANER_LEASE_S)
    return Resume.objects.filter(pk=resume_id, token=token).update(lease_until=lease) == 1


def advance(resume: Resume, *, token: uuid.UUID, wake: Wake | None = None, hold: bool = False, **columns: Any) -> None:
    """Write the outcome of a stage that leaves the state as it is and hand the resume on. Raises `Moved`.

    With `hold` a fresh claim is taken in the place of the one that ends.
    """
    values = _claim_after(wake, hold=hold) | columns
    with transaction.atomic():
        if not Resume.objects.filter(pk=resume.pk, token=token, state=resume.state, run=resume.run).update(**values):
            raise Moved
        _send_after_commit(wake)
    _refresh(resume, values)


def stage_wake(stage: str, resume_id: uuid.UUID, run: int, due_at: dt.datetime | None = None) -> Wake:
    """The message that a stage of a resume is due."""
    return Wake(f"ingest.{stage}", {"resume_id": str(resume_id), "run": run}, due_at)


def start(resume: Resume, *, node: str, actor: str, reason: str) -> None:
    """Log the birth of a resume and wake the first stage. Called inside the transaction that inserts the row."""
    transition = Transition.objects.create(
        resume=resume, run=resume.run, from_state="", to_state=resume.state, node=node, actor=actor, reason=reason
    )
    _follow(Move(resume, transition))
    if resume.next_stage:
        _send_after_commit(stage_wake(resume.next_stage, resume.id, resume.run))


def _write(
    resume: Resume,
    to: State,
    *,
    conditions: Q,
    node: str,
    reason: str,
    actor: str,
    wake: Wake | None,
    columns: dict[str, Any],
) -> Transition:
    with transaction.atomic():
        now = timezone.now()
        values = {"next_stage": "", "next_channel": "", "next_attempt_at": None, "parked_for": ""} | columns
        values |= {"state": to, "state_since": now}
        if not Resume.objects.filter(conditions, pk=resume.pk).update(**values):
            raise Moved
        origin = resume.state
        _refresh(resume, values)
        transition = Transition.objects.create(
            resume=resume,
            run=resume.run,
            from_state=origin,
            to_state=to,
            at=now,
            node=node,
            actor=actor,
            reason=reason[:200],
            level=values.get("level", ""),
        )
        _follow(Move(resume, transition))
        _send_after_commit(wake)
    return transition


def _claim_after(wake: Wake | None, *, hold: bool = False) -> dict[str, Any]:
    """The columns of the claim once a stage has ended: a fresh one, or none."""
    if hold:
        return _fresh_claim()
    return {"token": None, "lease_until": None, "dispatched_at": timezone.now() if wake else None}


def _refresh(resume: Resume, values: dict[str, Any]) -> None:
    """Show on the instance what was written. What the database computes (its clock, a count) is read when next asked for."""
    for name, value in values.items():
        if hasattr(value, "resolve_expression"):
            resume.__dict__.pop(name, None)
        else:
            setattr(resume, name, value)


def _send_after_commit(wake: Wake | None) -> None:
    if wake is None:
        return
    # By the clock the relay asks: SQLite's has milliseconds, ours would be ahead of it by a part of one.
    message = OutboxMessage.objects.create(topic=wake.topic, payload=wake.payload, due_at=wake.due_at or Now())
    if wake.due_at is None:
        transaction.on_commit(lambda: send(message), robust=True)


def send(message: OutboxMessage) -> None:
    """Publish a committed message by the sender the settings name. Where it fails, the relay does it later."""
    import_string(settings.RESUMES_SENDER)(message)


@cache
def follow_ups() -> tuple[FollowUp, ...]:
    """The follow-ups named in the settings, in order. A name that cannot be imported stops the start (see `checks`)."""
    return tuple(import_string(name) for name in settings.RESUMES_FOLLOW_UPS)


def _follow(done: Move) -> None:
    for follow_up in follow_ups():
        follow_up(done)
