from __future__ import annotations

import pytest

from ingest.page import TextQuality
from resumes.sniff import DOC
from resumes.taxonomy import ResumeError
from tests.unit.readers.made import compound, lines, read, word97

BOLD, HIDDEN, DELETED, LARGE = b"\x35\x08\x01", b"\x3c\x08\x01", b"\x00\x08\x01", b"\x43\x4a\x24\x00"
IN_TABLE, ROW_END = b"\x16\x24\x01", b"\x16\x24\x01\x17\x24\x01"


@pytest.mark.parametrize("compressed", [True, False])
def test_paragraphs_come_out_of_both_kinds_of_pieces(tmp_path, compressed):
    assert lines(read(DOC, word97("Zoë Field\rcook\x0bsailor\r", compressed=compressed), tmp_path)) == [
        "Zoë Field",
        "cook",
        "sailor",
    ]


def test_chinese_and_pairs_of_surrogates_are_kept(tmp_path):
    assert (
        lines(read(DOC, word97("林芳 \ud83d\ude80\r".encode("utf-16-le", "surrogatepass").decode("utf-16-le")), tmp_path))[0][:2]
        == "林芳"
    )


def test_bold_size_hidden_and_deleted_are_told_apart(tmp_path):
    text = "big\rgone\rsecret\rplain\r"
    runs = [(0, 3, BOLD + LARGE), (3, 4, b""), (4, 8, DELETED), (8, 9, b""), (9, 15, HIDDEN), (15, len(text), b"")]
    reading = read(DOC, word97(text, characters=runs), tmp_path)
    assert [(line.text, line.bold, line.size) for line in reading.pages[0].lines] == [("big", True, 18.0), ("plain", False, None)]
    assert reading.pages[0].hidden == ("secret",)


def test_cells_and_rows_are_told_by_their_marks(tmp_path):
    text = "a\x07b\x07\x07c\x07d\x07\x07end\r"
    rows = [(0, 4, IN_TABLE), (4, 5, ROW_END), (5, 9, IN_TABLE), (9, 10, ROW_END), (10, len(text), b"")]
    page = read(DOC, word97(text, paragraphs=rows), tmp_path).pages[0]
    assert [(line.text, line.cell and tuple(line.cell)[:3]) for line in page.lines] == [
        ("a", (0, 0, 0)), ("b", (0, 0, 1)), ("c", (0, 1, 0)), ("d", (0, 1, 1)), ("end", None),
    ]  # fmt: skip


def test_fields_keep_their_result_and_links_their_target(tmp_path):
    text = '\x13 HYPERLINK "mailto:nora@example.com" \x14nora@example.com\x15, page \x13 PAGE \x142\x15\r'
    (line,) = read(DOC, word97(text), tmp_path).pages[0].lines
    assert line.text == "nora@example.com, page 2"
    assert line.words[0].link == "mailto:nora@example.com"


def test_headers_come_first(tmp_path):
    page = read(DOC, word97("body\r", headers="Nora Field\r"), tmp_path).pages[0]
    assert [(line.text, line.style) for line in page.lines] == [("Nora Field", "header"), ("body", "")]


def test_text_boxes_are_read(tmp_path):
    assert lines(read(DOC, word97("body\r", boxes="in the box\r"), tmp_path)) == ["body", "in the box"]


def test_a_document_without_text_is_blank(tmp_path):
    assert read(DOC, word97("\r"), tmp_path).pages[0].quality is TextQuality.BLANK


def test_a_password_is_told_by_its_flag(tmp_path):
    with pytest.raises(ResumeError, match="encrypted"):
        read(DOC, word97("x\r", flags=0x0100), tmp_path)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        word97("x\r")[:1500],
        compound({"WordDocument": b"nonsense"}),
        compound({"Other": b""}),
    ],
)
def test_damaged_files_are_corrupt(tmp_path, content):
    with pytest.raises(ResumeError, match="corrupt"):
        read(DOC, content, tmp_path)


def test_lengths_that_lie_do_not_keep_the_reader_busy(tmp_path):
    content = bytearray(word97("x\r"))
    at = 512 + 0x40 + 4 * 3
    content[at : at + 4] = b"\xff\xff\xff\x7f"
    assert lines(read(DOC, bytes(content), tmp_path)) == ["x"]
