"""Pages for the tests of fields: lines of plain text, or lines set with boxes on A4."""

from __future__ import annotations

import datetime as dt
from typing import Any

from ingest.fields import city, contact, label, languages, name, skills
from ingest.fields.document import Document
from ingest.fields.draft import Draft, Hints
from ingest.page import Box, Line, Page, Word, line_of

WIDTH, HEIGHT = 595.0, 842.0
AS_OF = dt.date(2026, 11, 1)


def text_page(text: str) -> Page:
    """A page of a format without boxes: one line for every line of the text that is not empty."""
    return Page(1, tuple(line_of(line) for line in text.splitlines() if line.strip()))


def printed(text: str, x: float, y: float, *, size: float = 10, bold: bool = False, block: int = 0, **attributes: Any) -> Line:
    """A line with boxes: letters are half as wide as the size, Chinese characters as wide; `~` is a gap of three sizes."""
    words: list[Word] = []
    at = x
    for part in text.split():
        if part == "~":
            at += 3 * size / WIDTH
            continue
        width = sum(size if char >= "\u3400" else size * 0.5 for char in part) / WIDTH
        words.append(Word(part, Box(at, y, at + width, y + size / HEIGHT), size=size, bold=bold))
        at += width + size * 0.25 / WIDTH
    return Line(tuple(words), block=block, **attributes)


def printed_page(*lines: Line, number: int = 1) -> Page:
    return Page(number, lines, width=WIDTH, height=HEIGHT)


def draft_of(*pages: Page | str, **hints: Any) -> Draft:
    """What the fields of this part find in pages or plain text."""
    made = [text_page(page) if isinstance(page, str) else page for page in pages]
    document = Document(made, Hints(as_of=AS_OF, **hints))
    draft = Draft(language=document.language)
    for field in (contact, name, label, city, skills, languages):
        field.find(document, draft)
    return draft


def links_of(draft: Draft) -> list[str]:
    basics = draft.profile.basics
    return [*([basics.url] if basics.url else []), *(profile.url for profile in basics.profiles if profile.url)]


def city_of(draft: Draft) -> str | None:
    location = draft.profile.basics.location
    return location.city if location else None


def skills_of(draft: Draft) -> list[str]:
    return [skill.name for skill in draft.profile.skills]
