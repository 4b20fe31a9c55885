"""How most of a document is set is told whatever its lines know of their size."""

from __future__ import annotations

import datetime as dt

from ingest.fields.document import Document
from ingest.fields.draft import Hints
from ingest.fields.headings import body_look
from ingest.page import Line, Page, Word


def test_lines_of_known_and_unknown_size_may_weigh_the_same() -> None:
    lines = (Line((Word("Nora", size=9.0),)), Line((Word("Cook"),)))
    for order in (lines, lines[::-1]):
        rows = Document([Page(1, order)], Hints(as_of=dt.date(2026, 1, 1))).rows
        assert body_look(rows).size == 9.0
