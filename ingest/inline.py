"""The pipeline in this process: the same stages and routes without broker and database, for `parse` and the tests.

Retries do not wait and are not made: what would be tried again later goes its next way at once.
"""

from __future__ import annotations

import contextlib
import random
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ingest import routing
from ingest.dossier import Dossier, MemberFile, Options
from ingest.failures import Failure, classify
from ingest.pipeline import STAGES
from ingest.retry import NEVER
from ingest.sandbox.pool import sandbox_for
from ingest.unpacking import unpack
from resumes.taxonomy import ResumeError


@dataclass(slots=True)
class StageTools:
    """The tools of one stage's run: sandbox calls bounded by what is left of its time."""

    options: Options
    channel: str
    deadline_s: float
    scratch: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _started: float = field(default_factory=time.monotonic)

    def call(self, kind: str, function: str, payload: dict[str, Any], *, deadline_s: float) -> Any:
        left = self._started + self.deadline_s - time.monotonic()
        if left <= 0:
            raise ResumeError("timeout", "the stage's time is spent")
        return sandbox_for(kind).call(function, payload, deadline_s=min(deadline_s, left))

    def members(self, dossier: Dossier) -> tuple[MemberFile, ...]:
        return unpack(dossier, self, self.scratch)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.scratch.close()


@dataclass(frozen=True, slots=True)
class Ending:
    """How a dossier ended in this process."""

    dossier: Dossier
    step: routing.Complete | routing.Review | routing.Reject
    failure: Failure | None
    timings: dict[str, float]
    members: tuple[MemberFile, ...] = ()
    """Set instead of a result where the document was an archive; they lie in `scratch`."""


def run_through(dossier: Dossier, options: Options, scratch: contextlib.ExitStack) -> Ending:
    """Take a dossier through the stages until it settles. `scratch` keeps an archive's members alive."""
    stage_name, channel, timings = "extract", "", {}
    while True:
        stage = STAGES[stage_name]
        tools = StageTools(options, channel, stage.deadline_s, scratch)
        started = time.monotonic()
        failure: Failure | None = None
        entered = entering(dossier, stage_name, channel)
        try:
            dossier = stage.run(entered, tools)
            step = routing.after(stage_name, dossier, options)
        except ResumeError as exc:
            failure = classify(exc)
            dossier = replace(entered, setback=dossier.setback or failure)
            step = routing.on_failure(
                stage_name, failure, dossier, options, tries=1, policy=NEVER, chance=random.Random(0)  # noqa: S311 - no secret
            )
        timings[stage_name] = round(timings.get(stage_name, 0.0) + time.monotonic() - started, 4)
        match step:
            case routing.Go():
                stage_name, channel = step.stage, step.channel
            case routing.Unpacked():
                return Ending(dossier, routing.Complete("text"), None, timings, dossier.members)
            case routing.Dead():
                return Ending(dossier, routing.Review(step.code), failure or Failure.of(step.code), timings)
            case routing.Review() | routing.Reject():
                known = failure if failure and failure.code == step.code else Failure.of(step.code)
                return Ending(dossier, step, known, timings)
            case routing.Complete():
                return Ending(dossier, step, None, timings)
            case routing.Again() | routing.Rest():
                raise AssertionError(f"{step} has no place here")


def entering(dossier: Dossier, stage: str, channel: str) -> Dossier:
    """The dossier as a stage finds it: its name in the route, its channel among those tried."""
    route = (*dossier.route, stage) if STAGES[stage].reads and stage not in dossier.route else dossier.route
    channels = (*dossier.channels, channel) if channel and channel not in dossier.channels else dossier.channels
    return replace(dossier, route=route, channels=channels)


def scratch_folder(scratch: contextlib.ExitStack) -> Path:
    """A folder that lives as long as `scratch`."""
    return Path(scratch.enter_context(tempfile.TemporaryDirectory(prefix="gleaner-")))
