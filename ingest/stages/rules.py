"""Rules: fields with evidence from the pages, and what they are worth."""

from __future__ import annotations

from dataclasses import replace

from ingest import locks
from ingest.dossier import Dossier
from ingest.quality import Quality
from ingest.stages import Part, Stage, Tools
from resumes.states import State


def run(dossier: Dossier, tools: Tools) -> Dossier:
    """Find the fields in the sandbox: rules meet hostile text as readers meet hostile files."""
    found = tools.call(
        "reader",
        "find_fields",
        {
            "reading": dossier.reading or {"v": 1, "warnings": [], "title": "", "pages": []},
            "hints": {
                "as_of": dossier.as_of.isoformat(),
                "filename": dossier.filename,
                "language": None,
                "protected": tools.options.protected,
            },
            "threshold": tools.options.threshold,
        },
        deadline_s=tools.deadline_s,
    )
    quality = Quality.from_data(found.pop("quality"))
    found_now = replace(dossier, draft=found, quality=quality, warnings=dossier.with_warnings(*found["warnings"]))
    return locks.keep(found_now, tools.options.threshold)


STAGE = Stage(
    name="rules",
    queue="cpu",
    run=run,
    state=State.PARSING,
    needs=frozenset({Part.READING}),
    gives=frozenset({Part.DRAFT}),
    deadline_s=10.0,  # a resume takes a tenth of a second, twenty dense pages two; a busy machine stretches them
)
