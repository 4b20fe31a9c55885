"""What the styles of an OpenDocument text say about paragraphs and spans."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lxml import etree

from ingest.readers.colors import UNKNOWN, Color, color_of
from ingest.readers.flow import Look
from ingest.readers.sight import A4_POINTS, is_thin, is_tiny

_NS = "urn:oasis:names:tc:opendocument:xmlns:"
TEXT = f"{{{_NS}text:1.0}}"
TABLE = f"{{{_NS}table:1.0}}"
DRAW = f"{{{_NS}drawing:1.0}}"
OFFICE = f"{{{_NS}office:1.0}}"
STYLE = f"{{{_NS}style:1.0}}"
FO = f"{{{_NS}xsl-fo-compatible:1.0}}"
SVG = f"{{{_NS}svg-compatible:1.0}}"
LOEXT = "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}"
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
    color: Color | None = None
    ground: Color | None = None
    """Behind the letters."""
    thin: bool | None = None

    def over(self, base: Face) -> Face:
        """This, and where it says nothing, what `base` says."""
        return Face(
            bold=base.bold if self.bold is None else self.bold,
            size=self.size or base.size,
            asian_bold=base.asian_bold if self.asian_bold is None else self.asian_bold,
            asian_size=self.asian_size or base.asian_size,
            hidden=base.hidden if self.hidden is None else self.hidden,
            color=self.color or base.color,
            ground=self.ground or base.ground,
            thin=base.thin if self.thin is None else self.thin,
        )

    def look(self, text: str, link: str | None) -> Look:
        bold = self.asian_bold if text[0] >= _ASIAN_FROM else self.bold
        return Look(bool(bold), self.size_of(text), link)

    def size_of(self, text: str) -> float | None:
        return self.asian_size or self.size if text[0] >= _ASIAN_FROM else self.size

    def is_unseen(self, text: str) -> bool:
        """Whether nobody sees text set like this, whatever its colour."""
        return bool(self.hidden) or bool(self.thin) or is_tiny(self.size_of(text))


@dataclass(frozen=True, slots=True)
class Form:
    """How a paragraph looks; spaces in points. `breaks`: it begins a page or a column."""

    style: str = ""
    before: float = 0.0
    after: float = 0.0
    breaks: bool = False
    ground: Color | None = None
    unseen: bool = False
    """Its lines have no height, or begin beyond the page."""
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

    def said(self, family: str, name: str, kind: str, attribute: str) -> str | None:
        """What a style of any family, or one it is based on, says in an element `kind`; None for nothing."""
        for element in self._line(family, name):
            value = next((found for part in element.iter(STYLE + kind) if (found := part.get(attribute)) is not None), None)
            if value is not None:
                return value
        return None

    def has_picture(self, family: str, name: str, kind: str) -> bool:
        """Whether a style puts a picture behind."""
        path = f"{STYLE}{kind}/{STYLE}background-image"
        return any(picture.get(XLINK + "href") for element in self._line(family, name) for picture in element.iterfind(path))

    def _line(self, family: str, name: str) -> Iterator[etree._Element]:
        """A style and those it is based on."""
        for _ in range(_MAX_INHERITANCE):
            element = self._elements.get((family, name))
            if element is None:
                return
            yield element
            name = element.get(STYLE + "parent-style-name", "")

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
    display, background = properties.get(TEXT + "display"), properties.get(FO + "background-color")
    scale = properties.get(STYLE + "text-scale", "")
    return Face(
        bold=_bold(properties.get(FO + "font-weight")),
        size=points(properties.get(FO + "font-size")) or None,
        asian_bold=_bold(properties.get(STYLE + "font-weight-asian")),
        asian_size=points(properties.get(STYLE + "font-size-asian")) or None,
        hidden=None if display is None else display == "none",
        color=_color(properties),
        ground=None if background in (None, "transparent") else color_of(background),
        thin=is_thin(int(scale[:-1])) if scale[:-1].isdecimal() and scale.endswith("%") else None,
    )


def _color(properties: etree._Element) -> Color | None:
    if (
        properties.get(STYLE + "font-relief", "none") != "none"
        or properties.get(STYLE + "text-outline") == "true"
        or properties.get(FO + "text-shadow", "none") != "none"
    ):
        return UNKNOWN  # rims and shadows show whatever the colour
    if properties.get(STYLE + "use-window-font-color") == "true":
        return UNKNOWN  # LibreOffice writes an opacity of 0 % beside it
    if properties.get(LOEXT + "opacity") == "0%":
        return Color(0, 0, 0, 0)
    text = properties.get(FO + "color")
    return None if text is None else color_of(text)


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
    background, height = properties.get(FO + "background-color"), properties.get(FO + "line-height", "")
    exact = points(height)
    before, after = properties.get(FO + "margin-top"), properties.get(FO + "margin-bottom")
    return replace(
        result,
        before=base.before if before is None else max(0.0, points(before)),
        after=base.after if after is None else max(0.0, points(after)),
        ground=base.ground if background is None else None if background == "transparent" else color_of(background),
        unseen=(base.unseen if not height else exact > 0 and is_tiny(exact))
        or points(properties.get(FO + "margin-left")) >= A4_POINTS[0],
        breaks=properties.get(FO + "break-before", "auto") in ("page", "column"),
    )
