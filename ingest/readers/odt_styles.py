"""What the styles of an OpenDocument text say about paragraphs and spans."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from lxml import etree

from ingest.readers.flow import Look

_NS = "urn:oasis:names:tc:opendocument:xmlns:"
TEXT = f"{{{_NS}text:1.0}}"
TABLE = f"{{{_NS}table:1.0}}"
DRAW = f"{{{_NS}drawing:1.0}}"
OFFICE = f"{{{_NS}office:1.0}}"
STYLE = f"{{{_NS}style:1.0}}"
FO = f"{{{_NS}xsl-fo-compatible:1.0}}"
SVG = f"{{{_NS}svg-compatible:1.0}}"
XLINK = "{http://www.w3.org/1999/xlink}"
_LENGTH = re.compile(r"(-?[\d.]{1,12})(cm|mm|in|pt|pc|px)")
_POINTS = {"cm": 28.3465, "mm": 2.83465, "in": 72.0, "pt": 1.0, "pc": 12.0, "px": 0.75}
_HEADING = re.compile(r"Heading_20_([1-9])")
_MAX_INHERITANCE = 20
_ASIAN_FROM = "\u2e80"


@dataclass(frozen=True, slots=True)
class Face:
    """How text looks; None where nothing is said. Chinese and other wide characters have a look of their own."""

    bold: bool | None = None
    size: float | None = None
    asian_bold: bool | None = None
    asian_size: float | None = None
    hidden: bool | None = None

    def over(self, base: Face) -> Face:
        """This, and where it says nothing, what `base` says."""
        return Face(
            bold=base.bold if self.bold is None else self.bold,
            size=self.size or base.size,
            asian_bold=base.asian_bold if self.asian_bold is None else self.asian_bold,
            asian_size=self.asian_size or base.asian_size,
            hidden=base.hidden if self.hidden is None else self.hidden,
        )

    def look(self, text: str, link: str | None) -> Look:
        if text[0] >= _ASIAN_FROM:
            return Look(bool(self.asian_bold), self.asian_size or self.size, link)
        return Look(bool(self.bold), self.size, link)


@dataclass(frozen=True, slots=True)
class Form:
    """How a paragraph looks; spaces in points. `breaks`: it begins a page or a column."""

    style: str = ""
    before: float = 0.0
    after: float = 0.0
    breaks: bool = False
    face: Face = field(default_factory=Face)


def points(length: str | None) -> float:
    """A length such as `2.5cm` in points, 0 where it is none."""
    match = _LENGTH.fullmatch(length or "")
    try:
        return float(match[1]) * _POINTS[match[2]] if match else 0.0
    except ValueError:
        return 0.0


class Styles:
    """The styles of a document, automatic ones first, with inheritance resolved on demand."""

    def __init__(self, content: etree._Element, styles: etree._Element | None) -> None:
        self._elements: dict[tuple[str, str], etree._Element] = {}
        self._base = Face()
        for root in (styles, content):
            for element in () if root is None else root.iter(STYLE + "style"):
                self._elements[element.get(STYLE + "family", ""), element.get(STYLE + "name", "")] = element
        for default in () if styles is None else styles.iter(STYLE + "default-style"):
            if default.get(STYLE + "family") == "paragraph":
                self._base = _face(default)
        self._forms: dict[str, Form] = {}
        self._faces: dict[str, Face] = {}

    def paragraph(self, name: str, depth: int = 0) -> Form:
        """What holds for a paragraph of this style."""
        if name not in self._forms:
            element = self._elements.get(("paragraph", name))
            if element is None or depth > _MAX_INHERITANCE:
                return Form(face=self._base)
            self._forms[name] = _form(element, self.paragraph(element.get(STYLE + "parent-style-name", ""), depth + 1))
        return self._forms[name]

    def face(self, name: str, depth: int = 0) -> Face:
        """What a text style says."""
        if name not in self._faces:
            element = self._elements.get(("text", name))
            if element is None or depth > _MAX_INHERITANCE:
                return Face()
            self._faces[name] = _face(element).over(self.face(element.get(STYLE + "parent-style-name", ""), depth + 1))
        return self._faces[name]


def _face(element: etree._Element) -> Face:
    properties = element.find(STYLE + "text-properties")
    if properties is None:
        return Face()
    display = properties.get(TEXT + "display")
    return Face(
        bold=_bold(properties.get(FO + "font-weight")),
        size=points(properties.get(FO + "font-size")) or None,
        asian_bold=_bold(properties.get(STYLE + "font-weight-asian")),
        asian_size=points(properties.get(STYLE + "font-size-asian")) or None,
        hidden=None if display is None else display == "none",
    )


def _bold(weight: str | None) -> bool | None:
    return None if weight is None else weight in ("bold", "600", "700", "800", "900")


def _form(element: etree._Element, base: Form) -> Form:
    name = element.get(STYLE + "name", "")
    heading = _HEADING.fullmatch(name)
    level = element.get(STYLE + "default-outline-level", "")
    style = f"heading{min(int(level), 6)}" if level.isdigit() and level != "0" else base.style
    style = f"heading{min(int(heading[1]), 6)}" if heading else "title" if name == "Title" else style
    result = replace(base, style=style, face=_face(element).over(base.face))
    properties = element.find(STYLE + "paragraph-properties")
    if properties is None:
        return result
    before, after = properties.get(FO + "margin-top"), properties.get(FO + "margin-bottom")
    return replace(
        result,
        before=base.before if before is None else max(0.0, points(before)),
        after=base.after if after is None else max(0.0, points(after)),
        breaks=properties.get(FO + "break-before", "auto") in ("page", "column"),
    )
