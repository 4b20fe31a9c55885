"""The engines read a drawn page; what cannot be read is said so and never passed off as read."""

from __future__ import annotations

import io
import itertools
import os
import stat
import time
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from ingest import ocr
from ingest.ocr import Script, orientation, pages, plan, tesseract
from ingest.page import Box, Line, Page, Picture, Reading, Source, TextQuality, Word, to_data
from ingest.readers import ReadLimits
from ingest.sandbox.pool import close_sandboxes, sandbox_for
from resumes.taxonomy import ResumeError
from tests.unit.ocr import pictures

RAPID = ocr.engine("rapidocr")
RUSSIAN = (
    "Михаил Примеров",
    "Ведущий инженер-программист",
    "Опыт работы: разработка сервисов в крупной компании",
    "Образование: высшее, факультет прикладной математики",
    "Навыки: базы данных, управление проектами, переговоры",
)
needs_tesseract = pytest.mark.skipif(
    not {Script.LATIN, Script.CYRILLIC} <= tesseract.ability().scripts, reason="tesseract with eng and rus is not installed"
)
needs_cyrillic_font = pytest.mark.skipif(not pictures.cyrillic_font(), reason="no font with Cyrillic letters")


def test_rapidocr_reads_words_with_boxes_in_reading_order():
    page = pages.read_page(pictures.page(), 1, RAPID)
    assert [line.text for line in page.lines][:3] == list(pictures.LINES[:3])
    assert page.quality is TextQuality.GOOD
    word = page.lines[0].words[0]
    assert (word.text, word.source) == ("Zoe", Source.OCR)
    assert word.confidence > 0.9
    assert word.box.x0 == pytest.approx(120 / 1240, abs=0.01)
    assert word.box.x1 < page.lines[0].words[1].box.x0


def test_the_same_picture_gives_the_same_page():
    image = pictures.page(pictures.LINES[:3], size=(1240, 400))
    assert pages.read_page(image, 1, RAPID) == pages.read_page(image, 1, RAPID)


