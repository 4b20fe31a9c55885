"""Sound files to damage: the samples of the repository, and a small one of every format that is read."""

from __future__ import annotations

import io
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pillow_heif
from PIL import Image, ImageDraw

from resumes.sniff import sniff
from resumes.taxonomy import ResumeError
from tests.unit.readers.made import compound, docx, odt, p, word97, zipped
from tests.unit.readers.pdf_made import MadePage, pdf

pillow_heif.register_heif_opener()

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
LARGEST = 100_000
"""Bytes; larger files take time to damage and to read without giving more to break."""

_LINES = ["Nora Field", "nora@example.com", "+1 202 555 0143", "Experience", "2019 - 2021 Cook", "Skills", "Salt, Pepper"]


def seeds(more: Path | None = None) -> Iterator[tuple[str, bytes]]:
    """Names and contents; with `more` also every file below that folder."""
    folders = [SAMPLES] + ([more] if more else [])
    for path in sorted(
        path for folder in folders for path in folder.rglob("*") if path.is_file() and path.suffix not in (".py", ".md")
    ):
        content = path.read_bytes()
        if len(content) <= LARGEST and _is_read(content, path.name):
            yield path.name, content
    yield from _made()


def _is_read(content: bytes, name: str) -> bool:
    try:
        sniff(content, name)
    except ResumeError:
        return False
    return True


def _made() -> Iterator[tuple[str, bytes]]:
    sheet = MadePage(links=[(40, 40, 200, 60, "mailto:nora@example.com")], fields=[(300, 300, "typed")])
    scan = MadePage(picture=bytes(range(240)) * 20).show("Nora Field", 50, 50, before="3 Tr")
    yield "two-pages.pdf", pdf(sheet.lines(_LINES, 50, 50), MadePage(rotate=90, turned=True).lines(_LINES, 50, 50))
    yield "scan.pdf", pdf(scan)
    yield "made.docx", _word()
    yield "made.odt", _open_document()
    yield "made.doc", _word97()
    yield "made.rtf", _rich_text()
    yield "made.html", _PAGE.encode()
    yield "made.mhtml", _MHTML + _PAGE.encode()
    yield "made.txt", "\r\n".join([*_LINES, "Иван Петров", "林芳"]).encode()
    yield "gb18030.txt", "林芳\n电话：13800138000\n教育经历\n北方大学\n".encode("gb18030")
    yield "utf-16.txt", "\r\n".join(_LINES).encode("utf-16")
    yield "made.md", ("# " + "\n## ".join(_LINES) + "\n* one\n* two\n").encode()
    yield "word2003.xml", _WORD_2003.encode()
    yield "made.eml", _mail()
    yield (
        "made.msg",
        compound({"__properties_version1.0": b"\0" * 32, "__substg1.0_1000001F": "\r\n".join(_LINES).encode("utf-16-le")}),
    )
    yield (
        "attached.msg",
        compound(
            {
                "__properties_version1.0": b"\0" * 32,
                "__attach_version1.0_#00000000/__substg1.0_3707001F": "cv.txt".encode("utf-16-le"),
                "__attach_version1.0_#00000000/__substg1.0_37010102": "\n".join(_LINES).encode(),
            }
        ),
    )
    yield "made.zip", zipped({"a/cv.txt": "\n".join(_LINES), "b.docx": _word(), "inner.zip": zipped({"c.rtf": _rich_text()})})
    for form in ("JPEG", "PNG", "TIFF", "WEBP", "HEIF"):
        yield f"made.{form.lower()}", _picture(form)


def _word() -> bytes:
    cell = "<w:tc><w:tcPr><w:gridSpan w:val='2'/><w:vMerge w:val='restart'/></w:tcPr>{}</w:tc>"
    row = f"<w:tr>{cell.format(p('2019'))}{cell.format(p('cook'))}</w:tr>"
    box = (
        "<w:p><w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wp:anchor><wp:extent cx='900000' cy='900000'/>"
        f"<a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>{p('in the box')}</w:txbxContent></wps:txbx></wps:wsp>"
        "</a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>"
        f"<w:txbxContent>{p('in the box')}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent>"
        "</w:r></w:p>"
    )
    changes = "<w:p><w:ins><w:r><w:t>kept</w:t></w:r></w:ins><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>"
    control = f"<w:sdt><w:sdtContent>{p('controlled')}</w:sdtContent></w:sdt>"
    run = "<w:r><w:rPr><w:b/><w:sz w:val='28'/></w:rPr><w:t>nora@example.com</w:t></w:r>"
    link = f"<w:p><w:hyperlink r:id='rId1'>{run}</w:hyperlink></w:p>"
    section = "<w:sectPr><w:headerReference r:id='rId2'/></w:sectPr>"
    list_item = p("item", "<w:pPr><w:pStyle w:val='Heading1'/><w:numPr><w:ilvl w:val='1'/><w:numId w:val='1'/></w:numPr></w:pPr>")
    body = "".join(map(p, _LINES)) + f"<w:tbl>{row * 3}</w:tbl>" + box + changes + control + link + list_item + section
    namespaces = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    return docx(
        body,
        rels={
            "rId1": ("hyperlink", "mailto:nora@example.com"),
            "rId2": ("header", "header1.xml"),
            "rId3": ("styles", "styles.xml"),
        },
        header1_xml=f"<w:hdr {namespaces}>{p('at the top')}</w:hdr>",
        styles_xml=f"<w:styles {namespaces}><w:style w:type='paragraph' w:styleId='Heading1'><w:name w:val='heading 1'/>"
        "<w:basedOn w:val='Heading1'/><w:rPr><w:b/></w:rPr></w:style></w:styles>",
    )


