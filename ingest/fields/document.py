"""The document as the rules see it: its lines in order, normalised, with what is computed once and used by many fields."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ingest.fields.draft import Hints
from ingest.fields.markup import is_marked_up, plain, without_leaders
from ingest.page import Line, Page, Word, join_words
from resumes.profile import Language

_HAN = re.compile(r"[㐀-鿿]")
_CYRILLIC = re.compile(r"[Ѐ-ӿ]")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the document with its page and its normalised text."""

    index: int
    """Position in the document, from 0."""
    page: Page
    line: Line
    text: str
    """NFKC, single spaces, without zero-width and direction marks."""
    cuts: list[tuple[Row, ...]] = field(default_factory=list, init=False, compare=False, repr=False)
    """Kept by `segments.segments`: many fields ask for the parts of the same row."""
    looks: list[Any] = field(default_factory=list, init=False, compare=False, repr=False)
    """Kept by `headings.look`, for the same reason."""

    @property
    def segments(self) -> tuple[str, ...]:
        """The text in the parts that stand side by side on the line; readers put a tab, as a word of its own, between them."""
        parts: list[list[Word]] = [[]]
        for word in self.line.words:
            if word.text == "\t":
                parts.append([])
            else:
                parts[-1].append(word)
        texts = (normalise(join_words(part)) for part in parts)
        return tuple(text for text in texts if text)


class Document:
    """Pages, hints, and everything derived from them. Immutable; derived values are computed on first use."""

    def __init__(self, pages: Sequence[Page], hints: Hints) -> None:
        self.pages = tuple(pages)
        self.hints = hints

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Every line with text, in reading order over all pages."""
        return tuple(self._rows())

    @cached_property
    def text(self) -> str:
        return "\n".join(row.text for row in self.rows)

    @cached_property
    def language(self) -> Language:
        """The language most of the text is in; the hint where there is one."""
        return self.hints.language or language_of(self.text)

    def _rows(self) -> Iterator[Row]:
        index = 0
        marked = is_marked_up([line for page in self.pages for line in page.lines])
        for page in self.pages:
            if _is_garbled(page):
                continue
            for printed in page.lines:
                line = without_leaders(plain(printed) if marked else printed)
                text = normalise(line.text)
                if text:
                    yield Row(index, page, line, text)
                    index += 1


_LOST = re.compile(r"\(cid:\d+\)|\?{3,}|[\ufffd\ue000-\uf8ff\U000f0000-\U0010fffd]")
"""Glyphs without a character, and what stands for characters that could not be kept."""
_GARBLED = 0.3
"""Share of a page's characters; bullets and icons of a font's own are far fewer."""


def _is_garbled(page: Page) -> bool:
    """Whether so much of a page's text is lost that the rest says nothing either."""
    text = "".join(line.text for line in page.lines)
    lost = sum(len(match.group()) for match in _LOST.finditer(text))
    return lost > 0 and lost >= _GARBLED * len("".join(text.split()))


def words_at(row: Row, start: int, end: int) -> tuple[Word, ...]:
    """The words that stand at `row.text[start:end]`, for evidence."""
    if start <= 0 and end >= len(row.text):
        return row.line.words
    found: list[Word] = []
    at = 0
    for word in row.line.words:
        text = normalise(word.text)
        at = _skip_space(row.text, at)
        if text and at < end and at + len(text) > start:
            found.append(word)
        at += len(text)
    return tuple(found)


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at] == " ":
        at += 1
    return at


_INVISIBLE = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\U000e0000-\U000e0fff]"
)
"""Of no width and no meaning of their own. The last are tags and variants, by which whole sentences can be hidden in a letter."""
_SPACES = re.compile(r"\s+")


def normalise(text: str) -> str:
    """NFKC with single spaces and without characters nobody can see."""
    if text.isascii():  # most words by far; nothing to compose, nothing invisible
        return " ".join(text.split())
    return _SPACES.sub(" ", _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))).strip()


def language_of(text: str) -> Language:
    """The language by share of letters. A Han character says as much as two to three Latin letters, hence the weight."""
    han, cyrillic, latin = (len(pattern.findall(text)) for pattern in (_HAN, _CYRILLIC, _LATIN))
    if han * 2.5 > max(latin, cyrillic):
        return "zh"
    return "ru" if cyrillic * 1.5 > latin else "en"
