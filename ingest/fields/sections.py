"""Sections: which lines stand under which heading.

Headings are told by wording (`words/<language>/headings.txt`) and typography together. A section ends at the next
heading of its own column; a sidebar does not run into the main column, and a section goes on in its own column on the
next page.
What a section holds is for the fields to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal
from weakref import WeakKeyDictionary

from ingest.fields.document import Document, Row
from ingest.fields.furniture import furniture
from ingest.fields.headings import Heading, headings, with_whole_headings, wording
from ingest.fields.segments import segments, type_size
from ingest.fields.wording import degree_spans, school_score
from ingest.fields.words import fold, phrases
from ingest.page import Box

Kind = Literal[
    "contact",
    "summary",
    "objective",
    "work",
    "education",
    "skills",
    "languages",
    "projects",
    "certificates",
    "awards",
    "publications",
    "interests",
    "references",
    "other",
]


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under one heading, in reading order. What stands before the first heading is a `contact` section without one."""

    kind: Kind
    heading: Row | None
    """The heading, cut to the words of the heading where something else stands on its line; None where there is none."""
    rows: tuple[Row, ...]
    """The lines without the heading; the first may be the rest of the heading's line, and keeps that line's index."""


_LOOSE = ("contact", "summary", "objective")
_CACHE: WeakKeyDictionary[Document, tuple[Section, ...]] = WeakKeyDictionary()


def sections(document: Document) -> tuple[Section, ...]:
    """The sections of a document in reading order; found once per document."""
    found = _CACHE.get(document)
    if found is None:
        found = _CACHE[document] = _find(document)
    return found


def loose_lines(document: Document) -> tuple[Row, ...]:
    """The lines that may hold anything: before the first heading, in columns without one, in introductions, and under
    headings whose wording nobody knows.
    """
    return tuple(row for item in sections(document) if _is_loose(item) for row in item.rows)


def _is_loose(section: Section) -> bool:
    if section.heading is None or section.kind in _LOOSE:
        return True
    return section.kind == "other" and wording(section.heading.text) is None


@dataclass(slots=True)
class _Open:
    """A section being filled, with the region its heading governs."""

    kind: Kind
    heading: Row | None
    rows: list[Row] = field(default_factory=list)
    page: int = 0
    lane: _Lane | None = None


@dataclass(frozen=True, slots=True)
class _Lane:
    """The column a line stands in: its block and, in a table used for layout, its cell's column; with boxes, its extent."""

    page: int
    block: int
    column: tuple[int, int] | None = None
    box: Box | None = None

    def same(self, other: _Lane) -> bool:
        return (self.page, self.block, self.column) == (other.page, other.block, other.column)

    def beside(self, other: _Lane) -> float:
        """Share of the narrower of the two extents that they have in common, left to right."""
        if self.box is None or other.box is None:
            return 0.0
        shared = min(self.box.x1, other.box.x1) - max(self.box.x0, other.box.x0)
        return shared / max(min(self.box.width, other.box.width), 1e-6)


def _find(document: Document) -> tuple[Section, ...]:
    skipped = furniture(document.rows)
    rows = with_whole_headings([row for row in document.rows if row.index not in skipped])
    found = headings(rows)
    lanes = _lanes(rows, found)
    opened: list[_Open] = []
    current: _Open | None = None
    previous: _Lane | None = None
    closing = _closing(rows)
    for row in rows:
        lane = lanes[row.index]
        heading = found.get(row.index)
        if row.index == closing:
            current = _Open("contact", None, [row], row.page.number, lane)
            opened.append(current)
        elif heading is not None:
            current = _Open(_kind(heading), heading.row, [heading.rest] if heading.rest else [], row.page.number, lane)
            opened.append(current)
        else:
            if previous is None or not lane.same(previous):
                current = _resumed(row, lane, opened, previous, current)
            if current is None:
                current = _Open(
                    "contact" if not any(item.heading for item in opened) else "other", None, page=row.page.number, lane=lane
                )
                opened.append(current)
            current.rows.append(row)
        previous = lane
    kinds = {item.kind for item in opened}
    for item in opened:
        if "education" not in kinds and _holds_schools(item):
            item.kind = "education"
        elif "work" not in kinds and item.kind == "other" and item.heading is not None and _PRACTICE.search(item.heading.text):
            item.kind = "work"
    return tuple(Section(item.kind, item.heading, tuple(item.rows)) for item in opened)


_SIGNATURE = 8
"""Lines from the end in which a letter is closed and signed."""


def _closing(rows: Sequence[Row]) -> int | None:
    """The index of the line that closes a letter, such as `Kind regards,`; None where there is none."""
    last = rows[-_SIGNATURE:]
    return next((row.index for row in last if fold(row.text).strip(" ,.!") in phrases("closings")), None)


_PRACTICE = re.compile("实践")
"""A student's practice among other people is what work there is, where there is no other."""
_TRAINING = re.compile("train|qualif|обучени|подготовк|培训|进修", re.IGNORECASE)
_YEARS = re.compile(r"(?:19|20)\d\d\W{1,4}(?:\d\d?\W)?(?:19|20)\d\d")


def _holds_schools(item: _Open) -> bool:
    """Whether a section named otherwise, such as `Training`, or in words nobody knows, holds a school with a degree or years."""
    if item.heading is None:
        return False
    unknown = item.kind == "other" and wording(item.heading.text) is None
    if not unknown and not (item.kind == "certificates" and _TRAINING.search(item.heading.text)):
        return False
    if not any(school_score(part.text) >= 3 for row in item.rows for part in (row, *segments(row))):
        return False
    return any(_YEARS.search(row.text) or degree_spans(row.text) for row in item.rows)


