from __future__ import annotations

import contextlib
import io
import struct
import time
import zipfile

import pytest

from resumes.sniff import (
    DOC,
    DOCX,
    HEIC,
    HTML,
    JPEG,
    MAIL,
    MHTML,
    ODT,
    OUTLOOK,
    PDF,
    PNG,
    RTF,
    TEXT,
    TIFF,
    WEBP,
    ZIP,
    Sniffed,
    sniff,
)  # fmt: skip
from resumes.taxonomy import ResumeError
from resumes.zipdirectory import open_directory
from tests.unit.readers.made import compound, docx, odt, p, word97, zipped

MAIN = "application/vnd.openxmlformats-officedocument.{}.main+xml"
OUTLOOK_FILE = compound({"__properties_version1.0": b"", "__substg1.0_1000001F": b"x\0"})
SAVED_PAGE = b'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n--b\r\n'
MAIL_FILE = b"Received: from x\r\nFrom: nora@example.com\r\nTo: jobs@example.org\r\nSubject: cv\r\n\r\nHello"


def _types(kind: str, part: str) -> bytes:
    return zipped({"[Content_Types].xml": f'<Override PartName="/{part}" ContentType="{MAIN.format(kind)}"/>', part: "<x/>"})


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (b"%PDF-1.7\n", PDF),
        (b"\xef\xbb\xbf garbage before \n%PDF-1.4\n", PDF),
        (docx(p("x")), DOCX),
        (_types("wordprocessingml.document", "word/document2.xml"), DOCX),
        (zipped({"word/document.xml": "<x/>"}), DOCX),
        (zipped({f"filler{number}": b"x" * 500 for number in range(50)} | {"word/document.xml": "<x/>"}), DOCX),
        (word97("x\r"), DOC),
        (OUTLOOK_FILE, OUTLOOK),
        (odt("<text:p>x</text:p>"), ODT),
        (zipped({"a.txt": "x"}), ZIP),
        (zipped({}), ZIP),
        (b"{\\rtf1\\ansi x}", RTF),
        (b"\xef\xbb\xbf\r\n{\\rtf1 x}", RTF),
        (b"<!DOCTYPE html><p>x", HTML),
        (b"\n<!-- export --><table><tr><td>x", HTML),
        (b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>', HTML),
        ("<html><body>резюме".encode("utf-16"), HTML),
        (SAVED_PAGE, MHTML),
        (b"From: <Saved by a browser>\r\nSnapshot-Content-Location: https://example.com\r\n" + SAVED_PAGE, MHTML),
        (MAIL_FILE, MAIL),
        (b"From nora Mon Jan 1\n" + MAIL_FILE, MAIL),
        (MAIL_FILE.replace(b"\r\n\r\n", b"\r\n" + SAVED_PAGE), MAIL),
        (b"Name: Nora Field\nEmail: nora@example.com\n\nWork\n", TEXT),
        ("Полева Нина".encode("cp1251"), TEXT),
        ("Полева Нина".encode("koi8-r"), TEXT),
        ("林芳，测试工程师".encode("gb18030"), TEXT),
        ("Nora Field\n".encode("utf-16-le"), TEXT),
        ("Nora Field\n".encode("utf-32"), TEXT),
        (b"MZ is how my name begins, says Mara Zeller\n".replace(b"MZ", b"M. Z."), TEXT),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", JPEG),
        (b"\x89PNG\r\n\x1a\n", PNG),
        (b"II*\0", TIFF),
        (b"MM\0*", TIFF),
        (b"RIFF\0\0\0\0WEBPVP8 ", WEBP),
        (b"\0\0\0\x18ftypheic", HEIC),
    ],
)
def test_content_decides(content, media_type):
    assert sniff(content, "") == Sniffed(media_type)


@pytest.mark.parametrize(
    ("content", "filename", "differs"),
    [
        (docx(p("x")), "cv.pdf", True),
        (b"<html><body>x", "export.doc", True),
        (b"{\\rtf1 x}", "cv.DOC", True),
        (b"%PDF-1.4", "cv.docx", True),
        (b"%PDF-1.4", "CV.PDF", False),
        (b"%PDF-1.4", "cv", False),
        (b"%PDF-1.4", "cv.final", False),
        (b"\xff\xd8\xff", "..\\photo.JPEG", False),
        (b"# Nora Field", "cv.md", False),
    ],
)
def test_a_sound_document_under_another_extension_is_read_and_said_so(content, filename, differs):
    assert sniff(content, filename).extension_differs is differs


