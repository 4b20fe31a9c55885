"""The sample resumes are there, small, and say nothing of real people."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image
from pypdf import PdfReader

pytestmark = pytest.mark.unit
SAMPLES = Path(__file__).resolve().parents[2] / "samples"
DOCUMENTS = frozenset({".pdf", ".docx", ".doc", ".jpg", ".html", ".txt", ".zip"})


def named():
    """The files named in the first column of the README's table."""
    return re.findall(r"^\| `([^`]+)`", (SAMPLES / "README.md").read_text(encoding="utf-8"), re.MULTILINE)


def text_of(name):
    with pypdfium2.PdfDocument(SAMPLES / name) as document:
        return document[0].get_textpage().get_text_range()


def test_every_file_of_the_readme_exists_and_every_file_is_in_the_readme():
    assert len(named()) == 12
    assert sorted(named()) == sorted(path.name for path in SAMPLES.iterdir() if path.suffix in DOCUMENTS)


def test_no_sample_is_large():
    sizes = {path.name: path.stat().st_size for path in SAMPLES.iterdir() if path.suffix in DOCUMENTS}
    assert max(sizes.values()) <= 400_000
    assert sum(sizes.values()) < 2_000_000


def test_the_office_document_names_no_author():
    with zipfile.ZipFile(SAMPLES / "su-wanqing.docx") as archive:
        properties = archive.read("docProps/core.xml").decode()
        assert not [name for name in archive.namelist() if "thumbnail" in name]
        assert b"thumbnail" not in archive.read("_rels/.rels")
    for name in ("dc:creator", "cp:lastModifiedBy", "dc:title", "dc:description"):
        assert re.search(rf"<{name}(?:/>|></{name}>)", properties), name


def test_the_kinds_that_matter_are_what_they_claim_to_be():
    assert PdfReader(SAMPLES / "priya-ramanathan-protected.pdf").decrypt("") == 0
    assert text_of("margaret-oyelaran-scan.pdf") == ""
    assert text_of("harriet-lindqvist.pdf").startswith("Harriet Lindqvist")
    with Image.open(SAMPLES / "lin-zhiyuan-photo.jpg") as photo:
        assert photo.getexif()[0x0112] == 6
    assert (SAMPLES / "grace-abernethy.doc").read_bytes().startswith(b"<html")
    assert "Город: Казань" in (SAMPLES / "pavel-zimin.txt").read_bytes().decode("cp1251")


def test_all_fonts_are_embedded():
    for name in ("harriet-lindqvist.pdf", "tomas-okonjo.pdf", "leo-fontaine.pdf"):
        fonts = PdfReader(SAMPLES / name).pages[0]["/Resources"]["/Font"]
        for font in fonts.values():
            descriptor = font.get_object()["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object()
            assert {"/FontFile2", "/FontFile3"} & descriptor.keys(), name
