"""Date lines: the lines of a section with their dates taken out and told apart from the rest.

A date may stand at the right margin, in a gutter at the left over several lines, in a cell of its own, in brackets
behind a title or on a line of its own; whatever it is, the entry rules see the line's other text in pieces, and the range.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ingest.fields.dates import DateRange, find_ranges, is_date_matter, is_duration, ongoing, without_duration
from ingest.fields.document import Row, words_at
from ingest.fields.entry_labels import PERIOD, label_of
from ingest.fields.headings import is_item
from ingest.fields.segments import type_size
from ingest.fields.units import Unit, units_of
from ingest.fields.wraps import column_of, continues, glued, right_edges
from ingest.page import Word


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a line that may be one value."""

    text: str
    words: tuple[Word, ...]
    page: int
    bold: bool = False
    size: float | None = None
    label: str = ""
    """What a label before it says it is: a key of `words/<language>/entry_labels.txt`."""
    column: int | None = None
    """The table column it stands in."""
    x: float | None = None
    """Its left edge as a fraction of the page's width."""


@dataclass(frozen=True, slots=True)
class DateLine:
    """One line: its pieces without the date, and the date."""

    row: Row
    pieces: tuple[Piece, ...]
    whole: tuple[Piece, ...]
    """The pieces with the date left in, for a date that turns out to be part of the text."""
    date: DateRange | None = None
    date_words: tuple[Word, ...] = ()
    item: bool = False
    """Whether the line is an item of a list."""
    alone: bool = False
    """Whether the date stands apart: in its own segment, cell or line, or at an end of its text."""

    @property
    def text(self) -> str:
        """The line as printed."""
        return " ".join(piece.text for piece in self.whole)


Edges = Mapping[tuple[int, int, int | None], float]


def date_lines(rows: Sequence[Row], edges: Edges | None = None, *, day_first: bool = True) -> list[DateLine]:
    """The lines of a section in reading order; lines that held nothing but the continuation of a date are gone.

    `edges`: how far each column of the document reaches (`wraps.right_edges`); by default as far as these rows do.
    """
    edges = right_edges(rows) if edges is None else edges
    rows = rows[:_MOST_ROWS]
    units = list(units_of([row for row in rows if _LETTER_OR_DIGIT.search(row.text)], day_first=day_first))
    for unit in units:
        _unstack(unit, edges, day_first=day_first)
        _join_from_to(unit, day_first=day_first)
    _join_labelled_ends(units, day_first=day_first)
    _join_gutters(units, day_first=day_first)
    _join_wraps(units, edges)
    lines = [_line(unit, day_first=day_first) for unit in units if unit.parts or unit.date]
    return [_ongoing(line, lines[at - 1] if at else None) for at, line in enumerate(lines)]


_MOST_ROWS = 3000
"""Of a section; some sixty pages."""
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")


def _unstack(unit: Unit, edges: Edges, *, day_first: bool) -> None:
    """Put together what a reader has put on one line though it stands one below the other: a date, a wrapped value."""
    at = 0
    while at + 1 < len(unit.parts):
        upper, lower = unit.parts[at], unit.parts[at + 1]
        over, under = upper.line.box, lower.line.box
        if over is not None and under is not None and under.y0 >= over.y1 - 0.25 * over.height:
            date = _one_date(upper.text, lower.text, day_first=day_first)
            if date or continues(upper, lower, _edge_beside(upper, unit, edges)):
                unit.parts[at : at + 2] = [glued(upper, lower)]
                continue
        at += 1


def _join_from_to(unit: Unit, *, day_first: bool) -> None:
    """One range from two neighbouring parts with a date each: the columns From and To of a table."""
    for at, last_at in _neighbours(unit.parts):
        left, right = unit.parts[at], unit.parts[last_at]
        if unit.date is not None or not (is_date_matter(left.text) and is_date_matter(right.text)):
            continue
        start, end = find_ranges(left.text, day_first=day_first), find_ranges(right.text, day_first=day_first)
        if len(start) != 1 or not _is_one_end(start[0]) or is_duration(right.text):
            continue
        if end and (len(end) > 1 or not _is_one_end(end[0])):
            continue
        last = (end[0].start or end[0].end) if end else None
        if last is None or (start[0].start or "") < last:
            unit.date = replace(start[0], end=last, current=not end, single=False, open=False)
            unit.date_words = (*left.line.words, *right.line.words)
            del unit.parts[at : last_at + 1]
            return


