from __future__ import annotations

import pytest

from ingest.page import BAD_CHARACTERS, Cell, TextQuality
from ingest.readers import docx as reader
from resumes.sniff import DOCX, Sniffed, sniff
from resumes.taxonomy import ResumeError
from tests.unit.readers.made import LIMITS, NAMESPACES, W_NS, docx, lines, p, read, zipped

BOX = "<w:txbxContent>{}</w:txbxContent>"
PIXEL = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\0\0\0\0:~\x9bU"
    b"\0\0\0\nIDATx\x9cc`\0\0\0\2\0\1H\xaf\xa4q\0\0\0\0IEND\xaeB`\x82"
)


def test_paragraphs_and_tables_come_in_document_order(tmp_path):
    table = "<w:tbl><w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr></w:tbl>".format(p("left"), p("right"))
    assert lines(read(DOCX, docx(p("before") + table + p("after")), tmp_path)) == ["before", "left", "right", "after"]


def test_lines_know_their_cell_and_merged_cells_count_their_columns(tmp_path):
    wide = f'<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>{p("name")}{p("role")}</w:tc>'
    table = f"<w:tbl><w:tr>{wide}<w:tc>{p('photo')}</w:tc></w:tr></w:tbl>"
    page = read(DOCX, docx(table), tmp_path).pages[0]
    assert [line.cell for line in page.lines] == [Cell(0, 0, 0, 2), Cell(0, 0, 0, 2), Cell(0, 0, 2, 1)]


def test_a_nested_table_is_a_table_of_its_own_and_its_text_comes_once(tmp_path):
    inner = f"<w:tbl><w:tr><w:tc>{p('inner')}</w:tc></w:tr></w:tbl>"
    page = read(DOCX, docx(f"<w:tbl><w:tr><w:tc>{p('outer')}{inner}{p('end')}</w:tc></w:tr></w:tbl>"), tmp_path).pages[0]
    assert [(line.text, line.cell and line.cell.table) for line in page.lines] == [("outer", 0), ("inner", 1), ("end", 0)]


