"""Extract: from the file to pages of lines of words, or to the members of an archive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from ingest.dossier import Dossier
from ingest.page import TextQuality
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
    if dossier.as_pictures:
        reading = {**reading, "pages": [_doubted(page) for page in reading["pages"]]}
    return replace(dossier, reading=reading, warnings=dossier.with_warnings(*reading["warnings"]))


def _doubted(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """A page whose text is not relied on because a person says that it is wrong; as it was, where it cannot be drawn."""
    believed = TextQuality(page["q"]) is TextQuality.GOOD and page["w"]
    return {**page, "q": TextQuality.CONTRADICTING.value} if believed else page


STAGE = Stage(
    name="extract",
    queue="cpu",
    run=run,
    state=State.PARSING,
    needs=frozenset({Part.FILE}),
    gives=frozenset({Part.READING}),
    deadline_s=10.0,
)