def _is_one_end(date: DateRange) -> bool:
    """Whether a range is one date, with or without a word that says which end it is: `05/2017`, `From: 05/2017`."""
    return date.single or (date.end is None) != (date.start is None)


def _neighbours(parts: Sequence[Row]) -> Iterator[tuple[int, int]]:
    """Which two parts stand side by side, the label of the second between them: `入学时间 2019年9月 毕业时间 2023年6月`."""
    for at in range(len(parts) - 1):
        labelled = at + 2 < len(parts) and label_of(parts[at + 1].text) == PERIOD
        yield at, at + 2 if labelled else at + 1


def _join_labelled_ends(units: list[Unit], *, day_first: bool) -> None:
    """One range from two lines with a label each: `Начало: 11.2017` above `Окончание: по настоящее время`."""
    for unit, below in pairwise(units):
        if unit.date is not None or below.date is not None or not (unit.parts and below.parts):
            continue
        first, last = _labelled_date(unit), _labelled_date(below)
        if not first or not last or len(start := find_ranges(first, day_first=day_first)) != 1 or not _is_one_end(start[0]):
            continue
        end = find_ranges(last, day_first=day_first)
        if len(end) > 1 or (end and not _is_one_end(end[0])) or is_duration(last) or (not end and any(map(str.isdigit, last))):
            continue
        date = (end[0].start or end[0].end) if end else None
        if date is None or (start[0].start or "") <= date:
            unit.date = replace(start[0], end=date, current=not end, single=False, open=False)
            unit.date_words = tuple(word for part in (*unit.parts, *below.parts) for word in part.line.words)
            unit.parts, below.parts = [], []


def _labelled_date(unit: Unit) -> str | None:
    """The date that is all a line holds besides its label; None where there is no such label."""
    label, colon, date = (" ".join(part.text for part in unit.parts)).partition(":")
    if not colon and len(unit.parts) == 2:
        label, date = (part.text for part in unit.parts)
    return date.strip() if label_of(label) == PERIOD and is_date_matter(date.strip()) else None


def _edge_beside(part: Row, unit: Unit, edges: Edges) -> float:
    """How far to the right a part may reach: to what stands beside it on the line, else to the edge of its column."""
    box = part.line.box
    beside = [other.line.box.x0 for other in unit.parts if box and other.line.box and other.line.box.x0 > box.x1 + 0.025]
    return min((edge - 0.02 for edge in beside), default=edges.get(column_of(part), 1.0))


def _one_date(upper: str, lower: str, *, day_first: bool) -> bool:
    if not is_date_matter(upper) or not is_date_matter(lower):
        return False
    found = find_ranges(upper, day_first=day_first)
    whole = f"{upper} {lower}"
    return (is_duration(lower) and bool(found)) or _continues(found, find_ranges(whole, day_first=day_first), whole)


# -- dates over several lines ---------------------------------------------------------------------------------------


def _join_gutters(units: list[Unit], *, day_first: bool) -> None:
    """Give a date that runs over several lines at the left or right edge to its first line, and take it from the others."""
    for at, unit in enumerate(units):
        if unit.date is not None or not unit.parts:
            continue
        for side in (0, -1):
            part = unit.parts[side] if unit.parts else None
            if part is None or not is_date_matter(part.text):
                continue
            _absorb(units, at, side, day_first=day_first)
            break
        else:
            _absorb_open_end(units, at, day_first=day_first)


def _absorb(units: list[Unit], at: int, side: int, *, day_first: bool) -> None:
    unit = units[at]
    part = unit.parts[side]
    text, words = part.text, list(part.line.words)
    found = find_ranges(text, day_first=day_first)
    taken: list[tuple[Unit, int]] = []
    for below in units[at + 1 : at + 5]:
        index = _same_column(part, below, side)
        if index is None:
            break
        more = below.parts[index]
        if is_duration(more.text) and found:
            taken.append((below, index))
            continue
        joined = f"{text} {more.text}"
        ranges = find_ranges(joined, day_first=day_first)
        if _continues(found, ranges, joined):
            text, found = joined, ranges
            words.extend(more.line.words)
            taken.append((below, index))
        elif years := _stacked_years(text, more.text, unit, below):
            found, text = (years,), joined
            words.extend(more.line.words)
            taken.append((below, index))
        else:
            break
    if len(found) != 1:
        return
    unit.date, unit.date_words = found[0], tuple(words)
    del unit.parts[side]
    for below, index in taken:
        del below.parts[index]


