"""Faults others fell into, as far as no other test of a reader brings them about: one test for each kind."""

from __future__ import annotations

import io
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

import pypdf
import pytest

from ingest.page import TextQuality
from ingest.readers import ReadLimits, reader_for
from ingest.sandbox import Sandbox
from resumes.sniff import DOC, DOCX, ODT, PDF, ZIP, Sniffed, sniff
from resumes.taxonomy import ResumeError
from tests.unit.readers.made import LIMITS, docx, lines, p, read, word97, zipped
from tests.unit.readers.made import odt as made_odt
from tests.unit.readers.pdf_made import MadePage, written
from tests.unit.readers.pdf_made import pdf as made_pdf

ROLES = (
    ("Bookkeeper, Lantern Books", ["kept the accounts of nine shops in order", "found three errors of long standing"]),
    ("Clerk, Northmoor Foundry", ["wrote short letters to careless customers", "trained two apprentices in the evenings"]),
)
SKILLS = ["Skills", "Ledgers", "Audits", "Typing", "French", "Welsh", "Filing"]


def test_skills_beside_the_jobs_never_run_into_their_descriptions(tmp_path):
    page = MadePage().show("Ada Sample", 60, 50, 22, bold=True)
    page.lines(SKILLS, 40, 120, pitch=16)
    y = 120
    for title, duties in ROLES:
        page.show(title, 230, y, 12, bold=True).lines(duties, 240, y + 16, pitch=16)
        y += 56
    text = [line for line in lines(read(PDF, made_pdf(page), tmp_path)) if line != "Ada Sample"]
    jobs = [line for title, duties in ROLES for line in (title, *duties)]
    assert [line for line in text if line in SKILLS] == SKILLS
    assert [line for line in text if line in jobs] == jobs
    assert len(text) == len(SKILLS) + len(jobs), "no line is made of both columns"


def test_structure_tags_do_not_make_a_scan_a_text(tmp_path):
    dots = bytes(0x20 if row % 3 == 0 and column % 2 else 0xF0 for row in range(80) for column in range(60))
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(made_pdf(MadePage(picture=dots))))
    name = pypdf.generic.NameObject
    writer.root_object[name("/MarkInfo")] = pypdf.generic.DictionaryObject({name("/Marked"): pypdf.generic.BooleanObject(True)})
    writer.root_object[name("/StructTreeRoot")] = pypdf.generic.DictionaryObject({name("/Type"): name("/StructTreeRoot")})
    out = io.BytesIO()
    writer.write(out)
    assert read(PDF, out.getvalue(), tmp_path).pages[0].quality is TextQuality.ABSENT


@pytest.mark.parametrize(("part", "code"), [("word/media/image1.png", None), ("word/document.xml", "corrupt")])
def test_a_damaged_part_matters_only_where_the_text_is(tmp_path, part, code):
    content = docx(p("Nora Field"), rels={"rId7": ("image", "media/image1.png"), "rId8": ("header", "NULL")})
    parts = {**_parts(content), "word/media/image1.png": b"not a picture, but long enough to be damaged inside" * 9}
    whole = zipped(parts)
    entry = zipfile.ZipFile(io.BytesIO(whole)).getinfo(part)
    at = entry.header_offset + 30 + len(part) + 8
    broken = whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]
    if code is None:
        assert lines(read(DOCX, broken, tmp_path)) == ["Nora Field"]
    else:
        with pytest.raises(ResumeError, match=code):
            read(DOCX, broken, tmp_path)


def test_a_word_file_of_the_old_kind_under_the_new_name_is_read_as_what_it_is(tmp_path):
    content = word97("Nora Field\r")
    assert sniff(content, "cv.docx") == Sniffed(DOC, extension_differs=True)
    assert lines(read(DOC, content, tmp_path)) == ["Nora Field"]


def test_forms_that_draw_each_other_without_end_cost_a_child_and_no_more(tmp_path):
    form = "<< /Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /XObject << /A {0} 0 R /B {1} 0 R >> >> {2}"
    draw = "/A Do /B Do " * 20
    body = f"/Length {len(draw)} >>\nstream\n{draw}\nendstream"
    content = written(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 600 800] >>",
            b"<< /Type /Page /Parent 2 0 R /Contents 6 0 R /Resources << /XObject << /A 4 0 R /B 5 0 R >> >> >>",
            form.format(5, 4, body).encode(),
            form.format(4, 5, body).encode(),
            f"<< /Length {len(draw)} >>\nstream\n{draw}\nendstream".encode(),
        ]
    )
    evil, sound = tmp_path / "evil.pdf", tmp_path / "sound.pdf"
    evil.write_bytes(content)
    sound.write_bytes(made_pdf(MadePage().show("Ada Sample", 60, 50)))
    with Sandbox(memory_bytes=300 << 20) as sandbox:
        started = time.monotonic()
        with pytest.raises(ResumeError) as caught:
            sandbox.call("read_document", _payload(evil, PDF), deadline_s=5)
        assert caught.value.code in ("out_of_memory", "timeout")
        assert time.monotonic() - started < 8
        assert sandbox.call("read_document", _payload(sound, PDF), deadline_s=10)["pages"][0]["l"]


def test_two_old_word_files_at_once_are_read_without_a_program_of_anyone_elses(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))  # no converter can be found

    def read_one(number: int) -> str:
        path = tmp_path / f"{number}.doc"
        path.write_bytes(word97(f"Nora Field {number}\r"))
        with Sandbox(memory_bytes=1 << 30) as sandbox:
            page = sandbox.call("read_document", _payload(path, DOC), deadline_s=10)["pages"][0]
        return " ".join(word[0] for word in page["l"][0]["w"])

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(read_one, range(2))) == ["Nora Field 0", "Nora Field 1"]


def test_a_word_file_is_known_though_a_picture_comes_first_and_an_archive_is_none_whatever_its_name():
    parts = {"word/media/photo.png": bytes(range(256)) * 400, **_parts(docx(p("Nora Field")))}
    assert sniff(zipped(parts), "cv.docx") == Sniffed(DOCX)
    assert sniff(zipped({"holiday.txt": "x"}), "cv.docx") == Sniffed(ZIP, extension_differs=True)


@pytest.mark.parametrize("media_type", [DOCX, ODT])
def test_a_document_that_is_a_bomb_is_refused_before_it_fills_the_memory(tmp_path, media_type):
    filler = "<text:p/>" if media_type == ODT else "<w:p/>"
    whole = (made_odt if media_type == ODT else docx)(filler * 200_000)
    tight = replace(LIMITS, max_unpacked_bytes=100_000)
    path = tmp_path / "bomb"
    for content in (whole, _with_modest_claims(whole)):
        path.write_bytes(content)

        with pytest.raises(ResumeError) as caught:
            reader_for(media_type).read(path, tight)
        assert caught.value.code in ("archive_unsafe", "corrupt")


def _with_modest_claims(content: bytes) -> bytes:
    """The directory says that every entry is small."""
    raw = bytearray(content)
    at = raw.find(b"PK\1\2")
    while at >= 0:
        raw[at + 24 : at + 28] = (100).to_bytes(4, "little")
        at = raw.find(b"PK\1\2", at + 4)
    return bytes(raw)


def _parts(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _payload(path: Path, media_type: str) -> dict[str, object]:
    return {"path": str(path), "media_type": media_type, "limits": asdict(ReadLimits())}
