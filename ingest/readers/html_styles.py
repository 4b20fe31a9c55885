"""The little of CSS that decides what a reader must know: what is not shown, what stands side by side, what is bold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from lxml.html import HtmlElement

from ingest.readers.colors import UNKNOWN, Color, color_of
from ingest.readers.html_sheet import StyleSheet
from ingest.readers.html_unseen import NORMAL_PX, is_unseen, px

_BLOCK = dict.fromkeys(("block", "list-item", "table", "table-row", "flex", "grid"), True) | {"inline": False}
_SIZES = {"xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0, "xx-large": 32.0}
_NOTHING_SAID = frozenset(("", "inherit", "initial", "unset", "revert", "currentcolor", "none", "auto"))
_PIECE = re.compile(r"[\w#%.-]+(?:\([^()]*\))?")
_ABSOLUTE = re.compile(r"[\d.]+(?:px|pt)")


@dataclass(frozen=True, slots=True)
class Css:
    """What a style says of an element."""

    hidden: bool = False
    color: Color | None = None
    ground: Color | None = None
    """The background; None where what is behind shows through."""
    side_by_side: bool = False
    """Its children stand beside each other."""
    apart: bool = False
    """Stands apart from its neighbours on the same line."""
    block: bool | None = None
    """Made a block, or made inline."""
    bold: bool | None = None
    size: float | None = None
    """Of its letters in points, where given in absolute measures."""
    font_size: str = ""

    def letter_px(self, around: float) -> float:
        """How large its letters are in pixels, those around being `around`."""
        if not self.font_size:
            return around
        if self.font_size.endswith("%"):
            share = px(self.font_size[:-1])
            return around if share is None else around * share / 100
        length = px(self.font_size, around)
        return _SIZES.get(self.font_size, NORMAL_PX) if length is None else length


def css_of(sheet: StyleSheet, element: HtmlElement) -> Css:
    """What holds for an element by the sheets of its page, its own style and its attributes."""
    properties = sheet.of(element)
    display = properties.get("display", "")
    weight = properties.get("font-weight", "")
    upright = properties.get("flex-direction", "").startswith("column")
    size = properties.get("font-size", "")
    length = px(size) if _ABSOLUTE.fullmatch(size) else None
    return Css(
        hidden=is_unseen(element, properties),
        color=_color(element, properties),
        ground=_ground(element, properties),
        side_by_side=display in ("flex", "inline-flex", "grid", "inline-grid") and not upright,
        apart=display in ("inline-block", "table-cell", "inline-table") or properties.get("float", "none") != "none",
        block=_BLOCK.get(display),
        bold=None if not weight else weight in ("bold", "bolder", "600", "700", "800", "900"),
        size=length * 0.75 if length else None,
        font_size=size,
    )


def _color(element: HtmlElement, properties: Mapping[str, str]) -> Color | None:
    if "text" in (properties.get("background-clip"), properties.get("-webkit-background-clip")):
        return UNKNOWN  # the background shows in the shape of the letters
    text = properties.get("-webkit-text-fill-color") or properties.get("color")
    if text is None:
        text = element.get("text" if element.tag == "body" else "color")
    if text is None:
        return UNKNOWN if element.tag == "a" and element.get("href") else None  # browsers have a colour for links
    return None if text in _NOTHING_SAID else color_of(text)


def _ground(element: HtmlElement, properties: Mapping[str, str]) -> Color | None:
    picture = properties.get("background-image", "")
    if picture not in _NOTHING_SAID or element.get("background"):
        return UNKNOWN
    text = properties.get("background-color") or properties.get("background") or element.get("bgcolor") or ""
    if text in _NOTHING_SAID:
        return None
    if "url(" in text or "gradient" in text or "var(" in text:
        return UNKNOWN
    known = [color for color in map(color_of, _PIECE.findall(text)) if color is not UNKNOWN]
    return known[0] if known else UNKNOWN
