"""Strangers: lines that speak of somebody other than the person, in matter that is no resume: the head of a letter that names
its addressee, a job advertisement pasted above or below the resume. They are left out before anything else is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from ingest.fields.document import normalise
from ingest.fields.heading_wording import wording
from ingest.fields.words import any_of, fold, keys, phrases, phrases_for
from ingest.page import Page

_APART = 0.8
"""White space, in heights of the line, above a line that begins a paragraph."""
_LONGEST_OPENING, _LONGEST_TITLE = 90, 100
_TITLE_LINES = 2
"""Lines above the first words of an advertisement that may be its title."""
_HEAD_LINES = 14
"""Lines above a greeting that may be the head of the letter."""
_ITEM = re.compile(r"^(?:[•●○◦▪■□◆◇►▶➢✓✔–—*·-]\s*|\d{1,2}[.)、]\s*)\S")
_FOR_ANYONE = re.compile(r"\((?:m/[fw]/[dx]|[fw]/m/[dx]|m/f/x|all genders|м/ж|ж/м)\)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.;。；!！]$")
_EDGES = " \t:：.,!！#*-–—=|"
_NAMES = re.compile(r"[^\W\d_]{3,}")
_FORMS = frozenset(
    {"mr", "mrs", "ms", "miss", "dr", "prof", "professor", "sir", "madam", "sirs", "team", "hiring", "manager", "recruiter"}
)
_SHORTEST_STEM = 3
_ENTRIES = frozenset({"work", "education"})


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the document with its place."""

    page: int
    at: int
    text: str
    folded: str
    gap: float
    bare: str
    """Folded, without marks at its ends."""


def own_pages(pages: Sequence[Page]) -> Sequence[Page]:
    """The pages without the lines that speak of strangers; the same pages where there are none."""
    lines = [
        _line(number, at, normalise(line.text), line.gap)
        for number, page in enumerate(pages)
        for at, line in enumerate(page.lines)
    ]
    strange = {place for first, last in (*_adverts(lines), *_addressees(lines)) for place in range(first, last)}
    if not strange:
        return pages
    out = {(lines[place].page, lines[place].at) for place in strange}
    return [
        replace(page, lines=tuple(line for at, line in enumerate(page.lines) if (number, at) not in out))
        for number, page in enumerate(pages)
    ]


def _line(page: int, at: int, text: str, gap: float) -> _Line:
    folded = fold(text)
    return _Line(page, at, text, folded, gap, folded.strip(_EDGES))


# -- advertisements -------------------------------------------------------------------------------------------------


def _adverts(lines: Sequence[_Line]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(lines):
        if _opens(lines[at]):
            end = _end(lines, at)
            if _is_advert(lines[at:end]):
                found.append((_start(lines, at, found[-1][1] if found else 0), end))
                at = end
                continue
        at += 1
    return found


def _opens(line: _Line) -> bool:
    if not line.bare or len(line.bare) > _LONGEST_OPENING:
        return _speaks(line)
    head = re.split(r"\s?[:：]|\s[–—-]\s", line.bare, maxsplit=1)[0]
    return _of(head, "opens") or _speaks(line) or _FOR_ANYONE.search(line.text) is not None


def _of(text: str, kind: str) -> bool:
    return keys("adverts").get(text) == kind


def _speaks(line: _Line) -> bool:
    return _ITEM.match(line.text) is None and _voice().search(line.folded) is not None


@cache
def _voice() -> re.Pattern[str]:
    """What employers say, at the start of a line or a sentence, or behind one or two words that name them."""
    said = any_of(phrases_for("adverts", "voice"))
    return re.compile(rf"(?:^|[.!?。！]\s)\W{{0,3}}(?:(?:[\w.&-]+\s){{1,3}}(?=(?:is|компания)\s))?(?P<said>{said})")


def _is_advert(lines: Sequence[_Line]) -> bool:
    """Whether an employer speaks, in two or more ways."""
    voices = {match["said"] for line in lines if not _ITEM.match(line.text) and (match := _voice().search(line.folded))}
    parts = {head for head in map(_head, lines) if _of(head, "part")}
    return bool(voices) and len(voices) + len(parts) >= 2


def _end(lines: Sequence[_Line], start: int) -> int:
    """Where a resume begins behind the start of an advertisement, or the end of the document."""
    for at in range(start + 1, len(lines)):
        line = lines[at]
        if _of(line.bare, "closes"):
            return at
        kind = wording(line.text)
        if kind in _ENTRIES and not _of(line.bare, "part") and not _speaks(line):
            head = at
            while head > start + 1 and not _may_be_said(lines[head - 1]):
                head -= 1  # the name and the contact data above the heading
            return head
    return len(lines)


def _may_be_said(line: _Line) -> bool:
    said = _ITEM.match(line.text) is not None or _SENTENCE_END.search(line.text) is not None or _speaks(line)
    return said or _of(_head(line), "part")


def _head(line: _Line) -> str:
    """What stands before the colon."""
    return re.split(r"\s?[:：]", line.bare, maxsplit=1)[0]


def _start(lines: Sequence[_Line], at: int, least: int) -> int:
    """Where an advertisement begins whose first words stand at `at`: its title may stand above them."""
    first = at
    while first > max(least, at - _TITLE_LINES) and lines[first].gap < _APART:
        above = lines[first - 1]
        if wording(above.text) is not None or "@" in above.text or len(above.text) > _LONGEST_TITLE or _ITEM.match(above.text):
            break
        first -= 1
    return first if lines[first].gap >= _APART else at


# -- letters --------------------------------------------------------------------------------------------------------


def _addressees(lines: Sequence[_Line]) -> list[tuple[int, int]]:
    """The greeting of a letter and the paragraph above it that names whom it greets."""
    for at, line in enumerate(lines):
        said = _salutation().match(line.folded)
        if said is None or len(line.text) > _LONGEST_TITLE:
            continue
        found = [(at, at + 1)] if said.end() < len(line.folded) else []
        block = _addressee(lines, at, line.text[said.end() :])
        return [*([block] if block else []), *found]
    return []


@cache
def _salutation() -> re.Pattern[str]:
    return re.compile(any_of(phrases_for("letters", "salutes")))


@cache
def _addressed() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{any_of(phrases_for('letters', 'addressed'))})")


def _addressee(lines: Sequence[_Line], at: int, greeted: str) -> tuple[int, int] | None:
    names = {fold(name) for name in _NAMES.findall(greeted)} - _FORMS
    signed = _signature(lines, at)
    for first, last in reversed(_paragraphs(lines, max(0, at - _HEAD_LINES), at)):
        block = lines[first:last]
        text = " ".join(line.folded for line in block)
        if signed and all(name in text for name in signed):
            continue
        opened = _addressed().match(block[0].bare) is not None
        named = any(name[: max(_SHORTEST_STEM, len(name) - 1)] in text for name in names)
        if named or opened or (first > 0 and _addressed().search(text)):
            return first, last
    return None


def _signature(lines: Sequence[_Line], at: int) -> set[str]:
    """The names that sign the letter, behind its closing words."""
    for place in range(at + 1, len(lines) - 1):
        if lines[place].bare in phrases("closings"):
            return {fold(name) for name in _NAMES.findall(lines[place + 1].text)[:3]}
    return set()


def _paragraphs(lines: Sequence[_Line], first: int, last: int) -> list[tuple[int, int]]:
    starts = [first, *(at for at in range(first + 1, last) if lines[at].gap >= _APART or lines[at].page != lines[at - 1].page)]
    return [(start, end) for start, end in zip(starts, [*starts[1:], last], strict=True) if start < end]
