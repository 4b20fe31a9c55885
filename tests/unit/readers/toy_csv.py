"""A reader of comma-separated values, for the test of how a format is added: all there is to write."""

from __future__ import annotations

import csv
from pathlib import Path

from ingest.page import Page, Reading, line_of
from ingest.readers import ReadLimits
from resumes.charset import decode


def read(path: Path, limits: ReadLimits) -> Reading:
    """One line a row, cells side by side."""
    rows = csv.reader(decode(path.read_bytes()).splitlines())
    return Reading((Page(1, tuple(line_of(" | ".join(row)) for row in rows if any(row))),))
