"""Ways to put text on a page so that nobody sees it: switched off, cut away, moved off the screen, of no size."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lxml.html import HtmlElement

NORMAL_PX = 16.0
_LENGTH = re.compile(r"(-?(?:\d+\.?\d*|\.\d+))(px|pt|pc|in|cm|mm|r?em|ch|ex|vw|vh|%)?")
_PX = {
    "": 1.0,
    "px": 1.0,
    "pt": 4 / 3,
    "pc": 16.0,
    "in": 96.0,
    "cm": 37.8,
    "mm": 3.78,
    "em": 16.0,
    "rem": 16.0,
    "ch": 8.0,
    "ex": 8.0,
}
_AWAY_PX = -999.0
_NO_EXTENT_PX = 1.0
"""A box of one pixel is how text is kept for screen readers alone."""
_ZERO = re.compile(r"[+-]?0*\.?0*(?:[a-z]+|%)?")
_NO_SCALE = re.compile(r"scale(?:3d|x|y)?\(\s*(?:0*\.?0+)\s*(?:,|\))")
_MOVED = re.compile(r"translate(?:3d|x|y)?\(([^()]*)\)")
_INSET = re.compile(r"inset\(([^()]*)\)")
_RECT = re.compile(r"rect\(([^()]*)\)")
_CLIPPED = ("hidden", "clip", "scroll", "auto")
_IN_LINE = frozenset(
    (
        "a",
        "abbr",
        "b",
        "big",
        "cite",
        "code",
        "em",
        "font",
        "i",
        "label",
        "mark",
        "s",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "u",
    )
)
_CELLS = frozenset(("table", "tbody", "thead", "tfoot", "tr", "td", "th"))


def px(length: str, unit_of_em: float = NORMAL_PX) -> float | None:
    """A length in pixels; None for one that depends on what is around (`50%`, `3vw`, `auto`)."""
    match = _LENGTH.fullmatch(length)
    factor = None if match is None else unit_of_em if match[2] == "em" else _PX.get(match[2] or "")
    return None if match is None or factor is None else float(match[1]) * factor


def is_unseen(element: HtmlElement, properties: Mapping[str, str]) -> bool:
    """Whether an element and all in it is not shown, whatever its colours and the size of its letters."""
    if element.get("hidden") is not None or element.get("type", "").lower() == "hidden":
        return True
    if not properties:
        return False
    off = properties.get("display") == "none" or properties.get("visibility") in ("hidden", "collapse")
    return (
        off
        or properties.get("mso-hide") == "all"
        or _fades(properties)
        or _is_away(properties)
        or _is_cut_away(properties)
        or _has_no_extent(str(element.tag).lower(), properties)
    )


def _fades(properties: Mapping[str, str]) -> bool:
    """Of no opacity or scaled to nothing, and not about to be brought up by a script."""
    nothing = "opacity" in properties and _ZERO.fullmatch(properties["opacity"])
    if not nothing and not _NO_SCALE.search(properties.get("transform", "")) and properties.get("scale") != "0":
        return False
    moves = (properties.get(key, "none") for key in ("transition", "animation", "animation-name"))
    return all(value.startswith(("none", "all 0s", "initial")) for value in moves)


def _is_away(properties: Mapping[str, str]) -> bool:
    places = ["text-indent", "margin-left", "margin-top"]
    if properties.get("position", "static") != "static":
        places += ["left", "top", "right", "bottom"]
    values = [properties[key] for key in places if key in properties]
    moved = _MOVED.search(properties.get("transform", ""))
    values += [part.strip() for part in moved[1].split(",")] if moved else []
    lengths = [px(value.partition(" ")[0]) for value in values if value.startswith("-")]
    return any(length is not None and length <= _AWAY_PX for length in lengths)


def _is_cut_away(properties: Mapping[str, str]) -> bool:
    clip = _RECT.match(properties.get("clip", ""))
    if clip and properties.get("position") in ("absolute", "fixed"):
        edges = [px(part) for part in re.split(r"[\s,]+", clip[1].strip())]
        if len(edges) == 4:
            top, right, bottom, left = edges
            if (top is not None and bottom is not None and bottom - top <= _NO_EXTENT_PX) or (
                left is not None and right is not None and right - left <= _NO_EXTENT_PX
            ):
                return True
    path = properties.get("clip-path", properties.get("-webkit-clip-path", ""))
    inset = _INSET.match(path)
    if not inset:
        return bool(re.match(r"circle\(\s*0(?:px|%)?\s*(?:at\b|\))", path))
    shares = [float(part[:-1]) if re.fullmatch(r"\d{1,4}(?:\.\d{1,4})?%", part) else 0.0 for part in inset[1].split()[:4]]
    if not shares:
        return False
    top = shares[0]
    right = shares[1] if len(shares) > 1 else top
    bottom = shares[2] if len(shares) > 2 else top
    left = shares[3] if len(shares) > 3 else right
    return top + bottom >= 100 or left + right >= 100


def _has_no_extent(tag: str, properties: Mapping[str, str]) -> bool:
    """A box without height or width that cuts off what does not go into it."""
    if tag in _CELLS:
        return False  # cells grow with what is in them
    floats = properties.get("float", "none") != "none" or properties.get("position") in ("absolute", "fixed")
    if tag in _IN_LINE and not floats and properties.get("display", "inline") == "inline":
        return False  # has no measures
    grows = any(key.startswith(("padding", "flex", "min-")) and re.search(r"[1-9]", value) for key, value in properties.items())
    if grows:
        return False
    both = properties.get("overflow", "")
    for across, cut in (("height", "overflow-y"), ("width", "overflow-x")):
        if not (properties.get(cut, both) or both).startswith(_CLIPPED[:2]):
            continue
        lengths = [px(properties[key]) for key in (across, f"max-{across}") if key in properties]
        percent = any(_ZERO.fullmatch(properties.get(key, "1")) for key in (across, f"max-{across}"))
        if percent or any(length is not None and length <= _NO_EXTENT_PX for length in lengths):
            return True
    return False
