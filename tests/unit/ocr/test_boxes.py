"""What engines' boxes and columns are made into: words apart where a space was, type of one size of one height."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from ingest.layout import read_order
from ingest.ocr import Script, rapidocr, tesseract
from ingest.ocr.strips import Sheet
from ingest.page import Box, Source, Word
from tests.unit.ocr import pictures


def gaps(text, distances, aspect=1.0):
    """Where a space is put into a line whose characters stand so far apart, in heights of the line."""
    places, at = {}, 0.0
    for index in range(len(text)):
        places[index] = at
        at += distances[index] if index < len(distances) else 0.0
    found = rapidocr._gaps(text, list(range(len(text))), places, aspect)
    return "".join(f" {char}" if index in found else char for index, char in enumerate(text))


@pytest.mark.parametrize(
    ("distances", "read"),
    [
        ([0.50, 0.67, 1.33, 0.50], "护理学 硕士"),
        ([0.65, 0.65, 1.31, 0.65], "护理学 硕士"),
        ([0.67, 0.83, 0.67, 0.83], "护理学硕士"),
        ([0.33, 0.33, 0.58, 0.33], "护理学硕士"),
        ([1.6, 1.6, 1.6, 1.6], "护理学硕士"),  # a title set wide all over
    ],
)
def test_a_space_between_ideographs_is_told_by_their_usual_distance(distances, read):
    assert gaps("护理学硕士", distances) == read


def test_a_space_between_latin_words_is_told_by_the_height_of_the_line():
    assert gaps("ZoeExample", [0.4, 0.4, 1.2, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4]) == "Zoe Example"


@pytest.mark.parametrize(
    ("text", "top", "bottom"),  # as Tesseract cuts them, for type of 100 on a line at 0
    [
        ("нос", 52, 0),
        ("Анна", 72, 0),
        ("другу", 52, -21),
        ("Пруд", 72, -21),
        ("урок", 52, -21),
        ("Zoe", 72, 0),
        ("2019", 72, 0),
        ("max.", 52, 0),
    ],
)
def test_words_of_one_size_are_of_one_height_whatever_letters_they_have(text, top, bottom):
    line = 0.5
    box = Box(0.1, line - top / 1000, 0.3, line - bottom / 1000)
    full = tesseract._full(box, text)
    assert (full.y0, full.y1) == (pytest.approx(line - 0.072), pytest.approx(line + 0.021))


@pytest.mark.parametrize("mark", ["—", "•", "|"])
def test_marks_keep_their_boxes(mark):
    assert tesseract._full(Box(0.1, 0.2, 0.11, 0.21), mark) == Box(0.1, 0.2, 0.11, 0.21)


def _read(text, y, height, *, size=10.0):
    """A word as engines box it: as wide as its type of `size` points, as high as they like; on a page of 600 by 800."""
    width = sum(1.0 if char >= "\u2e80" else 0.66 if char.isupper() else 0.5 for char in text) * size
    return Word(
        text, Box(0.1, (y - height / 2) / 800, 0.1 + width / 600, (y + height / 2) / 800), source=Source.OCR, confidence=0.9
    )


def test_lines_of_one_size_say_so_however_high_their_boxes_are():
    heights = (11.0, 12.5, 12.0, 11.6, 13.0, 12.2)
    words = [_read("employment", 100 + 20 * row, height) for row, height in enumerate(heights)]
    assert len({line.size for line in read_order(words, (600.0, 800.0))}) == 1


def test_chinese_headings_are_larger_than_the_text_though_their_boxes_are_not():
    headings = [_read("工作经历", y, 15.0, size=12.0) for y in (100, 240)]
    text = [_read("负责样例公司的渠道拓展", y, 15.5, size=10.0) for y in (130, 150, 170, 270, 290)]
    sizes = {line.text: line.size for line in read_order([*headings, *text], (600.0, 800.0))}
    assert sizes["工作经历"] == pytest.approx(1.2 * sizes["负责样例公司的渠道拓展"], rel=0.03)


def _table(*rows):
    head = "level\tleft\ttop\twidth\theight\tconf\ttext\n"
    return head + "".join(f"5\t{x}\t{y}\t{width}\t20\t90\t{text}\n" for x, y, width, text in rows)


@pytest.mark.parametrize(
    ("in_both", "in_latin", "right"),
    [
        ("zoeexamplel1986@example.net", "zoeexample1986@example.net", "zoeexample1986@example.net"),
        ("mzoe@example.com", "zoe@example.com", "zoe@example.com"),
        ("zое.example@example.com", "zoe.example@example.com", "zoe.example@example.com"),
        ("zoe@example.com", "somebody.else@sample.org", "zoe@example.com"),
        ("zoe@example.com", "", "zoe@example.com"),
        ("www.zoe.example/cv", "www.zoe.example/cv", "www.zoe.example/cv"),
    ],
)
def test_addresses_on_russian_pages_are_read_in_latin_alone(monkeypatch, in_both, in_latin, right):
    asked = []

    def run(_image, languages, _until, *options):
        asked.append(languages)
        if not options:
            return _table((100, 100, 90, "Почта:"), (200, 100, 300, in_both))
        return _table((2, 14, 12, "®"), (20, 14, 280, in_latin))

    monkeypatch.setattr(tesseract, "_run", run)
    monkeypatch.setattr(tesseract, "_installed", lambda: frozenset({"rus", "eng"}))
    words = tesseract.read(Image.new("L", (800, 600), 255), frozenset({Script.CYRILLIC, Script.LATIN}))
    assert [word.text for word in words] == ["Почта:", right]
    assert asked == [["rus", "eng"], ["eng"]]


def test_a_page_without_addresses_or_in_latin_alone_is_read_once(monkeypatch):
    asked = []

    def run(_image, languages, _until, *_options):
        asked.append(languages)
        return _table((100, 100, 90, "Почта" if "rus" in languages else "zoe@example.com"))

    monkeypatch.setattr(tesseract, "_run", run)
    monkeypatch.setattr(tesseract, "_installed", lambda: frozenset({"rus", "eng"}))
    for scripts in ({Script.CYRILLIC, Script.LATIN}, {Script.LATIN}):
        tesseract.read(Image.new("L", (800, 600), 255), frozenset(scripts))
    assert asked == [["rus", "eng"], ["eng"]]


@pytest.mark.parametrize(("letters", "enlarged"), [(34, False), (28, False), (18, True), (14, True)])
@pytest.mark.parametrize("colours", [("black", "white"), ("white", (40, 45, 70))])
def test_small_type_is_enlarged_and_its_boxes_stand_where_they_stood(monkeypatch, letters, enlarged, colours):
    ink, paper = colours
    image = pictures.page(size=(1000, 1414), letters=letters, ink=ink, paper=paper)
    asked = []

    def run(picture, _languages, _until, *_options):
        asked.append(picture.size)
        return _table((picture.width // 10, picture.height // 2, picture.width // 5, "Education"))

    monkeypatch.setattr(tesseract, "_run", run)
    monkeypatch.setattr(tesseract, "_installed", lambda: frozenset({"eng"}))
    (word,) = tesseract.read(image, frozenset({Script.LATIN}))
    assert asked == [(2000, 2828) if enlarged else (1000, 1414)]
    assert (word.box.x0, word.box.x1) == pytest.approx((0.1, 0.3))


def test_strips_put_below_each_other_are_read_as_lines(monkeypatch):
    asked = []
    monkeypatch.setattr(tesseract, "_run", lambda _picture, _languages, _until, *options: asked.append(options) or _table())
    monkeypatch.setattr(tesseract, "_installed", lambda: frozenset({"eng"}))
    page = pictures.page()
    for image in (page, Sheet.of(page.convert("L"), [Box(0.1, 0.1, 0.5, 0.15), Box(0.1, 0.3, 0.5, 0.35)]).image):
        tesseract.read(image, frozenset({Script.LATIN}))
    assert asked == [(), ("--psm", "6")]


def test_a_giant_and_a_page_without_writing_are_not_enlarged(monkeypatch):
    asked = []
    monkeypatch.setattr(tesseract, "_run", lambda picture, *_: asked.append(picture.size) or _table())
    monkeypatch.setattr(tesseract, "_installed", lambda: frozenset({"eng"}))
    giant = pictures.page(size=(4000, 4000), letters=14)
    for image in (giant, Image.new("L", (600, 800), 255)):
        tesseract.read(image, frozenset({Script.LATIN}))
    assert asked == [(4000, 4000), (600, 800)]


def test_a_grainy_page_is_read_without_its_grain_and_once(monkeypatch):
    asked = []

    def run(image, _languages, _until, *options):
        asked.append((np.median(np.asarray(image)), bool(options)))
        return _table((100, 100, 90, "Образование"))

    monkeypatch.setattr(tesseract, "_run", run)
    monkeypatch.setattr(tesseract, "_installed", lambda: frozenset({"rus", "eng"}))
    grain = np.random.default_rng(7).normal(215, 30, (600, 800)).clip(0, 255).astype(np.uint8)
    words = tesseract.read(Image.fromarray(grain), frozenset({Script.CYRILLIC}))
    assert [word.text for word in words] == ["Образование"]
    assert asked == [(255, True)]
