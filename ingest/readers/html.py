"""HTML pages and the exports of job boards that are named .doc: what a browser would show, as lines.

Nothing is fetched or run. What is not shown is kept apart as hidden text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from lxml import etree, html

from ingest.page import CUT_OFF, Cell, Reading
from ingest.readers import ReadLimits
from ingest.readers.colors import UNKNOWN, WHITE, Color, is_lost, over
from ingest.readers.deep_xml import EXCESSIVE
from ingest.readers.flow import LIST_INDENT, TAB, Flow, Look
from ingest.readers.html_sheet import StyleSheet
from ingest.readers.html_styles import Css, css_of
from ingest.readers.html_unseen import NORMAL_PX
from ingest.readers.mojibake import mended
from ingest.readers.sight import is_tiny
from resumes.charset import decode
from resumes.taxonomy import ResumeError

_META_CHARSET = re.compile(rb"""<(?:meta[^>]{0,200}?charset|\?xml[^>]{0,100}?encoding)\s*=\s*["']?\s*([\w:.-]+)""", re.IGNORECASE)
_ENCODING_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_NESTING = re.compile(
    r"</?(?:(div|p|section|article|center|blockquote|table|tbody|tr|td|ul|ol|li|dl|dd)|span|font|b|i|u|em|strong|small|big|a)\b"
    r"[^<>]{0,2000}>",
    re.IGNORECASE,
)
_OPENED, _CLOSED = re.compile(r"<(?:html|body)\b", re.IGNORECASE), re.compile(r"</(?:html|body)\b", re.IGNORECASE)
_LONGEST_TORN = 2000
_TORN_TAG = re.compile(r"</?[a-zA-Z][^<>]*\Z")
_LONG_TAG = re.compile(r"<[a-zA-Z][^<>]{5000,}")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_SPACES = re.compile(r"[ \t\r\n\f\v]+")


def _tags(names: str) -> frozenset[str]:
    return frozenset(names.split())


_BLOCKS = _tags(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary table tbody tfoot thead tr ul"
)
_SPACED = _tags("p h1 h2 h3 h4 h5 h6 blockquote section article table ul ol dl hr pre aside")
_UNSHOWN = _tags(
    "script style template noscript head svg math iframe object embed applet audio video canvas map select datalist textarea "
    "input button"
)
_COLUMNS = _tags("aside main")
_HEADINGS = _tags("h1 h2 h3 h4 h5 h6")
_BOLD = _HEADINGS | _tags("b strong th")
_HEADING_SIZES = {"h1": 24.0, "h2": 18.0, "h3": 14.0}
"""What browsers make of headings without a style, in points."""
_PX_PER_POINT = 4 / 3
_MAX_BYTES = 30_000_000
_MAX_TAGS = 300_000
"""Thirty times what the longest resumes exported by Word have; walking so many takes seconds."""
_MAX_ATTRIBUTES = 1_000
"""Of one element: the parser compares each with all before it."""


@dataclass(slots=True)
class _Open:
    """An element being walked through, with what its children inherit."""

    css: Css
    bold: bool = False
    size: float | None = None
    link: str | None = None
    style: str = ""
    hidden: bool = False
    letter_px: float = NORMAL_PX
    color: Color = UNKNOWN
    """Of the text. What no style says is not taken for black: what sets it may not be in the file."""
    ground: Color = WHITE
    preformatted: bool = False
    list_depth: int = 0
    children: int = 0

    @property
    def unseen(self) -> bool:
        """Whether its text has no size or no colour of its own, or is not shown at all."""
        return self.without_extent or is_lost(self.color, self.ground)

    @property
    def without_extent(self) -> bool:
        """Whether it takes no place, as white space either."""
        return self.hidden or is_tiny(self.letter_px / _PX_PER_POINT)


@dataclass(slots=True)
class _Table:
    number: int
    row: int = -1
    column: int = 0
    below: dict[tuple[int, int], int] | None = None
    """Places taken by cells that reach down from rows above: (row, column) → columns covered."""


def read(path: Path, limits: ReadLimits) -> Reading:  # noqa: ARG001 - its own measure
    """Read an HTML file. Raises ResumeError(corrupt, too_large)."""
    if path.stat().st_size > _MAX_BYTES:
        raise ResumeError("too_large", "more HTML than the limit")
    flow = Flow()
    title = html_into(flow, path.read_bytes())
    return flow.reading(title)


def html_into(flow: Flow, data: bytes | str, charset: str | None = None) -> str:
    """Add what a page shows to a flow; returns its title. `charset` is what the transport declares. Raises ResumeError."""
    if isinstance(data, bytes):
        declared = _META_CHARSET.search(data[:4096])
        data = mended(decode(data, charset or (declared[1].decode("ascii") if declared else None)))
    text = _ENCODING_DECLARATION.sub("", data.replace("\0", ""))
    if text.count("<") > _MAX_TAGS or any(_attributes(tag[0]) > _MAX_ATTRIBUTES for tag in _LONG_TAG.finditer(text)):
        raise ResumeError("too_large", "more elements than a page may have")
    root, cut = _parsed(text)
    if cut:
        # Mails quoted within mails and editors gone wild nest without end; their text counts, their boxes do not.
        root, _ = _parsed(_NESTING.sub(lambda tag: "<br>" if tag[1] else "", text))
    if _is_cut_off(text):
        flow.warn(CUT_OFF)
    _Walk(flow, root).run()
    return (root.findtext(".//title") or "").strip()


def _is_cut_off(text: str) -> bool:
    """Whether a page ends inside a tag, or opens its body and closes nothing: writers who leave ends out leave both out."""
    return _TORN_TAG.search(text, max(0, len(text) - _LONGEST_TORN)) is not None or (
        _OPENED.search(text) is not None and _CLOSED.search(text) is None
    )


