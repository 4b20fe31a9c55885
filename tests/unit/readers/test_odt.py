from __future__ import annotations

import pytest

from ingest.page import Cell
from resumes.sniff import ODT
from resumes.taxonomy import ResumeError
from tests.unit.readers.made import lines, odt, read, zipped


def test_paragraphs_headings_and_lists(tmp_path):
    body = (
        '<text:h text:outline-level="2">Skills</text:h>'
        "<text:list><text:list-item><text:p>Sailing</text:p></text:list-item></text:list>"
        "<text:p>one<text:line-break/>two<text:tab/>three<text:s text:c='4'/>four</text:p>"
    )
    page = read(ODT, odt(body), tmp_path).pages[0]
    assert [(line.text, line.style) for line in page.lines] == [
        ("Skills", "heading2"), ("Sailing", "list"), ("one", ""), ("two\tthree\tfour", ""),
    ]  # fmt: skip


def test_tables_count_covered_and_spanned_cells(tmp_path):
    cell = "<table:table-cell {}><text:p>{}</text:p></table:table-cell>"
    rows = (
        "<table:table-row>"
        + cell.format('table:number-columns-spanned="2"', "wide")
        + "<table:covered-table-cell/></table:table-row>"
        "<table:table-row>" + cell.format("", "a") + cell.format("", "b") + "</table:table-row>"
    )
    page = read(ODT, odt(f"<table:table>{rows}</table:table>"), tmp_path).pages[0]
    assert [(line.text, line.cell) for line in page.lines] == [
        ("wide", Cell(0, 0, 0, 2)), ("a", Cell(0, 1, 0, 1)), ("b", Cell(0, 1, 1, 1)),
    ]  # fmt: skip


def test_text_boxes_follow_their_paragraph_and_links_stay(tmp_path):
    body = (
        '<text:p>see <text:a xlink:href="https://example.org">site</text:a>'
        "<draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame></text:p>"
    )
    page = read(ODT, odt(body), tmp_path).pages[0]
    assert [line.text for line in page.lines] == ["see site", "boxed"]
    assert page.lines[0].words[1].link == "https://example.org"
    assert page.lines[0].block != page.lines[1].block


def test_deleted_text_and_comments_do_not_come(tmp_path):
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region>"
        "</text:tracked-changes><text:p>kept<office:annotation><text:p>remark</text:p></office:annotation></text:p>"
    )
    assert lines(read(ODT, odt(body), tmp_path)) == ["kept"]


def test_styles_give_bold_size_and_hidden(tmp_path):
    automatic = (
        '<style:style style:name="T1" style:family="text">'
        '<style:text-properties fo:font-weight="bold" fo:font-size="16pt"/></style:style>'
        '<style:style style:name="T2" style:family="text"><style:text-properties text:display="none"/></style:style>'
    )
    body = '<text:p><text:span text:style-name="T1">Nora</text:span><text:span text:style-name="T2">stuffed</text:span></text:p>'
    reading = read(ODT, odt(body, automatic=automatic), tmp_path)
    (line,) = reading.pages[0].lines
    assert (line.text, line.bold, line.size) == ("Nora", True, 16.0)
    assert reading.pages[0].hidden == ("stuffed",)


def test_headers_and_footers_come_from_the_master_pages(tmp_path):
    styles = (
        "<office:master-styles><style:master-page><style:header><text:p>Nora Field</text:p></style:header>"
        "<style:footer><text:p>nora@example.com</text:p></style:footer></style:master-page></office:master-styles>"
    )
    page = read(ODT, odt("<text:p>body</text:p>", styles=styles), tmp_path).pages[0]
    assert [(line.text, line.style) for line in page.lines] == [
        ("Nora Field", "header"), ("body", ""), ("nora@example.com", "footer"),
    ]  # fmt: skip


def test_an_encrypted_document_says_so(tmp_path):
    content = zipped({"META-INF/manifest.xml": "<manifest:encryption-data/>", "content.xml": b"\x9a\x01"})
    with pytest.raises(ResumeError, match="encrypted"):
        read(ODT, content, tmp_path)


@pytest.mark.parametrize("content", [b"no zip", zipped({"mimetype": "x"}), zipped({"content.xml": "<office/>"})])
def test_what_is_no_document_is_corrupt(tmp_path, content):
    with pytest.raises(ResumeError, match="corrupt"):
        read(ODT, content, tmp_path)


TRICK = "Ten years of everything the vacancy asks for"


def _style(name: str, family: str, properties: str, base: str = "") -> str:
    inner = f"<style:{family}-properties {properties}/>" if properties else ""
    return f'<style:style style:name="{name}" style:family="{family}" style:parent-style-name="{base}">{inner}</style:style>'


STYLES = "".join(
    (
        _style("white", "text", 'fo:color="#ffffff"'),
        _style("base", "text", 'fo:color="#fdfdfe"'),
        _style("nearly", "text", "", "base"),
        _style("gone", "text", 'text:display="none"'),
        _style("tiny", "text", 'fo:font-size="1pt"'),
        _style("thin", "text", 'style:text-scale="1%"'),
        _style("marked", "text", 'fo:color="#ffff00" fo:background-color="#ffff00"'),
        _style("grey", "text", 'fo:color="#d9d9d9"'),
        _style("onblack", "text", 'fo:color="#ffffff" fo:background-color="#000000"'),
        _style("auto", "text", 'style:use-window-font-color="true" loext:opacity="0%"'),
        _style("raised", "text", 'fo:color="#ffffff" style:font-relief="embossed"'),
        _style("P0", "paragraph", "").replace("></", '><style:text-properties text:display="none"/></'),
        _style("P1", "paragraph", 'fo:line-height="0.5pt"'),
        _style("P2", "paragraph", 'fo:background-color="#1f3864"'),
        _style("dark", "table-cell", 'fo:background-color="#1f3864"'),
        _style("light", "table-cell", 'fo:background-color="#ffffff"'),
        _style("flat", "table-row", 'style:row-height="0.01cm"'),
        _style("navy", "graphic", 'draw:fill="solid" draw:fill-color="#1f3864"'),
        _style("none", "graphic", 'draw:fill="none"'),
        _style("band", "graphic", 'style:run-through="background"', "navy"),
    )
)


