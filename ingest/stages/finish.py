"""Finish: the quality gate. What the draft is worth decides between COMPLETED and a person (`ingest.routing`)."""

from __future__ import annotations

from ingest.dossier import Dossier
from ingest.stages import Part, Stage, Tools
from resumes.states import State
from resumes.taxonomy import ResumeError


def run(dossier: Dossier, tools: Tools) -> Dossier:  # noqa: ARG001 - the shape of a stage
    """Make sure there is something to judge: a draft with its quality, or pages that show why there is none."""
    if dossier.reading is not None and dossier.draft is None:
        raise ResumeError("low_completeness", "no draft")
    return dossier


STAGE = Stage(
    name="finish",
    queue="cpu",
    run=run,
    state=State.PARSING,
    needs=frozenset({Part.READING, Part.DRAFT}),
    gives=frozenset(),
    deadline_s=3.0,
    reads=False,
)