def _absorb_open_end(units: list[Unit], at: int, *, day_first: bool) -> None:
    """`Example Ltd, March 2019 –` with `Present` on the next line."""
    last = units[at].parts[-1]
    found = find_ranges(last.text, day_first=day_first)
    if not found or not found[-1].open or at + 1 >= len(units) or not units[at + 1].parts:
        return
    more = units[at + 1].parts[0]
    joined = f"{last.text} {more.text}"
    ranges = find_ranges(joined, day_first=day_first)
    if is_date_matter(more.text) and ranges and not ranges[-1].open and ranges[-1].span[1] >= len(joined) - 1:
        words = (*words_at(last, found[-1].span[0], len(last.text)), *more.line.words)
        units[at].date, units[at].date_words = ranges[-1], words
        units[at].parts[-1] = _without(last, found[-1].span[0])
        if not units[at].parts[-1].text:
            del units[at].parts[-1]
        del units[at + 1].parts[0]


def _without(row: Row, end: int) -> Row:
    words = words_at(row, 0, end)
    return replace(row, line=replace(row.line, words=words), text=row.text[:end].rstrip(" ,|·•(—–-"))


def _same_column(part: Row, below: Unit, side: int) -> int | None:
    """The index of the part of the next line that stands under `part` and is date matter too."""
    if not below.parts or below.date is not None:
        return None
    index = 0 if side == 0 else len(below.parts) - 1
    other = below.parts[index]
    if not is_date_matter(other.text):
        return None
    box, under = part.line.box, other.line.box
    if box is not None and under is not None and abs(box.x0 - under.x0) > 0.02 and abs(box.x1 - under.x1) > 0.02:
        return None
    return index


def _continues(found: Sequence[DateRange], joined: Sequence[DateRange], whole: str) -> bool:
    """Whether a further line belongs to the date: together they are one range, which the first alone is not."""
    if len(joined) != 1 or joined[0].single or joined[0].open or joined[0].span[1] < len(whole) - 1:
        return False
    return not found or found[0].single or found[0].open or joined[0] != replace(found[0], span=joined[0].span)


def _stacked_years(text: str, more: str, unit: Unit, below: Unit) -> DateRange | None:
    """Two lines of one year each, first the earlier: the ends of a range drawn with a line between them."""
    if len(unit.parts) > 1 or len(below.parts) > 1 or not (text.isdigit() and more.isdigit() and len(text) == len(more) == 4):
        return None
    return DateRange(text, more, False, (0, 9)) if text < more else None


# -- values over several lines --------------------------------------------------------------------------------------


def _join_wraps(units: list[Unit], edges: Edges) -> None:
    """Put the rest of a wrapped value back on its line; a date beside the first line bounds it at the right."""
    at = 0
    while at + 1 < len(units):
        unit, below = units[at], units[at + 1]
        text = unit.parts[0] if unit.parts else None
        if text is None or not below.parts or below.date is not None or any(not _is_date(part.text) for part in unit.parts[1:]):
            at += 1
            continue
        edge = edges.get(column_of(text), 1.0)
        dates = (*unit.date_words, *(word for part in unit.parts[1:] for word in part.line.words))
        date_box, text_box = dates[0].box if dates else None, text.line.box
        if date_box is not None and text_box is not None and date_box.x0 > text_box.x1:
            edge = date_box.x0 - 0.02
        if continues(text, below.parts[0], edge):
            unit.parts[0] = glued(text, below.parts[0])
            unit.parts.extend(below.parts[1:])
            del units[at + 1]
        else:
            at += 1


def _is_date(text: str) -> bool:
    """Whether a part of a line is a date, words that go with it (`Graduated 2019`) included."""
    found = find_ranges(text)
    return is_date_matter(text) or (len(found) == 1 and found[0].span == (0, len(text)))


# -- pieces ---------------------------------------------------------------------------------------------------------

_EDGE = re.compile(r"^[\s,;:|•·*#/–—-]+|[\s,;:|•·*/–—。；-]+$")
_BULLET = re.compile(r"^(?:[•●○◦▪■□◆◇►▶➢✓✔–—*·-]\s*|[>»›]\s+)|^\d{1,2}[.)、](?!\d)\s*|^(?:\d{1,2}\.){2,3}(?:\s+|$)")


