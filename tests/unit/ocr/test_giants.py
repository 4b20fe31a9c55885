"""Huge pages and long scans: what is rendered is bounded before it is drawn, and every outcome has a name."""

from __future__ import annotations

import io

import pypdfium2
import pytest
from PIL import Image

from ingest.ocr import plan, rapidocr
from ingest.page import Page, Reading, TextQuality, to_data
from ingest.readers import ReadLimits, image, pdf
from resumes.taxonomy import ResumeError

_FIVE_METRES = 14173  # points


def test_a_page_of_five_metres_is_drawn_no_larger_than_two_of_a4_in_a_row(tmp_path):
    path = tmp_path / "poster.pdf"
    with pypdfium2.PdfDocument.new() as document:
        document.new_page(_FIVE_METRES, _FIVE_METRES)
        document.save(path)
    with Image.open(io.BytesIO(pdf.page_image(path, 1, ReadLimits(), 200))) as drawn:
        assert max(drawn.size) <= 2 * 2340


def test_a_picture_of_20_000_by_20_000_pixels_is_refused_before_it_is_decoded(tmp_path):
    path = tmp_path / "wall.png"
    Image.new("1", (20_000, 20_000), 1).save(path, compress_level=1)
    for read in (lambda: image.read(path, ReadLimits()), lambda: image.page_image(path, 1, ReadLimits())):
        with pytest.raises(ResumeError, match="too_large"):
            read()


@pytest.mark.parametrize("size", [(30, 30_000), (30_000, 30), (24, 1000), (1000, 24)])
def test_a_strip_is_no_page_and_is_not_enlarged_to_one(size):
    assert rapidocr.read(Image.new("L", size, 255), frozenset()) == ()


@pytest.mark.parametrize("read", [0, 7, 20])
def test_of_150_scanned_pages_the_first_twenty_are_read_by_however_many_channels(read):
    done = {plan.worth_note("rapidocr"): 0.9}
    pages = [
        Page(number, quality=TextQuality.GOOD if number <= read else TextQuality.ABSENT, notes=done if number <= read else {})
        for number in range(1, 151)
    ]
    reading = to_data(Reading(tuple(pages)))
    assert plan.pages_to_read(reading) == tuple(range(read + 1, 21))
    assert plan.has_more(reading)


def test_a_page_a_channel_has_read_in_vain_is_left_to_the_others():
    notes = {plan.worth_note("rapidocr"): 0.1}
    reading = to_data(Reading((Page(1, quality=TextQuality.GARBLED, notes=notes), Page(2, quality=TextQuality.ABSENT))))
    assert plan.pages_to_read(reading, "rapidocr") == (2,)
    assert plan.pages_to_read(reading, "tesseract") == (1, 2)
