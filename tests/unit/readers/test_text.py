from __future__ import annotations

import pytest

from ingest.page import BAD_CHARACTERS
from resumes.charset import decode
from resumes.sniff import TEXT, sniff
from resumes.taxonomy import ResumeError
from tests.unit.readers.made import lines, read

RUSSIAN = "Полева Нина Олеговна\nОПЫТ РАБОТЫ\nООО «Пример», бухгалтер № 5 — с 2019 года\n"
CHINESE = "林芳\n求职意向：测试工程师\n示例科技有限公司，2019年至今\n"
TRADITIONAL = "林芳\n求職意向：測試工程師\n範例科技有限公司，2019年至今\n"
WESTERN = "Zoë Müller-García\nRésumé – “quoted” naïve façade\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        *((RUSSIAN, encoding) for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1251")),
        *((RUSSIAN.replace("«", '"').replace("»", '"').replace("—", "-"), encoding) for encoding in ("cp866", "iso8859-5")),
        *((CHINESE, encoding) for encoding in ("utf-8", "gb18030", "gbk", "utf-16-le", "utf-32")),
        *((TRADITIONAL, encoding) for encoding in ("big5", "utf-8")),
        *((WESTERN, encoding) for encoding in ("cp1252", "utf-8", "utf-16")),
        ("Резюме: Полева Нина, бухгалтер, Казань", "koi8-r"),
        ("plain ascii", "ascii"),
    ],
)  # fmt: skip
def test_text_comes_out_of_every_encoding_as_it_went_in(text, encoding):
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize("text", ["ИВАНОВСКАЯ АННА", "Опыт", "г. Казань"])
@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r"])
def test_a_few_words_are_enough(text, encoding):
    assert decode(text.encode(encoding)) == text


def test_a_wrong_declaration_does_not_win():
    assert decode(CHINESE.encode("gb18030"), "iso-8859-1") == CHINESE


def test_one_broken_byte_does_not_change_the_encoding():
    text = RUSSIAN * 20
    assert decode(text.encode() + b"\xd0").startswith(text)


def test_empty_lines_and_rules_are_gaps_and_underlined_lines_headings(tmp_path):
    text = "Nora Field\n\nSKILLS\n======\nCooking\n----------\n\nSailing\n"
    reading = read(TEXT, text.encode(), tmp_path)
    assert [(line.text, line.style, line.gap >= 1) for line in reading.pages[0].lines] == [
        ("Nora Field", "", False), ("SKILLS", "heading2", True), ("Cooking", "", True), ("Sailing", "", True),
    ]  # fmt: skip


def test_boxes_drawn_with_characters_are_columns(tmp_path):
    text = "┌────┬──────┐\n│ 姓名 │ 林芳 │\n└────┴──────┘\n"
    assert lines(read(TEXT, text.encode(), tmp_path)) == ["姓名\t林芳"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Wound care  Triage  Phlebotomy", "Wound care\tTriage\tPhlebotomy"),
        ("2019.03 - 至今  白桦公司  会计", "2019.03 - 至今\t白桦公司\t会计"),
        ("He left.  She stayed.  They sang.", "He left. She stayed. They sang."),
        ("one  two", "one two"),
    ],
)
def test_two_spaces_part_a_line_where_they_stand_more_than_once(tmp_path, text, parts):
    assert lines(read(TEXT, text.encode(), tmp_path)) == [parts]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028"])
def test_lines_end_in_every_way(tmp_path, end):
    assert lines(read(TEXT, f"one{end}two".encode(), tmp_path)) == ["one", "two"]


def test_markdown_is_marked_up_text(tmp_path):
    text = "# Nora Field\n\n## Work\n\n**Example Ltd** - cook, see [site](https://example.org)\n"
    page = read(TEXT, text.encode(), tmp_path).pages[0]
    assert [(line.text, line.style) for line in page.lines] == [
        ("Nora Field", "heading1"), ("Work", "heading2"), ("Example Ltd - cook, see site", ""),
    ]  # fmt: skip
    words = page.lines[2].words
    assert [word.text for word in words if word.bold] == ["Example", "Ltd"]
    assert [word.link for word in words if word.link] == ["https://example.org"]


