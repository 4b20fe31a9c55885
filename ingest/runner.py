"""Running stages on a resume in the database: claim, attempt, save and move.

A worker that loses its claim on the way (it was too slow, or taken for dead) finds its token gone and writes nothing.
Stages on the same queue follow each other here without a message in between: the transaction that saves one stage also
takes the claim of the next, each still with its own token and record.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import socket
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from ingest import archives, breaker, leases, parking, records, routing, switches
from ingest.attempt import Attempted, StageTools, attempt
from ingest.dossier import Dossier, Options
from ingest.failures import Failure
from ingest.models import Attempt, BatchEntry
from ingest.options import current_options
from ingest.pipeline import AFTER_SETTLING, STAGES
from ingest.policy import current_table
from ingest.sandbox.pool import close_sandboxes
from ingest.stages import Stage
from resumes import correlation, transitions
from resumes.models import Extraction, Resume
from resumes.states import ACTIVE, SUCCEEDED, State
from resumes.taxonomy import ResumeError

log = structlog.get_logger(__name__)

_HOST = socket.gethostname()


@dataclass(frozen=True, slots=True)
class WakeUp:
    """What the caller is asked to do: bring the stage back after a while."""

    stage: str
    resume_id: uuid.UUID
    run: int
    delay_s: float


@dataclass(frozen=True, slots=True)
class _Taken:
    """A claimed stage: the resume as it stands, the open attempt, and the dossier where the stage before left it here."""

    stage: Stage
    resume: Resume
    row: Attempt
    dossier: Dossier | None = None


def run_stages(stage_name: str, resume_id: uuid.UUID, run: int) -> WakeUp | None:
    """Run the stage that is due, and those that follow on the same queue; None unless a retry has to be woken later.

    Does nothing where the claim fails: another worker has it, or the message is stale.
    """
    taken: _Taken | WakeUp | None = _take(STAGES[stage_name], resume_id, run)
    if not isinstance(taken, _Taken):
        return None
    known = {"resume": str(resume_id), "run": run, correlation.FIELD: taken.resume.correlation or str(resume_id)}
    if (batch := BatchEntry.objects.filter(resume=resume_id).values_list("batch", flat=True).first()) is not None:
        known["batch"] = str(batch)
    with structlog.contextvars.bound_contextvars(**known):
        while isinstance(taken, _Taken):
            with structlog.contextvars.bound_contextvars(stage=taken.stage.name, attempt=taken.row.pk):
                taken = _run(taken)
    return taken


def _take(stage: Stage, resume_id: uuid.UUID, run: int) -> _Taken | None:
    """Claim a stage and open its attempt, in one transaction of their own; the record outlives whatever happens next."""
    if switches.is_paused(stage.queue):
        # Its message is used up: the row waits as one never sent, which the relay sends as soon as the queue goes on.
        Resume.objects.filter(pk=resume_id, run=run, next_stage=stage.name, token=None).update(dispatched_at=None)
        return None
    allowed = ACTIVE if stage.state is not None else SUCCEEDED
    with transaction.atomic():
        resume = transitions.claim(resume_id, run, stage.name, state_from=stage.state_from, allowed=allowed)
        return _Taken(stage, resume, _open(resume, stage)) if resume else None


def _open(resume: Resume, stage: Stage) -> Attempt:
    if resume.token is None:
        raise AssertionError("an attempt needs a claim")
    return Attempt.objects.create(
        resume=resume,
        run=resume.run,
        stage=stage.name,
        channel=resume.next_channel,
        token=resume.token,
        worker=f"{_HOST}:{os.getpid()}",
    )


def _run(taken: _Taken) -> _Taken | WakeUp | None:
    """Run a claimed stage and settle it; one in quarantine in sandboxes that have read nothing else and never will."""
    with contextlib.ExitStack() as scratch:
        if taken.resume.alone:
            close_sandboxes()
            scratch.callback(close_sandboxes)
        with leases.kept(taken.resume.pk, taken.row.token):
            done = _attempt(taken, scratch)
        try:
            settled = _settle(taken, done)
        except transitions.Moved:
            _drop(taken.row, done)
            log.warning("claim_lost")
            return None
    _tell(taken, done, settled)
    return settled


def _tell(taken: _Taken, done: Attempted, settled: _Taken | WakeUp | None) -> None:
    """The line of an attempt, once it is on record; and that of the retry that follows."""
    code = done.failure.code if done.failure else None
    log.info("stage_ended", channel=taken.row.channel, outcome=taken.row.outcome, code=code, seconds=done.seconds)
    if isinstance(settled, WakeUp):
        at = timezone.now() + dt.timedelta(seconds=settled.delay_s)
        log.info("retry", code=code, at=at.isoformat(timespec="seconds"), in_s=round(settled.delay_s, 1))


def _attempt(taken: _Taken, scratch: contextlib.ExitStack) -> Attempted:
    """Try the stage within what is left of the resume's budget; once that is spent, whatever retries are left do not count."""
    stage, resume, row = taken.stage, taken.resume, taken.row
    options = current_options(resume)
    blank = _blank(resume)
    budget_s = _budget_left_s(resume, stage, options)
    if budget_s <= 0:
        spent = Failure("timeout", retryable=False, detail="work budget spent")
        return Attempted(routing.out_of_time(stage.name), replace(blank, setback=blank.setback or spent), spent, 0.0)
    tools = StageTools(
        options,
        row.channel,
        min(stage.deadline_s, budget_s),
        scratch,
        breaker.guarded,
        keeper=partial(_keep, resume, row),
        admit=archives.admit,
    )
    return attempt(
        stage,
        lambda: taken.dossier or records.load(resume, stage, scratch),
        tools,
        blank=blank,
        tries=lambda failure: 1 + _failed_tries(row, failure),
        table=current_table(),
    )