def _kind(heading: Heading) -> Kind:
    kind: Kind = heading.kind  # type: ignore[assignment]  # the list's keys are the kinds, which a test checks
    return kind


def _lanes(rows: Sequence[Row], found: dict[int, Heading]) -> dict[int, _Lane]:
    """The lane of each row, by index."""
    extents: dict[tuple[int, int], Box] = {}
    for row in rows:
        box = row.line.box
        if box is not None:
            key = (row.page.number, row.line.block)
            extents[key] = extents[key].union(box) if key in extents else box
    layout = _layout_tables(rows, found)
    lanes: dict[int, _Lane] = {}
    for row in rows:
        cell, key = row.line.cell, (row.page.number, row.line.block)
        column = None
        if cell is not None and (row.page.number, cell.table) in layout:
            column = (cell.table, cell.column)
        lanes[row.index] = _Lane(*key, column, extents.get(key))
    return lanes


def _layout_tables(rows: Iterable[Row], found: dict[int, Heading]) -> set[tuple[int, int]]:
    """Tables used for layout: some cell holds a heading and more, beside another cell that also holds several lines."""
    cells: dict[tuple[int, int], dict[tuple[int, int], list[Row]]] = {}
    for row in rows:
        if row.line.cell is not None:
            table, at, column, _ = row.line.cell
            cells.setdefault((row.page.number, table), {}).setdefault((at, column), []).append(row)
    result = set()
    for key, lines_of in cells.items():
        columns = {column for _, column in lines_of}
        holds = any(len(lines) > 2 and any(line.index in found for line in lines) for lines in lines_of.values())
        if holds and len(columns) > 1:
            result.add(key)
    return result


def _resumed(row: Row, lane: _Lane, opened: Sequence[_Open], previous: _Lane | None, current: _Open | None) -> _Open | None:
    """The section a line belongs to that begins a new lane without a heading; None for none."""
    if current is None or current.lane is None:
        return current
    for item in reversed(opened):
        if item.lane is not None and item.lane.same(lane):
            return item
    if lane.box is None:
        return _resumed_without_boxes(lane, previous, current)
    if current.lane.page == lane.page:
        if _level_with(row, current) or _follows(lane, current) or _runs_on(row, lane, current):
            return current
        return next((item for item in reversed(opened) if _governs(item, lane)), None)
    before = [item for item in opened if item.lane is not None and item.lane.box is not None]
    best = max((lane.beside(item.lane) for item in before if item.lane), default=0.0)
    alike = [item for item in before if item.lane and lane.beside(item.lane) >= best - 0.05]
    return alike[-1] if alike and best > 0.3 else current


def _resumed_without_boxes(lane: _Lane, previous: _Lane | None, current: _Open) -> _Open | None:
    """Without boxes a table inside a section belongs to it, and so does what follows the table; another frame does not."""
    if previous is None or previous.page != lane.page:
        return current
    if previous.block != lane.block:
        return None
    other_column = lane.column and previous.column and lane.column[0] == previous.column[0]
    return None if other_column else current


def _follows(lane: _Lane, item: _Open) -> bool:
    """Whether a block stands below all that the section has so far, or under its heading inside the same column."""
    if lane.box is None or item.lane is None or item.lane.box is None:
        return False
    last = item.rows[-1] if item.rows else item.heading
    box = last.line.box if last is not None else None
    if box is not None and lane.box.y0 >= box.y1 - 0.005:
        return True
    inside = lane.box.x0 >= item.lane.box.x0 - 0.02 and lane.box.x1 <= item.lane.box.x1 + 0.02
    return inside and lane.box.y1 > item.lane.box.y0


def _governs(item: _Open, lane: _Lane) -> bool:
    """Whether a block stands below the block of a heading: in the same column, or anywhere where the heading stands alone."""
    if item.lane is None or item.lane.box is None or lane.box is None or item.lane.page != lane.page:
        return False
    if lane.box.y0 < item.lane.box.y1 - 0.005:
        return False
    alone = item.heading is not None and item.heading.line.box == item.lane.box
    return alone or lane.beside(item.lane) > 0.3


def _level_with(row: Row, current: _Open) -> bool:
    """Whether a line is level with the first of a list to its left: the list is set in columns under one heading."""
    box, heading = row.line.box, current.heading
    if box is None or heading is None or current.kind not in _SHORT_LISTS:
        return False
    for other in (heading, *current.rows[:1]):
        left = other.line.box
        if left is not None and abs(left.y0 - box.y0) < 0.6 * box.height:
            return all(item.line.box is None or item.line.box.x1 <= box.x0 + 0.01 for item in (heading, *current.rows))
    return False


def _runs_on(row: Row, lane: _Lane, current: _Open) -> bool:
    """Whether the text of a section goes on at the top of the next of several equal columns, as in a newspaper."""
    if lane.box is None or current.lane is None or current.lane.box is None or current.kind not in _LISTS_OF_ENTRIES:
        return False
    equal = 0.8 <= lane.box.width / max(current.lane.box.width, 1e-6) <= 1.25
    same_size = any(type_size(other.line.words) == type_size(row.line.words) for other in current.rows)
    return equal and same_size and lane.box.x0 >= current.lane.box.x1 - 0.02


_SHORT_LISTS = ("skills", "languages", "certificates", "interests", "awards")
_LISTS_OF_ENTRIES = ("work", "education", "projects", "certificates", "publications")
