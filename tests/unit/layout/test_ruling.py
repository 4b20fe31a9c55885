"""Ruled lines in pictures of pages."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw, ImageFont

from ingest.layout import read_order
from ingest.layout.ruling import ruled_lines
from ingest.page import Source, Word
from tests.unit.layout.typeset import HEIGHT, WIDTH, Sheet

_XS, _YS = (100, 400, 1100), (200, 260, 320, 460)


def _picture(angle: float = 0.0) -> Image.Image:
    image = Image.new("L", (1200, 1600), 245)
    draw = ImageDraw.Draw(image)
    for x in _XS:
        draw.line((x, _YS[0], x, _YS[-1]), fill=40, width=2)
    for y in _YS:
        draw.line((_XS[0], y, _XS[-1], y), fill=40, width=2)
    font = ImageFont.load_default(24)
    for row in range(30):
        draw.text((120, 600 + 30 * row), "A line of type illustrates little, IllIlI HHHH", fill=30, font=font)
    return image.rotate(angle, fillcolor=245)


@pytest.mark.parametrize("angle", [0.0, 0.4])
def test_a_table_in_a_picture_is_found_and_type_is_not(angle):
    rules = ruled_lines(_picture(angle))

    across = [rule for rule in rules if rule.width > rule.height]
    down = [rule for rule in rules if rule.width <= rule.height]
    assert len(across) == len(_YS)
    assert len(down) == len(_XS)
    assert sorted(round(rule.y0 * 1600 / 20) for rule in across) == pytest.approx([y / 20 for y in _YS], abs=1)


def test_words_of_a_scanned_table_go_to_their_cells():
    sheet = Sheet().put("Name", 60, 105).put("Ada Sample", 220, 105).put("Town", 60, 135).put("London", 220, 135)
    words = [Word(word.text, word.box, source=Source.OCR, confidence=0.9) for word in sheet.words]

    lines = read_order(words, (WIDTH, HEIGHT), ruled_lines(_picture()))

    assert [(line.cell.row, line.cell.column, line.text) for line in lines if line.cell] == [
        (0, 0, "Name"),
        (0, 1, "Ada Sample"),
        (1, 0, "Town"),
        (1, 1, "London"),
    ]


def test_a_blank_picture_has_no_rules():
    assert ruled_lines(Image.new("L", (800, 1000), 250)) == []
