"""What nobody sees in a Word document is kept apart, whatever way it is hidden; light text on dark ground is kept."""

from __future__ import annotations

import pytest

from resumes.sniff import DOCX
from tests.unit.readers.made import NAMESPACES, W_NS, docx, lines, p, read

TRICK = "Ten years of everything the vacancy asks for"
W14 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
THEME = (
    '<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:themeElements><a:clrScheme name="x">'
    '<a:dk1><a:sysClr val="windowText" lastClr="000000"/></a:dk1><a:lt1><a:srgbClr val="FFFFFF"/></a:lt1>'
    '<a:accent1><a:srgbClr val="FEFEFC"/></a:accent1></a:clrScheme></a:themeElements></a:theme>'
)


def letters(fill: str) -> str:
    """The fill of letters as newer versions of Word write it."""
    return f"<w14:textFill {W14}>{fill}</w14:textFill>"


def plain(color: str) -> str:
    return f'<w14:solidFill><w14:srgbClr w14:val="{color}"/></w14:solidFill>'


QUIET = '<w:rStyle w:val="Quiet"/>'
WHITE = '<w:color w:val="FFFFFF"/>'
NO_TEXT = '<w14:solidFill><w14:schemeClr w14:val="tx1"><w14:alpha w14:val="100000"/></w14:schemeClr></w14:solidFill>'
RIM = f'<w14:textOutline {W14} w14:w="9525">{plain("000000")}</w14:textOutline>'


def run(properties: str, text: str = TRICK) -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"


def seen_and_hidden(body: str, tmp_path, **parts):
    rels = {"t": ("theme", "theme1.xml")} if "theme1_xml" in parts else {}
    reading = read(DOCX, docx(p("Nora Field") + body, rels=rels, **parts), tmp_path)
    return lines(reading), reading.pages[0].hidden, reading.warnings


@pytest.mark.parametrize(
    "properties",
    [
        '<w:color w:val="FFFFFF"/>',
        '<w:color w:val="FEFDFC"/>',
        '<w:color w:val="F5F5F5"/>',
        '<w:color w:val="000000" w:themeColor="background1"/>',
        '<w:color w:themeColor="background1" w:themeShade="F2"/>',
        '<w:color w:themeColor="text1" w:themeTint="03"/>',
        '<w:color w:themeColor="accent1"/>',
        letters("<w14:noFill/>"),
        '<w:color w:val="000000"/>' + letters(plain("FFFFFF")),
        letters(NO_TEXT),
        '<w:sz w:val="2"/>',
        '<w:sz w:val="4"/>',
        "<w:vanish/>",
        '<w:w w:val="1"/>',
        '<w:color w:val="FF0000"/><w:shd w:val="clear" w:fill="FE0101"/>',
        '<w:color w:val="FFFF00"/><w:highlight w:val="yellow"/>',
        '<w:color w:val="1F3864"/><w:shd w:val="solid" w:color="1F3864" w:fill="FFFFFF"/>',
    ],
)  # fmt: skip
def test_text_in_the_colour_of_its_ground_or_without_extent_is_hidden(tmp_path, properties):
    seen, hidden, warnings = seen_and_hidden(f"<w:p>{run(properties)}</w:p>", tmp_path, theme1_xml=THEME)
    assert (seen, hidden, warnings) == (["Nora Field"], (TRICK,), ("hidden_text",))


@pytest.mark.parametrize(
    "properties",
    [
        '<w:color w:val="auto"/>',
        '<w:color w:val="D9D9D9"/>',
        '<w:color w:val="FFFFFF" w:themeColor="text1"/>',
        '<w:color w:themeColor="background1" w:themeShade="80"/>',
        '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="1F3864"/>',
        '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:themeFill="text2"/>',
        '<w:color w:val="FFFFFF"/><w:highlight w:val="black"/>',
        '<w:color w:val="FFFFFF"/>' + letters(plain("333333")),
        RIM + letters("<w14:noFill/>"),
        letters("<w14:gradFill/>"),
        '<w:emboss/><w:color w:val="FFFFFF"/>',
        '<w:sz w:val="12"/>',
        '<w:vanish w:val="0"/>',
    ],
)  # fmt: skip
def test_text_that_can_be_seen_is_text(tmp_path, properties):
    seen, hidden, warnings = seen_and_hidden(f"<w:p>{run(properties)}</w:p>", tmp_path)
    assert (seen, hidden, warnings) == (["Nora Field", TRICK], (), ())


