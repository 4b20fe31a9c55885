"""Text set from top to bottom: glyphs as the PDF reader has them, with their places, come out column by column from the right."""

from __future__ import annotations

from ingest.layout import read_order
from ingest.readers.pdf_frame import Frame
from ingest.readers.pdf_glyphs import Face, Glyph, runs_of, words_of
from ingest.readers.pdf_vertical import turned_columns

FRAME = Frame(0, 0, 600, 800)


def _glyph(char: str, x: float, y: float, turns: int = 0) -> Glyph:
    """A character of 12 points, placed from the top left."""
    return Glyph(char, (x, 800 - y - 12, x + 12, 800 - y), Face(1, 12, (x, 800 - y), False, turns, False, False), 1)


def _column(text: str, x: float) -> list[Glyph]:
    return [_glyph(char, x, 60 + 13 * index) for index, char in enumerate(text)]


def _texts(glyphs: list[Glyph], turns: int) -> list[str]:
    aside = Frame(0, 0, 600, 800, turns)
    group = [glyph for glyph in glyphs if glyph.face.turns == turns]
    return [line.text for line in read_order(words_of(runs_of(group, aside), aside), (aside.width, aside.height))]


def test_columns_are_lines_from_the_right():
    glyphs = _column("二〇一五年至今，在北方公司任采购经理。", 500) + _column("林芳", 540) + _column("毕业于东方大学", 470)
    glyphs += [_glyph(char, 470, 60 + 13 * 7 + 7 * index, turns=3) for index, char in enumerate("2015")]
    turned = turned_columns(sorted(glyphs, key=lambda glyph: -glyph.area[0]), FRAME)
    assert _texts(turned, 3) == ["林芳", "二〇一五年至今，在北方公司任采购经理。", "毕业于东方大学2015"]


def test_lines_and_labels_in_narrow_cells_are_left_as_they_are():
    lines = [_glyph(char, 60 + 12 * index, y) for y in (60, 80, 100) for index, char in enumerate("在北方贸易公司任采购经理")]
    label = _column("教育经历", 30)
    assert turned_columns([*label, *lines], FRAME) == [*label, *lines]
