"""Match: the candidate against every open vacancy. The scores are `resumes.matching`; saving them is the work here."""

from __future__ import annotations

from ingest.dossier import Dossier
from ingest.stages import Part, Stage, Tools


def run(dossier: Dossier, tools: Tools) -> Dossier:  # noqa: ARG001 - the shape of a stage
    """Nothing to compute from the dossier alone: `ingest.records` scores and saves in sets, inside the database."""
    return dossier


STAGE = Stage(
    name="match",
    queue="cpu",
    run=run,
    state=None,
    needs=frozenset(),
    gives=frozenset({Part.MATCHES}),
    deadline_s=10.0,
    reads=False,
)
