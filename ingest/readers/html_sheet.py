"""The rules of a page's own style sheets: which declarations hold for an element.

Selectors of tags, classes and ids are applied, alone or below each other (`.a .b`, `ul > li.c`). Of any other selector only
the last part is looked at, and of a rule for some screens only nothing is certain: such rules count for what they show or
lay out, never for hiding. Rules for print alone are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from lxml.html import HtmlElement

UNSURE = "unsure"
"""The value of a colour that a rule may or may not set."""
_AT_RULE = re.compile(r"@([\w-]{1,40}+)([^{};]{0,400}+)(?:\{((?:[^{}]*\{[^{}]*\})*[^{}]*)\}|;)")
_SIMPLE = re.compile(r"(\*|[a-z][a-z0-9]*)?((?:[.#][\w-]+)*)", re.IGNORECASE)
_MARK = re.compile(r"([.#])([\w-]+)")
_COMBINATOR = re.compile(r"\s*>\s*|\s+")
_EVERYWHERE = re.compile(r"\s*(?:only\s+)?(?:all|screen)?\s*(?:,\s*(?:all|screen|print)\s*)*", re.IGNORECASE)
_ZERO = re.compile(r"0*\.?0*(?:px|pt|em|rem|%)?")
_MAX_STYLE_CHARS = 300_000
_MAX_PARTS = 8


class _Simple(NamedTuple):
    tag: str
    classes: frozenset[str]
    ids: frozenset[str]

    def fits(self, element: HtmlElement) -> bool:
        tag = element.tag
        if self.tag and (not isinstance(tag, str) or self.tag != tag.lower()):
            return False
        if not self.ids <= {element.get("id", "")}:
            return False
        return not self.classes or self.classes <= set(element.get("class", "").split())


class _Rule(NamedTuple):
    weight: tuple[int, int, int, int, int]
    """Certain or not, ids, classes, tags, place in the sheet: what comes later in this order wins."""
    last: _Simple
    above: tuple[tuple[_Simple, bool], ...]
    """What must stand around the element, nearest first, and whether directly around."""
    properties: dict[str, str]
    important: dict[str, str]

    def holds(self, element: HtmlElement) -> bool:
        return self.last.fits(element) and _stands_in(element, self.above)


def _stands_in(element: HtmlElement, above: tuple[tuple[_Simple, bool], ...]) -> bool:
    at = element.getparent()
    for simple, directly in above:
        while at is not None and not simple.fits(at):
            at = None if directly else at.getparent()
        if at is None:
            return False
        at = at.getparent()
    return True


@dataclass(slots=True)
class StyleSheet:
    """The rules of a page, by a class, an id or the tag of the elements they are for."""

    _rules: dict[str, list[_Rule]] = field(default_factory=dict)
    _count: int = 0

    def add(self, text: str) -> None:
        """Take in the text of a style element."""
        text = _without_comments(text[:_MAX_STYLE_CHARS])
        for name, query, body in _AT_RULE.findall(text):
            if name.lower() in ("media", "supports", "layer") and not re.fullmatch(r"\s*print\s*", query, re.IGNORECASE):
                self._add(body, certain=name.lower() == "media" and bool(_EVERYWHERE.fullmatch(query)))
        self._add(_AT_RULE.sub("", text), certain=True)

    def _add(self, text: str, *, certain: bool) -> None:
        for rule in text.split("}")[:-1]:
            selectors, _, body = rule.rpartition("{")
            properties, important = split_declarations(body)
            for selector in selectors.split(","):
                self._rule(selector.strip(), properties, important, certain=certain)

    def _rule(self, selector: str, properties: dict[str, str], important: dict[str, str], *, certain: bool) -> None:
        parts = [_simple(part) for part in _COMBINATOR.split(selector)]
        last = parts[-1] if selector else None
        if last is None or len(parts) > _MAX_PARTS:
            return
        known = [part for part in parts if part is not None]
        exact = certain and len(known) == len(parts)
        above = []
        if exact:
            directly = [">" in found for found in _COMBINATOR.findall(selector)]
            above = list(zip(known[-2::-1], directly[::-1], strict=True))
        else:
            known, properties, important = [last], _harmless(properties), _harmless(important)
        self._count += 1
        classes, ids, tags = (
            sum(map(len, found)) for found in zip(*((p.classes, p.ids, p.tag and " ") for p in known), strict=True)
        )
        rule = _Rule((exact, ids, classes, tags, self._count), last, tuple(above), properties, important)
        key = next((f"#{name}" for name in last.ids), "") or next((f".{name}" for name in last.classes), "") or last.tag
        self._rules.setdefault(key, []).append(rule)

    def of(self, element: HtmlElement) -> dict[str, str]:
        """What holds for an element: the rules that fit by their weight, then its own style, then what is important."""
        own, own_important = split_declarations(element.get("style", ""))
        rules = sorted(rule for key in _keys(element) for rule in self._rules.get(key, ()) if rule.holds(element))
        properties: dict[str, str] = {}
        for rule in rules:
            properties.update(rule.properties)
        properties.update(own)
        for rule in rules:
            properties.update(rule.important)
        properties.update(own_important)
        return properties


def _keys(element: HtmlElement) -> Iterator[str]:
    yield ""
    yield str(element.tag).lower()
    for name in set(element.get("class", "").split()):
        yield f".{name}"
    if element.get("id"):
        yield f"#{element.get('id')}"


def _without_comments(text: str) -> str:
    first, *rest = text.split("/*")
    return first + "".join(part.partition("*/")[2] for part in rest)


def _simple(part: str) -> _Simple | None:
    """A selector of one element; None where it asks for more than tags, classes and ids."""
    match = _SIMPLE.fullmatch(part)
    if not match or not part:
        return None
    marks = _MARK.findall(match[2])
    classes = frozenset(name for mark, name in marks if mark == ".")
    return _Simple((match[1] or "").lower().replace("*", ""), classes, frozenset(name for mark, name in marks if mark == "#"))


def split_declarations(text: str) -> tuple[dict[str, str], dict[str, str]]:
    """`a: b; c: d !important` as two mappings in lower case, of what is plain and what is important."""
    plain: dict[str, str] = {}
    important: dict[str, str] = {}
    for part in text.split(";") if text else ():
        key, colon, value = part.partition(":")
        if colon:
            value, mark, _ = value.lower().partition("!")
            (important if mark else plain)[key.strip().lower()] = value.strip()
    return plain, important


def _harmless(properties: dict[str, str]) -> dict[str, str]:
    """What a rule that may not hold can do without hiding text."""
    kept = {}
    for key, value in properties.items():
        if key == "color" or key in ("background", "background-color", "background-image"):
            kept[key] = UNSURE
        elif (
            (key == "display" and value != "none")
            or (key == "visibility" and value == "visible")
            or (key == "font-size" and not _ZERO.fullmatch(value))
            or key in ("flex-direction", "font-weight", "float")
        ):
            kept[key] = value
    return kept
