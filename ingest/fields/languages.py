"""Spoken languages and how well the person speaks them. Programming languages are skills."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from ingest.fields.document import Document, Row
from ingest.fields.draft import Draft, Value
from ingest.fields.headings import wording
from ingest.fields.items import Item, form_rows, items
from ingest.fields.sections import sections
from ingest.fields.segments import segments
from ingest.fields.skills import is_spoken
from ingest.fields.spans import clip, value_of
from ingest.fields.words import fold, phrases
from ingest.fields.zone import Zone, zones
from resumes.profile import SpokenLanguage

_HAN = re.compile(r"[\u3400-\u9fff]")
_EDGES = " ,;:-–—()[]（）|/•·*."
_LONGEST, _LONGEST_LINE = 60, 100
_SURE, _LIKELY = 0.95, 0.75


@dataclass(frozen=True, slots=True)
class _Found:
    language: str
    fluency: str
    parts: tuple[Row, ...]
    fluency_parts: tuple[Row, ...]
    score: float


def find(document: Document, draft: Draft) -> None:
    """Fill `languages`."""
    seen: set[str] = set()
    for found in _found(document):
        if fold(found.language) in seen:
            continue
        seen.add(fold(found.language))
        path = f"languages[{len(draft.profile.languages)}]"
        draft.profile.languages.append(SpokenLanguage(language=found.language, fluency=found.fluency or None))
        draft.note(f"{path}.language", _value(found.language, found.score, found.parts))
        if found.fluency:
            draft.note(f"{path}.fluency", _value(found.fluency, found.score - 0.05, found.fluency_parts))


def _value(text: str, score: float, parts: tuple[Row, ...]) -> Value:
    return value_of(text, score, *parts)


def _found(document: Document) -> list[_Found]:
    result: list[_Found] = []
    for item, listed in _listed(document):
        spoken = list(_spoken(item, listed=listed))
        if spoken:
            result += spoken
        elif result and not result[-1].fluency and _is_level(item.text):
            last = result[-1]
            result[-1] = _Found(last.language, item.text.strip(_EDGES), last.parts, item.parts, last.score)
    return result


def _listed(document: Document) -> Iterator[tuple[Item, bool]]:
    """Items that may name languages, and whether they stand in a list of languages."""
    for section in sections(document):
        if section.kind == "languages":
            yield from ((item, True) for item in items(document, section.rows, grouped=False) if item.kind in ("", "languages"))
        elif section.kind == "skills":
            for item in items(document, section.rows):
                if item.kind == "languages" or wording(item.group) == "languages" or is_spoken(item):
                    yield item, item.kind == "languages"
    place = zones(document)
    rows = [row for row in form_rows(document, "languages") if place[row.index] is not Zone.REFERENCES]
    yield from ((item, True) for item in items(document, rows, grouped=False))
    for row in document.rows:
        if place[row.index] is Zone.OWN:
            yield from _only_languages(document, row)


def _only_languages(document: Document, row: Row) -> Iterator[tuple[Item, bool]]:
    """`English, German`, `Русский – родной`: a line of nothing but languages, more than one or with a level."""
    if len(row.text) > _LONGEST_LINE or _names().search(fold(row.text)) is None:
        return
    for part in (row, *segments(row)):
        found = items(document, [part])
        if (
            found
            and all(is_spoken(item) for item in found)
            and (len(found) > 1 or fold(found[0].text) not in phrases("languages"))
        ):
            yield from ((item, True) for item in found)
            return


def _spoken(item: Item, *, listed: bool) -> Iterator[_Found]:
    text = item.text
    if len(text) > 160:
        return
    matches = list(_names().finditer(fold(text))) if len(fold(text)) == len(text) else []
    for number, match in enumerate(matches):
        stop = matches[number + 1].start() if number + 1 < len(matches) else len(text)
        name = text[match.start() : match.end()]
        fluency = text[match.end() : stop].strip(_EDGES)
        if not listed and match.start() > 0 and not is_spoken(item):
            continue
        fluency = re.sub(r"^(?:language|язык|语言)\b\s*", "", fluency, flags=re.IGNORECASE).strip(_EDGES)
        before = text[: match.start()].strip(_EDGES) if number == 0 else ""
        if not fluency and before and _is_level(before):
            fluency = before
        if len(fluency) > _LONGEST:
            fluency = ""
        yield _Found(name, fluency, _part(item, name), _part(item, fluency), _SURE)
    if not matches and listed:
        # Not on the list: one or two capitalised words with a level behind them, in a list of languages.
        head, _, tail = re.sub(r"[(:（—–]|\s-\s", "\n", text, count=1).partition("\n")
        name = head.strip(_EDGES)
        named = name[:1].isupper() and len(name.split()) <= 2 and name.isascii() is not None and name.replace(" ", "").isalpha()
        if named and tail and _is_level(tail) and not _is_level(name):
            yield _Found(name, tail.strip(_EDGES), _part(item, name), _part(item, tail.strip(_EDGES)), _LIKELY)


def _part(item: Item, text: str) -> tuple[Row, ...]:
    """The piece of the item's line that says `text`; the whole item where it spans lines."""
    if len(item.parts) == 1 and text and (at := item.parts[0].text.find(text)) >= 0:
        return (clip(item.parts[0], at, at + len(text)),)
    return item.parts


@cache
def _names() -> re.Pattern[str]:
    """Any known language, longest first; alphabetic ones as whole words, Russian ones in any case ending."""
    known = sorted(phrases("languages"), key=lambda name: (-len(name), name))
    han = [re.escape(name) for name in known if _HAN.search(name)]
    other = [re.escape(name) for name in known if not _HAN.search(name)]
    return re.compile(rf"(?:{'|'.join(han)})|(?<!\w)(?:{'|'.join(other)})(?!\w)")


def _is_level(text: str) -> bool:
    folded = fold(text).strip(_EDGES)
    if folded in phrases("levels"):
        return True
    words = [word for word in re.split(r"[\s,;/()+-]+", folded) if word]
    known = sum(word in phrases("levels") or any(char.isdigit() for char in word) for word in words)
    return bool(words) and known * 2 >= len(words)
