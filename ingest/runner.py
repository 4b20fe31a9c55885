"""Running a stage on a resume in the database: claim, attempt, save and move.

A worker that loses its claim on the way (it was too slow, or taken for dead) finds its token gone and writes nothing.
Stages on the same queue follow each other here without a message in between, each with its own claim and record.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import socket
import threading
import uuid
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models.functions import Now
from django.utils import timezone

from ingest import archives, records, routing
from ingest.attempt import Attempted, StageTools, attempt
from ingest.dossier import Dossier, Options
from ingest.failures import Failure
from ingest.models import Attempt
from ingest.options import current_options
from ingest.pipeline import AFTER_SETTLING, STAGES
from ingest.stages import Stage
from resumes import transitions
from resumes.models import Resume
from resumes.states import ACTIVE, SUCCEEDED, State

log = structlog.get_logger(__name__)

WORKER = f"{socket.gethostname()}:{os.getpid()}"


@dataclass(frozen=True, slots=True)
class WakeUp:
    """What the caller is asked to do: bring the stage back after a while."""

    stage: str
    resume_id: uuid.UUID
    run: int
    delay_s: float


def run_stages(stage_name: str, resume_id: uuid.UUID, run: int) -> WakeUp | None:
    """Run the stage that is due, and those that follow on the same queue; None unless a retry has to be woken later.

    Does nothing where the claim fails: another worker has it, or the message is stale.
    """
    queue = STAGES[stage_name].queue
    while True:
        ending = _run_one(STAGES[stage_name], resume_id, run, queue)
        match ending:
            case str():
                stage_name = ending
            case _:
                return ending


def _run_one(stage: Stage, resume_id: uuid.UUID, run: int, queue: str) -> WakeUp | str | None:
    """Run one stage; the name of the next one on this queue, a wake-up, or None."""
    allowed = ACTIVE if stage.state is not None else SUCCEEDED
    with transaction.atomic():
        resume = transitions.claim(resume_id, run, stage.name, state_from=stage.state_from, allowed=allowed)
        if resume is None or resume.token is None:
            return None
        token = resume.token
        attempt_row = Attempt.objects.create(
            resume=resume, run=run, stage=stage.name, channel=resume.next_channel, token=token, worker=WORKER
        )
    about = structlog.contextvars.bound_contextvars(resume=str(resume_id), run=run)
    with about, contextlib.ExitStack() as scratch, Lease(resume.id, token):
        done = _attempt(stage, resume, attempt_row, scratch)
        try:
            return _settle(stage, resume, attempt_row, done, queue)
        except transitions.Moved:
            log.warning("claim_lost", stage=stage.name)
            return None


def _attempt(stage: Stage, resume: Resume, row: Attempt, scratch: contextlib.ExitStack) -> Attempted:
    """Try the stage within what is left of the resume's budget; a spent budget is a review, whatever retries are left."""
    options = current_options()
    blank = _blank(resume)
    budget_s = _budget_left_s(resume, stage, options)
    if budget_s <= 0:
        spent = Failure("timeout", retryable=False, detail="work budget spent")
        return Attempted(routing.Review("timeout"), replace(blank, setback=spent), spent, 0.0)
    tools = StageTools(options, row.channel, min(stage.deadline_s, budget_s), scratch)
    done = attempt(
        stage,
        lambda: records.load(resume, stage, scratch),
        tools,
        blank=blank,
        tries=lambda: 1 + _failed_tries(resume, stage, row.channel),
        policy=stage.retry,
    )
    if done.dossier.members:
        return replace(done, dossier=replace(done.dossier, members=archives.admit(done.dossier.members)))
    return done


