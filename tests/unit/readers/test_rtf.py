from __future__ import annotations

import pytest

from ingest.page import Cell
from resumes.sniff import RTF
from resumes.taxonomy import ResumeError
from tests.unit.readers.made import lines, read


def _read(body: str, folder, head: str = "\\ansi\\ansicpg1252"):
    return read(RTF, f"{{\\rtf1{head}{body}}}".encode("latin-1"), folder)


@pytest.mark.parametrize(
    ("head", "escaped", "text"),
    [
        ("\\ansi\\ansicpg1251", "\\'cf\\'ee\\'eb\\'e5\\'e2\\'e0", "Полева"),
        ("\\ansi\\ansicpg936", "\\'c1\\'d6\\'b7\\'bc", "林芳"),
        ("\\ansi\\ansicpg1252{\\fonttbl{\\f1\\fcharset134 SimSun;}}", "\\f1 \\'c1\\'d6\\'b7\\'bc", "林芳"),
        ("\\ansi\\ansicpg1252\\deff2{\\fonttbl{\\f2\\fcharset204 Arial;}}", "\\'cf\\'ee", "По"),
        ("\\ansi\\ansicpg1252{\\fonttbl{\\f1 Arial Cyr;}}", "\\f1 \\'cf\\'ee", "По"),
        ("\\ansi\\uc1", "\\u26519?\\u33459?", "林芳"),
        ("\\ansi\\uc2", "\\u26519\\'c1\\'d6\\u33459\\'b7\\'bc!", "林芳!"),
        ("\\ansi\\uc0", "\\u-10179 \\u-8576 x", "\U0001f680x"),
    ],
)
def test_characters_come_out_of_every_code_page(tmp_path, head, escaped, text):
    assert lines(_read(f" {escaped}\\par", tmp_path, head)) == [text]


def test_tables_have_cells_on_a_common_grid(tmp_path):
    row = "\\trowd\\cellx{}\\cellx{}\\pard\\intbl {}\\cell {}\\cell\\row"
    body = row.format(1000, 2000, "a", "b") + "\\trowd\\cellx2000\\pard\\intbl wide\\par line\\cell\\row\\pard after\\par"
    page = _read(body, tmp_path).pages[0]
    assert [(line.text, line.cell) for line in page.lines] == [
        ("a", Cell(0, 0, 0, 1)), ("b", Cell(0, 0, 1, 1)), ("wide", Cell(0, 1, 0, 2)), ("line", Cell(0, 1, 0, 2)), ("after", None),
    ]  # fmt: skip


def test_headers_come_first_and_footers_last(tmp_path):
    page = _read("{\\footer nora@example.com\\par}{\\header Nora Field\\par}\\pard body\\par", tmp_path).pages[0]
    assert [(line.text, line.style) for line in page.lines] == [
        ("Nora Field", "header"), ("body", ""), ("nora@example.com", "footer"),
    ]  # fmt: skip


def test_links_stand_on_their_words(tmp_path):
    body = '{\\field{\\*\\fldinst{HYPERLINK "https://example.org"}}{\\fldrslt{site}}} and text\\par'
    (line,) = _read(body, tmp_path).pages[0].lines
    assert [(word.text, word.link) for word in line.words] == [("site", "https://example.org"), ("and", None), ("text", None)]


def test_formatting_ends_with_its_group(tmp_path):
    (line,) = _read("{\\b\\fs36 Nora} Field\\par", tmp_path).pages[0].lines
    assert [(word.text, word.bold, word.size) for word in line.words] == [("Nora", True, 18.0), ("Field", False, None)]


def test_text_boxes_come_apart_and_deleted_or_hidden_text_does_not_come(tmp_path):
    shape = "{\\shp{\\*\\shpinst{\\sp{\\sn x}{\\sv 1}}{\\shptxt boxed\\par}}{\\shprslt boxed\\par}}"
    body = f"be{shape}fore{{\\deleted gone}}{{\\v secret}}\\par"
    reading = _read(body, tmp_path)
    assert sorted(lines(reading)) == ["before", "boxed"]
    assert reading.pages[0].hidden == ("secret",)


def test_what_is_not_text_is_left_out(tmp_path):
    body = "{\\fonttbl{\\f0 Arial;}}{\\*\\unknown secret}"
    body += "{\\info{\\title The CV}{\\author Nobody}}{\\pict\\wmetafile8 0102}\\bin3 {}{seen\\par"
    reading = _read(body, tmp_path)
    assert lines(reading) == ["seen"]
    assert reading.title == "The CV"


def test_headings_are_told_by_their_style(tmp_path):
    body = "{\\stylesheet{\\s1\\b\\fs28 heading 1;}}\\pard\\s1 Skills\\par"
    (line,) = _read(body, tmp_path).pages[0].lines
    assert (line.style, line.bold, line.size) == ("heading1", True, 14.0)


def test_tabs_part_the_line(tmp_path):
    assert lines(_read("Example Ltd\\tab 2019\\par", tmp_path)) == ["Example Ltd\t2019"]


@pytest.mark.parametrize("content", [b"no rtf", b"{\\rtf1" + b"{" * 1000])
def test_what_is_no_document_is_corrupt(tmp_path, content):
    with pytest.raises(ResumeError, match="corrupt"):
        read(RTF, content, tmp_path)