def _open_document() -> bytes:
    cell = "<table:table-cell table:number-columns-spanned='2'><text:p>2019</text:p></table:table-cell>"
    return odt(
        "".join(f"<text:p text:style-name='P1'>{line}</text:p>" for line in _LINES)
        + f"<table:table><table:table-row>{cell * 2}</table:table-row></table:table>"
        + "<text:list><text:list-item><text:p>one<text:s text:c='4'/>two</text:p></text:list-item></text:list>"
        + "<text:p><draw:frame><draw:text-box><text:p>in the box</text:p></draw:text-box></draw:frame></text:p>",
        automatic="<style:style style:name='P1' style:family='paragraph'><style:text-properties fo:font-weight='bold'/>"
        "</style:style>",
    )


def _word97() -> bytes:
    text = "\r".join([*_LINES, "a\x07b\x07\x07", '\x13 HYPERLINK "mailto:nora@example.com" \x14nora\x15', ""])
    table = text.index("a\x07")
    return word97(
        text,
        headers="at the top\r",
        boxes="in the box\r",
        characters=[(0, 10, b"\x35\x08\x01"), (10, len(text), b"")],
        paragraphs=[
            (table, table + 4, b"\x16\x24\x01"),
            (table + 4, table + 5, b"\x16\x24\x01\x17\x24\x01"),
            (table + 5, len(text), b""),
        ],
    )


def _rich_text() -> bytes:
    fonts = "{\\fonttbl{\\f0\\fcharset204 Arial;}{\\f1\\fcharset134 SimSun;}}"
    head = "{\\rtf1\\ansi\\ansicpg1251\\deff0" + fonts + "{\\stylesheet{\\s1 heading 1;}}"
    body = "".join(f"\\pard\\s1\\b\\fs28 {line}\\b0\\par\n" for line in _LINES)
    table = "\\trowd\\cellx3000\\cellx6000\\intbl 2019\\cell cook\\cell\\row\\pard "
    link = '{\\field{\\*\\fldinst HYPERLINK "mailto:nora@example.com"}{\\fldrslt nora}}'
    tail = "\\u26519?\\'cf\\'ee{\\header at the top\\par}" + link + "\\par}"
    return (head + body + table * 2 + tail).encode("latin-1")


def _mail() -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Nora Field <nora@example.com>", "jobs@example.org", "Резюме"
    message.set_content("My resume is attached.")
    message.add_attachment(_word(), maintype="application", subtype="octet-stream", filename="резюме.docx")
    message.add_attachment(_PAGE, subtype="html", filename="cv.html")
    return message.as_bytes()


def _picture(form: str) -> bytes:
    image = Image.new("RGB", (200, 120), "white")
    ImageDraw.Draw(image).text((10, 10), "\n".join(_LINES), fill="black")
    exif = Image.Exif()
    exif[0x0112] = 6
    out = io.BytesIO()
    options = {"save_all": True, "append_images": [image]} if form == "TIFF" else {}
    image.save(out, form, **({} if form == "TIFF" else {"exif": exif}), **options)
    return out.getvalue()


_PAGE = (
    "<!DOCTYPE html><html><head><meta charset='utf-8'><title>cv</title>"
    "<style>p{margin:0} .x{display:none} td{color:#fff}</style></head><body>"
    + "".join(f"<h2>{line}</h2><p style='font-size:12px'>{line} <b>bold</b></p>" for line in _LINES)
    + "<table><tr><td rowspan='2' colspan='3'>a<td>b</tr><tr><td>c</table>"
    "<ul><li>one<li><a href='mailto:nora@example.com'>mail</a></ul>"
    "<p class='x'>unseen</p><script>1</script></body></html>"
)
_MHTML = (
    b'From: <Saved by a browser>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n'
    b'--b\r\nContent-Type: text/html; charset="utf-8"\r\n\r\n'
)
_WORD_2003 = (
    '<?xml version="1.0" encoding="UTF-8"?><w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"><w:body>'
    + "".join(map(p, _LINES))
    + "</w:body></w:wordDocument>"
)
