"""Rows that answer each other across a gap: dates beside entries, labels beside values, cells that wrap.

Owns what happens inside a block that reads row by row: a narrow left column of dates or labels is joined to the rows it
belongs to, and the rest of a wrapped cell goes back to the line it started on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ingest.layout.columns import chunks_of, free_runs, groups_of, gutter_candidates, is_dated, is_level, split_rows, starts_of
from ingest.layout.pieces import Piece, Row, is_han

_HEADED_ROWS = 3
"""A label beside that many rows heads them: it becomes a line of its own above."""


def paired(rows: Sequence[Row]) -> list[Row]:
    """The rows of one block with left-hand dates and labels joined to their entries and wrapped cells closed up."""
    found = _gutter(rows)
    if found is None:
        return _closed_up(rows)
    x, start, end = found
    return [*_closed_up(rows[:start]), *_closed_up(_joined(rows[start:end], x)), *paired(rows[end:])]


def _gutter(rows: Sequence[Row]) -> tuple[float, int, int] | None:
    """Position and range of the left gutter that pairs the most groups with rows on its right."""
    if len(rows) < 3:
        return None
    chunks = [chunks_of(row) for row in rows]
    best: tuple[int, float, int, int] | None = None
    starts = starts_of(rows)
    for x in gutter_candidates(rows, chunks):
        for start, end in free_runs(chunks, x, starts):
            left, right = split_rows(rows[start:end], x)
            if len(left) < 2 or len(right) <= len(left):
                continue
            groups = groups_of(left)
            level = [group for group in groups if is_level(group[0], right)]
            if len(level) * 2 < len(groups) or len(right) < 1.5 * len(level):
                continue
            weight = len(level) * 100 - len(groups)
            if weight > 0 and (best is None or weight > best[0]):
                best = (weight, x, start, end)
    return best[1:] if best else None


def _joined(rows: Sequence[Row], x: float) -> list[Row]:
    left, right = split_rows(rows, x)
    result: list[Row] = []
    groups = groups_of(left)
    tops = [group[0].base for group in groups[1:]] + [float("inf")]
    taken = 0
    for group, until in zip(groups, tops, strict=True):
        first = group[0]
        while taken < len(right) and right[taken].base < first.base - 0.3 * first.height:
            result.append(right[taken])
            taken += 1
        if not (taken < len(right) and is_level(first, right[taken : taken + 1])):
            result.extend(group)
            continue
        beside = sum(row.base < until - 0.3 * first.height for row in right[taken:])
        if beside >= _HEADED_ROWS and not any(is_dated(row) for row in group):
            result.extend(group)
            continue
        pieces = [piece for row in group for piece in row.pieces]
        result.append(replace(right[taken], pieces=[*pieces, *right[taken].pieces], dated=None, chunks=None))
        taken += 1
    result.extend(right[taken:])
    return result


def _closed_up(rows: Sequence[Row]) -> list[Row]:
    """Put the second line of a wrapped cell back behind the first, where another cell follows on the first line."""
    result: list[Row] = []
    starts = [cell.x0 for row in rows for cell in chunks_of(row)[1:]]
    for row in rows:
        above = result[-1] if result else None
        place = _wrapped_from(above, row, starts) if above else None
        if above is not None and place is not None:
            pieces = above.pieces
            result[-1] = replace(above, pieces=[*pieces[:place], *row.pieces, *pieces[place:]], dated=None, chunks=None)
        else:
            result.append(row)
    return result


def _wrapped_from(above: Row, row: Row, starts: Sequence[float]) -> int | None:
    """Where in the row above this row's text goes on: after the cell which had no room for its first word.

    Only in a column, that is before a cell whose left edge is in `starts`, the block's cells, more than once.
    """
    if len(chunks_of(row)) > 1 or row.y0 - above.y1 > 0.5 * row.height:
        return None
    place = 0
    cells = chunks_of(above)
    first = row.pieces[0]
    for cell, following in pairwise(cells):
        place += len(cell.pieces)
        head = cell.pieces[0]
        if abs(cell.x0 - row.x0) < 0.4 * row.height and _alike(head, first) and row.x1 < following.x0:
            if sum(abs(start - following.x0) < 0.4 * row.height for start in starts) < 2:
                return None
            room = following.x0 - cell.pieces[-1].x1
            needed = row.height if is_han(first.word.text) else first.x1 - first.x0
            return place if needed + 0.3 * row.height > room - 2.0 * row.height else None
    return None


def _alike(one: Piece, other: Piece) -> bool:
    return one.word.bold == other.word.bold and abs(one.height - other.height) < 0.1 * one.height
