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
        "body:not(.open) .row{display:none}",
        ".row{opacity:0;transition:opacity 1s}",
        ".row{color:#fff} .page ~ .row{background:#123}",
        ".row{color:#fff} @media (min-width:40em){.row{background:#123}}",
        ".row{color:#fff} @media screen{.row{background:#123}}",
        ".row{color:#fff !important;background:#123 !important} #x, .row{color:#123;background:#fff}",
        ".row{color:#fff} .row span{color:#111}",
        ".row{background:#000} .row :where(span){color:#fff}",
        ".row{color:#fff;background:linear-gradient(#000,#fff)}",
        ".row{height:0;overflow:hidden;padding-bottom:50%}",
        ".row span{height:0;overflow:hidden}",
        ".row{text-indent:-20px;margin-left:-30px}",
        ".row{position:absolute;clip:rect(0,900px,900px,0)}",
        ".row{color:#ccc}",
        ".row{font-size:10px} .row span{font-size:.8em}",
        ".row{background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent}",
    ],
)
def test_what_other_rules_may_show_again_is_not_hidden(tmp_path, style):
    assert lines(_read('<div class="row"><span>seen</span></div>', tmp_path, style)) == ["seen"]


_STUFFED_STYLES = [
    "position:absolute;clip:rect(0 0 0 0)", "position:absolute;clip:rect(1px,1px,1px,1px)", "clip-path:inset(50%)",
    "clip-path:inset(100%)", "height:0;overflow:hidden", "max-height:0;overflow:hidden", "width:0;overflow:hidden",
    "position:fixed;left:-9999px", "position:absolute;right:-999px", "position:absolute;top:-500em", "text-indent:-9999px",
    "font-size:1px", "font-size:1.5pt", "font-size:.1em", "font-size:1%", "transform:scale(0)", "opacity:0", "opacity:0.0",
    "color:#fefefe", "color:rgb(255 255 255)", "color:rgba(255,255,255,.9)", "color:hsl(0, 0%, 100%)", "color:#00000000",
    "color:rgba(0,0,0,0)", "color:#000;background:#000", "color:#111;background-color:rgb(8,8,8)", "color:snow",
    "color:transparent", "display:none !important",
]  # fmt: skip


@pytest.mark.parametrize("declared", _STUFFED_STYLES)
def test_text_nobody_sees_is_kept_apart_however_it_is_done(tmp_path, declared):
    for place, markup, sheet in (
        ("own", f'<div style="{declared}">stuffed with words</div>', ""),
        ("class", '<div class="a"><div class="b c">stuffed with words</div></div>', f"div.a .b{{{declared}}}"),
    ):
        reading = _read(f"<p>seen</p>{markup}<p>also</p>", tmp_path, sheet)
        assert lines(reading) == ["seen", "also"], place
        assert reading.pages[0].hidden == ("stuffed with words",)
        assert "hidden_text" in reading.warnings


@pytest.mark.parametrize(
    ("outer", "inner", "shown"),
    [
        ("background:#123", "color:#fff", True),
        ("background:#123", "color:#fff;background:#fff", False),
        ("background:url(x.png)", "color:#fff", True),
        ("background:var(--dark)", "color:#fff", True),
        ("background:rgba(0,0,0,.8)", "color:#fff", True),
        ("background:rgba(0,0,0,0)", "color:#fff", False),
        ("background:#123;color:#fff", "", True),
        ("background:#000", "color:#000", False),
        ("color:#fff", "background:#000", True),
    ],
)
def test_text_is_seen_where_it_differs_from_the_nearest_ground(tmp_path, outer, inner, shown):
    body = f'<div style="{outer}"><section><p style="{inner}">of some length</p></section></div>'
    assert lines(_read(body, tmp_path)) == (["of some length"] if shown else [])


def test_a_style_sheet_without_end_is_read_in_no_time(tmp_path):
    for style in ("@" * 200_000, "@m" * 100_000, "/*" * 100_000, "a" * 200_000, "@m{" * 60_000):
        assert lines(_read("<p>seen</p>", tmp_path, style)) == ["seen"]


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


@pytest.mark.parametrize("depth", [100, 1000, 5000])
@pytest.mark.parametrize("tag", ["div", "span", "blockquote", "table><tr><td"])
def test_pages_nested_without_end_give_their_text(tmp_path, tag, depth):
    page = f"<p>before</p>{f'<{tag}>' * depth}innermost{f'</{tag.split(chr(62))[0]}>' * depth}<p>after</p>"
    assert lines(read(HTML, page.encode(), tmp_path)) == ["before", "innermost", "after"]