class TellingWhichWayIsUp:
    """Reads well what is dark in its upper left corner, badly what is not; a part of a page as its whole."""

    def __init__(self):
        self.whole = 0

    def ability(self):
        return ocr.Ability(frozenset({Script.LATIN}), available=True)

    def read(self, image, _scripts):
        self.whole += image.height > 1000
        ink = 255 - np.asarray(image.convert("L"), dtype=float)
        up = ink[:, : image.width // 2].sum() > ink[:, image.width // 2 :].sum()
        sure = 0.95 if up else 0.3
        return tuple(
            Word(text, Box(0.1, 0.1 + at / 20, 0.5, 0.13 + at / 20), source=Source.OCR, confidence=sure)
            for at, text in enumerate(pictures.LINES)
        )


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_a_page_is_read_whole_but_once_whichever_way_it_lies(degrees):
    lines = [line[: 20 + 7 * (at % 4)] for at, line in enumerate(pictures.LINES * 2)]
    engine = TellingWhichWayIsUp()
    page = pages.read_page(orientation.turned(pictures.page(lines), degrees), 1, engine)
    assert page.notes.get("turned", 0) == (360 - degrees) % 360
    assert page.quality is TextQuality.GOOD
    assert engine.whole == 1


def test_a_page_upside_down_is_turned_and_says_so():
    upside_down = orientation.turned(pictures.page(pictures.LINES[:4], size=(1240, 500)), 180)
    page = pages.read_page(upside_down, 1, RAPID)
    assert page.notes["turned"] == 180
    assert page.lines[0].text == pictures.LINES[0]


@pytest.mark.parametrize("mode", ["1", "L", "RGB"])
def test_a_blank_page_is_blank_and_not_unread(mode):
    page = pages.read_page(Image.new(mode, (620, 877), "white"), 1, RAPID)
    assert (page.lines, page.quality) == ((), TextQuality.BLANK)


def test_a_page_an_engine_saw_nothing_on_is_not_blank_while_something_stands_there():
    page = pages.read_page(pictures.page(pictures.LINES[:1]), 1, ocr.engine("null"))
    assert page.quality is TextQuality.ABSENT


def test_a_tall_screenshot_is_taken_in_bands_and_read_to_its_end():
    lines = [f"Paragraph number {number} of the story" for number in range(60)]
    image = pictures.page(lines, size=(900, 60 * 68 + 200))
    bands = RAPID.bands(np.asarray(image))
    assert len(bands) > 2
    assert [bands[0][0], bands[-1][1]] == [0, image.height]
    assert all(before[1] == after[0] for before, after in itertools.pairwise(bands))


@needs_cyrillic_font
def test_russian_read_by_an_engine_without_cyrillic_is_never_accepted():
    page = pages.read_page(pictures.page(RUSSIAN), 1, RAPID)
    assert page.quality in (TextQuality.GARBLED, TextQuality.ABSENT)
    page = pages.read_page(pictures.page(RUSSIAN), 1, RAPID, frozenset({Script.CYRILLIC}))
    assert page.quality is TextQuality.ABSENT
    assert page.notes["unable"] == 1.0


@needs_tesseract
@needs_cyrillic_font
def test_tesseract_reads_russian():
    page = pages.read_page(pictures.page(RUSSIAN), 1, tesseract, frozenset({Script.CYRILLIC}))
    assert page.quality is TextQuality.GOOD
    assert page.lines[0].text == RUSSIAN[0]
    assert plan.scripts_in([page.text]) == {Script.CYRILLIC}


def test_without_the_program_tesseract_says_which_packages_bring_it(monkeypatch):
    monkeypatch.setattr(tesseract, "_installed", frozenset)
    ability = tesseract.ability()
    assert not ability.available
    assert "tesseract-ocr-rus" in ability.why_not
    with pytest.raises(ResumeError) as caught:
        tesseract.read(pictures.page(), frozenset({Script.LATIN}))
    assert (caught.value.code, caught.value.channel) == ("dependency_unavailable", "tesseract")


@pytest.mark.parametrize(
    ("script", "code"), [("sleep 60", "timeout"), ("exit 3", "dependency_unavailable")], ids=["hangs", "fails"]
)
def test_a_tesseract_that_hangs_or_fails_is_classified(monkeypatch, tmp_path, script, code):
    program = tmp_path / "tesseract"
    program.write_text(f"#!/bin/sh\nexec {script}\n" if script.startswith("sleep") else f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(tesseract, "_installed", lambda: frozenset({"eng"}))
    monkeypatch.setattr(tesseract, "_DEADLINE_S", 0.3)
    with pytest.raises(ResumeError) as caught:
        tesseract.read(pictures.page(size=(200, 200)), frozenset({Script.LATIN}))
    assert caught.value.code == code


def test_a_second_look_that_fails_leaves_the_first(monkeypatch):
    """The page is not lost where the second reading, of its addresses, is."""
    words = (Word("ada@example.org", Box(0.1, 0.1, 0.4, 0.12), source=Source.OCR),)

    def fails(*_arguments):
        raise ResumeError("timeout")

    monkeypatch.setattr(tesseract, "_run", fails)
    assert tesseract._second_look(Image.new("L", (200, 300), 255), ["rus"], 0.0) == ()
    assert tesseract._addresses_again(words, Image.new("L", (200, 300), 255), 0.0) == words


@needs_tesseract
def test_a_second_look_that_comes_too_late_ends_at_once():
    assert tesseract._second_look(pictures.page(), sorted(tesseract._installed()), time.monotonic() - 60) == ()


def test_what_a_second_look_sees_outside_its_picture_is_nobodys_address(monkeypatch):
    words = (Word("ada@example.org", Box(0.1, 0.1, 0.4, 0.12), source=Source.OCR),)
    table = "level\tleft\ttop\twidth\theight\tconf\ttext\n5\t0\t9000\t50\t20\t90\tSkills\n"
    monkeypatch.setattr(tesseract, "_run", lambda *_arguments: table)
    assert tesseract._addresses_again(words, Image.new("L", (200, 300), 255), 0.0) == words


def test_the_null_engine_reads_nothing():
    page = pages.read_page(pictures.page(), 1, ocr.engine("null"))
    assert page.quality is TextQuality.ABSENT


class Garbage:
    """An engine that answers with look-alikes, sure of itself."""

    def ability(self):
        return ocr.Ability(frozenset(Script), available=True)

    def read(self, _image, _scripts):
        return tuple(Word(text, source=Source.OCR, confidence=0.99) for text in ["nporpaMMMcT", "BpeMa", "Pa3pa6oTka", "onbIT"])


def test_an_engine_that_is_sure_of_nonsense_is_not_believed():
    assert pages.read_page(pictures.page(size=(400, 400)), 1, Garbage()).quality is not TextQuality.GOOD


def test_a_page_is_read_in_the_sandbox(tmp_path):
    path = tmp_path / "scan.png"
    buffer = io.BytesIO()
    pictures.page().save(buffer, "PNG")
    path.write_bytes(buffer.getvalue())
    limits = ReadLimits()
    payload = {
        "path": str(path),
        "media_type": "image/png",
        "pages": [1],
        "channel": "rapidocr",
        "scripts": [],
        "limits": {"max_pixels": limits.max_pixels},
    }
    try:
        answer = sandbox_for("ocr").call("ocr_pages", payload, deadline_s=60)
    finally:
        close_sandboxes()
    assert answer["pages"][0]["q"] == "good"
    assert [word[0] for word in answer["pages"][0]["l"][0]["w"]] == ["Zoe", "Example"]


class Scripted:
    """An engine whose answer is given; it keeps the picture it was shown."""

    def __init__(self, *words):
        self.words = words
        self.shown = None

    def ability(self):
        return ocr.Ability(frozenset({Script.LATIN, Script.HAN}), available=True)

    def read(self, image, _scripts):
        self.shown = np.asarray(image.convert("L"))
        return self.words


def word(text, x, y, width=0.2, confidence=0.95):
    return Word(text, Box(x, y, x + width, y + 0.03), source=Source.OCR, confidence=confidence)


def layer(*words):
    """A page with text in its upper half and a picture in its lower."""
    lines = tuple(Line((replace(each, source=Source.TEXT, confidence=1.0),)) for each in words)
    return Page(1, lines, 595.0, 842.0, TextQuality.SPARSE, pictures=(Picture(Box(0.0, 0.5, 1.0, 1.0), "1", 0.5),))


def test_what_stands_in_a_picture_is_added_to_the_text_beside_it_and_nothing_twice():
    engine = Scripted(word("Experience", 0.1, 0.6), word("Accountant", 0.1, 0.7), word("Harnet", 0.1, 0.1))
    page = pages.read_page(pictures.page(), 1, engine, frozenset(), layer(word("Harriet", 0.1, 0.1)))
    assert [(each.text, each.words[0].source) for each in page.lines] == [
        ("Harriet", Source.TEXT),
        ("Experience", Source.OCR),
        ("Accountant", Source.OCR),
    ]
    assert page.quality is TextQuality.GOOD
    assert (engine.shown[: engine.shown.shape[0] // 2 - 1] == 255).all(), "only the picture is looked at"


def test_a_picture_without_believable_writing_leaves_the_text_as_it_is():
    engine = Scripted(word("nporpaMMMcT", 0.1, 0.6, confidence=0.6))
    page = pages.read_page(pictures.page(), 1, engine, frozenset(), layer(word("Harriet", 0.1, 0.1)))
    assert ([each.text for each in page.lines], page.quality) == (["Harriet"], TextQuality.GOOD)


def test_a_picture_in_letters_the_engine_does_not_know_is_left_to_another():
    engine = Scripted(word(ocr.UNREAD, 0.1, 0.6, 0.6), word("MHE", 0.1, 0.7))
    page = pages.read_page(pictures.page(), 1, engine, frozenset(), layer(word("Harriet", 0.1, 0.1)))
    assert page.quality is TextQuality.SPARSE
    assert page.notes["cyrillic"] >= plan.FOREIGN


def test_unread_writing_is_no_text_and_tells_the_script_by_elimination():
    engine = Scripted(word(ocr.UNREAD, 0.1, 0.2, 0.6), word("MHE", 0.1, 0.3, 0.1), word(ocr.UNREAD, 0.1, 0.4, 0.6))
    page = pages.read_page(pictures.page(), 1, engine)
    assert page.text == "MHE"
    assert page.quality is TextQuality.GARBLED
    assert plan.expected_scripts({"pages": to_data(Reading((page,)))["pages"]}) == {Script.CYRILLIC}


@needs_cyrillic_font
def test_a_page_in_letters_rapidocr_does_not_know_is_given_up_after_the_first_look():
    found = RAPID.read(pictures.page(RUSSIAN * 5, size=(1240, 1900)), frozenset())
    assert sum(each.text == ocr.UNREAD for each in found) > 15
    assert not [each for each in RAPID.read(pictures.page(), frozenset()) if each.text == ocr.UNREAD]
