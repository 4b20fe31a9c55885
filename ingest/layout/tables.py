"""Ruled tables: cells from the lines drawn around them, words into cells, cells row by row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ingest.layout.pieces import Piece
from ingest.page import Cell

_TOUCH = 3.0
"""Points. Ends of ruled lines that are nearer than this meet."""
_MAX_RULES = 1500
"""Drawings of more lines are pictures, not tables."""


@dataclass(slots=True)
class Wall:
    """A ruled line: at `at` across, from `start` to `end` along its direction, in points."""

    at: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Table:
    """A ruled table with the pieces of each cell, cells in reading order."""

    top: float
    bottom: float
    left: float
    right: float
    cells: tuple[tuple[Cell, list[Piece]], ...]


def tables_of(rules: Iterable[tuple[float, float, float, float]], pieces: Sequence[Piece]) -> list[Table]:
    """Ruled tables from top to bottom. `rules` are thin boxes (x0, y0, x1, y1) in points, from the top left.

    A table has at least two columns and two rows with text; a frame or a lone rule is none.
    """
    boxes = list(rules)
    if len(boxes) > _MAX_RULES:
        return []
    across = _merged(Wall((y0 + y1) / 2, x0, x1) for x0, y0, x1, y1 in boxes if x1 - x0 >= y1 - y0)
    down = _merged(Wall((x0 + x1) / 2, y0, y1) for x0, y0, x1, y1 in boxes if x1 - x0 < y1 - y0)
    tables: list[Table] = []
    for level, upright in _grids(across, down):
        table = _filled(level, upright, pieces, len(tables))
        if table is not None:
            tables.append(table)
    return sorted(tables, key=lambda table: table.top)


def _merged(walls: Iterable[Wall]) -> list[Wall]:
    """Join walls on one line that touch: most writers draw each cell's border on its own."""
    result: list[Wall] = []
    for wall in sorted(walls, key=lambda wall: (round(wall.at / 2), wall.start)):
        last = result[-1] if result else None
        if last and abs(last.at - wall.at) < _TOUCH and wall.start <= last.end + _TOUCH:
            last.end = max(last.end, wall.end)
        else:
            result.append(wall)
    return result


def _grids(across: list[Wall], down: list[Wall]) -> Iterator[tuple[list[Wall], list[Wall]]]:
    """Sets of walls that hang together, with three or more on each axis."""
    if len(across) < 3 or len(down) < 3:
        return
    parent = list(range(len(across) + len(down)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    for i, level in enumerate(across):
        for j, upright in enumerate(down):
            if (
                level.start - _TOUCH <= upright.at <= level.end + _TOUCH
                and upright.start - _TOUCH <= level.at <= upright.end + _TOUCH
            ):
                parent[root(i)] = root(len(across) + j)
    groups: dict[int, tuple[list[Wall], list[Wall]]] = {}
    for index in range(len(parent)):
        level_walls, upright_walls = groups.setdefault(root(index), ([], []))
        if index < len(across):
            level_walls.append(across[index])
        else:
            upright_walls.append(down[index - len(across)])
    for level_walls, upright_walls in groups.values():
        if len(level_walls) >= 3 and len(upright_walls) >= 3:
            yield level_walls, upright_walls


def _filled(level: list[Wall], upright: list[Wall], pieces: Sequence[Piece], number: int) -> Table | None:
    ys, xs = _positions(level), _positions(upright)
    if len(ys) < 3 or len(xs) < 3:
        return None
    cells: dict[Cell, list[Piece]] = {}
    for piece in pieces:
        x, y = (piece.x0 + piece.x1) / 2, (piece.y0 + piece.y1) / 2
        if not (xs[0] < x < xs[-1] and ys[0] < y < ys[-1]):
            continue
        sides = (
            max((wall.at for wall in upright if wall.at <= x and _spans(wall, y)), default=None),
            min((wall.at for wall in upright if wall.at > x and _spans(wall, y)), default=None),
            max((wall.at for wall in level if wall.at <= y and _spans(wall, x)), default=None),
        )
        if None in sides:
            continue
        left, right, top = (_nearest(values, at or 0.0) for values, at in zip((xs, xs, ys), sides, strict=True))
        cells.setdefault(Cell(number, top, left, max(1, right - left)), []).append(piece)
    by_row: dict[int, int] = {}
    for cell in cells:
        by_row[cell.row] = by_row.get(cell.row, 0) + 1
    if len(by_row) < 2 or sum(count > 1 for count in by_row.values()) < 2:
        return None
    ordered = sorted(cells.items(), key=lambda item: (item[0].row, item[0].column))
    return Table(ys[0], ys[-1], xs[0], xs[-1], tuple(ordered))


def _positions(walls: Sequence[Wall]) -> list[float]:
    positions: list[float] = []
    for at in sorted(wall.at for wall in walls):
        if not positions or at - positions[-1] > _TOUCH:
            positions.append(at)
    return positions


def _spans(wall: Wall, at: float) -> bool:
    return wall.start - _TOUCH <= at <= wall.end + _TOUCH


def _nearest(values: Sequence[float], at: float) -> int:
    return min(range(len(values)), key=lambda index: abs(values[index] - at))