def test_the_text_of_a_box_comes_once_though_it_is_stored_twice(tmp_path):
    both = (
        "<w:p><w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wps:txbx>{0}</wps:txbx></w:drawing></mc:Choice>"
        "<mc:Fallback><w:pict><v:textbox>{0}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    page = read(DOCX, docx(both.format(BOX.format(p("in the box"))) + p("outside")), tmp_path).pages[0]
    assert [line.text for line in page.lines] == ["in the box", "outside"]
    assert page.lines[0].block != page.lines[1].block


def test_an_old_box_is_read_where_there_is_no_new_one(tmp_path):
    box = f"<w:p><w:r><w:pict><v:shape><v:textbox>{BOX.format(p('vml'))}</v:textbox></v:shape></w:pict></w:r></w:p>"
    assert lines(read(DOCX, docx(box), tmp_path)) == ["vml"]


def test_inserted_text_stays_and_deleted_text_goes(tmp_path):
    body = (
        "<w:p><w:r><w:t>Version</w:t></w:r><w:ins><w:r><w:t xml:space='preserve"
        "'> 2</w:t></w:r></w:ins><w:del><w:r><w:delText> 1</w:delText></w:r></w:del>"
        "<w:moveFrom><w:r><w:t> moved away</w:t></w:r></w:moveFrom></w:p>"
    )
    assert lines(read(DOCX, docx(body), tmp_path)) == ["Version 2"]


@pytest.mark.parametrize("wrapper", ["w:smartTag", "w:customXml", "w:ins"])
def test_wrappers_do_not_hide_their_text(tmp_path, wrapper):
    body = f"<w:p><w:r><w:t>a</w:t></w:r><{wrapper}><w:r><w:t>b</w:t></w:r></{wrapper}></w:p>"
    assert lines(read(DOCX, docx(body), tmp_path)) == ["ab"]


def test_content_controls_are_read_around_paragraphs_rows_and_words(tmp_path):
    sdt = "<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>"
    cell = sdt.format(f"<w:tc>{p('cell')}</w:tc>")
    row = sdt.format(f"<w:tr>{cell}</w:tr>")
    word = f"<w:p>{sdt.format('<w:r><w:t>word</w:t></w:r>')}</w:p>"
    assert lines(read(DOCX, docx(sdt.format(p("block")) + f"<w:tbl>{row}</w:tbl>" + word), tmp_path)) == ["block", "cell", "word"]


def test_headers_come_first_footers_last_and_each_once(tmp_path):
    section = (
        '<w:sectPr><w:headerReference w:type="default" r:id="h"/><w:headerReference w:type="even" r:id="e"/>'
        '<w:footerReference w:type="default" r:id="f"/></w:sectPr>'
    )
    header = f'<w:hdr xmlns:w="{W_NS}">{p("Nora Field")}</w:hdr>'
    footer = f'<w:ftr xmlns:w="{W_NS}">{p("nora@example.com")}</w:ftr>'
    content = docx(
        p("body") + section,
        rels={"h": ("header", "h1.xml"), "e": ("header", "h2.xml"), "f": ("footer", "f.xml")},
        h1_xml=header, h2_xml=header, f_xml=footer,
    )  # fmt: skip
    page = read(DOCX, content, tmp_path).pages[0]
    assert [(line.text, line.style) for line in page.lines] == [
        ("Nora Field", "header"), ("body", ""), ("nora@example.com", "footer"),
    ]  # fmt: skip


def test_links_stand_on_their_words_whether_by_relationship_or_by_field(tmp_path):
    body = (
        '<w:p><w:hyperlink r:id="l"><w:r><w:t>write me</w:t></w:r></w:hyperlink></w:p>'
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        '<w:r><w:instrText> HYPERLINK "https://example.org/nora" </w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>site</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
        "<w:r><w:t>plain</w:t></w:r></w:p>"
    )
    page = read(DOCX, docx(body, rels={"l": ("hyperlink", "mailto:nora@example.com")}), tmp_path).pages[0]
    assert [[word.link for word in line.words] for line in page.lines] == [
        ["mailto:nora@example.com"] * 2, ["https://example.org/nora", None],
    ]  # fmt: skip


def test_a_tab_is_a_word_of_its_own(tmp_path):
    body = "<w:p><w:r><w:t>Example Ltd</w:t><w:tab/><w:t>2019 - 2021</w:t></w:r></w:p>"
    (line,) = read(DOCX, docx(body), tmp_path).pages[0].lines
    assert line.text == "Example Ltd\t2019 - 2021"
    assert [word.text for word in line.words].count("\t") == 1


def test_hidden_tiny_and_white_text_is_kept_apart(tmp_path):
    run = "<w:p><w:r><w:rPr>{}</w:rPr><w:t>stuffed</w:t></w:r></w:p>"
    looks = ["<w:vanish/>", '<w:sz w:val="2"/>', '<w:color w:val="FFFFFF"/>']
    reading = read(DOCX, docx(p("seen") + "".join(run.format(look) for look in looks)), tmp_path)
    assert lines(reading) == ["seen"]
    assert reading.pages[0].hidden == ("stuffed",) * 3
    assert "hidden_text" in reading.warnings


def test_white_text_on_a_dark_cell_is_seen(tmp_path):
    white = '<w:p><w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:t>Sidebar</w:t></w:r></w:p>'
    table = f'<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:fill="12343B"/></w:tcPr>{white}</w:tc></w:tr></w:tbl>'
    assert lines(read(DOCX, docx(table), tmp_path)) == ["Sidebar"]


def test_styles_give_headings_bold_and_sizes_through_inheritance(tmp_path):
    styles = (
        f'<w:styles xmlns:w="{W_NS}"><w:style w:type="paragraph" w:styleId="a"><w:name w:val="heading 2"/>'
        '<w:rPr><w:b/><w:sz w:val="28"/></w:rPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="b"><w:name w:val="Own"/><w:basedOn w:val="a"/></w:style></w:styles>'
    )
    content = docx(p("Skills", '<w:pPr><w:pStyle w:val="b"/></w:pPr>'), rels={"s": ("styles", "styles.xml")}, styles_xml=styles)
    (line,) = read(DOCX, content, tmp_path).pages[0].lines
    assert (line.style, line.bold, line.size) == ("heading2", True, 14.0)


def test_list_levels_are_indents(tmp_path):
    item = '<w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="3"/></w:numPr></w:pPr>'
    (line,) = read(DOCX, docx(p("second level", item)), tmp_path).pages[0].lines
    assert (line.style, line.indent) == ("list", 0.04)


def test_the_strict_variant_is_read(tmp_path):
    content = docx(p("strict"))
    strict = zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "word/document.xml": f'<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"><w:body>{p("strict")}'
            "</w:body></w:document>",
        }
    )
    assert lines(read(DOCX, strict, tmp_path)) == lines(read(DOCX, content, tmp_path)) == ["strict"]