_NUMBER = re.compile(r"\d{1,2}[.)、]|\d{1,2}\.\d{1,2}\.?")


def _line(unit: Unit, *, day_first: bool) -> DateLine:
    if not unit.parts:
        return DateLine(unit.row, (), (), unit.date, unit.date_words, alone=True)
    row = unit.parts[0]
    whole = tuple(piece for part in unit.parts if (piece := _piece(part, 0, len(part.text))))
    item = is_item(row)
    if unit.date is not None:
        rest = tuple(piece for piece in whole if not is_duration(piece.text))
        return DateLine(row, rest, whole, unit.date, unit.date_words, item=item, alone=True)
    found = [(part, dates) for part in unit.parts for dates in find_ranges(part.text, day_first=day_first)]
    if not found:
        return DateLine(row, whole, whole, item=item)
    part, date = next(((part, date) for part, date in found if not date.single), found[0])
    start, end = date.span
    pieces: list[Piece] = []
    for other in unit.parts:
        spans = [(0, start), (end, len(other.text))] if other is part else [(0, len(other.text))]
        pieces.extend(piece for span in spans if (piece := _piece(other, *span)))
    pieces = [piece for piece in pieces if not is_duration(piece.text)]
    before, after = part.text[:start].strip(" ,(|·•–—-"), part.text[end:].strip(" ,.)|·•–—-")
    alone = not before or not after
    if part is row and _NUMBER.fullmatch(before) and not date.single:
        item, alone = False, True  # a numbered list of jobs, each of which begins with its dates
    return DateLine(row, tuple(pieces), whole, date, words_at(part, start, end), item=item, alone=alone)


def _ongoing(line: DateLine, above: DateLine | None) -> DateLine:
    """The line with its `Present` as a date that has no start; not where that is the end of the date above."""
    if (
        line.date is not None
        or line.item
        or (above is not None and above.date is not None and (above.date.open or above.date.single))
    ):
        return line
    for at, piece in enumerate(line.whole):
        span = ongoing(piece.text) if len(piece.text) <= _LONGEST_ONGOING else None
        if span is None:
            continue
        date = DateRange(None, None, True, span, end_span=span)
        rest = [cut for cut in (clip_piece(piece, 0, span[0]), clip_piece(piece, span[1], len(piece.text))) if cut is not None]
        pieces = (*line.whole[:at], *rest, *line.whole[at + 1 :])
        return replace(line, pieces=pieces, date=date, date_words=piece.words, alone=True)
    return line


_LONGEST_ONGOING = 90
"""Characters of a line that ends in `Present`; what is longer is a sentence."""


def clip_piece(piece: Piece, start: int, end: int) -> Piece | None:
    """The piece's text from `start` to `end`, without separators at its ends; None for nothing."""
    text = balanced(_EDGE.sub("", piece.text[start:end]))
    return replace(piece, text=text) if any(char.isalnum() for char in text) else None


def _piece(row: Row, start: int, end: int) -> Piece | None:
    text = row.text[start:end]
    if start == 0:
        text = _BULLET.sub("", text)
    text = balanced(_EDGE.sub("", without_duration(text)))
    if not text or not any(char.isalnum() for char in text):
        return None
    at = row.text.find(text, start)
    words = words_at(row, at, at + len(text)) if at >= 0 else row.line.words
    letters = sum(len(word.text) for word in words)
    bold = sum(len(word.text) for word in words if word.bold) * 2 > letters
    cell = row.line.cell
    box = words[0].box if words else None
    return Piece(
        text,
        words,
        row.page.number,
        bold=bold,
        size=type_size(words),
        column=cell.column if cell else None,
        x=box.x0 if box else None,
    )


def balanced(text: str) -> str:
    """The text without brackets at its ends that have no partner."""
    opened, closed = text.count("("), text.count(")")
    if opened > closed:
        text = text[:-1].rstrip() if text.endswith("(") else text[1:].lstrip() if text.startswith("(") else text
    elif closed > opened:
        text = text[1:].lstrip() if text.startswith(")") else text[:-1].rstrip() if text.endswith(")") else text
    if text.startswith("(") and text.endswith(")") and text.count("(") == 1:
        text = text[1:-1].strip()
    return text
