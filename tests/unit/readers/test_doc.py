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


TRICK = "Ten years of everything the vacancy asks for"
WHITE_TEXT, RED_TEXT = b"\x42\x2a\x08", b"\x42\x2a\x06"


def _true_color(red: int, green: int, blue: int) -> bytes:
    return b"\x70\x68" + bytes((red, green, blue, 0))


def _shading(code: bytes, *colors: tuple[int, int, int]) -> bytes:
    data = b"".join(b"\0\0\0\xff" + bytes((*color, 0)) + b"\0\0" for color in colors)
    return code + bytes((len(data),)) + data


NAVY, WHITE = (31, 56, 100), (255, 255, 255)


def _seen_and_hidden(modifiers: bytes, folder, *, paragraph: bytes = b""):
    text = f"Nora Field\r{TRICK}\rend\r"
    start, end = 11, 11 + len(TRICK)
    characters = [(0, start, b""), (start, end, modifiers), (end, len(text), b"")]
    paragraphs = [(0, start, b""), (start, end + 1, paragraph), (end + 1, len(text), b"")]
    reading = read(DOC, word97(text, characters=characters, paragraphs=paragraphs), folder)
    return lines(reading), reading.pages[0].hidden


@pytest.mark.parametrize(
    ("modifiers", "paragraph"),
    [
        (WHITE_TEXT, b""),
        (_true_color(253, 253, 253), b""),
        (b"\x43\x4a\x02\x00", b""),
        (b"\x52\x48\x01\x00", b""),
        (RED_TEXT + b"\x0c\x2a\x06", b""),
        (_true_color(*NAVY) + _shading(b"\x71\xca", NAVY), b""),
        (WHITE_TEXT, _shading(b"\x4d\xc6", WHITE)),
        (b"", b"\x12\x64\xec\xff\x00\x00"),
        (b"", b"\x0f\x84\x00\x7b"),
    ],
)
def test_text_nobody_sees_is_kept_apart(tmp_path, modifiers, paragraph):
    assert _seen_and_hidden(modifiers, tmp_path, paragraph=paragraph) == (["Nora Field", "end"], (TRICK,))


@pytest.mark.parametrize(
    ("modifiers", "paragraph"),
    [
        (RED_TEXT, b""),
        (b"\x42\x2a\x00", b""),
        (b"\x58\x08\x01" + WHITE_TEXT, b""),
        (_true_color(217, 217, 217), b""),
        (WHITE_TEXT + _shading(b"\x71\xca", NAVY), b""),
        (WHITE_TEXT + b"\x66\x48\x20\x00", b""),
        (WHITE_TEXT, _shading(b"\x4d\xc6", NAVY)),
        (b"\x43\x4a\x0c\x00", b""),
        (b"", b"\x12\x64\xf0\x00\x01\x00"),
    ],
)
def test_text_that_can_be_seen_is_text(tmp_path, modifiers, paragraph):
    assert _seen_and_hidden(modifiers, tmp_path, paragraph=paragraph) == (["Nora Field", TRICK, "end"], ())


@pytest.mark.parametrize(
    ("row", "seen"),
    [
        (_shading(b"\x12\xd6", WHITE, NAVY), ["second"]),
        (_shading(b"\x12\xd6", NAVY, NAVY), ["first", "second"]),
        (b"\x09\xd6\x04" + b"\x20\x00\x00\x01", ["first"]),
        (_shading(b"\x12\xd6", NAVY, NAVY) + b"\x07\x94\xec\xff", []),
        (b"", []),
    ],
)
def test_white_text_is_seen_in_dark_cells_only(tmp_path, row, seen):
    text = "first\x07second\x07\x07end\r"
    characters = [(0, 14, WHITE_TEXT), (14, len(text), b"")]
    paragraphs = [(0, 13, IN_TABLE), (13, 14, ROW_END + row), (14, len(text), b"")]
    reading = read(DOC, word97(text, characters=characters, paragraphs=paragraphs), tmp_path)
    assert lines(reading) == [*seen, "end"]