def _settle(stage: Stage, resume: Resume, row: Attempt, done: Attempted, queue: str) -> WakeUp | str | None:
    """Save what was found, close the attempt and move on, in one transaction. Raises `Moved` where the claim is gone."""
    step, dossier, token = done.step, done.dossier, row.token
    with transaction.atomic():
        _close(row, done)
        columns: dict[str, Any] = {"worked_s": resume.worked_s + done.seconds}
        columns |= records.columns_of(dossier) if done.failure else records.save(resume, stage, dossier)
        match step:
            case routing.Go():
                return _go(stage, resume, token, step, columns, queue)
            case routing.Again():
                return _again(stage, resume, row, step, done.failure, columns)
            case routing.Complete():
                inline = STAGES[AFTER_SETTLING].queue == queue
                wake = None if inline else transitions.stage_wake(AFTER_SETTLING, resume.id, resume.run)
                columns |= {"level": step.level, "next_stage": AFTER_SETTLING, "dispatched_at": timezone.now()}
                columns |= {"failure_class": "", "failure_code": ""}
                transitions.move(
                    resume, State.COMPLETED, node=stage.name, reason="quality gate passed", token=token, wake=wake, **columns
                )
                return AFTER_SETTLING if inline else None
            case routing.Unpacked():
                archives.enter_members(resume, dossier.members)
                transitions.move(
                    resume,
                    State.SKIPPED,
                    node=stage.name,
                    reason=f"archive unpacked into {len(dossier.members)} items",
                    token=token,
                    **columns,
                )
            case routing.Review() | routing.Reject() | routing.Dead():
                ended = {
                    routing.Review: State.REVIEW_NEEDED,
                    routing.Reject: State.REJECTED,
                    routing.Dead: State.DEAD_LETTER,
                }[type(step)]
                known = Failure.of(step.code)
                columns |= {"failure_class": known.failure_class.value, "failure_code": known.code}
                transitions.move(resume, ended, node=stage.name, reason=known.code, token=token, **columns)
            case routing.Rest():
                transitions.advance(resume, token=token, next_stage="", next_channel="", **columns)
    return None


def _go(stage: Stage, resume: Resume, token: uuid.UUID, step: routing.Go, columns: dict[str, Any], queue: str) -> str | None:
    inline = STAGES[step.stage].queue == queue
    wake = None if inline else transitions.stage_wake(step.stage, resume.id, resume.run)
    columns |= {"next_stage": step.stage, "next_channel": step.channel, "dispatched_at": timezone.now()}
    if step.fallback and resume.state != State.RULE_FALLBACK:
        transitions.move(
            resume, State.RULE_FALLBACK, node=stage.name, reason="a better level gave way", token=token, wake=wake, **columns
        )
    else:
        transitions.advance(resume, token=token, wake=wake, **columns)
    return step.stage if inline else None


def _again(
    stage: Stage,
    resume: Resume,
    row: Attempt,
    step: routing.Again,
    failure: Failure | None,
    columns: dict[str, Any],
) -> WakeUp:
    columns |= {
        "next_stage": stage.name,
        "next_channel": row.channel,
        "next_attempt_at": Now() + dt.timedelta(seconds=step.delay_s),
        "dispatched_at": timezone.now(),
    }
    if stage.state is None:
        transitions.advance(resume, token=row.token, **columns)
    else:
        reason = f"{failure.code if failure else 'failed'}: again in {step.delay_s:.1f} s"
        transitions.move(resume, State.RETRY_WAITING, node=stage.name, reason=reason, token=row.token, **columns)
    return WakeUp(stage.name, resume.id, resume.run, step.delay_s)


def _close(row: Attempt, done: Attempted) -> None:
    row.seconds = done.seconds
    row.outcome = Attempt.Outcome.FAILED if done.failure else Attempt.Outcome.OK
    if done.failure:
        row.failure_class, row.failure_code = done.failure.failure_class.value, done.failure.code
        row.detail = done.failure.detail[:300]
    row.save(update_fields=["seconds", "outcome", "failure_class", "failure_code", "detail"])


def _failed_tries(resume: Resume, stage: Stage, channel: str) -> int:
    return Attempt.objects.filter(
        resume=resume, run=resume.run, stage=stage.name, channel=channel, outcome=Attempt.Outcome.FAILED
    ).count()


def _budget_left_s(resume: Resume, stage: Stage, options: Options) -> float:
    """What is left of the resume's own time for work; what follows a settled resume has only its stage's deadline."""
    if stage.state is None:
        return stage.deadline_s
    pages = max(0, (resume.pages or 0) - 2) if "ocr" in (*resume.route, stage.name) else 0
    budget = settings.GLEANER_WORK_BUDGET_S + settings.GLEANER_WORK_BUDGET_OCR_PAGE_S * pages
    if options.model is not None:
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
        warnings=tuple(resume.warnings),
    )


class Lease:
    """Renews a claim in the background for as long as the stage runs."""

    def __init__(self, resume_id: uuid.UUID, token: uuid.UUID) -> None:
        self._resume_id, self._token = resume_id, token
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._renew, name="lease", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()

    def _renew(self) -> None:
        try:
            while not self._over.wait(settings.GLEANER_LEASE_RENEW_S):
                if not transitions.renew(self._resume_id, self._token):
                    return  # the claim is gone; saving will find out
        finally:
            connection.close()
