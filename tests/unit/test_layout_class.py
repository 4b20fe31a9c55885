from __future__ import annotations

import pytest

from ingest.layout_class import layout_class
from ingest.page import Box, Cell, Line, Page, Reading, Source, Word, line_of, to_data


def column(left: float, block: int, source: Source = Source.TEXT) -> tuple[Line, ...]:
    return tuple(
        Line((Word("text", Box(left, top / 10, left + 0.3, top / 10 + 0.05), source=source),), block=block) for top in range(1, 6)
    )


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((), ""),
        (column(0.1, 0), "plain"),
        (column(0.1, 0) + column(0.6, 1), "columns"),
        (column(0.1, 0)[:2] + column(0.6, 1)[3:], "plain"),
        (column(0.1, 0, Source.OCR), "scan"),
        ((line_of("one"), line_of("two", cell=Cell(0, 0, 0)), line_of("three", cell=Cell(0, 0, 1))), "table"),
        ((line_of("one"), line_of("two"), line_of("three", cell=Cell(0, 0, 1))), "plain"),
    ],
)
def test_pages_are_told_apart_by_how_they_are_laid_out(lines, expected):
    assert layout_class(to_data(Reading((Page(1, lines),)))) == expected
