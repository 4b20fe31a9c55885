"""Extract: from the file to pages of lines of words, or to the members of an archive."""

from __future__ import annotations

from dataclasses import asdict, replace

from ingest.dossier import Dossier
from ingest.readers import CONTAINERS, READERS
from ingest.stages import Part, Stage, Tools
from resumes.states import State
from resumes.taxonomy import ResumeError


def run(dossier: Dossier, tools: Tools) -> Dossier:
    """Read the document in the sandbox. An archive gives `members`, and so does a mail with documents attached."""
    if dossier.media_type in CONTAINERS:
        members = tools.members(dossier)
        if members:
            return replace(dossier, members=members)
        if dossier.media_type not in READERS:
            raise ResumeError("empty_file", "an archive without documents")
    reading = tools.call(
        "reader",
        "read_document",
        {"path": str(dossier.path), "media_type": dossier.media_type, "limits": asdict(tools.options.limits)},
        deadline_s=tools.deadline_s,
    )
    return replace(dossier, reading=reading, warnings=dossier.with_warnings(*reading["warnings"]))


STAGE = Stage(
    name="extract",
    queue="cpu",
    run=run,
    state=State.PARSING,
    needs=frozenset({Part.FILE}),
    gives=frozenset({Part.READING}),
    deadline_s=10.0,
)
