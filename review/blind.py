"""Blind review: what would tell who a person is stays covered until the decision, in picture, text and form alike. Pure.

Covered are name, gender, age, birth and origin wherever they stand: by the evidence of the name, by the labels of the rules
(`ingest.fields.labels`), by words that say nothing else. A picture shows the words that are left and nothing more, so
neither a photo nor a stamp comes through, whether it is part of a scan or not.
"""

from __future__ import annotations

import datetime as dt
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from PIL import Image

from ingest.fields.document import Document, normalise
from ingest.fields.draft import Hints
from ingest.fields.labels import labelled
from ingest.fields.words import fold
from ingest.page import Line, Page, Reading, Word
from resumes.profile import leaf_paths, path_parts, value_at

COVER = "▮▮▮"
_LABELS = frozenset({"name", "given", "family", "alias", "gender", "age", "birth", "nationality", "id"})
_GENDER = re.compile(r"^(?:male|female|man|woman|男|女|男性|女性|муж(?:ской|чина)?|жен(?:ский|щина)?)$")
_AGE = re.compile(r"^\d{2}(?:岁|周岁|y/?o)$")
_YEARS_OLD = re.compile(r"(?:\d{2}\s*years?\s+old|\d{2}\s*岁)")
_LETTERS = re.compile(r"[^\W\d_]+")
_HAN = re.compile(r"[㐀-鿿]")
_SHORT_LINE = 16
_ROOM = 0.002

Place = tuple[int, int, int]
"""Page, line and word, each counted from 0."""


@dataclass(frozen=True, slots=True)
class Covered:
    """What of a resume is covered."""

    names: frozenset[str]
    """The parts of the person's name, folded."""
    words: frozenset[Place]

    def tells(self, text: str) -> bool:
        """Whether a value holds a part of the name; an address does where it is made of one."""
        folded = fold(text)
        parts = _LETTERS.findall(folded)
        return any(name in folded if len(name) > 3 or _HAN.search(name) else name in parts for name in self.names)

    def without(self, text: str) -> str:
        """A text with the words that tell the name covered."""
        return " ".join(COVER if self.tells(word) else word for word in text.split(" "))


def cover(reading: Reading, profile: Mapping[str, Any]) -> Covered:
    """Find what is to be covered."""
    name = str(value_at(profile, "basics.name") or "")
    names = frozenset(part for part in _LETTERS.findall(fold(name)) if len(part) > 1) | ({fold(name)} if name else set())
    bare = Covered(frozenset(names), frozenset())
    places = set(_labelled(reading))
    for at_page, page in enumerate(reading.pages):
        for at_line, line in enumerate(page.lines):
            places |= {(at_page, at_line, at) for at in _in_line(line, bare)}
    return Covered(bare.names, frozenset(places))


def _labelled(reading: Reading) -> Iterator[Place]:
    document = Document(reading.pages, Hints(as_of=dt.date(2000, 1, 1)))
    at = [
        (at_page, at_line)
        for at_page, page in enumerate(reading.pages)
        for at_line, line in enumerate(page.lines)
        if normalise(line.text)
    ]
    for found in labelled(document):
        if found.key not in _LABELS:
            continue
        value, (at_page, at_line) = found.row, at[found.row.index]
        box = value.line.box
        for number, word in enumerate(reading.pages[at_page].lines[at_line].words):
            if _within(word, box) if box and word.box else normalise(word.text) and normalise(word.text) in value.text:
                yield at_page, at_line, number


def _within(word: Word, box: Any) -> bool:
    """Whether a word overlaps a box by more than touching it: a word that holds label and value is covered whole."""
    own = word.box
    if own is None:
        return False
    return bool(min(own.x1, box.x1) - max(own.x0, box.x0) > _ROOM and min(own.y1, box.y1) - max(own.y0, box.y0) > 0)


