"""Reading order from word boxes: words to rows, rows to columns and tables, these to lines.

Shared by everything that knows where its words stand: the PDF reader and every OCR engine. Pure geometry; the one thing
it asks of the text is whether a short column is one of dates.
"""

from __future__ import annotations

from collections.abc import Sequence

from ingest.layout.columns import blocks_of
from ingest.layout.lines import lines_of
from ingest.layout.pieces import join_spaced, pieces_of, rows_of
from ingest.layout.running import mark_running
from ingest.page import Box, Line, Word

__all__ = ["mark_running", "read_order"]


def read_order(words: Sequence[Word], page_size: tuple[float, float], rules: Sequence[Box] = ()) -> tuple[Line, ...]:
    """Lines of a page in reading order.

    `words` come in any order, with boxes as fractions of the page (those without a box are left out); `page_size` is
    its width and height in points or pixels; `rules` are the ruled lines drawn on it, as thin boxes in fractions.
    """
    width, height = page_size
    rows = [join_spaced(row) for row in rows_of(pieces_of(words, width, height))]
    lines: list[Line] = []
    for number, block in enumerate(blocks_of(rows)):
        lines.extend(lines_of(block.rows, number, width))
    return tuple(lines)
