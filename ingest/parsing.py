"""From a file on disk to the contract's parse document, in this process: no broker, no database.

A bad file never stops a run: it gives a document with outcome `rejected`.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime as dt
import hashlib
import math
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings

from ingest import routing
from ingest.dossier import Dossier, Options
from ingest.failures import Failure, classify
from ingest.inline import Ending, run_through
from ingest.readers.archive import is_litter
from ingest.sandbox import SandboxCrash
from ingest.sandbox.pool import close_sandboxes, sandbox_for
from resumes.intake import ARCHIVE_TYPES
from resumes.taxonomy import ResumeError

_SNIFF_S = 10.0
_LONGEST = 100_000
"""Hours or minutes that something may be set for."""
_DEPTH = 2
"""Containers inside containers: an archive of mails with attachments."""


def parse_files(paths: Iterable[Path], options: Options, as_of: dt.date, jobs: int = 1) -> Iterator[list[dict[str, Any]]]:
    """The documents of each path in input order, one list a path (an archive gives several).

    `jobs` files are read at the same time, each thread with sandboxes of its own.
    """
    parse = partial(parse_file, options=options, as_of=as_of)
    if jobs <= 1:
        yield from map(parse, paths)
        close_sandboxes()
        return
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(parse, paths)


def parse_file(
    path: Path, options: Options, as_of: dt.date, *, shown_as: str = "", depth: int = 0, warnings: tuple[str, ...] = ()
) -> list[dict[str, Any]]:
    """The parse documents of one file: one, or one for each resume in an archive or mail."""
    name = shown_as or str(path)
    base = {"file": name, "sha256": None, "media_type": None}
    if path.exists() and not path.is_file():
        return [_refused(base, Failure.of("unsupported_format"))]  # a device or a pipe has no end to read to
    try:
        base["sha256"] = _digest(path)
        sniffed = _sniff(path, name)
        base["media_type"] = sniffed["media_type"]
        _check_size(path, sniffed["media_type"])
    except (ResumeError, SandboxCrash, OSError) as exc:
        return [_refused(base, classify(exc))]
    dossier = Dossier(
        media_type=sniffed["media_type"],
        path=path.resolve(),
        filename=Path(name.rpartition("!")[2]).name,
        as_of=as_of,
        warnings=(*warnings, *(("extension_differs",) if sniffed["extension_differs"] else ())),
    )
    with contextlib.ExitStack() as scratch:
        ending = run_through(dossier, options, scratch)
        if not ending.members:
            return [_document(base, ending)]
        documents: list[dict[str, Any]] = []
        for member in ending.members:
            inner = f"{name}!{member.name}"
            code = member.failure_code or ("archive_unsafe" if depth >= _DEPTH else "")
            if member.path is None or code:
                refused = {"file": inner, "sha256": None, "media_type": None}
                documents.append(_refused(refused, Failure.of(code or "corrupt")))
            else:
                documents += parse_file(member.path, options, as_of, shown_as=inner, depth=depth + 1, warnings=member.warnings)
        return documents


def some_while(text: str) -> float:
    """A number of hours or minutes as a command's argument: above 0, and at most what a calendar can hold."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number <= _LONGEST:
        raise argparse.ArgumentTypeError(f"a number above 0 and at most {_LONGEST:,} is needed, not {text!r}")
    return number


def some_path(text: str) -> Path:
    """A path a person named. An empty one (an unset variable in a script) is a mistake, not the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("an empty path")
    return Path(text)


def walk(paths: Iterable[Path]) -> Iterator[Path]:
    """The files to parse: a folder stands for the files below it, by name, without the litter of desktop systems."""
    for path in paths:
        if path.is_dir():
            yield from sorted(
                found for found in path.rglob("*") if found.is_file() and not is_litter(str(found.relative_to(path)))
            )
        else:
            yield path


def _sniff(path: Path, name: str) -> dict[str, Any]:
    """What a file is, found out in the sandbox: nothing here knows yet whether it is a bomb."""
    payload = {"path": str(path.resolve()), "filename": name}
    found: dict[str, Any] = sandbox_for("reader").call("sniff_file", payload, deadline_s=_SNIFF_S)
    return found


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_size(path: Path, media_type: str) -> None:
    limit_mb = settings.GLEANER_MAX_ARCHIVE_MB if media_type in ARCHIVE_TYPES else settings.GLEANER_MAX_FILE_MB
    if path.stat().st_size > limit_mb << 20:
        raise ResumeError("too_large", f"more than {limit_mb} MB")


def _document(base: dict[str, Any], ending: Ending) -> dict[str, Any]:
    dossier = ending.dossier
    outcome = {routing.Complete: "completed", routing.Review: "review_needed", routing.Reject: "rejected"}[type(ending.step)]
    draft = dossier.draft if outcome != "rejected" else None
    return {
        **base,
        "pages": len(dossier.reading["pages"]) if dossier.reading else None,
        "language": dossier.language,
        "outcome": outcome,
        "failure": ending.failure.to_json() if ending.failure else None,
        "completeness": dossier.quality.completeness if dossier.quality else 0.0,
        "confidence": dossier.quality.confidence if dossier.quality else 0.0,
        "route": list(dossier.route),
        "resume": draft["profile"] if draft else None,
        "evidence": draft["evidence"] if draft else {},
        "warnings": list(dossier.warnings),
        "timings": ending.timings,
    }


def _refused(base: dict[str, Any], failure: Failure) -> dict[str, Any]:
    return {
        **base,
        "pages": None,
        "language": None,
        "outcome": "rejected",
        "failure": failure.to_json(),
        "completeness": 0.0,
        "confidence": 0.0,
        "route": [],
        "resume": None,
        "evidence": {},
        "warnings": [],
        "timings": {},
    }
