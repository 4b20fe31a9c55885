"""One attempt of one stage: load, run, classify, route. The only place with `except Exception`.

Shared by the workers (`ingest.runner`) and the pipeline in one process (`ingest.inline`), so that both go the same ways.
"""

from __future__ import annotations

import contextlib
import random
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Any

import structlog

from ingest import routing
from ingest.dossier import Dossier, MemberFile, Options
from ingest.failures import Failure, classify
from ingest.route_table import Table
from ingest.sandbox.pool import sandbox_for
from ingest.stages import Stage, Tokens
from ingest.unpacking import unpack
from resumes.taxonomy import ResumeError

log = structlog.get_logger(__name__)
_CHANCE = random.SystemRandom()


def _unguarded(channel: str, usual_s: float | None) -> AbstractContextManager[None]:  # noqa: ARG001 - the shape of a guard
    return contextlib.nullcontext()


def _unstored(members: tuple[MemberFile, ...]) -> tuple[MemberFile, ...]:
    """In one process the members are read where they lie."""
    return members


def _nowhere(reading: Mapping[str, Any], done: int, of: int) -> None:
    """In one process nothing is lost on the way."""


@dataclass(slots=True)
class StageTools:
    """The tools of one attempt: sandbox calls bounded by what is left of its time."""

    options: Options
    channel: str
    deadline_s: float
    scratch: contextlib.ExitStack
    """Keeps temporary files alive until the result is saved."""
    guard: Callable[[str, float | None], AbstractContextManager[None]] = _unguarded
    tokens: Tokens = field(default_factory=Tokens)
    keeper: Callable[[Mapping[str, Any], int, int], None] = _nowhere
    admit: Callable[[tuple[MemberFile, ...]], tuple[MemberFile, ...]] = _unstored
    _started: float = field(default_factory=time.monotonic)

    def call(self, kind: str, function: str, payload: dict[str, Any], *, deadline_s: float) -> Any:
        left = self._started + self.deadline_s - time.monotonic()
        if left <= 0:
            raise ResumeError("timeout", "the stage's time is spent")
        return sandbox_for(kind).call(function, payload, deadline_s=min(deadline_s, left))

    def through(self, channel: str, usual_s: float | None = None) -> AbstractContextManager[None]:
        return self.guard(channel, usual_s)

    def spend(self, tokens: Tokens) -> None:
        self.tokens += tokens

    def keep(self, reading: Mapping[str, Any], done: int, of: int) -> None:
        self.keeper(reading, done, of)

    def members(self, dossier: Dossier) -> tuple[MemberFile, ...]:
        return self.admit(unpack(dossier, self, self.scratch))


@dataclass(frozen=True, slots=True)
class Attempted:
    """What an attempt came to."""

    step: routing.Step
    dossier: Dossier
    """As far as it got; with `setback` set where the failure is final for this stage and channel."""
    failure: Failure | None
    seconds: float
    tokens: Tokens = field(default_factory=Tokens)
    """Spent on a language model, whatever came of it."""


def attempt(
    stage: Stage, load: Callable[[], Dossier], tools: StageTools, *, blank: Dossier, tries: Callable[[Failure], int], table: Table
) -> Attempted:
    """Try a stage once. Never raises for anything a file, a library, a service or a bug of ours may do.

    `blank` stands in where loading itself fails; `tries` counts the failed attempts, this one included.
    """
    started = time.monotonic()
    dossier = blank
    try:
        dossier = entering(load(), stage, tools.channel)
        dossier = stage.run(dossier, tools)
        step = routing.after(stage.name, dossier, tools.options)
        failure = None
    except Exception as error:  # noqa: BLE001 - the one net: whatever a stage raises is classified and routed
        failure = classify(error)
        _log(error, failure, stage)
        so_far = tries(failure)
        step = routing.on_failure(stage.name, failure, dossier, tools.options, tries=so_far, table=table, chance=_CHANCE)
        final = not isinstance(step, routing.Again | routing.Park)
        if final and stage.state is not None:  # what follows a settled resume sets nobody back
            dossier = replace(dossier, setback=dossier.setback or failure)
    return Attempted(step, dossier, failure, round(time.monotonic() - started, 4), tools.tokens)


def entering(dossier: Dossier, stage: Stage, channel: str) -> Dossier:
    """The dossier as a stage finds it: its name in the route, its channel among those tried."""
    route = (*dossier.route, stage.name) if stage.reads and stage.name not in dossier.route else dossier.route
    channels = (*dossier.channels, channel) if channel and channel not in dossier.channels else dossier.channels
    return replace(dossier, route=route, channels=channels)


def _log(error: Exception, failure: Failure, stage: Stage) -> None:
    fields = {"stage": stage.name, "code": failure.code, "retryable": failure.retryable, "detail": failure.detail}
    # Frames only: an exception's message may quote the document.
    trace = [*getattr(error, "trace", ()), *traceback.format_tb(error.__traceback__)]
    if failure.is_bug:
        log.error("stage_bug", error=type(error).__name__, trace=trace, **fields)
    else:
        log.info("stage_failed", **fields)
        log.debug("stage_failed_at", error=type(error).__name__, trace=trace, **fields)
