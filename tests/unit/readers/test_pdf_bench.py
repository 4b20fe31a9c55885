"""The benchmark's PDFs, where it lies beside the project: what the truth names stands unbroken in the text."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from ingest.page import Reading, TextQuality
from ingest.readers import ReadLimits
from ingest.readers.pdf import read

_BENCH = Path(__file__).parents[4] / "shared" / "bench"
_READABLE = ("none", "owner_password", "rotated_page")
_UNREADABLE = {
    "garbled_text_layer": TextQuality.GARBLED,
    "wrong_ocr_layer": TextQuality.CONTRADICTING,
    "scan_200dpi": TextQuality.ABSENT,
    "scan_150dpi_poor": TextQuality.ABSENT,
}

pytestmark = pytest.mark.skipif(not _BENCH.is_dir(), reason="the benchmark is not here")


def _truths() -> list[dict]:
    return [json.loads(path.read_text()) for path in sorted((_BENCH / "truth").glob("*.pdf.json"))]


def _read(truth: dict) -> Reading:
    return read(_BENCH / "files" / truth["file"], ReadLimits())


def _key(text: str) -> str:
    return "".join(
        char for char in unicodedata.normalize("NFKC", text).casefold().replace("ё", "е") if char.isalnum() or char in "+#"
    )


def _values(truth: dict) -> list[str]:
    values = [truth["basics"].get("email")]
    for job in truth.get("work", ()):
        values += [job.get("name"), job.get("position")]
    for school in truth.get("education", ()):
        values += [school.get("institution"), school.get("area")]
    values += [skill["name"] for skill in truth.get("skills", ())]
    return [value for value in values if value]


def test_values_of_the_truth_stand_unbroken_in_the_text():
    total = broken = 0
    for truth in _truths():
        if truth["degradation"] in _READABLE:
            reading = _read(truth)
            text = _key(reading.text)
            body = _key(
                "".join(line.text for page in reading.pages for line in page.lines if line.style not in ("header", "footer"))
            )
            values = _values(truth)
            total += len(values)
            broken += sum(_key(value) not in text and _key(value) not in body for value in values)
    assert total > 1000
    assert broken <= 0.01 * total


def test_good_pages_are_good_and_bad_ones_ask_for_ocr():
    for truth in _truths():
        qualities = {page.quality for page in _read(truth).pages}
        if truth["degradation"] in _READABLE:
            assert qualities == {TextQuality.GOOD}, truth["file"]
        elif truth["degradation"] in _UNREADABLE:
            assert qualities == {_UNREADABLE[truth["degradation"]]}, truth["file"]
