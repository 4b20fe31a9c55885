"""Scripts written from right to left: from the order in which things stand on a page to the order in which they are read.

Pages know places only. Letters and words sorted from the left are in visual order; Hebrew and Arabic are read from the
right, with Latin words and numbers among them from the left. What cannot be told from places (a number beside a Latin
word) is read as in a text that runs to the right. Follows the classes of the Unicode Bidirectional Algorithm (UAX 9).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_RIGHT_TO_LEFT = re.compile("[\u05d0-\u05f2\u0620-\u064a\u066e-\u06d5\u06fa-\u08c7\ufb1d-\ufdff\ufe70-\ufefc]")
_LETTERS_OF_A_RTL_TEXT = 0.3
"""Share of the letters of a block from which it runs to the left."""
_LEADING, _TRAILING = re.compile(r"[^\w@#]+"), re.compile(r"[^\w@#/]+$")
_PARTED_NUMBER = re.compile(r"\d+(?:[-+\u2013]\d+)+")
_PARTS = re.compile(r"\d+|[-+\u2013]")
_BRACKET = re.compile(r"[()\[\]{}<>«»]")
_TURNED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def runs_left(text: str) -> bool:
    """Whether there is a letter of a script written from right to left in a text."""
    return _RIGHT_TO_LEFT.search(text) is not None


def is_right_to_left(texts: Sequence[str]) -> bool:
    """Whether a block of text runs to the left on the whole."""
    whole = "".join(texts)
    left = len(_RIGHT_TO_LEFT.findall(whole))
    return left > 0 and left >= _LETTERS_OF_A_RTL_TEXT * sum(map(str.isalpha, whole))


def word_from_visual(parts: Sequence[str]) -> str:
    """A word from its characters as they stand from left to right (each part one character or ligature)."""
    kinds = [_kind(part) for part in parts]
    _settle_marks(kinds)
    groups: list[tuple[str, list[str]]] = []
    for part, kind in zip(parts, kinds, strict=True):
        if groups and groups[-1][0] == kind:
            groups[-1][1].append(part)
        else:
            groups.append((kind, [part]))
    return "".join("".join(reversed(members) if kind == "R" else members) for kind, members in reversed(groups))


def in_reading_order(texts: Sequence[str], *, leftwards: bool, exact: bool = True) -> list[tuple[int, str]]:
    """The words of a line that stand from left to right, in the order they are read: number and text of each.

    `leftwards`: the text around runs so. `exact`: marks stand where the page has them; engines that read pixels have put
    them right already.
    """
    kinds = [_word_kind(text) for text in texts]
    if "R" not in kinds:
        return list(enumerate(texts))
    ordered: list[tuple[int, str]] = []
    if not leftwards:
        for start, end in _stretches(kinds, "R"):
            ordered += reversed(list(enumerate(texts[start:end], start)))
        return ordered
    for start, end in reversed(_stretches(kinds, "L")):
        words = list(texts[start:end])
        if exact and kinds[start] != "R":
            words = _marks_moved(words)
        ordered += enumerate(words, start)
    return _brackets_turned(_numbers_after_arabic(ordered)) if exact else ordered


def _marks_moved(words: list[str]) -> list[str]:
    """Words that run to the right in a text that runs to the left: what stands left of them comes after them."""
    before, after = _LEADING.match(words[0]), _TRAILING.search(words[-1])
    left, right = before[0] if before else "", after[0] if after else ""
    if len(left) == len(words[0]) or len(right) == len(words[-1]):
        return words  # marks alone
    words[0] = words[0][len(left) :]
    words[-1] = words[-1][: len(words[-1]) - len(right)] + left[::-1]
    words[0] = right[::-1] + words[0]
    return words


def _numbers_after_arabic(words: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Numbers parted by dashes run to the left as wholes where the last letter before them is Arabic."""
    found: list[tuple[int, str]] = []
    arabic = False
    for index, text in words:
        digits = _PARTED_NUMBER.fullmatch(text)
        found.append((index, "".join(reversed(_PARTS.findall(text))) if arabic and digits else text))
        strong = [kind for kind in map(unicodedata.bidirectional, text) if kind in ("L", "R", "AL")]
        arabic = strong[-1] == "AL" if strong else arabic
    return found


def _brackets_turned(words: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Brackets are stored as they are meant or as they look; where closing ones come first they are as they look."""
    first = _BRACKET.search(" ".join(text for _, text in words))
    if first is None or first[0] in "([{<«":
        return words
    return [(index, text.translate(_TURNED)) for index, text in words]


def _stretches(kinds: Sequence[str], kind: str) -> list[tuple[int, int]]:
    """The line cut up: stretches that begin with a word of a kind and hold none of the opposite one, and single words."""
    opposite = "R" if kind == "L" else "L"
    stretches: list[tuple[int, int]] = []
    at = 0
    while at < len(kinds):
        end = at + 1
        if kinds[at] == kind:
            last = at
            while end < len(kinds) and kinds[end] != opposite:
                if kinds[end] == kind or (kind == "L" and kinds[end] == "E"):
                    last = end
                end += 1
            end = last + 1
        stretches.append((at, end))
        at = end
    return stretches


def _kind(part: str) -> str:
    """`R` to the left, `L` to the right, `E` a number, `M` a mark that goes with its neighbours."""
    kinds = {unicodedata.bidirectional(char) for char in part}
    if kinds & {"R", "AL"}:
        return "R"
    if "L" in kinds:
        return "L"
    if kinds & {"EN", "AN"}:
        return "E"
    return "R" if kinds <= {"NSM"} else "M"


def _word_kind(text: str) -> str:
    kinds = [_kind(char) for char in text]
    return next((kind for kind in ("R", "L", "E") if kind in kinds), "M")


def _settle_marks(kinds: list[str]) -> None:
    """Marks between Latin letters or digits belong to them, all others to the text around."""
    at = 0
    while at < len(kinds):
        end = at
        while end < len(kinds) and kinds[end] == "M":
            end += 1
        if end > at:
            between = at > 0 and end < len(kinds) and kinds[at - 1] in "LE" and kinds[end] in "LE"
            kinds[at:end] = ["L" if between else "R"] * (end - at)
        at = max(end, at + 1)
    kinds[:] = ["L" if kind == "E" else kind for kind in kinds]
