"""What the styles of a Word document say about a paragraph or a run: headings, lists, bold, size, hidden."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from lxml import etree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADING = re.compile(r"(?:heading|заголовок|标题)\s*([1-9])", re.IGNORECASE)
_TITLE = re.compile(r"title|название|标题", re.IGNORECASE)
_TWIPS_PER_POINT = 20
_VAL = W + "val"
_PARAGRAPH_TAGS = frozenset(W + name for name in ("outlineLvl", "listPr", "numPr", "ind", "spacing", "shd"))
_MEASURE = re.compile(r"\s*(-?\d{1,9}(?:\.\d{1,9})?)(pt)?\s*")
MAX_INHERITANCE = 20
_TINY_POINTS = 2.0
"""Text this small is there for machines, not for people."""


@dataclass(frozen=True, slots=True)
class RunFormat:
    """Formatting of a run; None where nothing is said."""

    bold: bool | None = None
    size: float | None = None
    hidden: bool | None = None
    white: bool | None = None
    shaded: bool | None = None

    def over(self, base: RunFormat) -> RunFormat:
        """This, and where it says nothing, what `base` says."""
        return RunFormat(
            bold=base.bold if self.bold is None else self.bold,
            size=base.size if self.size is None else self.size,
            hidden=base.hidden if self.hidden is None else self.hidden,
            white=base.white if self.white is None else self.white,
            shaded=base.shaded if self.shaded is None else self.shaded,
        )

    @property
    def invisible(self) -> bool:
        return bool(self.hidden) or (self.size is not None and self.size <= _TINY_POINTS)


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
    shaded: bool = False
    run: RunFormat = field(default_factory=RunFormat)


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


def shading(parent: etree._Element | None) -> bool | None:
    """Whether a background is set that light text stands out from."""
    return _is_shaded(None if parent is None else parent.find(W + "shd"))


def _is_shaded(element: etree._Element | None) -> bool | None:
    if element is None:
        return None
    if element.get(W + "themeFill"):
        return not element.get(W + "themeFill", "").startswith(("background", "light"))
    return element.get(W + "fill", "auto").lower() not in ("auto", "ffffff", "white")


def run_format(properties: etree._Element | None) -> RunFormat:
    """What a w:rPr says itself."""
    said = _children(properties)
    if not said:
        return _NOTHING_SAID
    size = number(said.get(W + "sz"))
    color = said.get(W + "color")
    highlight = said.get(W + "highlight")
    return RunFormat(
        bold=_is_on(said.get(W + "b")),
        size=size / 2 if size else None,
        hidden=_is_on(said.get(W + "vanish")),
        white=None if color is None else color.get(_VAL, "").lower() == "ffffff" and not color.get(W + "themeColor"),
        shaded=True if highlight is not None and highlight.get(_VAL) != "none" else _is_shaded(said.get(W + "shd")),
    )


def _children(properties: etree._Element | None) -> dict[str, etree._Element]:
    """What a set of properties says, by tag; the first of each. One walk is cheaper than a search for each name."""
    return {} if properties is None else {child.tag: child for child in reversed(properties)}


class Styles:
    """The styles of a document, with inheritance resolved on demand."""

    def __init__(self, root: etree._Element | None) -> None:
        self._elements = {} if root is None else {style.get(W + "styleId", ""): style for style in root.iterchildren(W + "style")}
        self._default = next(
            (key for key, style in self._elements.items()
             if style.get(W + "type") == "paragraph" and style.get(W + "default") in ("1", "true", "on")), ""
        )  # fmt: skip
        defaults = None if root is None else root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr")
        self._base = run_format(defaults)
        self._paragraphs: dict[str, ParagraphFormat] = {}
        self._runs: dict[str, RunFormat] = {}

    def paragraph(self, properties: etree._Element | None) -> ParagraphFormat:
        """What holds for a paragraph with this w:pPr."""
        reference = None if properties is None else properties.find(W + "pStyle")
        style = self._default if reference is None else reference.get(W + "val", "")
        base = self._paragraph_style(style, 0)
        return base if properties is None else _changed(base, properties)

    def run(self, properties: etree._Element | None, paragraph: ParagraphFormat) -> RunFormat:
        """What holds for a run with this w:rPr in that paragraph."""
        if properties is None:
            return paragraph.run
        reference = properties.find(W + "rStyle")
        base = paragraph.run
        if reference is not None:
            base = self._run_style(reference.get(W + "val", ""), 0).over(base)
        return run_format(properties).over(base)

    def _paragraph_style(self, key: str, depth: int) -> ParagraphFormat:
        if key not in self._paragraphs:
            self._paragraphs[key] = self._resolve_paragraph(key, depth)
        return self._paragraphs[key]

    def _resolve_paragraph(self, key: str, depth: int) -> ParagraphFormat:
        style = self._elements.get(key)
        if style is None or depth > MAX_INHERITANCE:
            return ParagraphFormat(run=self._base)
        base = self._paragraph_style(_parent(style), depth + 1)
        result = replace(base, run=run_format(style.find(W + "rPr")).over(base.run))
        properties = style.find(W + "pPr")
        if properties is not None:
            result = _changed(result, properties)
        name = style.find(W + "name")
        heading = _heading_of("" if name is None else name.get(W + "val", ""))
        return replace(result, style=heading) if heading else result

    def _run_style(self, key: str, depth: int) -> RunFormat:
        if key not in self._runs:
            style = self._elements.get(key)
            if style is None or depth > MAX_INHERITANCE:
                return RunFormat()
            self._runs[key] = run_format(style.find(W + "rPr")).over(self._run_style(_parent(style), depth + 1))
        return self._runs[key]


def _parent(style: etree._Element) -> str:
    based = style.find(W + "basedOn")
    return "" if based is None else based.get(W + "val", "")


def _heading_of(name: str) -> str:
    match = _HEADING.fullmatch(name.strip())
    if match:
        return f"heading{min(int(match[1]), 6)}"
    return "title" if _TITLE.fullmatch(name.strip()) else ""


def _changed(base: ParagraphFormat, properties: etree._Element) -> ParagraphFormat:
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
    shaded = _is_shaded(said.get(W + "shd"))
    return ParagraphFormat(
        style=style,
        level=level,
        left=base.left if left is None else max(0.0, left),
        before=base.before if before is None else before / _TWIPS_PER_POINT,
        after=base.after if after is None else after / _TWIPS_PER_POINT,
        shaded=base.shaded if shaded is None else shaded,
        run=base.run,
    )
