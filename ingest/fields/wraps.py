"""Wrapped lines: a value that did not fit its column and goes on on the next line.

A line is wrapped when the first word of the next one would not have fitted at its end, both are set alike and nothing
stands between them. Only where there are boxes: other formats keep a paragraph on one line.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from ingest.fields.dates import find_ranges
from ingest.fields.document import Row, normalise
from ingest.fields.headings import is_item
from ingest.fields.segments import type_size
from ingest.fields.wording import (
    degree_spans,
    is_bare_kind,
    is_deed,
    place_at_end,
    place_score,
    position_score,
    school_score,
    signals,
)
from ingest.page import Box, Word

_HAN = re.compile(r"[㐀-鿿]")
_COMPLETE = re.compile(r"(?<![A-ZА-ЯЁ])[.。;；:]$")
_UNFINISHED = re.compile(r"\s(?:in|of|at|and|for|the|по|и|в|им\.|&)$|им\.\s(?:[А-ЯЁ]\.\s?){1,2}$")
_AND_MORE = re.compile(r"(?:and|of|of the|и)\s(?=[A-ZА-ЯЁ])")
_ADJECTIVE_AT_END = re.compile(r"[а-яё]{3,}(?:ый|ий)$")
_CYRILLIC = re.compile(r"[А-ЯЁ]")
_GENITIVE = re.compile(r"[А-ЯЁ][а-яё]+(?:ого|его|ова|ева|ёва|ина|ына)")
"""`… университет Петра` + `Великого`: whom a school is named after."""
_MOST_GAP = 0.6
_RAGGED = 0.05
_MARGIN = 0.8
"""Of the page's width: how much lines of one column differ in length, and where the page's own margin may begin."""
_SLACK = 0.004
"""Of the page's width: rounding of boxes."""


def right_edges(rows: Sequence[Row]) -> dict[tuple[int, int, int | None], float]:
    """How far to the right the lines of each column reach, by page, block and table column.

    Where a single line reaches that far, in the middle of the page, the column may well be wider.
    """
    ends: dict[tuple[int, int, int | None], list[float]] = defaultdict(list)
    for row in rows:
        box = row.line.box
        if box is not None:
            ends[column_of(row)].append(box.x1)
    edges: dict[tuple[int, int, int | None], float] = {}
    for column, found in ends.items():
        edge = max(found)
        lone = sum(end > edge - _RAGGED for end in found) == 1 and column[2] is None
        edges[column] = edge + _RAGGED if lone and len(found) > 3 and edge < _MARGIN else edge
    return edges


def column_of(row: Row) -> tuple[int, int, int | None]:
    return (row.page.number, row.line.block, row.line.cell.column if row.line.cell else None)


def continues(upper: Row, lower: Row, edge: float) -> bool:
    """Whether `lower` is the rest of `upper`, whose column ends at `edge`."""
    over, under = upper.line.box, lower.line.box
    if over is None or under is None or column_of(upper) != column_of(lower) or is_item(upper) or is_item(lower):
        return False
    if under.y0 - over.y1 > _MOST_GAP * under.height or abs(over.x0 - under.x0) > 0.01 or _size(upper) != _size(lower):
        return False
    if upper.line.bold != lower.line.bold or _is_whole(upper.text) or _begins_anew(upper.text, lower.text):
        return False
    if _goes_on(upper.text, lower.text):
        return True
    if lower.text[:1].islower() and not signals(lower.text) and not position_score(lower.text) and not upper.text[:1].islower():
        return True
    if over.x1 + _least(upper, lower.line.words[0]) > edge + _SLACK:
        return not _both_whole(upper.text, lower.text)
    return is_bare_kind(lower.text) and under.y0 - over.y1 < 0.4 * under.height


def _is_whole(upper: str) -> bool:
    """Whether a line ends what it says: with a full stop, a date or a place."""
    if _COMPLETE.search(upper) or _ends_in_date(upper):
        return True
    return place_at_end(upper) is not None and not _HAN.search(upper)


def _begins_anew(upper: str, lower: str) -> bool:
    """Whether a line says something of its own: a place, a date, what somebody did, what stands below a whole name."""
    if place_score(lower) >= 3 and not _UNFINISHED.search(upper):
        return True
    return _school_is_whole(upper, lower) or _begins_with_date(lower) or is_deed(lower)


def _goes_on(upper: str, lower: str) -> bool:
    """Whether the words at the seam belong together: `… of Science` + `and Technology`, `младший научный` + `сотрудник`."""
    if _UNFINISHED.search(upper) or _AND_MORE.match(lower) or _degree_at_seam(upper, lower):
        return True
    return bool(_ADJECTIVE_AT_END.search(upper)) and lower[:1].islower()


def _degree_at_seam(upper: str, lower: str) -> bool:
    """Whether the lines break the name of a degree in two: `…; среднее` + `специальное`, `Master of` + `Science`."""
    seam, start = len(upper), max(0, len(upper) - 30)
    joined = f"{upper[start:]} {lower[:30]}"
    return any(first < seam - start < last for first, last in degree_spans(joined)) and not degree_spans(lower)


def _ends_in_date(text: str) -> bool:
    found = find_ranges(text)
    return bool(found) and not found[-1].open and not found[-1].single and found[-1].span[1] >= len(text) - 1


def _begins_with_date(text: str) -> bool:
    found = find_ranges(text)
    return bool(found) and found[0].span[0] == 0


def _school_is_whole(upper: str, lower: str) -> bool:
    """Whether the upper line is the full name of a school and the lower begins something else with a capital."""
    if school_score(upper) < 2 or not lower[:1].isupper() or _UNFINISHED.search(upper):
        return False
    if _GENITIVE.fullmatch(lower):
        return False
    return bool(_CYRILLIC.match(lower)) or len(lower.split()) >= 2


def _size(row: Row) -> float | None:
    return type_size(row.line.words)


def _least(upper: Row, word: Word) -> float:
    """The room the next word needs: in Chinese, which breaks anywhere, one character."""
    box = word.box or Box(0, 0, 0, 0)
    if _HAN.match(word.text):
        return box.width / max(len(word.text), 1)
    width = upper.page.width or 595.0
    return box.width + (word.size or 10.0) * 0.25 / width


def _both_whole(upper: str, lower: str) -> bool:
    """Whether each line reads like a value of its own, such as a degree above a school."""
    above, below = signals(upper), signals(lower)
    if " " not in lower and not _HAN.search(lower) and not lower.isupper():
        below -= {"school"}  # `Technology` by itself is the end of something
    if _HAN.search(lower) and len(lower) >= 4 and below & {"school", "employer"}:
        return True
    return bool(above) and bool(below) and not above & below


def glued(upper: Row, lower: Row) -> Row:
    """One row of the two."""
    words = [*upper.line.words]
    if words and _runs_together(words[-1].text, lower.line.words[0].text):
        words[-1] = replace(words[-1], space=False)
    line = replace(upper.line, words=(*words, *lower.line.words))
    return replace(upper, line=line, text=normalise(line.text))


def _runs_together(upper: str, lower: str) -> bool:
    """Whether no space stands between the last word of a line and the first of the next."""
    hyphen = len(upper) > 1 and upper[-1] == "-" and upper[-2].isalpha()
    return hyphen or bool(_HAN.search(upper[-1:]) and _HAN.match(lower))
