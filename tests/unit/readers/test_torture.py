"""Files that broke some reader once: each gives a reading or a code, never another exception, and quickly."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from ingest.page import from_data, to_data
from ingest.readers import CONTAINERS, READERS, ReadLimits, container_for, reader_for
from resumes.sniff import PDF, sniff
from resumes.taxonomy import ResumeError

_SHARED = Path(__file__).parents[4] / "shared"
_FILES = sorted(
    path
    for folder in ("torture/files", "bench/hostile/files")
    for path in (_SHARED / folder).rglob("*")
    if path.is_file() and path.suffix.lower() != ".pdf"
)


@pytest.mark.skipif(not _FILES, reason="the shared files are not there")
@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.name)
def test_a_nasty_file_gives_a_reading_or_a_code_within_its_time(path):
    started = time.monotonic()
    try:
        media_type = sniff(path, path.name).media_type
        members = list(container_for(media_type).members(path, ReadLimits())) if media_type in CONTAINERS else []
        if not members and media_type in READERS and media_type != PDF:
            reading = reader_for(media_type).read(path, ReadLimits())
            assert from_data(json.loads(json.dumps(to_data(reading)))).text.encode("utf-8") == reading.text.encode("utf-8")
            assert "root:x:0" not in reading.text
    except ResumeError:
        pass
    assert time.monotonic() - started < 10
