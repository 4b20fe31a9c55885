"""Word documents (DOCX, DOCM, strict or not): everything that stands on the page, in document order, once.

The tree is walked as it is, because the text of real resumes sits in tables, text boxes, content controls, headers
and fields that object models skip. Deleted text is dropped, inserted text kept, hidden text kept apart.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import BinaryIO, NamedTuple

from lxml import etree

from ingest.page import Cell, Picture, Reading
from ingest.readers import ReadLimits
from ingest.readers.colors import UNKNOWN, Color, is_lost, over
from ingest.readers.docx_colors import Palette
from ingest.readers.docx_drawings import DGM, MC, A, V, W, alternative, outermost, share
from ingest.readers.docx_grounds import paints_behind_boxes, paints_behind_text
from ingest.readers.docx_places import Place, is_out_of_sight, place_of, reading_order
from ingest.readers.docx_styles import ParagraphFormat, RunFormat, Styles, flag, number
from ingest.readers.flow import LIST_INDENT, TAB, Flow, Look
from ingest.readers.html import html_into
from ingest.readers.mhtml import mhtml_into
from ingest.readers.ooxml import Package, Relationship
from ingest.readers.ooxml_flat import FlatParts
from ingest.readers.pictures import is_raster, picture_of, picture_png
from ingest.readers.rtf import rtf_into
from ingest.readers.sight import is_tiny
from ingest.readers.text import text_into, text_of
from ingest.readers.zipsafe import Unpacker
from resumes.sniff import DOCX, HTML, MHTML, RTF, TEXT, sniff
from resumes.taxonomy import ResumeError

_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_WX = "{http://schemas.microsoft.com/office/word/2003/auxHint}"
_AML = "{http://schemas.microsoft.com/aml/2001/core}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"

_PAGE_WIDTH_TWIPS = 11906
_EMU_PER_TWIP = 635
_FIELD_LINK = re.compile(r'HYPERLINK\s+(?:\\[a-z]\s+)*"?([^"\s]+)"?', re.IGNORECASE)
_MAX_PICTURE_BYTES = 40_000_000
_LONGEST_INSTRUCTION = 4000

# Wrappers whose children count as if they stood in their place.
_TRANSPARENT = (
    frozenset(
        W + name for name in ("ins", "moveTo", "smartTag", "customXml", "sdt", "sdtContent", "bdo", "dir", "rubyBase", "ruby")
    )
    | {_M + "oMath", _M + "oMathPara", _M + "r"}
    | {_WX + "sect", _WX + "sub-section", _AML + "annotation", _AML + "content"}  # Word 2003
)
# What Word inserts as a part in another format, besides its own.
_CHUNKS: Mapping[str, Callable[[Flow, bytes], object]] = {
    HTML: html_into,
    MHTML: mhtml_into,
    RTF: rtf_into,
    TEXT: lambda flow, data: text_into(flow, text_of(data)),
}
_CHARACTERS = {W + "tab": TAB, W + "ptab": TAB, W + "noBreakHyphen": "-"}


def read(path: Path, limits: ReadLimits) -> Reading:
    """Read a DOCX. Raises ResumeError(corrupt, encrypted, too_large, archive_unsafe)."""
    with path.open("rb") as file:
        flow = Flow()
        title = read_into(flow, _parts(file, limits), limits)
    return flow.reading(title)


def _parts(file: BinaryIO, limits: ReadLimits) -> Unpacker | FlatParts:
    start = file.read(2)
    file.seek(0)
    return Unpacker(file, limits) if start == b"PK" else FlatParts(file.read())


def page_image(path: Path, page: int, limits: ReadLimits, dpi: int = 200) -> bytes:  # noqa: ARG001 - pictures have their own
    """The largest picture of page `page`, upright, as PNG. Raises ResumeError (unsupported_format: there is none)."""
    picture = picture_of(read(path, limits).pages, page)
    with path.open("rb") as file:
        data = _parts(file, limits).part(picture.name, _MAX_PICTURE_BYTES)
    if data is None:
        raise ResumeError("corrupt", "the picture is not in the package")
    return picture_png(data, limits)


def read_into(flow: Flow, parts: Unpacker | FlatParts, limits: ReadLimits) -> str:
    """Add the text of a package to a flow; returns the document's own title. Raises ResumeError."""
    package = Package(parts)
    try:
        title = _Document(package, flow, limits, parts).walk()
    except RecursionError as exc:
        raise ResumeError("corrupt", "the document is nested too deeply") from exc
    if package.repaired:
        flow.warn("repaired")
    return title


