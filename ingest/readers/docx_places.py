"""Where text boxes of a Word document stand, and the order people read them in.

Templates made of text boxes hang dozens of them on one paragraph in the order they were drawn, not the order they are
read. Places are in EMU from the top left of the page, margins guessed: they only serve to compare boxes with each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from lxml import etree

from ingest.readers.docx_drawings import A, V
from ingest.readers.sight import is_beyond, is_tiny

_WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_WPS = "{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}"
_WPG = "{http://schemas.microsoft.com/office/word/2010/wordprocessingGroup}"
_EMU_PER_POINT = 12_700
_MARGIN = 914_400
_SAME_TOP = 130_000
"""Boxes whose tops differ less stand in one row."""
_LENGTH = re.compile(
    r"(?<![\w-])(margin-left|margin-top|left|top|width|height)\s*:\s*(-?[\d.]{1,10})(pt|in|cm|mm|px)?", re.IGNORECASE
)
_POINTS = {"pt": 1.0, "in": 72.0, "cm": 28.35, "mm": 2.835, "px": 0.75, "": 1.0}
_Item = TypeVar("_Item")


class Place(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float


def place_of(box: etree._Element) -> Place | None:
    """Where a text box stands, None where the file does not say so in numbers."""
    anchor = next(box.iterancestors(f"{_WP}anchor"), None)
    if anchor is None:
        return _vml_place(box)
    left, top = _offset(anchor, "positionH"), _offset(anchor, "positionV")
    if left is None or top is None:
        return None
    frame = next(box.iterancestors(f"{_WPS}wsp"), None)
    group = next(box.iterancestors(f"{_WPG}wgp"), None)
    if group is not None and frame is not None:
        transform = frame.find(f"{_WPS}spPr/{A}xfrm")
        if transform is None or next(box.iterancestors(f"{_WPG}grpSp"), None) is not None:
            return None
        x, y = _pair(transform.find(f"{A}off"), "x", "y")
        width, height = _pair(transform.find(f"{A}ext"), "cx", "cy")
        return Place(left + x, top + y, left + x + width, top + y + height)
    width, height = _pair(anchor.find(f"{_WP}extent"), "cx", "cy")
    return Place(left, top, left + width, top + height)


def is_out_of_sight(box: etree._Element, page: tuple[float, float]) -> bool:
    """Whether a text box is switched off, has no extent or stands beyond the page of that width and height in EMU."""
    holder = next(box.iterancestors(f"{_WP}anchor", f"{_WP}inline"), None)
    if holder is None:
        return _is_unseen_vml(box, page)
    names = [holder.find(f"{_WP}docPr"), *(node.find(f"{_WPS}cNvPr") for node in box.iterancestors(f"{_WPS}wsp"))]
    if _is_true(holder.get("hidden")) or any(name is not None and _is_true(name.get("hidden")) for name in names):
        return True
    extent = holder.find(f"{_WP}extent")
    size = _pair(extent, "cx", "cy")
    grows = next(holder.iter(f"{A}spAutoFit"), None) is not None
    if extent is not None and is_tiny(min(size) / _EMU_PER_POINT) and not grows:
        return True
    for name, length, limit in (("positionH", size[0], page[0]), ("positionV", size[1], page[1])):
        start = _offset(holder, name)
        position = holder.find(f"{_WP}{name}")
        if start is None or position is None or limit <= 0:
            continue
        if is_beyond(start, length, limit, from_edge=position.get("relativeFrom") in ("page", "margin")):
            return True
    return False


def _is_true(text: str | None) -> bool:
    return text in ("1", "true", "on", "t")


def _is_unseen_vml(box: etree._Element, page: tuple[float, float]) -> bool:
    shape = next(box.iterancestors(f"{V}shape", f"{V}rect", f"{V}roundrect", f"{V}oval"), None)
    style = "" if shape is None else shape.get("style", "").replace(" ", "").lower()
    if re.search(r"(?:^|;)(?:visibility:hidden|display:none)", style):
        return True
    lengths = _vml_lengths(style)
    grows = "mso-fit-shape-to-text:t" in "".join(node.get("style", "") for node in box.iterancestors(f"{V}textbox"))
    if any(is_tiny(lengths.get(name, _MARGIN) / _EMU_PER_POINT) for name in ("width", "height")) and not grows:
        return next(box.iterancestors(f"{V}group"), None) is None  # which counts in units of its own
    if "position:absolute" not in style:
        return False
    for start, extent, limit in (("margin-left", "width", page[0]), ("margin-top", "height", page[1])):
        at = lengths.get(start, lengths.get(start.removeprefix("margin-"), 0.0))
        if is_beyond(at, lengths.get(extent, 0.0), limit):
            return True
    return False


def reading_order(items: Sequence[_Item], place: Callable[[_Item], Place | None]) -> list[_Item]:
    """The items in the order people read them; as they come where the place of any is not known."""
    placed = [(spot, item) for item in items if (spot := place(item)) is not None]
    return [item for _, item in _ordered(placed)] if len(placed) == len(items) else list(items)


def _ordered(items: list[tuple[Place, _Item]]) -> list[tuple[Place, _Item]]:
    """Columns one after the other; where a box spans them, what is above it first."""
    if len(items) < 2:
        return items
    left, right = _cut(items, 0, 2)
    if right and not _are_rows(left, right):
        return _ordered(left) + _ordered(right)
    above, below = _cut(items, 1, 3)
    if below:
        return _ordered(above) + _ordered(below)
    if right:
        return _ordered(left) + _ordered(right)
    return sorted(items, key=lambda item: (item[0].top, item[0].left))


def _cut(items: list[tuple[Place, _Item]], near: int, far: int) -> tuple[list[tuple[Place, _Item]], list[tuple[Place, _Item]]]:
    """Split at the first gap that no box crosses, along one axis; the second part is empty where there is none."""
    in_order = sorted(items, key=lambda item: item[0][near])
    reach = in_order[0][0][far]
    for index, (spot, _) in enumerate(in_order[1:], start=1):
        if spot[near] >= reach - _SAME_TOP / 2:
            return in_order[:index], in_order[index:]
        reach = max(reach, spot[far])
    return items, []


def _are_rows(left: list[tuple[Place, _Item]], right: list[tuple[Place, _Item]]) -> bool:
    """Whether the boxes at the left are labels of those at the right, each on a line with its own."""
    level = sum(any(abs(label.top - spot.top) < _SAME_TOP for spot, _ in right) for label, _ in left)
    return len(left) > 1 and level == len(left)


def _offset(anchor: etree._Element, name: str) -> float | None:
    position = anchor.find(f"{_WP}{name}")
    text = None if position is None else position.findtext(f"{_WP}posOffset")
    if position is None or text is None or not re.fullmatch(r"\s*-?\d{1,12}\s*", text):
        return None
    return float(text) + (0 if position.get("relativeFrom") == "page" else _MARGIN)


def _pair(element: etree._Element | None, first: str, second: str) -> tuple[float, float]:
    values = [("" if element is None else element.get(name, "")) for name in (first, second)]
    a, b = (float(value) if re.fullmatch(r"-?\d{1,12}", value) else 0.0 for value in values)
    return a, b


def _vml_lengths(style: str) -> dict[str, float]:
    """The lengths in the style of an old shape, in EMU."""
    lengths: dict[str, float] = {}
    for name, value, unit in _LENGTH.findall(style):
        if re.fullmatch(r"-?(?:\d+\.?\d*|\.\d+)", value):
            lengths.setdefault(name.lower(), float(value) * _POINTS[unit.lower()] * _EMU_PER_POINT)
    return lengths


def _vml_place(box: etree._Element) -> Place | None:
    shape = next(box.iterancestors(f"{V}shape", f"{V}rect", f"{V}roundrect"), None)
    style = "" if shape is None else shape.get("style", "")
    if "absolute" not in style or next(box.iterancestors(f"{V}group"), None) is not None:
        return None
    sizes = _vml_lengths(style)
    if "margin-left" not in sizes or "margin-top" not in sizes:
        return None
    left, top = sizes["margin-left"], sizes["margin-top"]
    return Place(left, top, left + sizes.get("width", 0.0), top + sizes.get("height", 0.0))
