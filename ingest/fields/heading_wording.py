"""Heading wording: what kind of section a line heads by its words, from the lists of headings and by the nouns in it."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from ingest.fields.entry_labels import label_of
from ingest.fields.heading_nouns import noun_kind
from ingest.fields.words import keys, simplified

LONGEST = 60
"""Characters; longer lines are sentences."""
_SKILLS = "skills"
_MIXED = frozenset({_SKILLS, "certificates", "languages", "interests", "other"})
"""Kinds that a section of skills takes in where its heading names both: `Tickets & Skills`."""

_DECORATION = re.compile(r"^(?:[^\w]|_)+|(?:[^\w)]|_)+$")
NUMBERING = re.compile(
    r"^(?:[(\[【<〔]?(?:\d{1,2}|[一二三四五六七八九十壹贰叁肆伍陆柒捌]{1,3})[.、)．:\]】>〕]\s*|[IVX]{1,4}\.\s+"
    r"|[①-⑳❶-❿➀-➓]\s*|[一二三四五六七八九十]{1,3}\s+|第[一二三四五六七八九十]{1,2}(?:部分|章|节|项)\s*|(?:part|часть|раздел)\s+(?:\d|[IVX]{1,3})[.:]?\s+)",
    re.IGNORECASE,
)
_LENGTH = re.compile(
    r"\s*[-–—:(,]?\s*\(?(?:(?:около|более|свыше|over|about|total|总共|共|约)\s*:?\s*)?\d[\d.,+\s]{0,6}"
    r"(?:years?|yrs?|months?|лет|год[а]?|г\.|мес[а-яё.]*|年|个月).{0,30}$",
    re.IGNORECASE,
)
_CONTINUED = re.compile(r"\s*\(?\s*(?:continued|cont['’]?d?\.?|продолжение|续)\s*\)?$", re.IGNORECASE)
JOINTS = re.compile(r"\s*(?:[/&|,+·•]|\band\b|\bи\b|[与和及、])\s*", re.IGNORECASE)
_REMARK = re.compile(r"\s*[(（][^()（）]{1,24}[)）]$")
"""`工作经历(从大学起)`: what brackets say about the list."""
_COUNTED = re.compile(r"(?<=[^\W\d_])\s?(?:№|#|no\.)?\s?\d{1,2}$", re.IGNORECASE)
_ENTRIES = {"employer": "work", "position": "work", "institution": "education"}
"""What a label with a number heads where it stands alone: `Место работы 1`, `Employer 2`."""
_SCRIPTS = re.compile(r"[㐀-鿿][㐀-鿿\s]*|[A-Za-z][A-Za-z\s&/'.,-]*")
_DIGIT = re.compile(r"\d")
_NOT_LETTERS = re.compile(r"[\W_]+")
_HAN = re.compile(r"[㐀-鿿]")
# Words that may stand before the noun of a heading without changing what it is.
_MODIFIERS = re.compile(
    r"^(?:my|relevant|selected|key|core|main|additional|other|further|recent|professional|personal|relevant|general|major|full|brief|"
    r"мо[йия]|основн\w+|ключев\w+|дополнительн\w+|профессиональн\w+|прочи[ей]|друг[иа][ея]|кратк\w+|"
    r"主要|个人|其他|其它|相关|我的|本人|部分)\s*",
    re.IGNORECASE,
)


def squeeze(text: str) -> str:
    """Letters and digits only, case folded: the same for `E X P E R I E N C E`, `Experience:` and `experience`."""
    return _NOT_LETTERS.sub("", simplified(text).casefold().replace("ё", "е"))


@cache
def _known() -> dict[str, str]:
    return {squeeze(phrase): kind for phrase, kind in reversed(list(keys("headings").items()))}


@lru_cache(maxsize=4096)  # most fields ask for the same lines
def wording(text: str) -> str | None:
    """The kind a heading of this wording has, with a `?` where wording alone is not enough; None for other text."""
    if not text or len(text) > LONGEST:
        return None
    bare = bare_heading(text)
    if (counted := _COUNTED.search(bare)) is not None:
        bare = bare[: counted.start()]
        if (entry := _ENTRIES.get(label_of(bare) or "")) is not None:
            return entry
    if not bare or any(char.isdigit() for char in bare):
        return None
    whole = _lookup(bare) or _composite(bare) or _bilingual(bare)
    if whole is None and (remark := _REMARK.search(bare)) is not None:
        whole = _lookup(bare[: remark.start()])
    return whole


def bare_heading(text: str) -> str:
    """The words of a heading without numbers, marks, lengths of time and the like around them."""
    bare = _LENGTH.sub("", text) if _DIGIT.search(text) else text
    bare = _CONTINUED.sub("", bare)
    if numbered := NUMBERING.match(bare):  # before its brackets are taken for decoration
        bare = bare[numbered.end() :]
    bare = _DECORATION.sub("", bare)
    return _DECORATION.sub("", NUMBERING.sub("", bare))


def guess(text: str) -> str | None:
    """The kind a line would have as a heading by the nouns in it, where no list knows its wording."""
    if not text or len(text) > LONGEST:
        return None
    bare = bare_heading(text)
    kind = noun_kind(bare)
    if kind is not None:
        return kind
    parts = [part for part in JOINTS.split(bare) if part]
    kinds = [(_lookup(part) or "").rstrip("?") or noun_kind(part) for part in parts]
    if len(kinds) < 2 or None in kinds:
        return None
    return _SKILLS if _SKILLS in kinds and set(kinds) <= _MIXED else kinds[0]


def _lookup(text: str) -> str | None:
    key = squeeze(text)
    kind = _known().get(key)
    if kind is None and (shorter := _MODIFIERS.sub("", text)) != text and shorter:
        kind = _known().get(squeeze(shorter))
    return kind


def _composite(text: str) -> str | None:
    """`Education & Training`, `Навыки и технологии`: every part is a heading, the first says the kind."""
    parts = [part for part in JOINTS.split(text) if part]
    kinds = [_lookup(part) for part in parts]
    if len(kinds) < 2 or None in kinds:
        return None
    if _SKILLS in kinds and (kinds[0] == "languages" or set(kinds) <= _MIXED):  # a list of skills may hold others too
        return _SKILLS
    if set(kinds) == {"projects", "work"}:
        return "work"
    return next((kind for kind in kinds if kind and not kind.endswith("?")), kinds[0])


def _bilingual(text: str) -> str | None:
    """`工作经历 Work Experience`: the same heading in two languages."""
    if not _HAN.search(text) or re.search(r"[:：]\s*\S", text):
        return None
    parts = [part.strip() for part in _SCRIPTS.findall(text)]
    if len(parts) != 2:
        return None
    first, second = (_lookup(part) or _composite(part) for part in parts)
    han = first if _HAN.search(parts[0]) else second
    return han if first and second else (first or second if han and len(text) <= 40 else None)
