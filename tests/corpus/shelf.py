"""Where the shared files stand, and reading them the way the pipeline does: in sandboxes, two at a time, without OCR."""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import pytest

from ingest.dossier import Options
from ingest.page import Reading, from_data
from ingest.readers import ReadLimits
from ingest.sandbox.pool import close_sandboxes, sandbox_for

SHARED = Path(__file__).resolve().parents[3] / "shared"
BENCH = SHARED / "bench"
TORTURE = SHARED / "torture"
AS_OF = dt.date(2026, 11, 30)
"""The benchmark's "now" (see its README)."""
DEADLINE_S = 10.0
"""What the pipeline gives the reading of one file."""
WITHOUT_OCR = Options(limits=ReadLimits(), ocr_channels=(), threshold=0.6, protected=False)

JOBS = 2
Thing = TypeVar("Thing")
Result = TypeVar("Result")


def needs(folder: Path) -> pytest.MarkDecorator:
    """Skip where the shared files are not beside the project."""
    return pytest.mark.skipif(not folder.is_dir(), reason=f"needs the shared files in ../{folder.relative_to(SHARED.parent)}")


def in_parallel(work: Callable[[Thing], Result], things: Iterable[Thing]) -> list[Result]:
    """The results in the order of the things, `JOBS` at a time, each thread with sandboxes of its own."""
    pool = ThreadPoolExecutor(JOBS)
    with pool:
        results = list(pool.map(work, things))
        for done in [pool.submit(close_sandboxes) for _ in range(JOBS)]:
            done.result()
    return results


def read(path: Path, media_type: str) -> Reading:
    """What the sandboxed reader of a media type makes of a file. Raises ResumeError, SandboxCrash."""
    data = sandbox_for("reader").call("read_document", _payload(path, media_type), deadline_s=DEADLINE_S)
    return from_data(data)


def members(path: Path, media_type: str, folder: Path) -> list[dict[str, Any]]:
    """The documents inside an archive or mail, written below a folder of the sandbox."""
    payload = {**_payload(path, media_type), "folder": str(folder)}
    found: list[dict[str, Any]] = sandbox_for("reader").call("list_members", payload, deadline_s=DEADLINE_S)
    return found


def normalised(text: str) -> str:
    """As the benchmark compares: NFKC, case folded, no punctuation or space but "+" and "#"."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("ё", "е")
    return "".join(character for character in folded if character.isalnum() or character in "+#")


def _payload(path: Path, media_type: str) -> dict[str, Any]:
    return {"path": str(path), "media_type": media_type, "limits": asdict(ReadLimits())}
