"""What the styles of a Word document say about a paragraph or a run: headings, lists, bold, size, colours, hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from lxml import etree

from ingest.readers.colors import UNKNOWN, WHITE, Color
from ingest.readers.docx_colors import Palette
from ingest.readers.docx_drawings import W
from ingest.readers.sight import is_thin, is_tiny

_W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_HEADING = re.compile(r"(?:heading|заголовок|标题)\s*([1-9])", re.IGNORECASE)
_TITLE = re.compile(r"title|название|标题", re.IGNORECASE)
_TWIPS_PER_POINT = 20
_VAL = W + "val"
_PARAGRAPH_TAGS = frozenset(W + name for name in ("outlineLvl", "listPr", "numPr", "ind", "spacing", "shd"))
_RIMS = frozenset(W + name for name in ("emboss", "imprint", "outline", "shadow"))
_MEASURE = re.compile(r"\s*(-?\d{1,9}(?:\.\d{1,9})?)(pt)?\s*")
MAX_INHERITANCE = 20
_PAGE_TWIPS = 11906


@dataclass(frozen=True, slots=True)
class RunFormat:
    """Formatting of a run; None where nothing is said."""

    bold: bool | None = None
    size: float | None = None
    hidden: bool | None = None
    color: Color | None = None
    ground: Color | None = None
    """Behind the run itself: shading or highlight."""
    thin: bool | None = None

    def over(self, base: RunFormat) -> RunFormat:
        """This, and where it says nothing, what `base` says."""
        return RunFormat(
            bold=base.bold if self.bold is None else self.bold,
            size=base.size if self.size is None else self.size,
            hidden=base.hidden if self.hidden is None else self.hidden,
            color=base.color if self.color is None else self.color,
            ground=base.ground if self.ground is None else self.ground,
            thin=base.thin if self.thin is None else self.thin,
        )

    @property
    def invisible(self) -> bool:
        """Whether nobody sees it, whatever its colour."""
        return bool(self.hidden) or bool(self.thin) or is_tiny(self.size)


_NOTHING_SAID = RunFormat()


@dataclass(frozen=True, slots=True)
class ParagraphFormat:
    """Formatting of a paragraph. `level` is its list level from 0, None outside lists; spaces in points."""

    style: str = ""
    level: int | None = None
    left: float = 0.0
    """Indent in twips."""
    before: float = 0.0
    after: float = 0.0
    ground: Color | None = None
    clipped: bool = False
    """Its lines have no height."""
    run: RunFormat = field(default_factory=RunFormat)

    @property
    def unseen(self) -> bool:
        """Whether it is cut off or begins beyond the page."""
        return self.clipped or self.left >= _PAGE_TWIPS


def flag(parent: etree._Element | None, name: str) -> bool | None:
    """A toggle such as w:b: absent is None, `w:val` may switch it off."""
    return _is_on(None if parent is None else parent.find(W + name))


def _is_on(element: etree._Element | None) -> bool | None:
    return None if element is None else element.get(_VAL, "true").lower() not in ("0", "false", "off", "none")


def number(element: etree._Element | None, name: str = "val") -> float | None:
    """A measure from an attribute, None where it is not a number."""
    if element is None:
        return None
    match = _MEASURE.fullmatch(element.get(W + name, ""))
    if not match:
        return None
    return float(match[1]) * (_TWIPS_PER_POINT if match[2] else 1)


def run_format(properties: etree._Element | None, palette: Palette) -> RunFormat:
    """What a w:rPr says itself."""
    said = _children(properties)
    if not said:
        return _NOTHING_SAID
    size = number(said.get(W + "sz"))
    width = number(said.get(W + "w"))
    return RunFormat(
        bold=_is_on(said.get(W + "b")),
        size=size / 2 if size else None,
        hidden=_is_on(said.get(W + "vanish")),
        color=UNKNOWN if _has_rims(said) else palette.text(said.get(W + "color"), said.get(_W14 + "textFill")),
        ground=palette.ground(said.get(W + "shd"), said.get(W + "highlight")),
        thin=None if width is None else is_thin(width),
    )


def _has_rims(said: Mapping[str, etree._Element]) -> bool:
    """Whether letters are drawn with rims or shadows, which show whatever their colour."""
    return not _RIMS.isdisjoint(said) and any(_is_on(said.get(tag)) for tag in _RIMS)


def _children(properties: etree._Element | None) -> dict[str, etree._Element]:
    """What a set of properties says, by tag; the first of each. One walk is cheaper than a search for each name."""
    return {} if properties is None else {child.tag: child for child in reversed(properties)}


class Styles:
    """The styles of a document, with inheritance resolved on demand."""

    def __init__(self, root: etree._Element | None, palette: Palette) -> None:
        self._palette = palette
        self._elements = {} if root is None else {style.get(W + "styleId", ""): style for style in root.iterchildren(W + "style")}
        self._default = next(
            (key for key, style in self._elements.items()
             if style.get(W + "type") == "paragraph" and style.get(W + "default") in ("1", "true", "on")), ""
        )  # fmt: skip
        defaults = None if root is None else root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr")
        self._base = run_format(defaults, palette)
        self._paragraphs: dict[str, ParagraphFormat] = {}
        self._runs: dict[str, RunFormat] = {}
        self._paints: dict[str, bool] = {}

    def paragraph(self, properties: etree._Element | None) -> ParagraphFormat:
        """What holds for a paragraph with this w:pPr."""
        reference = None if properties is None else properties.find(W + "pStyle")
        style = self._default if reference is None else reference.get(W + "val", "")
        base = self._paragraph_style(style, 0)
        return base if properties is None else _changed(base, properties, self._palette)

    def run(self, properties: etree._Element | None, paragraph: ParagraphFormat) -> RunFormat:
        """What holds for a run with this w:rPr in that paragraph."""
        if properties is None:
            return paragraph.run
        reference = properties.find(W + "rStyle")
        base = paragraph.run
        if reference is not None:
            base = self._run_style(reference.get(W + "val", ""), 0).over(base)
        return run_format(properties, self._palette).over(base)

    def _paragraph_style(self, key: str, depth: int) -> ParagraphFormat:
        if key not in self._paragraphs:
            self._paragraphs[key] = self._resolve_paragraph(key, depth)
        return self._paragraphs[key]

    def _resolve_paragraph(self, key: str, depth: int) -> ParagraphFormat:
        style = self._elements.get(key)
        if style is None or depth > MAX_INHERITANCE:
            return ParagraphFormat(run=self._base)
        base = self._paragraph_style(_parent(style), depth + 1)
        result = replace(base, run=run_format(style.find(W + "rPr"), self._palette).over(base.run))
        properties = style.find(W + "pPr")
        if properties is not None:
            result = _changed(result, properties, self._palette)
        name = style.find(W + "name")
        heading = _heading_of("" if name is None else name.get(W + "val", ""))
        return replace(result, style=heading) if heading else result

    def _run_style(self, key: str, depth: int) -> RunFormat:
        if key not in self._runs:
            style = self._elements.get(key)
            if style is None or depth > MAX_INHERITANCE:
                return RunFormat()
            own = run_format(style.find(W + "rPr"), self._palette)
            self._runs[key] = own.over(self._run_style(_parent(style), depth + 1))
        return self._runs[key]

    def paints_cells(self, key: str) -> bool:
        """Whether a table style shades any of its cells: the first row, every other one."""
        if key not in self._paints:
            self._paints[key] = any(
                self._palette.ground(shading) not in (None, WHITE)
                for style in self._line(key)
                for shading in style.iter(W + "shd")
            )
        return self._paints[key]

    def _line(self, key: str) -> Iterator[etree._Element]:
        """A style and those it is based on."""
        for _ in range(MAX_INHERITANCE):
            style = self._elements.get(key)
            if style is None:
                return
            yield style
            key = _parent(style)


def _parent(style: etree._Element) -> str:
    based = style.find(W + "basedOn")
    return "" if based is None else based.get(W + "val", "")


def _heading_of(name: str) -> str:
    match = _HEADING.fullmatch(name.strip())
    if match:
        return f"heading{min(int(match[1]), 6)}"
    return "title" if _TITLE.fullmatch(name.strip()) else ""


def _changed(base: ParagraphFormat, properties: etree._Element, palette: Palette) -> ParagraphFormat:
    """`base` with what a w:pPr says."""
    said = _children(properties)
    if not _PARAGRAPH_TAGS & said.keys():
        return base
    style, level = base.style, base.level
    outline = number(said.get(W + "outlineLvl"))
    if outline is not None:
        style = f"heading{min(int(outline) + 1, 6)}" if 0 <= outline < 9 else ""
    numbering = said.get(W + "listPr")  # Word 2003
    if numbering is not None:
        level = int(number(numbering.find(W + "ilvl")) or 0)
    numbering = said.get(W + "numPr")
    if numbering is not None:
        depth, list_id = number(numbering.find(W + "ilvl")), number(numbering.find(W + "numId"))
        level = None if list_id == 0 else int(depth if depth is not None else base.level or 0)
    indent, spacing = said.get(W + "ind"), said.get(W + "spacing")
    left = number(indent, "left") or number(indent, "start")
    before, after = number(spacing, "before"), number(spacing, "after")
    ground = palette.ground(said.get(W + "shd"))
    height = number(spacing, "line")
    exact = spacing is not None and spacing.get(W + "lineRule") == "exact"
    return ParagraphFormat(
        style=style,
        level=level,
        left=base.left if left is None else max(0.0, left),
        before=base.before if before is None else before / _TWIPS_PER_POINT,
        after=base.after if after is None else after / _TWIPS_PER_POINT,
        ground=base.ground if ground is None else ground,
        clipped=base.clipped if height is None else exact and is_tiny(height / _TWIPS_PER_POINT),
        run=base.run,
    )