def _settle(taken: _Taken, done: Attempted) -> _Taken | WakeUp | None:
    """Save what was found, close the attempt and move on, in one transaction. Raises `Moved` where the claim is gone."""
    stage, resume, row = taken.stage, taken.resume, taken.row
    step, dossier, token = done.step, done.dossier, row.token
    with transaction.atomic():
        _close(row, done)
        columns: dict[str, Any] = {"worked_s": resume.worked_s + done.seconds, "routed_by": current_table().version}
        columns |= records.columns_of(dossier) if done.failure else records.save(resume, stage, dossier)
        match step:
            case routing.Go():
                return _go(taken, step, dossier, columns)
            case routing.Again():
                return _again(taken, step, done.failure, columns)
            case routing.Park():
                _park(taken, step, done.failure, columns)
            case routing.Complete():
                onward = _onward(stage, resume, STAGES[AFTER_SETTLING], State.COMPLETED)
                columns |= {"level": step.level, "failure_class": "", "failure_code": ""}
                transitions.move(
                    resume,
                    State.COMPLETED,
                    node=stage.name,
                    reason="quality gate passed",
                    token=token,
                    **columns | onward,
                )
                return _follow(stage, resume, STAGES[AFTER_SETTLING], dossier)
            case routing.Unpacked():
                archives.enter_members(resume, dossier.members)
                reason = f"archive unpacked into {len(dossier.members)} items"
                transitions.move(resume, State.SKIPPED, node=stage.name, reason=reason, token=token, **columns)
            case routing.Review() | routing.Reject() | routing.Dead():
                known = Failure.of(step.code)
                columns |= {"failure_class": known.failure_class.value, "failure_code": known.code}
                reason = _last_words(row, step) if isinstance(step, routing.Dead) else known.code
                transitions.move(resume, _ENDS[type(step)], node=stage.name, reason=reason, token=token, **columns)
            case routing.Rest():
                transitions.advance(resume, token=token, next_stage="", next_channel="", **columns)
    return None


_ENDS: dict[type, State] = {
    routing.Review: State.REVIEW_NEEDED,
    routing.Reject: State.REJECTED,
    routing.Dead: State.DEAD_LETTER,
}


def _go(taken: _Taken, step: routing.Go, dossier: Dossier, columns: dict[str, Any]) -> _Taken | None:
    stage, resume, token = taken.stage, taken.resume, taken.row.token
    target = STAGES[step.stage]
    fall = step.fallback and resume.state != State.RULE_FALLBACK
    state = State.RULE_FALLBACK if fall else State(resume.state)
    columns |= _onward(stage, resume, target, state, channel=step.channel)
    if fall:
        transitions.move(resume, state, node=stage.name, reason="a better level gave way", token=token, **columns)
    else:
        transitions.advance(resume, token=token, **columns)
    return _follow(stage, resume, target, dossier)


def _here(stage: Stage, target: Stage, state: State) -> bool:
    """Whether `target` can follow `stage` in this worker at once: the same queue, and no state to move to first."""
    return target.queue == stage.queue and target.state_from(state) in (None, state)


def _onward(stage: Stage, resume: Resume, target: Stage, state: State, *, channel: str = "") -> dict[str, Any]:
    """How a resume is handed on: a new claim where `target` follows here, else a message to whoever takes it."""
    columns: dict[str, Any] = {"next_stage": target.name, "next_channel": channel, "dispatched_at": timezone.now()}
    if _here(stage, target, state):
        return columns | {"hold": True}
    return columns | {"wake": transitions.stage_wake(target.name, resume.pk, resume.run)}


def _follow(stage: Stage, resume: Resume, target: Stage, dossier: Dossier) -> _Taken | None:
    """The claim `_onward` has taken, with its attempt opened in the same transaction."""
    if not _here(stage, target, State(resume.state)):
        return None
    return _Taken(target, resume, _open(resume, target), dossier)


