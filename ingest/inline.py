"""The pipeline in this process: the same stages and routes without broker and database, for `parse` and the tests.

Retries do not wait and are not made: what would be tried again later goes its next way at once.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from functools import partial

from ingest import routing
from ingest.attempt import StageTools, attempt
from ingest.dossier import Dossier, MemberFile, Options
from ingest.failures import Failure
from ingest.pipeline import STAGES
from ingest.retry import NEVER
from ingest.route_table import DEFAULT

_WITHOUT_RETRIES = replace(DEFAULT, retry=NEVER)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a dossier ended in this process."""

    dossier: Dossier
    step: routing.Complete | routing.Review | routing.Reject
    failure: Failure | None
    timings: dict[str, float]
    """Seconds per stage."""

    @property
    def members(self) -> tuple[MemberFile, ...]:
        """Set instead of a result where the document was an archive; they live as long as the `scratch` given."""
        return self.dossier.members


def run_through(dossier: Dossier, options: Options, scratch: contextlib.ExitStack) -> Ending:
    """Take a dossier through the stages until it settles. `scratch` keeps an archive's members alive."""
    stage_name, channel = "extract", ""
    timings: dict[str, float] = {}
    while True:
        stage = STAGES[stage_name]
        tools = StageTools(options, channel, stage.deadline_s, scratch)
        done = attempt(stage, partial(_same, dossier), tools, blank=dossier, tries=_once, table=_WITHOUT_RETRIES)
        dossier, step = done.dossier, done.step
        timings[stage_name] = round(timings.get(stage_name, 0.0) + done.seconds, 4)
        match step:
            case routing.Go():
                stage_name, channel = step.stage, step.channel
            case routing.Unpacked():
                return Ending(dossier, routing.Complete("text"), None, timings)
            case routing.Review() | routing.Reject() | routing.Dead():
                met = done.failure if done.failure and done.failure.code == step.code else Failure.of(step.code)
                verdict = step if isinstance(step, routing.Reject) else routing.Review(step.code)
                return Ending(dossier, verdict, met, timings)
            case routing.Complete():
                return Ending(dossier, step, None, timings)
            case routing.Again() | routing.Park() | routing.Rest():
                raise AssertionError(f"{step} has no place before the end")


def _same(dossier: Dossier) -> Dossier:
    return dossier


def _once(_failure: Failure) -> int:
    return 1
