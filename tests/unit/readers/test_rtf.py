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


COLORS = (
    "\\ansi{\\colortbl;\\red255\\green255\\blue255;\\red253\\green252\\blue254;\\red31\\green56\\blue100;\\red217\\green217\\blue217;}"
    "{\\stylesheet{\\s1\\v gone;}{\\s2\\cf1 white;}}"
)
TRICK = "Ten years of everything the vacancy asks for"
SHAPE = "{{\\shp{{\\*\\shpinst{}{{\\sp{{\\sn fillColor}}{{\\sv {}}}}}{}{{\\shptxt \\pard\\cf1 {}\\par}}}}}}"


def _seen_and_hidden(body: str, folder):
    reading = _read("\\pard Nora Field\\par " + body, folder, COLORS)
    return lines(reading), reading.pages[0].hidden


@pytest.mark.parametrize(
    "before",
    [
        "\\v ",
        "\\cf1 ",
        "\\cf2 ",
        "\\fs2 ",
        "\\fs4 ",
        "\\charscalex1 ",
        "\\cf3\\highlight3 ",
        "\\cf3\\chshdng0\\chcbpat3 ",
        "\\cf3\\chshdng10000\\chcfpat3\\chcbpat1 ",
        "\\cbpat1\\cf1 ",
        "\\sl-20\\slmult0 ",
        "\\li31680 ",
        "\\s1 ",
        "\\s2 ",
    ],
)
def test_text_nobody_sees_is_kept_apart(tmp_path, before):
    assert _seen_and_hidden(f"\\pard{{{before}{TRICK}}}\\par", tmp_path) == (["Nora Field"], (TRICK,))


@pytest.mark.parametrize(
    "before",
    [
        "\\v0 ", "\\cf0 ", "\\cf4 ", "\\fs12 ", "\\cf1\\highlight3 ", "\\cf1\\chcbpat3 ", "\\cbpat3\\cf1 ", "\\cf9 ",
        "\\embo\\cf1 ", "\\sl-240 ",
        "\\cf1\\plain ",
    ],
)  # fmt: skip
def test_text_that_can_be_seen_is_text(tmp_path, before):
    assert _seen_and_hidden(f"\\pard{{{before}{TRICK}}}\\par", tmp_path) == (["Nora Field", TRICK], ())


def test_white_text_is_seen_in_dark_cells_only(tmp_path):
    row = "\\trowd{}\\cellx1000\\clcbpat3\\cellx2000\\pard\\intbl {{\\cf1 first}}\\cell {{\\cf1 second}}\\cell\\row\\pard"
    assert _seen_and_hidden(row.format("\\clcbpat1"), tmp_path) == (["Nora Field", "second"], ("first",))
    assert _seen_and_hidden(row.format("\\clcbpat3"), tmp_path) == (["Nora Field", "first", "second"], ())
    assert _seen_and_hidden(row.format("\\trrh-20\\clcbpat3"), tmp_path)[0] == ["Nora Field"]


@pytest.mark.parametrize(
    ("place", "fill", "more", "seen"),
    [
        ("\\shpleft0\\shpright3000\\shptop0\\shpbottom900", 0x64381F, "", True),
        ("\\shpleft0\\shpright3000\\shptop0\\shpbottom900", 0xFFFFFF, "", False),
        ("\\shpleft0\\shpright3000\\shptop0\\shpbottom900", 0xFFFFFF, "{\\sp{\\sn fFilled}{\\sv 0}}", True),
        ("\\shpleft0\\shpright3000\\shptop0\\shpbottom900", 0x64381F, "{\\sp{\\sn fHidden}{\\sv 1}}", False),
        ("\\shpleft0\\shpright0\\shptop0\\shpbottom0", 0x64381F, "", False),
        ("\\shpleft-15000\\shpright-12000\\shptop0\\shpbottom900", 0x64381F, "", False),
    ],
)
def test_a_shape_has_a_ground_and_a_place(tmp_path, place, fill, more, seen):
    found = _seen_and_hidden(f"\\pard{SHAPE.format(place, fill, more, TRICK)}\\par", tmp_path)
    assert found == ((["Nora Field", TRICK], ()) if seen else (["Nora Field"], (TRICK,)))


@pytest.mark.parametrize(
    "body",
    [
        "{\\upr{Nora Fi?ld}{\\*\\ud{Nora Fi\\u233?ld}}}\\par",
        "{\\upr {\\b Nora Fi?ld}{\\*\\ud {\\b Nora Fi\\u233\\'e9ld}}}\\par",
        "{\\upr{Nora Fi\\'e9ld}}\\par",
        "{\\upr{Nora ?}{\\*\\ud Nora }}{\\upr{F?}{\\*\\ud Fi\\u233?ld}}\\par",
    ],
)
def test_what_is_written_twice_for_old_programs_is_read_once(body, tmp_path):
    assert lines(_read(body, tmp_path)) == ["Nora Fiéld"]


def test_a_title_written_twice_is_read_once(tmp_path):
    body = "{\\info{\\upr{\\title ??}{\\*\\ud{\\title \\u26519?\\u33459?}}}}body\\par"
    assert (_read(body, tmp_path).title, lines(_read(body, tmp_path))) == ("林芳", ["body"])


def test_text_no_program_shows_is_kept_apart(tmp_path):
    page = _read("{\\*\\exotic Engineer at {\\b Harbour}}{\\*\\bkmkstart here}{\\*\\panose 020b0604}Nora\\par", tmp_path)
    assert (lines(page), page.pages[0].hidden, page.warnings) == (["Nora"], ("Engineer at", "Harbour"), ("hidden_text",))


def test_formulas_are_text(tmp_path):
    body = "{\\mmath{\\*\\moMath{\\*\\mr GPA 3.9}}}{\\*\\mathPict GPA}\\par"
    assert lines(_read(body, tmp_path)) == ["GPA 3.9"]
