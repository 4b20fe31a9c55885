"""OpenDocument text: paragraphs, tables, frames, headers and footers in document order, as lines."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

from lxml import etree

from ingest.page import Picture, Reading
from ingest.readers import ReadLimits
from ingest.readers.colors import UNKNOWN, Color, is_lost
from ingest.readers.flow import LIST_INDENT, TAB, Flow
from ingest.readers.odt_sight import Sight, is_switched_off, table_tag
from ingest.readers.odt_styles import DRAW, OFFICE, STYLE, SVG, TABLE, TEXT, XLINK, Face, Styles, points
from ingest.readers.ooxml import Parsed, parse_xml
from ingest.readers.pictures import is_raster, picture_of, picture_png
from ingest.readers.zipsafe import Unpacker
from resumes.taxonomy import ResumeError

_MANIFEST = "META-INF/manifest.xml"
_A4_POINTS = 595.0 * 842.0
_MAX_PICTURE_BYTES = 40_000_000
_MAX_REPEATED = 50
_LINE_POINTS = 13.0
_SKIPPED = frozenset(
    (TEXT + "tracked-changes", OFFICE + "annotation", OFFICE + "annotation-end", TEXT + "ruby-text", OFFICE + "forms")
)
# Wrappers of blocks whose children count as if they stood in their place.
_WRAPPERS = frozenset(
    TEXT + name
    for name in (
        "section",
        "index-body",
        "table-of-content",
        "alphabetical-index",
        "illustration-index",
        "bibliography",
        "index-title",
    )
)
_ROWS = frozenset((TABLE + "table-header-rows", TABLE + "table-rows", TABLE + "table-row-group"))
_SHAPES = frozenset(DRAW + name for name in ("custom-shape", "rect", "ellipse", "polygon", "path", "line", "circle", "connector"))


def read(path: Path, limits: ReadLimits) -> Reading:
    """Read an ODT. Raises ResumeError(corrupt, encrypted, too_large, archive_unsafe)."""
    with path.open("rb") as file:
        unpacker = Unpacker(file, limits)
        content = _part(unpacker, "content.xml")
        if content is None:
            raise ResumeError("corrupt", "the document has no content part")
        flow = Flow()
        styles = _optional(unpacker, "styles.xml")
        try:
            _Document(flow, content.root, styles).walk()
        except RecursionError as exc:
            raise ResumeError("corrupt", "the document is nested too deeply") from exc
        meta = _optional(unpacker, "meta.xml")
        if content.repaired:
            flow.warn("repaired")
    title = "" if meta is None else meta.findtext(".//{http://purl.org/dc/elements/1.1/}title") or ""
    return flow.reading(title)


def page_image(path: Path, page: int, limits: ReadLimits, dpi: int = 200) -> bytes:  # noqa: ARG001 - pictures have their own
    """The largest picture of page `page`, upright, as PNG. Raises ResumeError (unsupported_format: there is none)."""
    picture = picture_of(read(path, limits).pages, page)
    with path.open("rb") as file:
        data = Unpacker(file, limits).part(picture.name, _MAX_PICTURE_BYTES)
    if data is None:
        raise ResumeError("corrupt", "the picture is not in the document")
    return picture_png(data, limits)


def _part(unpacker: Unpacker, name: str) -> Parsed | None:
    """A part as XML, None where it is not there. Raises ResumeError (encrypted: an encrypted part is no XML)."""
    manifest = unpacker.part(_MANIFEST)
    if manifest and b"encryption-data" in manifest:
        raise ResumeError("encrypted", "the document needs a password")
    data = unpacker.part(name)
    return parse_xml(data) if data else None


def _optional(unpacker: Unpacker, name: str) -> etree._Element | None:
    try:
        parsed = _part(unpacker, name)
    except ResumeError as error:
        if error.code != "corrupt":
            raise
        return None
    return None if parsed is None else parsed.root


class _Document:
    """The walk through one document."""

    def __init__(self, flow: Flow, content: etree._Element, styles: etree._Element | None) -> None:
        self._flow = flow
        self._content = content
        self._margins = [] if styles is None else list(styles.iter(STYLE + "master-page"))
        self._styles = Styles(content, styles)
        self._sight = Sight(self._styles, tuple(root for root in (content, styles) if root is not None))
        self._ground: Color | None = None  # of the cell or frame we are inside of; None for the paper
        self._paragraph_ground: Color | None = None
        self._unseen = 0  # how many sections, paragraphs, rows and frames that are not shown we are inside of
        self._after = 0.0
        self._link: str | None = None
        self._late: list[Callable[[], None]] = []  # frames of the paragraph at hand, told after it
        self._notes: list[etree._Element] = []

    def walk(self) -> None:
        body = self._content.find(f"{OFFICE}body/{OFFICE}text")
        if body is None:
            raise ResumeError("corrupt", "the document has no text")
        self._margin("header")
        self._blocks(body)
        for note in self._notes:
            with self._flow.aside("footer"):
                self._blocks(note)
        self._margin("footer")

    def _margin(self, kind: str) -> None:
        for page in self._margins:
            for name in (kind, f"{kind}-first", f"{kind}-left"):
                for element in page.iterchildren(STYLE + name):
                    if element.get(STYLE + "display") != "false":
                        with self._flow.aside(kind):
                            self._blocks(element)

    # -- blocks ---------------------------------------------------------------------------------------------------

    def _blocks(self, parent: etree._Element, level: int = 0) -> None:
        for element in parent:
            tag = table_tag(element.tag)
            if tag in (TEXT + "p", TEXT + "h"):
                self._paragraph(element, level)
            elif tag in (TEXT + "list", TEXT + "numbered-paragraph"):
                for item in element:
                    self._blocks(item, level + 1)
            elif tag == TABLE + "table":
                self._table(element)
            elif tag in _WRAPPERS:
                hidden = is_switched_off(element)
                self._unseen += hidden
                self._blocks(element, level)
                self._unseen -= hidden
            elif tag == DRAW + "a":
                self._blocks(element, level)
            elif tag == DRAW + "frame" or tag in _SHAPES or tag == DRAW + "g":
                self._drawing(element)
                self._tell()

    def _paragraph(self, element: etree._Element, level: int) -> None:
        form = self._styles.paragraph(element.get(TEXT + "style-name", ""))
        self._flow.space(max(form.before, self._after) / _LINE_POINTS)
        self._after = form.after
        if form.breaks:
            self._flow.space(1.0)
        style = form.style or ("list" if level else "")
        if element.tag == TEXT + "h":
            outline = element.get(TEXT + "outline-level", "1")
            style = f"heading{min(int(outline), 6)}" if outline.isdigit() and outline != "0" else "heading1"
        indent = LIST_INDENT * level
        late, self._late = self._late, []
        hidden = form.unseen or any(is_switched_off(mark) for mark in element.iterchildren(TEXT + "hidden-paragraph"))
        outer_ground, self._paragraph_ground = self._paragraph_ground, form.ground
        self._unseen += hidden
        self._inline(element, form.face, lambda: self._flow.end_line(style, indent))
        self._unseen -= hidden
        self._paragraph_ground = outer_ground
        if not self._flow.end_line(style, indent) and not self._late:
            self._flow.space(1.0, more=True)
        self._tell()
        self._late = late

    def _tell(self) -> None:
        told, self._late = self._late, []
        for tell in told:
            tell()

    def _table(self, element: etree._Element) -> None:
        number = self._flow.new_table()
        self._flow.space(0.5)
        self._after = 0.0
        row = 0
        rows = [element]
        outer = self._ground
        self._ground = self._sight.table(element) or outer
        while rows:
            parent = rows.pop(0)
            tag = table_tag(parent.tag)
            if tag == TABLE + "table-row":
                flat = self._sight.is_flat(parent)
                self._unseen += flat
                self._row(parent, number, row)
                self._unseen -= flat
                row += 1
            elif parent is element or tag in _ROWS:
                rows[:0] = list(parent)
        self._ground = outer
        self._flow.space(0.5)

    def _row(self, row: etree._Element, table: int, number: int) -> None:
        column = 0
        outer = self._ground
        of_row = self._sight.table(row) or outer
        for cell in row:
            repeated = _count(cell.get(TABLE + "number-columns-repeated"))
            if table_tag(cell.tag) == TABLE + "table-cell":
                span = _count(cell.get(TABLE + "number-columns-spanned"))
                self._ground = self._sight.cell(cell) or of_row
                with self._flow.cell(table, number, column, span):
                    self._blocks(cell)
                self._after = 0.0
            column += repeated
        self._ground = outer

    # -- inside a paragraph ---------------------------------------------------------------------------------------

    def _inline(self, element: etree._Element, face: Face, end_line: Callable[[], object]) -> None:
        self._text(element.text, face)
        for child in element:
            self._piece(child, face, end_line)
            self._text(child.tail, face)

    def _piece(self, element: etree._Element, face: Face, end_line: Callable[[], object]) -> None:
        tag = element.tag
        if tag == TEXT + "span":
            self._inline(element, self._styles.face(element.get(TEXT + "style-name", "")).over(face), end_line)
        elif tag == TEXT + "a":
            outer, self._link = self._link, element.get(XLINK + "href") or self._link
            if self._link and self._link.startswith("#"):
                self._link = outer
            self._inline(element, face, end_line)
            self._link = outer
        elif tag == TEXT + "s":
            self._text(" " * _count(element.get(TEXT + "c")), face, exact=True)
        elif tag == TEXT + "tab":
            self._text(TAB, face, exact=True)
        elif tag == TEXT + "line-break":
            end_line()
        elif tag == TEXT + "note":
            self._notes += element.iterchildren(TEXT + "note-body")
        elif tag == TEXT + "hidden-text" and element.get(TEXT + "is-hidden") != "false":
            self._flow.hide(element.get(TEXT + "string-value", ""))
        elif tag == DRAW + "frame" or tag in _SHAPES or tag == DRAW + "g":
            self._drawing(element)
        elif isinstance(tag, str) and tag not in _SKIPPED:
            self._inline(element, face, end_line)

    def _text(self, text: str | None, face: Face, *, exact: bool = False) -> None:
        if not text:
            return
        if not exact:
            text = re.sub(r"\s+", " ", text)
        color = face.color
        lost = color is not None and color is not UNKNOWN and self._is_lost(color, face)
        if lost or self._unseen or face.is_unseen(text):
            self._flow.hide(text)
        else:
            self._flow.text(text, face.look(text, self._link))

    def _is_lost(self, color: Color, face: Face) -> bool:
        return is_lost(color, face.ground or self._paragraph_ground or self._ground or self._sight.paper)

    # -- drawings -------------------------------------------------------------------------------------------------

    def _drawing(self, element: etree._Element) -> None:
        """Text boxes and shapes come after the paragraph they hang on; pictures are noted."""
        box = element.find(DRAW + "text-box")
        if box is not None or element.tag in _SHAPES:
            self._late.append(lambda: self._frame(element, element if box is None else box))
            return
        for image in element.iterchildren(DRAW + "image"):
            href = unquote(image.get(XLINK + "href", ""))
            if is_raster(href) and "://" not in href:
                area = points(element.get(SVG + "width")) * points(element.get(SVG + "height"))
                self._flow.pictures.append(Picture(None, posixpath.normpath(href), round(min(1.0, area / _A4_POINTS), 3)))
                break
        for child in element:
            if child.tag in (DRAW + "frame", DRAW + "g") or child.tag in _SHAPES:
                self._drawing(child)

    def _frame(self, frame: etree._Element, box: etree._Element) -> None:
        self._after = 0.0
        outer, outer_paragraph = self._ground, self._paragraph_ground
        self._ground, self._paragraph_ground = self._sight.frame(frame), None
        hidden = self._sight.is_out_of_sight(frame)
        self._unseen += hidden
        with self._flow.frame():
            self._blocks(box)
        self._unseen -= hidden
        self._ground, self._paragraph_ground = outer, outer_paragraph
        self._after = 0.0


def _count(text: str | None) -> int:
    return min(int(text), _MAX_REPEATED) if text and text.isascii() and text.isdigit() and len(text) < 10 else 1
