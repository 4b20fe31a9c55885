"""Certificates and awards: one for each line of their sections, with the date where one is printed."""

from __future__ import annotations

from collections.abc import Iterator

from ingest.fields.datelines import DateLine, Piece, date_lines
from ingest.fields.dates import day_comes_first
from ingest.fields.document import Document
from ingest.fields.draft import Draft, Value
from ingest.fields.forms import labelled
from ingest.fields.sections import Kind, sections
from ingest.fields.wraps import right_edges
from resumes.profile import Award, Certificate

_MOST = 60
_LONGEST = 160


def find(document: Document, draft: Draft) -> None:
    """Fill `certificates` and `awards` from their sections."""
    profile = draft.profile
    for piece, date, line in _items(document, "certificates"):
        path = f"certificates[{len(profile.certificates)}]"
        profile.certificates.append(Certificate(name=piece.text, date=date))
        _note(draft, path, "name", piece, date, line)
    for piece, date, line in _items(document, "awards"):
        path = f"awards[{len(profile.awards)}]"
        profile.awards.append(Award(title=piece.text, date=date))
        _note(draft, path, "title", piece, date, line)


def _items(document: Document, kind: Kind) -> Iterator[tuple[Piece, str | None, DateLine]]:
    """The name, date and line of each item; lines of prose and bare dates are none."""
    day_first = day_comes_first([row.text for row in document.rows]) is not False
    edges = right_edges(document.rows)
    rows = [row for section in sections(document) if section.kind == kind for row in section.rows]
    for line in labelled(date_lines(rows, edges, day_first=day_first))[:_MOST]:
        piece = next((piece for piece in line.pieces if piece.label in ("", "degree")), None)
        if piece is not None and 2 < len(piece.text) <= _LONGEST:
            yield piece, (line.date.end or line.date.start) if line.date else None, line


def _note(draft: Draft, path: str, name: str, piece: Piece, date: str | None, line: DateLine) -> None:
    draft.note(f"{path}.{name}", Value(piece.text, 0.8, piece.page, piece.words))
    if date is not None:
        draft.note(f"{path}.date", Value(date, 0.9, line.row.page.number, line.date_words))