def _in_line(line: Line, names: Covered) -> Iterator[int]:
    folded = [fold(word.text).strip(" ,.;:|/()·•") for word in line.words]
    personal = len(line.words) <= _SHORT_LINE and any(_GENDER.match(text) for text in folded)
    ages = personal or bool(_YEARS_OLD.search(fold(line.text)))
    for number, (word, text) in enumerate(zip(line.words, folded, strict=True)):
        says_age = _AGE.match(text) or (ages and any(letter.isdigit() for letter in text))
        if says_age or _GENDER.match(text) or names.tells(word.text):
            yield number
    yield from _run_of(line, (name for name in names.names if _HAN.search(name)))


def _run_of(line: Line, names: Iterable[str]) -> Iterator[int]:
    """Words that spell a name together: the characters of a Chinese name may stand apart, or run on into what follows."""
    starts, text = [], ""
    for word in line.words:
        starts.append(len(text))
        text += fold(word.text).replace(" ", "")
    for name in names:
        wanted = name.replace(" ", "")
        at = text.find(wanted) if len(wanted) > 1 else -1
        while at >= 0:
            for number, start in enumerate(starts):
                end = starts[number + 1] if number + 1 < len(starts) else len(text)
                if start < at + len(wanted) and end > at:
                    yield number
            at = text.find(wanted, at + 1)


def mask_pages(pages: list[dict[str, Any]], covered: Covered) -> list[dict[str, Any]]:
    """The pages of `review.originals.pages` with the covered words' texts gone; their places stay."""
    for at_page, page in enumerate(pages):
        for at_line, line in enumerate(page["lines"]):
            for at_word, word in enumerate(line["words"]):
                if (at_page, at_line, at_word) in covered.words:
                    word[0] = COVER
    return pages


def mask_form(data: dict[str, Any], covered: Covered) -> dict[str, Any]:
    """What the page's script is given, without the values that tell the name; `masked` names their paths."""
    masked = {path for path, value in leaf_paths(data["profile"]) if path == "basics.name" or covered.tells(str(value))}
    for path in masked:
        *way, last = path_parts(path)
        holder = data["profile"]
        for part in way:
            holder = holder[part]
        holder[last] = None if isinstance(last, str) else COVER
    hidden = masked | {"basics.name"}
    return {
        **data,
        "evidence": {
            path: {**place, "quote": ""} if covered.tells(str(place.get("quote", ""))) else place
            for path, place in data["evidence"].items()
            if path not in hidden
        },
        "alternatives": {
            path: [other for other in others if not covered.tells(f"{other.get('value')} {other.get('quote')}")]
            for path, others in data["alternatives"].items()
            if path not in hidden
        },
        "masked": sorted(hidden),
        # Typed before the names were covered: a draft of now holds no covered value.
        "draft": None if any(covered.tells(str(value)) for _, value in leaf_paths(data.get("draft"))) else data.get("draft"),
    }


def mask_picture(png: bytes, page: Page | None, number: int, covered: Covered) -> bytes:
    """A page's picture with nothing on it but the words that are not covered; empty where its words are not known."""
    shown = Image.open(io.BytesIO(png)).convert("RGB")
    sheet = Image.new("RGB", shown.size, "white")
    for at_line, line in enumerate(page.lines if page else ()):
        for at_word, word in enumerate(line.words):
            if word.box is None:
                continue
            left, top, right, bottom = _pixels(word, shown.size)
            if (number, at_line, at_word) in covered.words:
                sheet.paste((40, 48, 56), (left, top, right, bottom))
            else:
                sheet.paste(shown.crop((left, top, right, bottom)), (left, top))
    content = io.BytesIO()
    sheet.save(content, "PNG")
    return content.getvalue()


def _pixels(word: Word, size: tuple[int, int]) -> tuple[int, int, int, int]:
    box, (width, height) = word.box, size
    if box is None:
        raise ValueError("a word without a place")
    return (
        max(0, int((box.x0 - _ROOM) * width)),
        max(0, int((box.y0 - _ROOM) * height)),
        min(width, int((box.x1 + _ROOM) * width) + 1),
        min(height, int((box.y1 + _ROOM) * height) + 1),
    )
