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
