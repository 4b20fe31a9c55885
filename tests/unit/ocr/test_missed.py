"""No writing is left behind: what an engine overlooks is read in a second look, what it reads from ruled lines is nothing."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from ingest.layout.ruling import ruled_lines
from ingest.ocr import Ability, Script, pages
from ingest.ocr.light import evened
from ingest.ocr.missed import missed_writing, without_ruled
from ingest.ocr.strips import Sheet
from ingest.page import Box, Source, Word
from resumes.taxonomy import ResumeError
from tests.unit.ocr.pictures import LINES, page

WIDTH, HEIGHT = 1240, 1754


def lines_of():
    """The lines of `pictures.page` as words with their boxes."""
    width = np.asarray(page().convert("L")) < 128
    words = []
    for number, line in enumerate(LINES):
        top = 120 + number * 68
        x = np.flatnonzero(width[top : top + 45].any(axis=0))
        words.append(Word(line, _box(x[0], top + 5, x[-1] + 1, top + 36), source=Source.OCR))
    return words


def _box(x0, y0, x1, y1):
    return Box(x0 / WIDTH, y0 / HEIGHT, x1 / WIDTH, y1 / HEIGHT)


class Overlooking:
    """Reads the page but for some lines, and on a smaller picture what it is told."""

    def __init__(self, *missed, second="Education", confidence=0.95):
        self.asked = []
        self._missed, self._second, self._confidence = missed, second, confidence

    def ability(self):
        return Ability(frozenset({Script.LATIN}), available=True, why_not="", seconds_per_page=1.0)

    def read(self, image, _scripts):
        self.asked.append(image.size)
        if image.size == (WIDTH, HEIGHT):
            return tuple(word for at, word in enumerate(lines_of()) if at not in self._missed)
        return (Word(self._second, Box(0.05, 0.3, 0.9, 0.7), source=Source.OCR, confidence=self._confidence),)


@pytest.mark.parametrize("ink", ["black", (150, 150, 150)])
def test_a_line_that_an_engine_overlooks_is_read_in_its_place(ink):
    image = page()
    grey = page(ink=ink)
    image.paste(grey.crop((0, 528, WIDTH, 568)), (0, 528))  # the heading `Education`
    engine = Overlooking(6)
    read = pages.read_page(image, 1, engine)
    assert [line.text for line in read.lines][5:] == [LINES[5], "Education", LINES[7]]
    assert len(engine.asked) == 2


@pytest.mark.parametrize(("second", "confidence"), [("Education", 0.4), ("OO O0O", 0.9), ("%&-", 0.9)])
def test_what_reads_badly_or_as_dots_is_no_overlooked_line(second, confidence):
    read = pages.read_page(page(), 1, Overlooking(6, second=second, confidence=confidence))
    assert [line.text for line in read.lines][5:] == [LINES[5], LINES[7]]


def test_a_second_look_that_fails_costs_nothing_of_the_first():
    class Failing(Overlooking):
        def read(self, image, scripts):
            if self.asked:
                raise ResumeError("timeout", "too slow")
            return super().read(image, scripts)

    read = pages.read_page(page(), 1, Failing(6))
    assert [line.text for line in read.lines][5:] == [LINES[5], LINES[7]]


def test_a_page_read_whole_is_read_once_whatever_else_is_drawn_on_it():
    image = page()
    draw = ImageDraw.Draw(image)
    draw.ellipse((900, 900, 1150, 1150), fill=(120, 120, 120))  # a portrait
    draw.line((120, 700, 1100, 706), fill="black", width=3)
    for row in range(3):
        draw.ellipse((100, 820 + 60 * row, 112, 832 + 60 * row), fill="black")  # bullets
    draw.rectangle((300, 1300, 900, 1360), fill="black")
    engine = Overlooking()
    pages.read_page(image, 1, engine)
    assert len(engine.asked) == 1


def test_without_words_nothing_says_how_high_writing_is():
    assert missed_writing(evened(page()), [], []) == []


def test_a_picture_full_of_lines_is_no_overlooked_writing():
    image = page(size=(1240, 3600))
    draw = ImageDraw.Draw(image)
    for row in range(30):
        draw.text((700, 700 + 90 * row), "||| |||| ||", fill="black", font_size=34)
    words = [Word(LINES[0], Box(0.1, 0.034, 0.3, 0.043), source=Source.OCR)]
    assert missed_writing(evened(image), words, []) == []


def test_words_read_doubtfully_from_a_rule_are_none():
    image = page()
    ImageDraw.Draw(image).line((120, 700, 1100, 708), fill="black", width=3)
    rules = ruled_lines(evened(image))
    junk = Word("EEEBE", _box(500, 690, 700, 718), source=Source.OCR, confidence=0.1)
    clear, away = (
        Word("Nurse", junk.box, source=Source.OCR, confidence=0.9),
        Word("EEE", _box(500, 800, 700, 820), confidence=0.1),
    )
    assert without_ruled([junk, clear, away], rules) == [clear, away]


def test_an_underlined_address_read_doubtfully_stays():
    image = page()
    ImageDraw.Draw(image).line((120, 730, 420, 730), fill="black", width=2)
    link = Word("www.example.com/zoe", _box(118, 700, 424, 733), source=Source.OCR, confidence=0.1)
    assert without_ruled([link], ruled_lines(evened(image))) == [link]


def test_parts_put_on_a_sheet_find_their_way_back():
    image = Image.new("L", (1000, 2000), 255)
    places = [Box(0.1, 0.1, 0.3, 0.12), Box(0.5, 0.7, 0.9, 0.73), Box(0.0, 0.99, 0.2, 1.0)]
    sheet = Sheet.of(image, places)
    words = []
    for number, (place, top) in enumerate(zip(places, sheet.tops, strict=True)):
        left = min(8, round(place.x0 * 1000))
        x0, y0 = left / sheet.image.width, (top + min(8, round(place.y0 * 2000))) / sheet.image.height
        size = (place.width * 1000 / sheet.image.width, place.height * 2000 / sheet.image.height)
        words.append(Word(str(number), Box(x0, y0, x0 + size[0], y0 + size[1]), source=Source.OCR))
    back = sheet.put_back(reversed(words))
    assert [[word.text for word in part] for part in back] == [["0"], ["1"], ["2"]]
    for part, place in zip(back, places, strict=True):
        assert part[0].box == pytest.approx(place, abs=1e-6)
