"""Projects: the projects of the document's project sections, each with name, dates and description."""

from __future__ import annotations

from ingest.fields.datelines import Piece, date_lines
from ingest.fields.dates import day_comes_first
from ingest.fields.document import Document
from ingest.fields.draft import Draft, Value
from ingest.fields.entries import Entry, entries
from ingest.fields.forms import labelled
from ingest.fields.sections import sections
from ingest.fields.wraps import right_edges
from resumes.profile import Project

_MOST = 40
_LONGEST_NAME = 120


def find(document: Document, draft: Draft) -> None:
    """Fill `projects` from the project sections; without dates in a section, its projects are not told apart."""
    day_first = day_comes_first([row.text for row in document.rows]) is not False
    edges = right_edges(document.rows)
    for section in sections(document):
        if section.kind == "projects":
            lines = labelled(date_lines(section.rows, edges, day_first=day_first))
            for entry in entries(lines, singles=False, heads=lambda _: False)[: _MOST - len(draft.profile.projects)]:
                _add(draft, entry)


def _add(draft: Draft, entry: Entry) -> None:
    name = next((piece for piece in entry.pieces if piece.label in ("", "employer") and len(piece.text) <= _LONGEST_NAME), None)
    if name is None or entry.date is None:
        return
    path = f"projects[{len(draft.profile.projects)}]"
    project = Project(name=name.text, highlights=[item.text for item in entry.body])
    draft.note(f"{path}.name", _value(name, 0.8))
    for index, item in enumerate(entry.body):
        draft.note(f"{path}.highlights[{index}]", _value(item, 0.85))
    for field, date in (("startDate", entry.date.start), ("endDate", entry.date.end)):
        if date is not None:
            setattr(project, field, date)
            draft.note(f"{path}.{field}", Value(date, 0.9, entry.page, entry.date_words))
    draft.profile.projects.append(project)


def _value(piece: Piece, confidence: float) -> Value:
    return Value(piece.text, confidence, piece.page, piece.words)