def _again(taken: _Taken, step: routing.Again, failure: Failure | None, columns: dict[str, Any]) -> WakeUp:
    stage, resume, row = taken.stage, taken.resume, taken.row
    columns |= {
        "next_stage": stage.name,
        "next_channel": row.channel,
        "next_attempt_at": Now() + dt.timedelta(seconds=step.delay_s),
        "dispatched_at": timezone.now(),
    }
    if step.alone:
        columns |= {"alone": True}
    if stage.state is None:
        transitions.advance(resume, token=row.token, **columns)
    else:
        reason = f"{failure.code if failure else 'failed'}: again in {step.delay_s:.1f} s"
        transitions.move(resume, State.RETRY_WAITING, node=stage.name, reason=reason, token=row.token, **columns)
    return WakeUp(stage.name, resume.pk, resume.run, step.delay_s)


def _park(taken: _Taken, step: routing.Park, failure: Failure | None, columns: dict[str, Any]) -> None:
    """Leave the resume in the database until the relay finds the dependency answering (`ingest.parking`)."""
    stage, row = taken.stage, taken.row
    columns |= {
        "next_stage": stage.name,
        "next_channel": row.channel,
        "next_attempt_at": Now() + parking.LONGEST,
        "parked_for": step.dependency,
    }
    reason = f"{failure.code if failure else 'failed'}: parked until {step.dependency} answers"
    transitions.move(taken.resume, State.RETRY_WAITING, node=stage.name, reason=reason, token=row.token, **columns)


def _last_words(row: Attempt, step: routing.Dead) -> str:
    """What is known of a death, for the operator who finds the letter."""
    where = f"{row.stage} {row.channel}".strip()
    return f"{step.code} in {where}: {step.detail}" if step.detail else f"{step.code} in {where}"


def _close(row: Attempt, done: Attempted) -> None:
    row.seconds = done.seconds
    row.prompt_tokens, row.completion_tokens = done.tokens.prompt, done.tokens.completion
    row.outcome = Attempt.Outcome.FAILED if done.failure else Attempt.Outcome.OK
    if done.failure:
        row.failure_class, row.failure_code = done.failure.failure_class.value, done.failure.code
        row.detail = done.failure.detail[:300]
    row.save(
        update_fields=[
            "seconds",
            "prompt_tokens",
            "completion_tokens",
            "outcome",
            "failure_class",
            "failure_code",
            "detail",
        ]
    )


def _drop(row: Attempt, done: Attempted) -> None:
    """Close an attempt whose claim is gone, what it cost with it; the relay may have noted it as lost before."""
    mine = Attempt.objects.filter(pk=row.pk)
    mine.update(seconds=done.seconds, prompt_tokens=done.tokens.prompt, completion_tokens=done.tokens.completion)
    mine.filter(outcome=Attempt.Outcome.RUNNING).update(outcome=Attempt.Outcome.DROPPED)


def _keep(resume: Resume, row: Attempt, reading: Mapping[str, Any], done: int, of: int) -> None:
    """Keep the pages read so far for the next try, and how far it got. Raises ResumeError where the claim is gone."""
    with transaction.atomic():
        if not Resume.objects.select_for_update().filter(pk=resume.pk, run=resume.run, token=row.token).exists():
            raise ResumeError("worker_lost", "the claim is gone")
        Extraction.objects.filter(resume=resume, run=resume.run).update(packed_reading=Extraction.pack(dict(reading)))
        Attempt.objects.filter(pk=row.pk).update(pages_read=done, pages_wanted=of)


def _failed_tries(row: Attempt, failure: Failure) -> int:
    """Failed tries of the stage and channel in this run, those not counted that only found a closed door.

    Those that found the door closed which `failure` found closed do count for it: every kind of retry comes to an end.
    """
    tries = Attempt.objects.filter(
        resume=row.resume_id, run=row.run, stage=row.stage, channel=row.channel, outcome=Attempt.Outcome.FAILED
    )
    return tries.exclude(failure_code__in=parking.CLOSED_DOORS - {failure.code}).count()


def _budget_left_s(resume: Resume, stage: Stage, options: Options) -> float:
    """What is left of the resume's own time for work; bookkeeping and what follows its end have just their deadline."""
    if stage.state is None or not stage.reads:
        return stage.deadline_s
    pages = max(0, (resume.pages or 0) - 2) if "ocr" in (*resume.route, stage.name) else 0
    budget = settings.GLEANER_WORK_BUDGET_S + settings.GLEANER_WORK_BUDGET_OCR_PAGE_S * pages
    if options.models:
        budget += settings.GLEANER_WORK_BUDGET_MODEL_S
    return float(budget) - resume.worked_s


def _blank(resume: Resume) -> Dossier:
    return Dossier(
        media_type=resume.document.media_type if resume.document else "",
        path=None,
        filename="",
        as_of=resume.received_at.date(),
        route=tuple(resume.route),
        channels=tuple(resume.channels),
        as_pictures=resume.as_pictures,
        setback=Failure.of(resume.failure_code) if resume.failure_code else None,
        warnings=tuple(resume.warnings),
        alone=resume.alone,
    )
