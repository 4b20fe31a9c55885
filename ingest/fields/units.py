"""Units: the lines of a section, and the rows of its tables as lines.

A row whose cells hold one value each reads like a line with wide gaps; cells that hold several lines, such as an entry
beside its date, give a unit for each line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby

from ingest.fields.dates import DateRange, find_ranges, is_date_matter
from ingest.fields.document import Row
from ingest.fields.entry_labels import are_column_heads, names_duties_too
from ingest.fields.headings import is_item
from ingest.fields.segments import segments
from ingest.fields.wraps import continues, glued
from ingest.page import Word

_LONGEST_VALUE = 60
"""Characters of a value in a table; what is longer is a description."""


@dataclass(slots=True)
class Unit:
    """A line, or a row of a table whose cells hold one line each, in segments."""

    row: Row
    """The line, or the first line of the table row."""
    parts: list[Row]
    date: DateRange | None = None
    date_words: tuple[Word, ...] = ()


def units_of(rows: Sequence[Row], *, day_first: bool) -> Iterator[Unit]:
    """The lines and table rows in order, each in the parts that stand apart on it."""
    headed: tuple[int, int] | None = None
    described: set[int] = set()
    for key, group in groupby(rows, key=_table_row):
        lines = list(group)
        if key is None:
            yield from (Unit(row, list(segments(row))) for row in lines)
            continue
        cells = [list(cell) for _, cell in groupby(lines, key=lambda row: row.line.cell.column if row.line.cell else 0)]
        if are_column_heads([_joined(cell).text for cell in cells]):
            headed = key[:2]
            described = {at for at, cell in enumerate(cells) if names_duties_too(_joined(cell).text)}
        ends = [_value_end(cell) if headed == key[:2] and at in described else len(cell) for at, cell in enumerate(cells)]
        values = [cell[:end] for cell, end in zip(cells, ends, strict=True)]
        if headed == key[:2] and all(map(_is_value, values)):  # one value in each, however many lines it takes
            parts = (segments(value[0]) if len(value) == 1 else (_joined(value),) for value in values)
            yield Unit(lines[0], [part for found in parts for part in found])
            rest = (row for cell, end in zip(cells, ends, strict=True) for row in cell[end:])
            yield from (Unit(row, list(segments(row))) for row in rest)
        else:
            yield from _table_units(cells, day_first=day_first)


def _table_row(row: Row) -> tuple[int, int, int] | None:
    cell = row.line.cell
    return (row.page.number, cell.table, cell.row) if cell else None


def _table_units(cells: Sequence[Sequence[Row]], *, day_first: bool) -> Iterator[Unit]:
    """One unit for a row of single lines; else one for each line, the date of a cell that is a date set on the first."""
    first = cells[0][0]
    if all(len(lines) == 1 for lines in cells):
        yield Unit(first, [part for lines in cells for part in segments(lines[0])])
        return
    date: DateRange | None = None
    words: tuple[Word, ...] = ()
    units: list[Unit] = []
    for lines in cells:
        text = " ".join(line.text for line in lines)
        if len(cells) > 1 and date is None and is_date_matter(text):
            found = find_ranges(text, day_first=day_first)
            if len(found) == 1:
                date, words = found[0], tuple(word for line in lines for word in line.line.words)
                continue
        units.extend(Unit(line, list(segments(line))) for line in lines)
    if _short_cells(cells) and units:
        merged = [part for lines in cells for part in (_joined(lines),) if not (date and is_date_matter(part.text))]
        yield Unit(first, merged, date, words)
        return
    if date is not None and units:
        units[0].date, units[0].date_words = date, words
    elif date is not None:
        units = [Unit(first, [], date, words)]
    yield from units


def _value_end(cell: Sequence[Row]) -> int:
    """How many lines of a cell hold its value, where a description follows."""
    edge = max((row.line.box.x1 for row in cell if row.line.box), default=1.0)
    return next((at for at in range(1, len(cell)) if not continues(cell[at - 1], cell[at], edge)), len(cell))


def _is_value(cell: Sequence[Row]) -> bool:
    return sum(len(line.text) for line in cell) <= _LONGEST_VALUE and not any(is_item(line) for line in cell)


def _short_cells(cells: Sequence[Sequence[Row]]) -> bool:
    """Whether the cells hold one value each, some of them broken over two lines."""
    return len(cells) > 2 and all(len(lines) <= 2 and not any(is_item(line) for line in lines) for lines in cells)


def _joined(lines: Sequence[Row]) -> Row:
    """One row from the lines of a cell."""
    return reduce(glued, lines)