def test_marks_of_markdown_are_no_text(tmp_path):
    text = "# Nora\n\n* *Head* of `Baking`, snake_case and 3 * 4 * 5\n- [x] **Cook** ![photo](a.png)\n\n1\\. <n@example.org>\n"
    page = read(TEXT, text.encode(), tmp_path).pages[0]
    assert [(line.text, line.style) for line in page.lines] == [
        ("Nora", "heading1"), ("Head of Baking, snake_case and 3 * 4 * 5", "list"), ("Cook", "list"), ("1. n@example.org", ""),
    ]  # fmt: skip


def test_tables_of_markdown_are_columns(tmp_path):
    text = "# Nora\n\n| School | Year |\n|:---|---:|\n| Example College | 2012 |\n\na | b\n"
    assert lines(read(TEXT, text.encode(), tmp_path)) == ["Nora", "School\tYear", "Example College\t2012", "a | b"]


@pytest.mark.parametrize("content", [b" \n\t\r\n", b"\xef\xbb\xbf\n", "\u3000".encode()])
def test_nothing_but_white_space_is_empty(tmp_path, content):
    with pytest.raises(ResumeError, match="empty_file"):
        read(TEXT, content, tmp_path)


ENGLISH = "Nora Field\nC++, C#, ~{home}\n+44 20 7946 0123, +79161234567, a+b=c, 5+ years\nnora+cv@example.org\n"
CHINESE = "林芳\n工作经历\n2019年3月-至今 北京蓝水科技有限公司 高级工程师\n电话：13800138000\n"


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (CHINESE, "hz"),
        (CHINESE, "utf-7"),
        ("Nóra Fíeld\nSão Paulo, R&D + design\n+44 20 7946 0123\n", "utf-7"),
        ("履歴書\n山田太郎\n電話 03-1234-5678\n学歴\n", "iso2022_jp"),
        (ENGLISH, "ascii"),
    ],
)
def test_encodings_in_seven_bits_are_told_by_their_marks(text, codec):
    assert decode(text.encode(codec)) == text


@pytest.mark.parametrize("stray", [b"\xff", b"\xe9", b"\xc3", b"\x80\x80"])
@pytest.mark.parametrize("text", [CHINESE, "Nóra Field, Zürich\nEngineer at Bluewater Systems\n", "Нора Полева\nИнженер\n"])
def test_bytes_that_fit_nowhere_are_replaced_and_told(text, stray, tmp_path):
    at = text.index("\n")
    reading = read(TEXT, text[:at].encode() + stray + text[at:].encode(), tmp_path)
    assert (reading.text.replace("\ufffd", "").split(), reading.warnings) == (text.split(), (BAD_CHARACTERS,))


@pytest.mark.parametrize(
    "content",
    [
        b"Nora Field\nPython\n" + b"\0" * 4096,
        b"No\0ra Field\nPython\n",
        b"\x1b[1;31mNora Field\x1b[0m\n\x1b]8;;https://example.org\x1b\\Python\x1b]8;;\x1b\\\n",
        b"".join(b"%c\b%c" % (char, char) for char in b"Nora Field") + b"\n_\bP_\by_\bt_\bh_\bo_\bn\n",
        "Nora Field\nPython\n".encode("utf-16-le"),
        "Nora Field\nPython\n".encode("utf-16-be"),
    ],
    ids=["padding", "a stray zero", "terminal", "typewriter", "UTF-16", "UTF-16, big end first"],
)
def test_what_systems_leave_in_text_is_no_text(content, tmp_path):
    assert sniff(content, "cv.txt").media_type == TEXT
    assert lines(read(TEXT, content, tmp_path)) == ["Nora Field", "Python"]