@pytest.mark.parametrize(
    ("content", "filename", "code"),
    [
        (b"", "cv.pdf", "empty_file"),
        (b"MZ\x90\0\3\0\0\0", "cv.pdf", "extension_mismatch"),
        (b"\x7fELF\2\1\1\0", "cv.docx", "extension_mismatch"),
        (bytes(range(256)) * 20, "cv.pdf", "extension_mismatch"),
        (bytes(range(256)) * 20, "cv.bin", "unsupported_format"),
        (b"MZ\x90\0\3\0\0\0", "setup.exe", "unsupported_format"),
        (b"RIFF\0\0\0\0WAVEfmt ", "sound.wav", "unsupported_format"),
        (b"ID3\4\0\0\0", "talk.mp3", "unsupported_format"),
        (b"\0\0\0\x18ftypmp42", "film.mp4", "unsupported_format"),
        (_types("spreadsheetml.sheet", "xl/workbook.xml"), "table.xlsx", "unsupported_format"),
        (_types("presentationml.presentation", "ppt/presentation.xml"), "cv.docx", "unsupported_format"),
        (zipped({"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}), "t.ods", "unsupported_format"),
        (zipped({"mimetype": "application/epub+zip"}), "book.epub", "unsupported_format"),
        (zipped({"META-INF/MANIFEST.MF": "x", "A.class": "x"}), "app.jar", "unsupported_format"),
        (compound({"Workbook": b"x"}), "table.xls", "unsupported_format"),
        (b"GIF89a", "cv.gif", "unsupported_format"),
        (b"Rar!\x1a\x07", "cvs.rar", "unsupported_format"),
        (b'<?xml version="1.0"?><data/>', "data.xml", "unsupported_format"),
        (zipped({"[Content_Types].xml": "<Types/>", "word/styles.xml": "<x/>"}), "cv.docx", "corrupt"),
        (docx(p("x"))[:200], "cv.docx", "corrupt"),
        (zipped({"a.txt": "x"})[:-25], "cvs.zip", "corrupt"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 cut", "cv.doc", "corrupt"),
        (b"xref\n0 1\ntrailer <</Root 1 0 R>>\nstartxref", "cv.pdf", "corrupt"),
        (compound({"EncryptedPackage": b"x", "EncryptionInfo": b"x"}), "cv.docx", "encrypted"),
        (word97("x\r", flags=0x0100), "cv.doc", "encrypted"),
        (
            zipped(
                {
                    "mimetype": "application/vnd.oasis.opendocument.text",
                    "META-INF/manifest.xml": "<m:encryption-data/>",
                    "content.xml": "",
                }
            ),
            "cv.odt",
            "encrypted",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_name(content, filename, code):
    with pytest.raises(ResumeError) as error:
        sniff(content, filename)
    assert error.value.code == code


def test_an_archive_of_locked_entries_is_encrypted():
    raw = bytearray(zipped({"a.txt": "x"}))
    raw[6] |= 1
    raw[raw.find(b"PK\1\2") + 8] |= 1
    with pytest.raises(ResumeError, match="encrypted"):
        sniff(bytes(raw), "cvs.zip")


def test_an_entry_without_a_name_does_no_harm():
    assert sniff(zipped({"a.txt": "x", "nameless": "y"}).replace(b"nameless", b"\0ameless"), "cvs.zip").media_type == ZIP


def test_paths_and_open_files_are_read_from_their_beginning(tmp_path):
    path = tmp_path / "cv"
    path.write_bytes(b"%PDF-1.4\n")
    assert sniff(path, "cv.pdf").media_type == PDF
    file = io.BytesIO(b"%PDF-1.4\n")
    file.seek(4)
    assert sniff(file, "cv.pdf").media_type == PDF


def test_a_directory_larger_than_memory_is_not_read():
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 60_000, 60_000, 3_000_000_000, 0, 0)
    with pytest.raises(ResumeError, match="archive_unsafe"):
        open_directory(io.BytesIO(b"PK\3\4" + end))


def test_no_error_carries_the_name_of_the_file():
    with pytest.raises(ResumeError) as error:
        sniff(b"MZ\x90\0", "Nora Field.pdf")
    assert "Nora" not in str(error.value)


# -- hostile files meet this before any sandbox ------------------------------------------------------------------


def _seconds(data: bytes) -> float:
    started = time.process_time()
    with contextlib.suppress(ResumeError):
        sniff(data, "cv.html")
    return time.process_time() - started


def _package(types: bytes, *names: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("[Content_Types].xml", types)
        for name in names:
            archive.writestr(name, b"<a/>")
    return content.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"<!-- a -->" * 5_000 + b"<section>",
        b"<!--" * 15_000,
        b"<?xml " * 10_000,
        _package(b'PartName="' * 90_000),
        _package(b"<Override " * 90_000, "word/other.xml"),
        b" " * 60_000 + b"<",
    ],
    ids=["comments", "open comments", "declarations", "part names", "overrides", "spaces"],
)
def test_the_time_it_takes_does_not_explode(data):
    assert _seconds(data) < 1.0


@pytest.mark.parametrize("kind", ["document", "template"])
def test_word_files_with_macros_are_word_files(kind):
    types = (
        f'<Types><Override PartName="/word/main.xml" ContentType="application/vnd.ms-word.{kind}.macroEnabled.main+xml"/></Types>'
    )
    assert sniff(_package(types.encode(), "word/main.xml"), "cv.docm").media_type == DOCX


def test_comments_and_a_declaration_before_the_page_are_passed_over():
    assert sniff(b'<?xml version="1.0"?>\n<!-- made by hand -->\n<!-- twice -->\n<html><body>x</body></html>').media_type == HTML