def _seen_and_hidden(body: str, folder):
    reading = read(ODT, odt("<text:p>Nora Field</text:p>" + body, automatic=STYLES), folder)
    return lines(reading), reading.pages[0].hidden


def _span(style: str) -> str:
    return f'<text:p><text:span text:style-name="{style}">{TRICK}</text:span></text:p>'


@pytest.mark.parametrize(
    "body",
    [
        *map(_span, ("white", "nearly", "gone", "tiny", "thin", "marked")),
        f'<text:p text:style-name="P0">{TRICK}</text:p>',
        f'<text:p text:style-name="P1">{TRICK}</text:p>',
        f'<text:section text:name="s" text:display="none"><text:p>{TRICK}</text:p></text:section>',
        f'<text:p><text:hidden-paragraph text:condition="ooow:1" text:is-hidden="true"/>{TRICK}</text:p>',
        f'<text:p><text:hidden-text text:condition="ooow:1" text:string-value="{TRICK}" text:is-hidden="true"/></text:p>',
    ],
)
def test_text_nobody_sees_is_kept_apart(tmp_path, body):
    assert _seen_and_hidden(body, tmp_path) == (["Nora Field"], (TRICK,))


@pytest.mark.parametrize(
    "body",
    [
        *map(_span, ("grey", "onblack", "auto", "raised")),
        _span("white").replace("<text:p>", '<text:p text:style-name="P2">'),
        f'<text:p><text:hidden-text text:condition="ooow:0" text:is-hidden="false">{TRICK}</text:hidden-text></text:p>',
    ],
)
def test_text_that_can_be_seen_is_text(tmp_path, body):
    assert _seen_and_hidden(body, tmp_path) == (["Nora Field", TRICK], ())


def test_white_text_is_seen_in_dark_cells_only(tmp_path):
    def table(cell: str, row: str = "") -> str:
        content = f'<table:table-cell table:style-name="{cell}">{_span("white")}</table:table-cell>'
        return f'<table:table><table:table-row table:style-name="{row}">{content}</table:table-row></table:table>'

    assert _seen_and_hidden(table("dark"), tmp_path) == (["Nora Field", TRICK], ())
    for body in (table("light"), table(""), table("dark", "flat")):
        assert _seen_and_hidden(body, tmp_path) == (["Nora Field"], (TRICK,))


@pytest.mark.parametrize(
    ("style", "place", "seen"),
    [
        ("navy", 'svg:width="5cm" svg:height="2cm"', True),
        ("none", 'svg:width="5cm" svg:height="2cm"', False),
        ("navy", 'svg:width="0.01cm" svg:height="0.01cm"', False),
        ("navy", 'svg:width="5cm" svg:height="2cm" svg:x="-40cm"', False),
    ],
)
def test_a_shape_has_a_ground_and_a_place(tmp_path, style, place, seen):
    shape = f'<text:p><draw:custom-shape draw:style-name="{style}" {place}>{_span("white")}</draw:custom-shape></text:p>'
    assert _seen_and_hidden(shape, tmp_path) == ((["Nora Field", TRICK], ()) if seen else (["Nora Field"], (TRICK,)))


def test_white_text_counts_as_seen_where_a_band_is_painted_behind_it(tmp_path):
    band = '<text:p><draw:rect draw:style-name="{}" svg:width="21cm" svg:height="4cm"/></text:p>'
    assert _seen_and_hidden(band.format("band") + _span("white"), tmp_path)[0] == ["Nora Field", TRICK]
    assert _seen_and_hidden(band.format("navy") + _span("white"), tmp_path)[0] == ["Nora Field"]


@pytest.mark.parametrize("prefix", ["table", "loext"])
def test_tables_inside_shapes_are_read_in_whatever_name_space(tmp_path, prefix):
    row = "".join(f"<{prefix}:table-cell><text:p>{text}</text:p></{prefix}:table-cell>" for text in ("2019", "Northwind"))
    table = f"<{prefix}:table><{prefix}:table-row>{row}</{prefix}:table-row></{prefix}:table>"
    body = f'<text:p><draw:custom-shape draw:style-name="navy">{table}<text:p>below</text:p></draw:custom-shape></text:p>'
    page = read(ODT, odt(body, automatic=STYLES), tmp_path).pages[0]
    assert [(line.text, line.cell and line.cell.column) for line in page.lines] == [
        ("2019", 0),
        ("Northwind", 1),
        ("below", None),
    ]


@pytest.mark.parametrize("depth", [100, 300, 3000])
def test_spans_nested_without_end_give_their_text(tmp_path, depth):
    body = f"<text:p>{'<text:span>' * depth}innermost{'</text:span>' * depth}</text:p><text:p>after</text:p>"
    assert lines(read(ODT, odt(body), tmp_path)) == ["innermost", "after"]
