"""Reading order from word boxes: words to rows, rows to columns and tables, these to lines.

Shared by everything that knows where its words stand: the PDF reader and every OCR engine. Pure geometry; the one thing
it asks of the text is whether a short column is one of dates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ingest.layout.columns import blocks_of
from ingest.layout.lines import lines_of
from ingest.layout.overlay import apart_from_overlays
from ingest.layout.pairs import paired
from ingest.layout.pieces import Piece, Row, is_han, join_spaced, pieces_of, rows_of
from ingest.layout.running import PAGE_NUMBER, mark_running
from ingest.layout.sides import side_headed
from ingest.layout.tables import Table, tables_of
from ingest.page import Box, Cell, Line, Word

__all__ = ["is_han", "mark_running", "read_order"]

_FOOT = 0.9
"""Share of the page's height below which a line far from the rest is a footer, not the end of a column."""
_MOST_PIECES = 2000
"""Words of a page. One that holds more (three times a dense resume's) is read in rows: looking for columns takes too long."""


def read_order(words: Sequence[Word], page_size: tuple[float, float], rules: Sequence[Box] = ()) -> tuple[Line, ...]:
    """Lines of a page in reading order.

    `words` come in any order, with boxes as fractions of the page (those without a box are left out); `page_size` is
    its width and height in points or pixels; `rules` are the ruled lines drawn on it, as thin boxes in fractions.
    Words that lie across others (a watermark) come last.
    """
    width, height = page_size
    pieces, over = apart_from_overlays(pieces_of(words, width, height))
    tables = tables_of(((box.x0 * width, box.y0 * height, box.x1 * width, box.y1 * height) for box in rules), pieces)
    lines: list[Line] = []
    number = -1
    last: Cell | None = None
    for rows, cell in _blocks(pieces, tables, height):
        if cell is None or last is None or cell.table != last.table:
            number += 1
        lines.extend(lines_of(rows, number, width, cell))
        last = cell
    if over:
        lines.extend(lines_of(rows_of(over), number + 1, width))
    return tuple(lines)


def _blocks(pieces: Sequence[Piece], tables: Sequence[Table], height: float) -> Iterator[tuple[list[Row], Cell | None]]:
    """Blocks in reading order, each with the cell it fills where it stands in a table."""
    taken = {id(piece) for table in tables for _, members in table.cells for piece in members}
    free = [piece for piece in pieces if id(piece) not in taken]
    for table in tables:
        above = [piece for piece in free if piece.base < table.top or (piece.base < table.bottom and piece.x1 < table.left)]
        yield from _flowing(above, height)
        before = {id(piece) for piece in above}
        free = [piece for piece in free if id(piece) not in before]
        for cell, members in table.cells:
            yield [join_spaced(row) for row in rows_of(members)], cell
    yield from _flowing(free, height)


def _flowing(pieces: Sequence[Piece], height: float) -> Iterator[tuple[list[Row], None]]:
    rows = [join_spaced(row) for row in rows_of(pieces)]
    if len(pieces) > _MOST_PIECES:
        yield rows, None
        return
    foot = _foot(rows, height)
    for block in _read(rows[: len(rows) - foot]):
        yield paired(block), None
    if foot:
        yield rows[len(rows) - foot :], None


def _read(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Blocks of the page's text in reading order: around a column of side headings as columns, there as one text."""
    headed = side_headed(rows)
    if headed is None:
        yield from (block.rows for block in blocks_of(rows))
        return
    yield from (block.rows for block in blocks_of(rows[: headed.start]))
    yield headed.rows
    yield from _read(rows[headed.end :])


def _foot(rows: Sequence[Row], height: float) -> int:
    """How many rows at the bottom are a footer: one or two set well apart from the text, or a page number."""
    for count in (1, 2):
        if len(rows) <= count or rows[-count].y0 < _FOOT * height:
            break
        first = rows[-count]
        apart = first.y0 - max(row.y1 for row in rows[:-count])
        number = count == 1 and PAGE_NUMBER.fullmatch(" ".join(piece.word.text for piece in first.pieces))
        if apart > 2.5 * first.height or (number and apart > 0):
            return count
    return 0
