"""Side headings: a narrow left column that holds nothing but headings, each level with the text it heads.

Read as columns, all headings would come before all text. Here each becomes one line, however it is broken, above its text.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingest.layout.columns import LARGER, chunks_of, free_runs, groups_of, gutter_candidates, is_dated, split_rows, starts_of
from ingest.layout.pieces import Row

_MOST_WORDS = 5
_MOST_ROWS = 3
_LEVEL = 0.8
"""In heights of the heading: how far its first line may be off the first line of its text, which is set smaller."""
_TEXT_ROWS = 1.5
"""Rows of text per heading, at least; labels have one value each."""


@dataclass(frozen=True, slots=True)
class SideHeaded:
    """The rows `start` to `end` (exclusive) of a region, in reading order, with headings on lines of their own."""

    start: int
    end: int
    rows: list[Row]


def side_headed(rows: Sequence[Row]) -> SideHeaded | None:
    """The stretch of rows with the most side headings; None where there are not two."""
    if len(rows) < 4:
        return None
    chunks = [chunks_of(row) for row in rows]
    best: tuple[int, float, int, int] | None = None
    starts = starts_of(rows)
    for x in gutter_candidates(rows, chunks):
        for start, end in free_runs(chunks, x, starts):
            count = _headings(*split_rows(rows[start:end], x))
            if count >= 2 and (best is None or count > best[0]):
                best = (count, x, start, end)
    if best is None:
        return None
    _, x, start, end = best
    return SideHeaded(start, end, _in_order(*split_rows(rows[start:end], x)))


def _headings(left: Sequence[Row], right: Sequence[Row]) -> int:
    """How many headings the left side holds; 0 where it holds anything else."""
    if len(left) < 2 or len(right) < _TEXT_ROWS * 2:
        return 0
    groups = groups_of(left)
    if len(right) < _TEXT_ROWS * len(groups) or not _stand_out(left, right):
        return 0
    width = max(row.x1 for row in left) - min(row.x0 for row in left)
    if width * 1.5 > max(row.x1 for row in right) - min(row.x0 for row in right):
        return 0
    for group in groups:
        words = sum(len(row.pieces) for row in group)
        if len(group) > _MOST_ROWS or words > _MOST_WORDS or any(is_dated(row) for row in group):
            return 0
    level = sum(any(_is_level(group[0], row) for row in right) for group in groups)
    return len(groups) if level >= 0.8 * len(groups) else 0


def _stand_out(left: Sequence[Row], right: Sequence[Row]) -> bool:
    """Whether all of the left side is set alike, and larger or heavier than most of the right side."""
    sizes = [_size(row) for row in left]
    usual = statistics.median(_size(row) for row in right)
    if max(sizes) > LARGER * min(sizes):
        return False
    if min(sizes) > LARGER * usual:
        return True
    bold = all(piece.word.bold for row in left for piece in row.pieces)
    plain = sum(not row.pieces[0].word.bold for row in right)
    return bold and min(sizes) * LARGER > usual and plain > 0.6 * len(right)


def _size(row: Row) -> float:
    return max(piece.word.size or piece.height for piece in row.pieces)


def _is_level(heading: Row, row: Row) -> bool:
    return abs(heading.base - row.base) < _LEVEL * max(heading.height, row.height)


def _in_order(left: Sequence[Row], right: Sequence[Row]) -> list[Row]:
    result: list[Row] = []
    taken = 0
    for at, group in enumerate(groups_of(left)):
        first = group[0]
        while taken < len(right) and right[taken].base < first.base and not _is_level(first, right[taken]):
            result.append(right[taken])
            taken += 1
        pieces = [piece for row in group for piece in row.pieces]
        result.append(replace(first, number=-1 - at, pieces=pieces, y1=group[-1].y1, dated=None, chunks=None))
    result.extend(right[taken:])
    return result