def test_relationships_that_lead_nowhere_do_not_matter(tmp_path):
    section = '<w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr>'
    assert lines(read(DOCX, docx(p("text") + section, rels={"h": ("header", "NULL")}), tmp_path)) == ["text"]


def test_entities_are_not_fetched(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("do not read")
    document = (
        f'<!DOCTYPE w:document [<!ENTITY x SYSTEM "file://{secret}"><!ENTITY y "zzzz">]><w:document xmlns:w="{W_NS}"><w:body>'
        f"{p('a')}{p('&x;&y;')}</w:body></w:document>"
    )
    reading = read(DOCX, zipped({"[Content_Types].xml": "<Types/>", "word/document.xml": document}), tmp_path)
    assert lines(reading) == ["a", "\ufffdzzzz"]


def test_a_part_of_another_format_is_read_in_its_place(tmp_path):
    body = p("before") + '<w:altChunk r:id="c"/>' + p("after")
    content = docx(body, rels={"c": ("aFChunk", "part.html")}, part_html="<html><body><p>inserted page</p></body></html>")
    assert lines(read(DOCX, content, tmp_path)) == ["before", "inserted page", "after"]


def test_a_scanned_page_in_a_document_is_a_page_that_can_be_looked_at(tmp_path):
    drawing = (
        '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="7000000" cy="10000000"/>'
        '<a:blip r:embed="i"/></wp:inline></w:drawing></w:r></w:p>'
    )
    content = docx(p("Cover letter") + drawing, rels={"i": ("image", "scan.png")}, scan_png=PIXEL)
    pages = read(DOCX, content, tmp_path).pages
    assert [page.quality for page in pages] == [TextQuality.GOOD, TextQuality.ABSENT]
    assert reader.page_image(tmp_path / "document", 2, LIMITS).startswith(b"\x89PNG")
    with pytest.raises(ResumeError, match="unsupported_format"):
        reader.page_image(tmp_path / "document", 1, LIMITS)


def test_damaged_markup_is_read_as_far_as_it_goes_and_said_so(tmp_path):
    document = f'<w:document xmlns:w="{W_NS}"><w:body>{p("first")}<w:p><w:r><w:t>second'
    reading = read(DOCX, zipped({"[Content_Types].xml": "<Types/>", "word/document.xml": document}), tmp_path)
    assert lines(reading) == ["first", "second"]
    assert "repaired" in reading.warnings


@pytest.mark.parametrize("content", [b"PK\3\4 cut", zipped({"[Content_Types].xml": "<Types/>"}), docx("")[:-40]])
def test_what_is_no_package_is_corrupt(tmp_path, content):
    with pytest.raises(ResumeError, match="corrupt"):
        read(DOCX, content, tmp_path)


def test_a_part_that_unpacks_without_end_is_refused(tmp_path):
    with pytest.raises(ResumeError, match="archive_unsafe"):
        read(DOCX, docx(p("x"), bomb_bin=b"\0" * 60_000_000), tmp_path)


WORD_2003 = (
    '<?xml version="1.0" encoding="UTF-8"?><?mso-application progid="Word.Document"?>'
    '<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml" '
    'xmlns:wx="http://schemas.microsoft.com/office/word/2003/auxHint"><w:body><wx:sect>'
    '<w:p><w:hlink w:dest="mailto:nora@example.com"><w:r><w:rPr><w:b/></w:rPr><w:t>Nora Field</w:t></w:r></w:hlink></w:p>'
    "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
    '<w:sectPr><w:hdr w:type="odd"><w:p><w:r><w:t>in the header</w:t></w:r></w:p></w:hdr></w:sectPr>'
    "</wx:sect></w:body></w:wordDocument>"
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_the_xml_of_word_2003_is_read(tmp_path, encoding):
    content = WORD_2003.replace("UTF-8", encoding).encode(encoding)
    assert sniff(content, "cv.doc") == Sniffed(DOCX, extension_differs=True)
    page = read(DOCX, content, tmp_path).pages[0]
    assert [line.text for line in page.lines] == ["in the header", "Nora Field", "cell"]
    assert page.lines[1].bold
    assert page.lines[1].words[0].link == "mailto:nora@example.com"


def test_a_package_in_one_file_is_read(tmp_path):
    content = (
        '<pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage"><pkg:part pkg:name="/word/document.xml">'
        f'<pkg:xmlData><w:document xmlns:w="{W_NS}"><w:body>{p("flat")}</w:body></w:document></pkg:xmlData>'
        "</pkg:part></pkg:package>"
    ).encode()
    assert sniff(content).media_type == DOCX
    assert lines(read(DOCX, content, tmp_path)) == ["flat"]


def test_what_a_cell_over_several_rows_covers_is_not_shown(tmp_path):
    def row(merge, left, right):
        return f"<w:tr><w:tc><w:tcPr>{merge}</w:tcPr>{p(left)}</w:tc><w:tc>{p(right)}</w:tc></w:tr>"

    start, rest = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    rows = [row(start, "2019", "cook"), row(rest, "covered by it", "sailor"), row("", "2021", "baker"), row(rest, "2023", "x")]
    page = read(DOCX, docx(f"<w:tbl>{''.join(rows)}</w:tbl>"), tmp_path).pages[0]
    assert [line.text for line in page.lines] == ["2019", "cook", "sailor", "2021", "baker", "2023", "x"]
    assert page.hidden == ("covered by it",)


@pytest.mark.parametrize("depth", [60, 100, 1000])
def test_tables_nested_without_end_give_their_text(tmp_path, depth):
    body = p("innermost")
    for _ in range(depth):
        body = f"<w:tbl><w:tr><w:tc>{body}{p('')}</w:tc></w:tr></w:tbl>"
    reading = read(DOCX, docx(p("before") + body + p("after")), tmp_path)
    assert lines(reading) == ["before", "innermost", "after"]
    assert reading.warnings == (() if depth == 60 else ("repaired",))


def test_a_part_that_is_nested_and_declares_entities_is_corrupt(tmp_path):
    body = "<w:tbl><w:tr><w:tc>" * 100 + p("&x;") + "</w:tc></w:tr></w:tbl>" * 100
    document = f'<!DOCTYPE w [<!ENTITY x "y">]><w:document xmlns:w="{W_NS}"><w:body>{body}</w:body></w:document>'
    with pytest.raises(ResumeError) as error:
        read(DOCX, docx("", document_xml=document), tmp_path)
    assert error.value.code == "corrupt"


@pytest.mark.parametrize(
    ("declared", "text", "warnings"),
    [
        ('<!ENTITY name "Nora Field">', "Nora Field, engineer", ()),
        ('<!ENTITY name "N&#243;ra">', "Nóra, engineer", ()),
        ('<!ENTITY name SYSTEM "file:///etc/hostname">', "\ufffd, engineer", (BAD_CHARACTERS,)),
        ('<!ENTITY name "<b/>">', "\ufffd, engineer", (BAD_CHARACTERS,)),
        ('<!ENTITY a "Nora"><!ENTITY name "&a; Field">', "\ufffd, engineer", (BAD_CHARACTERS,)),
        ('<!ENTITY other "x">', "\ufffd, engineer", (BAD_CHARACTERS, "repaired")),
        ("", "\ufffd, engineer", (BAD_CHARACTERS, "repaired")),
    ],
)
def test_entities_are_filled_in_with_bare_text_or_missed_aloud(declared, text, warnings, tmp_path):
    document = f"<w:document {NAMESPACES}><w:body>{p('&name;, engineer')}</w:body></w:document>"
    reading = read(DOCX, docx("", document_xml=f"<!DOCTYPE w:document [{declared}]>{document}"), tmp_path)
    assert (lines(reading), reading.warnings) == ([text], warnings)


def test_entities_that_expand_without_end_are_damage(tmp_path):
    document = f"<w:document {NAMESPACES}><w:body>{p('&name;') * 3000}</w:body></w:document>"
    content = docx("", document_xml=f'<!DOCTYPE w:document [<!ENTITY name "{"ha" * 50}">]>{document}')
    with pytest.raises(ResumeError) as caught:
        read(DOCX, content, tmp_path)
    assert caught.value.code == "corrupt"
