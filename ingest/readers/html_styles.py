"""The little of CSS that decides what a reader must know: what is not shown, what stands side by side, what is bold.

Rules with one simple selector (`.class`, `#id`, `tag`, `tag.class`) are applied, those under a media query are not.
Of a longer selector only the last part is understood, so its rules count for what they show or lay out, never for hiding.
Opacity counts in the style of an element alone: pages fade in by scripts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from lxml.html import HtmlElement

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_MEDIA = re.compile(r"@[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}|@[^{};]*;")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SIMPLE = re.compile(r"[a-z0-9]*(?:[.#][\w-]+)?", re.IGNORECASE)
_MAX_STYLE_CHARS = 300_000
_ZERO = re.compile(r"0*\.?0*(?:px|pt|em|rem|%)?")
_WHITE = re.compile(r"#fff(?:fff)?|white|rgba?\(\s*255\s*,\s*255\s*,\s*255\s*(?:,\s*1(?:\.0)?\s*)?\)|transparent", re.IGNORECASE)
_BLOCK = dict.fromkeys(("block", "list-item", "table", "table-row", "flex", "grid"), True) | {"inline": False}
_LENGTH = re.compile(r"([\d.]+)(px|pt)")


@dataclass(frozen=True, slots=True)
class Css:
    """What a style says of an element."""

    hidden: bool = False
    white: bool = False
    """White or transparent text."""
    background: bool = False
    """Sets a background other than white, that light text stands out from."""
    side_by_side: bool = False
    """Its children stand beside each other."""
    apart: bool = False
    """Stands apart from its neighbours on the same line."""
    block: bool | None = None
    """Made a block, or made inline."""
    bold: bool | None = None
    tiny: bool | None = None
    """Text of no size, or of some."""
    size: float | None = None


@dataclass(slots=True)
class StyleSheet:
    """The simple rules of a page: selector → properties."""

    rules: dict[str, dict[str, str]] = field(default_factory=dict)

    def add(self, text: str) -> None:
        """Take in the text of a style element."""
        text = _MEDIA.sub("", _COMMENT.sub("", text[:_MAX_STYLE_CHARS]))
        for selectors, body in _RULE.findall(text):
            properties = declarations(body)
            for selector in selectors.split(","):
                parts = selector.replace(">", " ").split()
                if not parts or not _SIMPLE.fullmatch(parts[-1]):
                    continue
                exact = len(parts) == 1
                kept = {key: value for key, value in properties.items() if key != "opacity" and (exact or _shows(key, value))}
                self.rules.setdefault(parts[-1], {}).update(kept)

    def of(self, element: HtmlElement) -> Css:
        """What holds for an element: rules by tag, class and id, then its own style and attributes."""
        tag = str(element.tag).lower()
        properties: dict[str, str] = {}
        keys = [tag]
        for name in element.get("class", "").split():
            keys += [f".{name}", f"{tag}.{name}"]
        if element.get("id"):
            keys.append(f"#{element.get('id')}")
        for key in keys:
            properties.update(self.rules.get(key, {}))
        properties.update(declarations(element.get("style", "")))
        return _css(element, properties)


def _shows(key: str, value: str) -> bool:
    """Whether a declaration cannot hide text; one whose selector is not fully understood must not."""
    match key:
        case "display":
            return value != "none"
        case "font-size":
            return not _ZERO.fullmatch(value)
        case "color":
            return not _WHITE.fullmatch(value)
        case "visibility":
            return value == "visible"
    return key.startswith("background") or key in ("flex-direction", "font-weight", "float")


def declarations(text: str) -> dict[str, str]:
    """`a: b; c: d` as a mapping, in lower case."""
    found = {}
    for part in text.split(";"):
        key, colon, value = part.partition(":")
        if colon:
            found[key.strip().lower()] = value.replace("!important", "").strip().lower()
    return found


def _css(element: HtmlElement, properties: Mapping[str, str]) -> Css:
    display = properties.get("display", "")
    grounds = (properties.get(key) for key in ("background-color", "background", "background-image"))
    background = next(filter(None, grounds), None) or element.get("bgcolor") or element.get("background") or ""
    color = properties.get("color") or element.get("color") or ""
    weight = properties.get("font-weight", "")
    upright = properties.get("flex-direction", "").startswith("column")
    size = properties.get("font-size", "")
    return Css(
        hidden=_is_hidden(element, properties),
        white=bool(_WHITE.fullmatch(color)),
        background=bool(background) and not _WHITE.match(background) and not background.startswith(("none", "inherit")),
        side_by_side=display in ("flex", "inline-flex", "grid", "inline-grid") and not upright,
        apart=display in ("inline-block", "table-cell", "inline-table") or properties.get("float", "none") != "none",
        block=_BLOCK.get(display),
        bold=None if not weight else weight in ("bold", "bolder", "600", "700", "800", "900"),
        tiny=None if not size else bool(_ZERO.fullmatch(size)),
        size=_points(size),
    )


def _is_hidden(element: HtmlElement, properties: Mapping[str, str]) -> bool:
    if element.get("hidden") is not None or element.get("type", "").lower() == "hidden":
        return True
    off = properties.get("display") == "none" or properties.get("visibility") in ("hidden", "collapse")
    none = bool(_ZERO.fullmatch(properties.get("opacity", "1")))
    away = properties.get("position") == "absolute" and any(
        re.match(r"-\d{3,}", properties.get(key, "")) for key in ("left", "top", "text-indent")
    )
    return off or none or away or (properties.get("mso-hide") == "all")


def _points(size: str) -> float | None:
    match = _LENGTH.fullmatch(size)
    try:
        value = float(match[1]) if match else 0.0
    except ValueError:
        return None
    return (value * 0.75 if match and match[2] == "px" else value) or None