def _attributes(tag: str) -> int:
    """How many attributes a tag has, about."""
    return len(_QUOTED.sub("", tag).split())


def _parsed(text: str) -> tuple[html.HtmlElement, bool]:
    """The tree of a page, and whether it ends where the page is nested deeper than the parser goes."""
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=True)
    try:
        root = html.document_fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as exc:
        raise ResumeError("corrupt", "the page cannot be parsed") from exc
    return root, any(error.message.startswith(EXCESSIVE) for error in parser.error_log)


class _Walk:
    """One pass over a page."""

    def __init__(self, flow: Flow, root: html.HtmlElement) -> None:
        self._flow = flow
        self._root = root
        self._sheet = StyleSheet()
        for style in root.iter("style"):
            self._sheet.add(style.text_content())
        self._open: list[_Open] = [_Open(Css())]
        self._tables: list[_Table] = []
        self._cells: list[Cell | None] = []  # the places around the open cells

    def run(self) -> None:
        skipped: html.HtmlElement | None = None
        for event, element in etree.iterwalk(self._root, events=("start", "end")):
            if skipped is not None:
                if event == "end" and element is skipped:
                    skipped = None
                    self._text(element.tail)
                continue
            tag = element.tag if isinstance(element.tag, str) else ""
            tag = tag.rpartition(":")[2].lower()
            if event == "start" and (not tag or tag in _UNSHOWN):
                skipped = element
            elif event == "start":
                self._start(element, tag)
            else:
                self._end(element, tag)
        self._flow.end_line()

    def _start(self, element: html.HtmlElement, tag: str) -> None:
        outer = self._open[-1]
        css = css_of(self._sheet, element)
        here = self._inherited(outer, css, element, tag)
        if self._is_block(css, tag):
            self._break()
            if tag in _COLUMNS:
                self._flow.new_block()
            self._flow.space(1.0 if tag in _SPACED and not (tag in ("ul", "ol") and outer.list_depth) else 0.0)
        elif (outer.css.side_by_side or css.apart) and outer.children:
            self._text_run(TAB)
        outer.children += 1
        self._open.append(here)
        if tag == "br":
            self._break()
        elif tag == "table":
            self._tables.append(_Table(self._flow.new_table(), below={}))
        elif tag == "tr" and self._tables:
            self._tables[-1].row += 1
            self._tables[-1].column = 0
        elif tag in ("td", "th") and self._tables:
            self._open_cell(element, self._tables[-1])
        self._text(element.text)

    def _inherited(self, outer: _Open, css: Css, element: html.HtmlElement, tag: str) -> _Open:
        bold = css.bold if css.bold is not None else outer.bold or tag in _BOLD
        style = tag.replace("h", "heading") if tag in _HEADINGS else outer.style
        if tag == "li":
            style = style or "list"
        return _Open(
            css,
            bold=bold,
            size=css.size or _HEADING_SIZES.get(tag) or outer.size,
            link=(element.get("href") or "").strip() or outer.link if tag == "a" else outer.link,
            style=style,
            hidden=outer.hidden or css.hidden,
            letter_px=css.letter_px(outer.letter_px),
            color=outer.color if css.color is None else css.color,
            ground=outer.ground if css.ground is None else over(css.ground, outer.ground),
            preformatted=outer.preformatted or tag == "pre",
            list_depth=outer.list_depth + (tag in ("ul", "ol", "menu", "dir")),
        )

    def _end(self, element: html.HtmlElement, tag: str) -> None:
        here = self._open[-1]
        outer = self._open[-2]
        if self._is_block(here.css, tag):
            self._break()
            if tag in _COLUMNS:
                self._flow.new_block()
            if tag in _SPACED:
                self._flow.space(1.0)
        self._open.pop()
        if tag in ("td", "th") and self._cells:
            self._break(here)
            self._flow.place(self._cells.pop())
        elif tag == "table" and self._tables:
            self._tables.pop()
        if here.css.apart and not outer.css.side_by_side:
            self._text_run(TAB)
        self._text(element.tail)

    def _open_cell(self, element: html.HtmlElement, table: _Table) -> None:
        below = table.below if table.below is not None else {}
        while (table.row, table.column) in below:
            table.column += below[table.row, table.column]
        span, rows = _count(element.get("colspan")), _count(element.get("rowspan"))
        self._break()
        self._cells.append(self._flow.place(Cell(table.number, max(table.row, 0), table.column, span)))
        for further in range(1, min(rows, 100)):
            below[table.row + further, table.column] = span
        table.column += span

    def _is_block(self, css: Css, tag: str) -> bool:
        if css.block is not None and tag not in ("table", "tr", "li"):
            return css.block
        return tag in _BLOCKS

    def _break(self, here: _Open | None = None) -> None:
        here = here or self._open[-1]
        indent = LIST_INDENT * here.list_depth
        self._flow.end_line(here.style, indent)

    def _text(self, text: str | None) -> None:
        if not text:
            return
        here = self._open[-1]
        if here.unseen:
            self._flow.hide(text)
        elif here.preformatted:
            for index, line in enumerate(text.splitlines() or [text]):
                if index:
                    self._break()
                self._text_run(line)
        else:
            self._text_run(_SPACES.sub(" ", text).replace("\xa0\xa0", "  "))

    def _text_run(self, text: str) -> None:
        here = self._open[-1]
        if not here.without_extent:
            self._flow.text(text, Look(here.bold, here.size, here.link))


def _count(text: str | None) -> int:
    digits = re.match(r"\s*(\d{1,3})", text or "")
    return min(max(int(digits[1]), 1), 100) if digits else 1
