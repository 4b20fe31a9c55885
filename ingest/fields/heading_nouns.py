"""Heading nouns: what a heading says whose wording no list has, told by the noun it is built on.

`Research appointments` is about work whether or not anybody has written it down. That such a line is a heading at all is for its
typography to say: see `headings`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from ingest.fields.words import fold, keys

_WORDS, _HAN_LETTERS = 7, 10
"""Longer lines are sentences or titles."""
_HAN = re.compile(r"[㐀-鿿]")
_TOKEN = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_SENTENCE = re.compile(r"[\d@;|?!。；？！]|[^.]\.\s|[,，]\s*$")
_BRACKETS = re.compile(r"\s*[(（][^()（）]*[)）]\s*")
_PREPOSITION = frozenset({"of", "with", "in", "for", "at", "to", "from", "by", "on", "during", "since"})
_PAST = re.compile(r"^(?:[a-z]{3,}ed|held|known|taken|undertaken|spoken|written)$")
_CLAUSES = (
    (r"where i(?:'ve| have|'m| am)?(?: been)? (?:studied|learn\w*|trained|studying|graduated|went to \w+)", "education"),
    (r"where i(?:'ve| have|'m| am)?(?: been)? (?:[a-z]+(?:ed|ing)|taught|work)", "work"),
    (r"(?:places|companies|people|firms) (?:that |where )?i(?:'ve| have)? worked(?: for| at| with)?", "work"),
    (r"(?:things|stuff) (?:that )?i(?:'ve| have)? (?:built|made|created|shipped)", "projects"),
    (r"(?:things|tech|tools|technologies|software) (?:that )?i(?:'m good at| am good at| know| use| work with)", "skills"),
    (r"(?:things|what) i (?:love|enjoy|like)", "interests"),
    (r"what i(?:'ve| have)? (?:built|made|created|shipped)", "projects"),
    (r"what i(?:'ve| have)? (?:studied|learn\w*)", "education"),
    (r"what i do", "summary"),
    (r"(?:what )?i (?:can|know|use|offer|bring|work with)(?: \w+){0,3}", "skills"),
    (r"(?:what )?i(?:'m| am) (?:good|great) at", "skills"),
    (r"(?:what )?i(?:'m| am) looking for", "objective"),
    (r"где (?:я )?(?:уч\w+|обуч\w+)(?: \w+)?", "education"),
    (r"где (?:я )?(?:работа\w*|труди\w+|служи\w+|стажир\w+)(?: \w+)?", "work"),
    (r"(?:что )?(?:я )?(?:умею|знаю|могу|владею)(?: \w+){0,2}", "skills"),
    (r"чем (?:я )?(?:владею|пользуюсь)", "skills"),
    (r"(?:чем (?:я )?занимал\w+|работал[а]?|трудил\w+)", "work"),
    (r"чем (?:я )?увлекаюсь", "interests"),
    (r"что (?:я )?(?:за|о)кончил[а]?", "education"),
    (r"что (?:я )?(?:сделал|создал|построил)[а]?", "projects"),
    (r"(?:на каких языках )?говорю(?: на)?", "languages"),
    (r"(?:我)?(?:做过|干过|待过|任职过|工作过|服务过|合作过)的[㐀-鿿]{1,8}", "work"),
    (r"(?:我的)?(?:会用|擅长|精通|掌握|熟练使用)(?:的\w{1,4})?", "skills"),
)
"""Headings that are clauses: `Where I have worked`, «Что умею»."""


class _Nouns(NamedTuple):
    strong: dict[str, str]
    weak: dict[str, str]
    """Kind or nothing."""
    about: tuple[tuple[str, str], ...]
    """Beginnings of words and the kind they point to."""


@cache
def _nouns(language: str) -> _Nouns:
    strong: dict[str, str] = {}
    weak: dict[str, str] = {}
    about: list[tuple[str, str]] = []
    for noun, key in keys("heading_nouns", language).items():
        if noun.endswith("*"):
            about.append((noun[:-1], key))
        elif key.startswith("weak"):
            weak[noun] = key.removeprefix("weak").strip()
        else:
            strong[noun] = key
    return _Nouns(strong, weak, tuple(sorted(about, key=lambda found: -len(found[0]))))


@cache
def noun_kind(text: str) -> str | None:
    """The kind of section a line would head by its noun, if it is a heading; None for lines without such a noun."""
    folded = fold(text).strip(" :-–—*#[]【】")
    if _SENTENCE.search(folded):
        return None
    folded = _BRACKETS.sub(" ", folded).strip()
    for pattern, kind in _CLAUSES:
        if re.fullmatch(pattern, folded):
            return kind
    if _HAN.search(folded):
        return _han_kind(folded)
    tokens = _TOKEN.findall(folded)
    if not 1 <= len(tokens) <= _WORDS or "," in folded:
        return None
    if any(char > "\u02ff" for char in folded if char.isalpha()):
        return _russian_kind(tokens)
    return _english_kind(tokens)


def _english_kind(tokens: Sequence[str]) -> str | None:
    head = list(tokens)
    for index, token in enumerate(tokens):
        if token in _PREPOSITION:
            head = list(tokens[:index])
            break
    while len(head) > 1 and _PAST.match(head[-1]):
        head.pop()
    if not head or len(head) > 4:
        return None
    nouns = _nouns("en")
    return _decide(head[-1], [token for token in tokens if token != head[-1]], nouns)


def _russian_kind(tokens: Sequence[str]) -> str | None:
    nouns = _nouns("ru")
    for index, token in enumerate(tokens[:3]):
        if token in nouns.strong or token in nouns.weak:
            return _decide(token, [*tokens[:index], *tokens[index + 1 :]], nouns)
    return None


def _han_kind(text: str) -> str | None:
    nouns = _nouns("zh")
    bare = re.sub(r"\s", "", text).removeprefix("我的")
    if not bare or len(bare) > _HAN_LETTERS or any(not _HAN.match(char) for char in bare):
        return None
    for size in range(min(4, len(bare)), 1, -1):
        end, rest = bare[-size:], bare[:-size]
        if end in nouns.strong:
            return nouns.strong[end]
        if end in nouns.weak:
            return _weak(nouns.weak[end], _about(rest, nouns))
    return None


def _decide(noun: str, others: Sequence[str], nouns: _Nouns) -> str | None:
    if noun in nouns.strong:
        return nouns.strong[noun]
    if noun not in nouns.weak:
        return None
    found = [kind for token in others if (kind := nouns.strong.get(token) or _begins(token, nouns))]
    return _weak(nouns.weak[noun], found)


def _weak(own: str, about: Sequence[str]) -> str | None:
    """What a weak noun heads: abilities are skills unless they are in languages, the rest is what it is about."""
    if own == "skills":
        return "languages" if "languages" in about else own
    return about[0] if about else own or None


def _begins(token: str, nouns: _Nouns) -> str | None:
    return next((kind for start, kind in nouns.about if token.startswith(start)), None)


def _about(rest: str, nouns: _Nouns) -> list[str]:
    """What the words before a Chinese noun are about, the last of them first."""
    found = [(rest.rfind(word), len(word), kind) for word, kind in (*nouns.strong.items(), *nouns.about) if word in rest]
    return [kind for *_, kind in sorted(found, reverse=True)]
