"""EasyOCR: its readers by script, its lines as words; English pages read for real where it is installed (`make test-easyocr`)."""

from __future__ import annotations

import pytest

from ingest import ocr
from ingest.ocr import Script, easyocr
from ingest.page import Source
from ingest.sandbox import Sandbox
from resumes.taxonomy import ResumeError
from tests.unit.ocr import pictures

needs_easyocr = pytest.mark.skipif(
    not easyocr.ability().available, reason=f"EasyOCR cannot run here. {easyocr.ability().why_not}"
)


class Reader:
    """Answers of a reader, a line each."""

    def __init__(self, lines):
        self.lines = lines

    def detect(self, pixels, **_options):
        assert pixels.ndim == 3
        return [[[0, 400, 0, 20]]], [[]]

    def recognize(self, grey, level, slanted, *, reformat):
        assert (grey.ndim, level, slanted, reformat) == (2, [[0, 400, 0, 20]], [], False)
        return self.lines


def line(text, confidence):
    return [[[0, 0], [400, 0], [400, 20], [0, 20]], text, confidence]


@pytest.fixture
def readers(monkeypatch, tmp_path):
    """All weights are there, and what each reader answers is given."""
    answers = {
        Script.HAN: Reader([line("TIpeMep CepBNC", 0.3), line("示例科技", 0.9)]),
        Script.CYRILLIC: Reader([line("Пример Сервис", 0.8), line("示", 0.1)]),
        Script.LATIN: Reader([line("Zoe Example", 0.95)]),
    }
    monkeypatch.setattr(easyocr, "_folder", lambda _script: tmp_path)
    monkeypatch.setattr(easyocr, "_reader", answers.__getitem__)


@pytest.mark.parametrize(
    ("scripts", "expected"),
    [
        ({Script.LATIN}, ["Zoe", "Example"]),
        ({Script.LATIN, Script.CYRILLIC}, ["Пример", "Сервис", "示"]),
        (set(Script), ["Пример", "Сервис", "示例科技"]),
    ],
)
def test_each_script_has_its_reader_and_of_two_readings_of_a_line_the_surer_counts(readers, scripts, expected):
    words = easyocr.read(pictures.page(size=(800, 400)), frozenset(scripts))
    assert [word.text for word in words] == expected


def test_a_line_is_split_at_its_spaces_with_shares_of_its_box(readers):
    zoe, example = easyocr.read(pictures.page(size=(800, 400)), frozenset({Script.LATIN}))
    assert zoe.source is Source.OCR
    assert (zoe.box.x0, zoe.box.y1) == (0.0, 0.05)
    assert zoe.box.x1 == pytest.approx(0.5 * 3 / 11)
    assert example.box.x1 == pytest.approx(0.5)


def test_weights_that_were_downloaded_are_found_and_those_missing_are_named(monkeypatch, tmp_path):
    monkeypatch.setattr(easyocr.importlib.util, "find_spec", lambda name: None if name == easyocr._ENGLISH else object())
    monkeypatch.setenv("EASYOCR_MODULE_PATH", str(tmp_path))
    assert not easyocr.ability().available
    (tmp_path / "model").mkdir()
    for name in ("craft_mlt_25k.pth", "cyrillic_g2.pth"):
        (tmp_path / "model" / name).touch()
    ability = easyocr.ability()
    assert (ability.scripts, ability.available) == ({Script.CYRILLIC}, True)
    assert "zh_sim_g2.pth" in ability.why_not


def test_without_its_packages_it_says_how_to_install_them(monkeypatch):
    monkeypatch.setattr(easyocr.importlib.util, "find_spec", lambda _name: None)
    monkeypatch.delenv("EASYOCR_MODULE_PATH", raising=False)
    ability = easyocr.ability()
    assert (ability.available, ability.scripts) == (False, frozenset())
    assert "make easyocr" in ability.why_not
    with pytest.raises(ResumeError, match="dependency_unavailable"):
        easyocr.read(pictures.page(size=(80, 40)), frozenset({Script.LATIN}))


@needs_easyocr
@pytest.mark.timeout(900)
def test_english_pages_are_read_for_real_in_the_sandbox(tmp_path):
    path = tmp_path / "scan.png"
    pictures.page(size=(1240, 900)).save(path)
    payload = {"path": str(path), "media_type": "image/png", "pages": [1], "channel": "easyocr", "scripts": []}
    with Sandbox(memory_bytes=3 << 30, name="ocr") as sandbox:
        page = sandbox.call("ocr_pages", payload, deadline_s=600)["pages"][0]
    assert page["q"] == "good"
    assert [" ".join(word[0] for word in line["w"]) for line in page["l"]][:2] == list(pictures.LINES[:2])
    assert page["notes"]["worth"] > 0.7
    assert ocr.engine("easyocr").ability().scripts == {Script.LATIN}