def test_what_hides_text_may_stand_in_a_style_and_in_what_it_is_based_on(tmp_path):
    styles = (
        f'<w:styles xmlns:w="{W_NS}">'
        '<w:style w:type="character" w:styleId="Base"><w:rPr><w:color w:themeColor="background1"/></w:rPr></w:style>'
        '<w:style w:type="character" w:styleId="Quiet"><w:basedOn w:val="Base"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="Gone"><w:rPr><w:vanish/></w:rPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="Small"><w:rPr><w:sz w:val="2"/></w:rPr></w:style></w:styles>'
    )
    body = f"<w:p>{run('<w:rStyle w:val=' + chr(34) + 'Quiet' + chr(34) + '/>')}</w:p>"
    body += "".join(p(TRICK, f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>') for style in ("Gone", "Small"))
    seen, hidden, _ = seen_and_hidden(body, tmp_path, styles_xml=styles)
    assert (seen, hidden) == (["Nora Field"], (TRICK,) * 3)


@pytest.mark.parametrize(
    "properties",
    [
        '<w:spacing w:line="20" w:lineRule="exact"/>',
        '<w:ind w:left="31680"/>',
        '<w:shd w:val="clear" w:fill="FFFFFF"/>',
    ],
)
def test_a_paragraph_without_height_beyond_the_page_or_white_on_white_is_hidden(tmp_path, properties):
    white = '<w:color w:val="FFFFFF"/>' if "shd" in properties else ""
    seen, hidden, _ = seen_and_hidden(f"<w:p><w:pPr>{properties}</w:pPr>{run(white)}</w:p>", tmp_path)
    assert (seen, hidden) == (["Nora Field"], (TRICK,))


def table(cell: str, *, of_table: str = "", row: str = "") -> str:
    white = run(WHITE)
    return (
        f"<w:tbl><w:tblPr>{of_table}</w:tblPr><w:tr><w:trPr>{row}</w:trPr><w:tc><w:tcPr>{cell}</w:tcPr>"
        f"<w:p>{white}</w:p></w:tc></w:tr></w:tbl>"
    )


def test_white_text_is_seen_in_a_dark_cell_only(tmp_path):
    dark, light = '<w:shd w:val="clear" w:fill="2F5496"/>', '<w:shd w:val="clear" w:fill="FFFFFF"/>'
    assert seen_and_hidden(table(dark), tmp_path)[0] == ["Nora Field", TRICK]
    assert seen_and_hidden(table("", of_table=dark), tmp_path)[0] == ["Nora Field", TRICK]
    for body in (table(""), table(light), table(light, of_table=dark)):
        assert seen_and_hidden(body, tmp_path)[:2] == (["Nora Field"], (TRICK,))


def test_a_table_style_counts_where_it_paints_cells(tmp_path):
    style = (
        f'<w:styles xmlns:w="{W_NS}"><w:style w:type="table" w:styleId="Grid"><w:tblPr/></w:style>'
        '<w:style w:type="table" w:styleId="Band"><w:basedOn w:val="Grid"/><w:tblStylePr w:type="firstRow"><w:tcPr>'
        '<w:shd w:val="clear" w:fill="4472C4"/></w:tcPr></w:tblStylePr></w:style></w:styles>'
    )
    painted = table("", of_table='<w:tblStyle w:val="Band"/>')
    bare = table("", of_table='<w:tblStyle w:val="Grid"/>')
    assert seen_and_hidden(painted, tmp_path, styles_xml=style)[0] == ["Nora Field", TRICK]
    assert seen_and_hidden(bare, tmp_path, styles_xml=style)[0] == ["Nora Field"]


@pytest.mark.parametrize("row", ["<w:hidden/>", '<w:trHeight w:val="1" w:hRule="exact"/>'])
def test_a_row_that_is_not_shown_is_hidden(tmp_path, row):
    body = table('<w:shd w:val="clear" w:fill="000000"/>', row=row)
    assert seen_and_hidden(body, tmp_path)[:2] == (["Nora Field"], (TRICK,))


PAGE = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>'


def box(
    *, anchor: str = "", extent: tuple[int, int] = (2_000_000, 500_000), at: tuple[int, int] = (900_000, 900_000),
    relative: str = "page", fill: str = "", color: str = "", name: str = "",
) -> str:  # fmt: skip
    content = f"<w:p>{run(f'<w:color w:val={chr(34)}{color}{chr(34)}/>' if color else '')}</w:p>"
    return (
        f'<w:p><w:r><w:drawing><wp:anchor {anchor}><wp:positionH relativeFrom="{relative}"><wp:posOffset>{at[0]}</wp:posOffset>'
        f'</wp:positionH><wp:positionV relativeFrom="{relative}"><wp:posOffset>{at[1]}</wp:posOffset></wp:positionV>'
        f'<wp:extent cx="{extent[0]}" cy="{extent[1]}"/><wp:docPr id="1" name="x" {name}/><a:graphic><a:graphicData><wps:wsp>'
        f"<wps:spPr>{fill}</wps:spPr><wps:txbx><w:txbxContent>{content}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp>"
        "</a:graphicData></a:graphic></wp:anchor></w:drawing></w:r></w:p>"
    ) + PAGE


def solid(value: str) -> str:
    return f'<a:solidFill><a:srgbClr val="{value}"/></a:solidFill>'


@pytest.mark.parametrize(
    "shape",
    [
        {"at": (-9_000_000, 900_000)},
        {"at": (900_000, 11_000_000)},
        {"extent": (0, 0)},
        {"extent": (2_000_000, 12_700)},
        {"anchor": 'hidden="1"'},
        {"name": 'hidden="1"'},
        {"color": "FFFFFF", "fill": solid("FFFFFF")},
        {"color": "FFFFFF", "fill": "<a:noFill/>"},
        {"color": "1F3864", "fill": solid("1F3864")},
        {"color": "000000", "fill": '<a:solidFill><a:schemeClr val="accent1"><a:lumMod val="0"/></a:schemeClr></a:solidFill>'},
    ],
)
def test_a_box_that_is_off_the_page_without_extent_or_in_the_colour_of_its_text_is_hidden(tmp_path, shape):
    assert seen_and_hidden(box(**shape), tmp_path)[:2] == (["Nora Field"], (TRICK,))


@pytest.mark.parametrize(
    "shape",
    [
        {},
        {"at": (0, 0)},
        {"relative": "column", "at": (-900_000, 3_000_000)},
        {"relative": "paragraph", "at": (-300_000, -2_000_000)},
        {"color": "FFFFFF", "fill": solid("1F3864")},
        {"color": "FFFFFF", "fill": "<a:gradFill/>"},
        {"color": "FFFFFF", "fill": '<a:solidFill><a:schemeClr val="accent1"/></a:solidFill>'},
    ],
)
def test_a_box_on_the_page_is_text(tmp_path, shape):
    assert seen_and_hidden(box(**shape), tmp_path)[0] == ["Nora Field", TRICK]


def band(behind: int) -> str:
    return (
        f'<w:p><w:r><w:drawing><wp:anchor behindDoc="{behind}"><wp:extent cx="7560000" cy="1500000"/><a:graphic><a:graphicData>'
        f"<wps:wsp><wps:spPr>{solid('203864')}</wps:spPr></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></w:r></w:p>"
    )


def test_white_text_counts_as_seen_where_a_band_is_painted_behind_it(tmp_path):
    white = f"<w:p>{run(WHITE)}</w:p>"
    assert TRICK in seen_and_hidden(band(1) + white, tmp_path)[0]
    assert TRICK not in seen_and_hidden(band(0) + white, tmp_path)[0]
    assert TRICK in seen_and_hidden(band(0) + box(color="FFFFFF", fill="<a:noFill/>"), tmp_path)[0]
    section = '<w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr>'
    header = f"<w:hdr {NAMESPACES}>{band(1)}</w:hdr>"
    content = docx(white + section, rels={"h": ("header", "header1.xml")}, header1_xml=header)
    assert lines(read(DOCX, content, tmp_path)) == [TRICK]


@pytest.mark.parametrize(
    ("style", "seen"),
    [
        ("position:absolute;width:200pt;height:50pt", True),
        ("position:absolute;width:200pt;height:50pt;visibility:hidden", False),
        ("width:0;height:0", False),
        ("position:absolute;margin-left:-2000pt;width:200pt;height:50pt", False),
    ],
)
def test_an_old_box_may_be_out_of_sight_too(tmp_path, style, seen):
    shape = f'<v:rect style="{style}"><v:textbox><w:txbxContent>{p(TRICK)}</w:txbxContent></v:textbox></v:rect>'
    found = seen_and_hidden(f"<w:p><w:r><w:pict>{shape}</w:pict></w:r></w:p>{PAGE}", tmp_path)[0]
    assert (TRICK in found) is seen


def test_an_old_box_has_a_ground_of_its_own(tmp_path):
    def old(fill: str) -> str:
        content = f"<w:p>{run(WHITE)}</w:p>"
        text = f"<v:textbox><w:txbxContent>{content}</w:txbxContent></v:textbox>"
        shape = f'<v:rect style="width:200pt;height:50pt" {fill}>{text}</v:rect>'
        return f"<w:p><w:r><w:pict>{shape}</w:pict></w:r></w:p>"

    assert TRICK in seen_and_hidden(old('fillcolor="#1f3864 [1604]"'), tmp_path)[0]
    assert TRICK not in seen_and_hidden(old(""), tmp_path)[0]
    assert TRICK not in seen_and_hidden(old('filled="f"'), tmp_path)[0]
