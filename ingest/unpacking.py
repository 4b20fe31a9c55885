"""Unpacking archives and mails in the sandbox: hostile containers meet the same limits and deadlines as hostile files."""

from __future__ import annotations

import contextlib
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.dossier import Dossier, MemberFile
from ingest.sandbox.pool import sandbox_for

if TYPE_CHECKING:
    from ingest.stages import Tools


def unpack(dossier: Dossier, tools: Tools, scratch: contextlib.ExitStack) -> tuple[MemberFile, ...]:
    """The documents inside the dossier's container, in files that live as long as `scratch`. Raises ResumeError.

    Empty for a mail without documents attached: it is read as a document itself.
    """
    folder = scratch.enter_context(sandbox_for("reader").folder())
    members = tools.call(
        "reader",
        "list_members",
        {
            "path": str(dossier.path),
            "media_type": dossier.media_type,
            "limits": asdict(tools.options.limits),
            "folder": str(folder),
        },
        deadline_s=tools.deadline_s,
    )
    return tuple(
        MemberFile(
            member["name"],
            Path(member["path"]) if member["path"] else None,
            member["failure"],
            warnings=tuple(member["warnings"]),
        )
        for member in members
    )
