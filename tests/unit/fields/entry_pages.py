"""Resumes for the tests of jobs and studies, in a small notation, and what the fields find in them."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from ingest.fields import education, experience, family, work
from ingest.fields.document import Document
from ingest.fields.draft import Draft, Hints
from ingest.page import Cell, Line, Page, Word

AS_OF = dt.date(2026, 11, 15)
Job = tuple[str | None, str | None, str | None, str | None]
"""Employer, position, start, end."""
Study = tuple[str | None, str | None, str | None, str | None, str | None]
"""Institution, degree, area, start, end."""


@dataclass(frozen=True)
class Case:
    """A resume and what stands in it."""

    name: str
    text: str
    jobs: tuple[Job, ...] = ()
    studies: tuple[Study, ...] | None = None
    """None where the text is not about education."""


def page_of(text: str) -> Page:
    """A page without boxes from a small notation.

    `⇥` is a tab, `**` at the start bold, an empty line a gap; `||a||b||` is a row of a table, `//` a new line in a cell.
    """
    lines: list[Line] = []
    table, row, gap = -1, 0, 0.0
    inside = False
    for raw in text.strip("\n").splitlines():
        if not raw.strip():
            gap, inside = 1.0, False
        elif raw.startswith("||"):
            table, row, inside = (table, row + 1, True) if inside else (table + 1, 0, True)
            for column, cell in enumerate(raw.strip("|").split("||")):
                lines.extend(_line(part, 0.0, Cell(table, row, column)) for part in cell.split("//") if part.strip())
        else:
            lines.append(_line(raw, gap))
            gap, inside = 0.0, False
    return Page(1, tuple(lines))


def _line(raw: str, gap: float, cell: Cell | None = None) -> Line:
    bold, text = raw.startswith("**"), raw.removeprefix("**")
    words: list[Word] = []
    for index, part in enumerate(text.split("⇥")):
        words.extend([Word("\t")] if index else [])
        words.extend(Word(word, bold=bold) for word in part.split())
    return Line(tuple(words), gap=gap, cell=cell)


def read(*pages: Page | str) -> Draft:
    """What work, education, experience and family find."""
    made = [page_of(page) if isinstance(page, str) else page for page in pages]
    document = Document(made, Hints(as_of=AS_OF))
    draft = Draft(language=document.language)
    for field in (work, education, experience, family):
        field.find(document, draft)
    return draft


def jobs_of(draft: Draft) -> tuple[Job, ...]:
    return tuple((job.name, job.position, job.startDate, job.endDate) for job in draft.profile.work)


def studies_of(draft: Draft) -> tuple[Study, ...]:
    return tuple((one.institution, one.studyType, one.area, one.startDate, one.endDate) for one in draft.profile.education)