class _Late(NamedTuple):
    """A frame to be told after the paragraph it hangs on."""

    tell: Callable[[], None]
    place: Place | None = None


class _Field(NamedTuple):
    """An open complex field."""

    instruction: str
    target: str | None
    """Where it leads, or the field around it."""


class _Document:
    """The walk through one package."""

    def __init__(self, package: Package, flow: Flow, limits: ReadLimits, parts: Unpacker | FlatParts) -> None:
        self._package = package
        self._flow = flow
        self._limits = limits
        self._parts = parts
        self._rels: Mapping[str, Relationship] = {}
        self._link: str | None = None
        self._after = 0.0
        self._ground: Color | None = None  # of the cell or frame we are inside of; None for the paper
        self._unseen = 0  # how many rows, paragraphs and frames that are not shown we are inside of
        self._margin_parts: list[str] = []
        self._late: list[_Late] = []  # frames of the paragraph at hand, told after it
        self._fields: list[_Field] = []  # the open complex ones, innermost last

    def walk(self) -> str:
        main = self._package.main
        root = self._package.xml(main)
        body = None if root is None else root.find(W + "body")
        if root is None or body is None:
            raise ResumeError("corrupt", "the main part has no body")
        rels = self._package.relationships(main)
        named = {rel.kind: rel.target for rel in rels.values() if not rel.external}
        self._root, self._named = root, named
        optional = self._package.optional_xml
        self._palette = Palette(
            lambda: optional(named.get("theme", "word/theme/theme1.xml")),
            lambda: optional(named.get("settings", "word/settings.xml")),
        )
        self._styles = Styles(optional(named.get("styles", "word/styles.xml")), self._palette)
        size = next(root.iter(W + "pgSz"), None)
        width, height = number(size, "w") or 0.0, number(size, "h") or 0.0
        self._page = (width * _EMU_PER_TWIP, height * _EMU_PER_TWIP)
        self._margins(root, rels, "header")
        self._rels = rels
        self._blocks(body)
        for kind in ("footnotes", "endnotes"):
            self._part(named.get(kind, ""), W + kind[:-1], "footer")
        self._margins(root, rels, "footer")
        core = self._package.optional_xml("docProps/core.xml")
        return (core.findtext("{http://purl.org/dc/elements/1.1/}title") or "").strip() if core is not None else ""

    # -- parts around the text ------------------------------------------------------------------------------------

    def _margins(self, root: etree._Element, rels: Mapping[str, Relationship], kind: str) -> None:
        """Headers or footers of all sections, each part once. Those for first pages only where a section has one."""
        seen = set()
        for section in root.iter(W + "sectPr"):
            for reference in section.iter(W + kind + "Reference"):
                rel = rels.get(reference.get(_R + "id", ""))
                shown = reference.get(W + "type") != "first" or flag(section, "titlePg")
                if rel and shown and not rel.external and rel.target not in seen:
                    seen.add(rel.target)
                    self._margin_parts.append(rel.target)
                    self._part(rel.target, "", kind)
            for inline in section.iterchildren(W + {"header": "hdr", "footer": "ftr"}[kind]):  # Word 2003
                with self._flow.aside(kind):
                    self._blocks(inline)

    def _part(self, name: str, each: str, style: str) -> None:
        """Walk another part: its root, or each of the elements of that tag."""
        root = self._package.optional_xml(name) if name else None
        if root is None:
            return
        outer, self._rels = self._rels, self._package.relationships(name)
        for element in root.iter(each) if each else (root,):
            if element.get(W + "type") not in ("separator", "continuationSeparator", "continuationNotice"):
                with self._flow.aside(style):
                    self._blocks(element)
        self._rels, self._after = outer, 0.0

    # -- blocks ---------------------------------------------------------------------------------------------------

    def _blocks(self, parent: etree._Element) -> None:
        for element in parent:
            tag = element.tag
            if tag == W + "p":
                self._paragraph(element)
            elif tag == W + "tbl":
                self._table(element)
            elif tag == W + "altChunk":
                self._chunk(element)
            elif tag == MC + "AlternateContent":
                self._blocks(alternative(element))
            elif tag in _TRANSPARENT:
                self._blocks(element)

    def _paragraph(self, element: etree._Element) -> None:
        properties = element.find(W + "pPr")
        form = self._styles.paragraph(properties)
        height = (form.run.size or 11) * 1.2
        self._flow.space(max(form.before, self._after) / height)
        self._after = form.after
        if properties is not None and flag(properties, "pageBreakBefore"):
            self._flow.space(1.0)
        late, self._late = self._late, []
        self._unseen += form.unseen
        self._inline(element, form)
        self._unseen -= form.unseen
        if not self._end(form) and not self._late:
            self._flow.space(1.0, more=True)
        told, self._late = self._late, late
        for frame in reading_order(told, lambda frame: frame.place):
            frame.tell()
        if properties is not None and properties.find(W + "sectPr") is not None:
            self._flow.new_block()

    def _end(self, form: ParagraphFormat) -> bool:
        style, indent = form.style, form.left / _PAGE_WIDTH_TWIPS
        if form.level is not None:
            style, indent = style or "list", LIST_INDENT * (form.level + 1)
        return self._flow.end_line(style, indent)

    def _table(self, element: etree._Element) -> None:
        number_of_table = self._flow.new_table()
        outer = self._ground
        self._ground = self._ground_of_table(element.find(W + "tblPr"))
        self._after = 0.0
        self._flow.space(0.5)
        merging: set[int] = set()
        for index, row in enumerate(_children(element, W + "tr")):
            properties = row.find(W + "trPr")
            if properties is not None and properties.find(W + "del") is not None:
                continue
            hidden = _is_unseen_row(properties)
            self._unseen += hidden
            column = int(number(None if properties is None else properties.find(W + "gridBefore")) or 0)
            for cell in _children(row, W + "tc"):
                column += self._table_cell(cell, Cell(number_of_table, index, column), merging)
            self._unseen -= hidden
        self._ground = outer
        self._flow.space(0.5)

    def _ground_of_table(self, properties: etree._Element | None) -> Color | None:
        if properties is None:
            return self._ground
        style = properties.find(W + "tblStyle")
        if style is not None and self._styles.paints_cells(style.get(W + "val", "")):
            return UNKNOWN
        return self._palette.ground(properties.find(W + "shd")) or self._ground

    def _table_cell(self, cell: etree._Element, place: Cell, merging: set[int]) -> int:
        """Walk a cell; returns how many columns it covers. `merging`: columns in which a cell that spans rows is going on.

        What stands in the rest of such a cell is not shown by any word processor.
        """
        properties = cell.find(W + "tcPr")
        span = min(max(int(number(None if properties is None else properties.find(W + "gridSpan")) or 1), 1), 100)
        merge = None if properties is None else properties.find(W + "vMerge")
        covered = merge is not None and merge.get(W + "val") != "restart" and place.column in merging
        (merging.discard if merge is None else merging.add)(place.column)
        if covered:
            self._flow.hide(" ".join(text.text or "" for text in cell.iter(W + "t")))
            return span
        outer = self._ground
        if properties is not None:
            self._ground = self._palette.ground(properties.find(W + "shd")) or outer
        with self._flow.cell(*place[:3], span):
            self._blocks(cell)
        self._ground = outer
        self._after = 0.0
        return span

    def _chunk(self, element: etree._Element) -> None:
        """A document of another format inside this one; one that cannot be read is left out."""
        rel = self._rels.get(element.get(_R + "id", ""))
        data = self._package.data(rel.target) if rel and not rel.external else None
        if not data:
            return
        try:
            kind = sniff(data).media_type
            if kind == DOCX:
                outer = self._parts if isinstance(self._parts, Unpacker) else None
                read_into(self._flow, Unpacker(io.BytesIO(data), self._limits, outer), self._limits)
            elif kind in _CHUNKS:
                _CHUNKS[kind](self._flow, data)
        except ResumeError as error:
            if error.code in ("too_large", "archive_unsafe"):
                raise
        self._flow.end_line()

    # -- inside a paragraph ---------------------------------------------------------------------------------------

    def _inline(self, parent: etree._Element, form: ParagraphFormat) -> None:
        for element in parent:
            tag = element.tag
            if tag == W + "r":
                self._run(element, form)
            elif tag == W + "hyperlink":
                self._linked(element, form, self._target(element))
            elif tag == W + "hlink":  # Word 2003
                self._linked(element, form, element.get(W + "dest") or self._link)
            elif tag == W + "fldSimple":
                self._linked(element, form, _field_target(element.get(W + "instr", "")) or self._link)
            elif tag == MC + "AlternateContent":
                self._inline(alternative(element), form)
            elif tag == _M + "t":
                self._flow.text(element.text or "")
            elif tag in _TRANSPARENT or (isinstance(tag, str) and tag.startswith(_M)):
                self._inline(element, form)

    def _linked(self, element: etree._Element, form: ParagraphFormat, target: str | None) -> None:
        outer, self._link = self._link, target
        self._inline(element, form)
        self._link = outer

    def _target(self, element: etree._Element) -> str | None:
        rel = self._rels.get(element.get(_R + "id", ""))
        return rel.target if rel and rel.external else self._link

    def _run(self, run: etree._Element, form: ParagraphFormat) -> None:
        look = self._styles.run(run.find(W + "rPr"), form)
        for element in run:
            self._piece(element, form, look)

    def _piece(self, element: etree._Element, form: ParagraphFormat, look: RunFormat) -> None:
        tag = element.tag
        if tag == W + "t":
            self._text(element.text or "", form, look)
        elif tag == W + "sym":
            self._text(_symbol(element.get(W + "char", "")), form, look)
        elif tag in _CHARACTERS:
            self._text(_CHARACTERS[tag], form, look)
        elif tag in (W + "br", W + "cr"):
            self._end(form)
            if element.get(W + "type") == "column":
                self._flow.new_block()
        elif tag in (W + "drawing", W + "pict", W + "object"):
            self._drawing(element)
        elif tag == MC + "AlternateContent":
            for child in alternative(element):
                self._piece(child, form, look)
        elif tag == W + "ruby":
            self._inline(element, form)
        else:
            self._field(element)

    def _text(self, text: str, form: ParagraphFormat, look: RunFormat) -> None:
        color = look.color
        lost = color is not None and color is not UNKNOWN and self._is_lost(color, look.ground or form.ground or self._ground)
        if lost or look.invisible or self._unseen:
            self._flow.hide(text)
        else:
            self._flow.text(text, Look(bool(look.bold), look.size, self._link or self._field_link()))

    def _is_lost(self, color: Color, ground: Color | None) -> bool:
        return is_lost(color, self._paper if ground is None else ground)

    @cached_property
    def _paper(self) -> Color:
        """Behind text that stands on nothing else."""
        return UNKNOWN if paints_behind_text(self._drawn_on(), self._palette) else self._palette.page(self._background)

    @cached_property
    def _behind_boxes(self) -> Color:
        """Behind text boxes that are not painted themselves."""
        return UNKNOWN if paints_behind_boxes(self._drawn_on(), self._palette) else self._palette.page(self._background)

    @property
    def _background(self) -> etree._Element | None:
        return self._root.find(W + "background")

    def _drawn_on(self) -> Iterator[etree._Element]:
        """The parts whose drawings may lie behind the text."""
        yield self._root
        for name in self._margin_parts:
            root = self._package.optional_xml(name)
            if root is not None:
                yield root

    def _field(self, element: etree._Element) -> None:
        """Follow the marks and instructions of complex fields; links are written as such."""
        kind = element.get(W + "fldCharType")
        if kind == "begin":
            self._fields.append(_Field("", self._field_link()))
        elif kind == "end" and self._fields:
            self._fields.pop()
        elif element.tag == W + "instrText" and self._fields:
            outer = self._fields.pop()
            instruction = (outer.instruction + (element.text or ""))[:_LONGEST_INSTRUCTION]
            self._fields.append(_Field(instruction, _field_target(instruction) or self._field_link()))

    def _field_link(self) -> str | None:
        return self._fields[-1].target if self._fields else None

    # -- drawings -------------------------------------------------------------------------------------------------

    def _drawing(self, element: etree._Element) -> None:
        """Text boxes come after the paragraph they hang on; pictures are noted."""
        for box in outermost(element, W + "txbxContent"):
            self._late.append(_Late(partial(self._frame, box, self._rels), place_of(box)))
        for path in element.iter(V + "textpath"):
            self._late.append(_Late(partial(self._note, path.get("string", ""))))
        for relations in element.iter(DGM + "relIds"):
            self._late.append(_Late(partial(self._diagram, relations.get(_R + "dm", ""), self._rels)))
        for blip in element.iter(A + "blip", V + "imagedata"):
            rel = self._rels.get(blip.get(_R + "embed") or blip.get(_R + "id") or "")
            if rel and not rel.external and is_raster(rel.target):
                self._flow.pictures.append(Picture(None, rel.target, share(element, blip)))

    def _frame(self, box: etree._Element, rels: Mapping[str, Relationship]) -> None:
        outer, self._rels, self._after = self._rels, rels, 0.0
        fields, self._fields = self._fields, []
        outer_ground, fill = self._ground, self._palette.of_shape(box)
        self._ground = fill if fill.alpha >= 1 else over(fill, self._behind_boxes)
        hidden = is_out_of_sight(box, self._page)
        self._unseen += hidden
        with self._flow.frame():
            self._blocks(box)
        self._unseen -= hidden
        self._ground = outer_ground
        self._rels, self._after, self._fields = outer, 0.0, fields

    def _note(self, text: str) -> None:
        with self._flow.frame():
            self._flow.text(text)

    def _diagram(self, key: str, rels: Mapping[str, Relationship]) -> None:
        """The text of a SmartArt drawing, one line a paragraph."""
        rel = rels.get(key)
        root = self._package.optional_xml(rel.target) if rel and not rel.external else None
        if root is None:
            return
        with self._flow.frame():
            for paragraph in root.iter(A + "p"):
                self._flow.text("".join(text.text or "" for text in paragraph.iter(A + "t")))
                self._flow.end_line()


def _children(parent: etree._Element, tag: str) -> list[etree._Element]:
    """Children of that tag, also those inside content controls, insertions and the like."""
    found = []
    for element in parent:
        if element.tag == tag:
            found.append(element)
        elif element.tag in _TRANSPARENT:
            found += _children(element, tag)
        elif element.tag == MC + "AlternateContent":
            found += _children(alternative(element), tag)
    return found


def _is_unseen_row(properties: etree._Element | None) -> bool:
    """Whether a row is hidden, or of an exact height that shows nothing."""
    if properties is None:
        return False
    height = properties.find(W + "trHeight")
    exact = height is not None and height.get(W + "hRule") == "exact"
    return bool(flag(properties, "hidden")) or (exact and is_tiny((number(height) or 0.0) / 20))


def _field_target(instruction: str) -> str | None:
    match = _FIELD_LINK.search(instruction)
    return match[1] if match and not instruction.lstrip().upper().startswith("HYPERLINK \\L") else None


def _symbol(code: str) -> str:
    """A character of a symbol font: those of the private area are bullets and icons and have no text of their own."""
    try:
        value = int(code, 16)
    except ValueError:
        return ""
    return "•" if 0xF000 <= value <= 0xF0FF else chr(value) if value < 0xD800 else ""
