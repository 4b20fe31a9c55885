from __future__ import annotations

import pytest

from ingest.page import Cell
from resumes.sniff import HTML, MHTML
from tests.unit.readers.made import lines, read


def _read(body: str, folder, style: str = ""):
    return read(HTML, f"<html><head><title>CV</title><style>{style}</style></head><body>{body}</body></html>".encode(), folder)


def test_blocks_are_lines_and_inline_tags_are_not(tmp_path):
    assert lines(_read("<div>Nora <b>Field</b></div><p>cook<br>sailor</p>tail", tmp_path)) == [
        "Nora Field",
        "cook",
        "sailor",
        "tail",
    ]


def test_headings_lists_and_links_are_known(tmp_path):
    page = _read('<h2>Skills</h2><ul><li>Sailing</li></ul><a href="mailto:nora@example.com">mail</a>', tmp_path).pages[0]
    assert [(line.text, line.style) for line in page.lines] == [("Skills", "heading2"), ("Sailing", "list"), ("mail", "")]
    assert page.lines[0].bold
    assert page.lines[2].words[0].link == "mailto:nora@example.com"


def test_scripts_styles_and_titles_are_not_shown(tmp_path):
    body = "<script>document.write('evil')</script><p>seen</p><noscript>no</noscript><template>t</template><!-- c -->"
    reading = _read(body, tmp_path)
    assert lines(reading) == ["seen"]
    assert reading.title == "CV"


@pytest.mark.parametrize(
    "markup",
    [
        '<div style="display:none">stuffed</div>',
        "<div hidden>stuffed</div>",
        '<span style="font-size:0">stuffed</span>',
        '<span style="COLOR: #FFF">stuffed</span>',
        '<font color="white">stuffed</font>',
        '<div class="gone"><p>stuffed</p></div>',
        '<div style="position:absolute;left:-9999px">stuffed</div>',
        '<span style="visibility:hidden">stuffed</span>',
    ],
)  # fmt: skip
def test_what_nobody_sees_is_kept_apart(tmp_path, markup):
    reading = _read(f"<p>seen</p>{markup}<p>also</p>", tmp_path, ".gone{display:none}")
    assert lines(reading) == ["seen", "also"]
    assert reading.pages[0].hidden == ("stuffed",)


def test_white_text_on_a_dark_ground_is_seen(tmp_path):
    assert lines(_read('<div style="background:#123"><p style="color:#fff">Sidebar</p></div>', tmp_path)) == ["Sidebar"]


@pytest.mark.parametrize(
    "style",
    [
        ".row{font-size:0} .row span{font-size:14px}",
        ".page .row{display:none}",
        ".row{opacity:0}",
        ".row{color:#fff} .page .row{background:#123}",
    ],
)
def test_what_other_rules_may_show_again_is_not_hidden(tmp_path, style):
    assert lines(_read('<div class="row"><span>seen</span></div>', tmp_path, style)) == ["seen"]


def test_rules_for_print_alone_do_not_hide(tmp_path):
    assert lines(_read('<p class="x">seen</p>', tmp_path, "@media print{.x{display:none}} @page{margin:0} p{margin:0}")) == [
        "seen"
    ]


def test_what_a_style_sets_side_by_side_does_not_run_together(tmp_path):
    row = '<div class="row"><span>Example Ltd</span><span>2019</span></div>'
    assert lines(_read(row, tmp_path, ".row{display:flex}")) == ["Example Ltd\t2019"]


def test_cells_know_their_place_with_spans_in_both_directions(tmp_path):
    table = "<table><tr><td rowspan=2>a</td><td colspan=2>b</td></tr><tr><td>c</td><td>d</td></tr></table>"
    page = _read(table, tmp_path).pages[0]
    assert [(line.text, line.cell) for line in page.lines] == [
        ("a", Cell(0, 0, 0, 1)), ("b", Cell(0, 0, 1, 2)), ("c", Cell(0, 1, 1, 1)), ("d", Cell(0, 1, 2, 1)),
    ]  # fmt: skip


def test_a_table_inside_a_cell_is_a_table_of_its_own(tmp_path):
    page = _read("<table><tr><td>a<table><tr><td>b</td></tr></table>c</td></tr></table>", tmp_path).pages[0]
    assert [(line.text, line.cell and line.cell.table) for line in page.lines] == [("a", 0), ("b", 1), ("c", 0)]


@pytest.mark.parametrize("charset", ["gb2312", "utf-8", "big5"])
def test_the_declared_charset_is_used(tmp_path, charset):
    text = "求職" if charset == "big5" else "求职意向"
    page = f'<html><head><meta http-equiv="Content-Type" content="text/html; charset={charset}"></head><body>{text}</body></html>'
    assert lines(read(HTML, page.encode(charset), tmp_path)) == [text]


def test_broken_markup_is_still_read(tmp_path):
    assert lines(_read("<table><tr><td>a<td>b</table></div></td><p>c<p>d", tmp_path)) == ["a", "b", "c", "d"]


def test_deep_nesting_does_not_break_the_reader(tmp_path):
    assert lines(_read("<div>" * 200 + "deep" + "</div>" * 200, tmp_path)) == ["deep"]
    assert _read("<p>seen</p>" + "<div>" * 5000 + "too deep" + "</div>" * 5000, tmp_path).pages[0].lines[0].text == "seen"


def test_a_saved_page_is_read_from_its_first_part(tmp_path):
    mhtml = (
        'From: <Saved by a browser>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n'
        '--b\r\nContent-Type: text/html; charset="gb2312"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n'
        "<html><body><p>=C1=D6=B7=BC</p></body></html>\r\n"
        "--b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n--b--\r\n"
    )  # fmt: skip
    assert lines(read(MHTML, mhtml.encode(), tmp_path)) == ["林芳"]
