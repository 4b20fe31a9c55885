"""Others: what a document says of somebody other than its person, such as an emergency contact, a manager, the agency.

A word for such a somebody (`words/<language>/others.txt`) claims what follows on its line, and where no contact data follow
there, the short block below it; in a table the cell beside it or, as the head of a column, the cells below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from weakref import WeakKeyDictionary

from ingest.fields.document import Document, Row
from ingest.fields.heading_wording import wording
from ingest.fields.labels import labelled
from ingest.fields.persons import read_person
from ingest.fields.words import fold, phrases_for

OF_ANOTHER = 0.6
"""Confidence that a value loses by it: below what the quality gate takes for known."""
_BLOCK = 3
"""Lines below such a word that may still speak of the same somebody."""
_APART = 0.8
"""White space, in heights of the line, that ends a block."""
_BRACKETS = r"(?:\s?[(（][^()（）]{0,40}[)）])?"
_BRACKETED = re.compile(r"\s?[,，(（]")
_FOLLOWED = {
    "contact": r"(?!\s?(?:cent(?:er|re)|call))",
    "family": rf"(?=\s?{_BRACKETS}\s?[:：,，)）(（+\d–—-])",
    "role": rf"(?={_BRACKETS}\s?[:：])",
    "letter": r"(?=\s?[:：])",
    "own": r"(?=\s?[:：])",
}
_KINDS = {"@": re.compile(r"\S@\S"), "0": re.compile(r"\d(?:[\s().-]{0,2}\d){6}")}
_ABOUT = frozenset({"name", "phone", "email", "link", "messenger"})
"""Labels of what may be said of the somebody; any other speaks of the person again."""
_CACHE: WeakKeyDictionary[Document, Mapping[int, tuple[int, int]]] = WeakKeyDictionary()


def of_another(document: Document, part: Row) -> bool:
    """Whether a part of a row speaks of somebody other than the document's person."""
    row = document.rows[part.index]
    start = max(row.text.find(part.text), 0)
    claimed = _claims(document).get(row.index)
    if claimed is not None and claimed[0] <= start < claimed[1]:
        return True
    return _behind().match(fold(row.text[start + len(part.text) :])) is not None


def _claims(document: Document) -> Mapping[int, tuple[int, int]]:
    """Row index → from where to where its text is somebody else's; found once per document."""
    found = _CACHE.get(document)
    if found is None:
        result: dict[int, tuple[int, int]] = {}
        for row in document.rows:
            opened = _opened(row.text)
            if opened is None:
                continue
            word, start, end = opened
            result[row.index] = (word, end)
            rest = row.text[start:end].strip(" :：")
            if end == len(row.text) and _goes_on(row.text[:start], rest):
                alone = not rest
                for below in _cells(document, row) if row.line.cell is not None else _block(document, row, alone=alone):
                    result.setdefault(below.index, (0, len(below.text)))
        found = _CACHE[document] = result
    return found


def _opened(text: str) -> tuple[int, int, int] | None:
    """Where the word for somebody else begins and ends on a line, and how far the line speaks of them: to its end or to a word
    for the person.
    """
    folded = fold(text)
    found = _words().search(folded)
    if found is None:
        return None
    own = _own().search(folded, found.end())
    return found.start(), found.end(), own.start() if own is not None else len(text)


def _goes_on(word: str, rest: str) -> bool:
    """Whether the lines below may say more of the somebody: nothing but a name stands beside the word.

    Families are listed with names and trades, and the person's own data follow.
    """
    if any(kind.search(rest) for kind in _KINDS.values()):
        return False
    if not rest or _letter().match(fold(word)):
        return True
    listed = re.search(rf"{_any_of('family')}$", fold(word)) is not None
    return not listed and read_person(_BRACKETED.split(rest)[0]) is not None


def _block(document: Document, row: Row, *, alone: bool) -> Iterator[Row]:
    """The lines below a word for somebody, until one sets in anew, speaks of something else, or says again what is said."""
    said: set[str] = set()
    labels = {found.row.index: found.key for found in labelled(document) if found.inline}
    for below in document.rows[row.index + 1 : row.index + 1 + _BLOCK]:
        kinds = {name for name, kind in _KINDS.items() if kind.search(below.text)}
        key = labels.get(below.index)
        other = key is not None and (key not in _ABOUT or (key == "name" and not alone))
        apart = below.page is not row.page or below.line.block != row.line.block or below.line.gap >= _APART
        if apart or other or kinds & said or wording(below.text) is not None or _own().match(fold(below.text)):
            return
        said |= kinds
        yield below


def _cells(document: Document, row: Row) -> Iterator[Row]:
    """The cell beside a word for somebody, and those below it where it heads a column."""
    cell = row.line.cell
    for other in document.rows[row.index + 1 :]:
        beside = other.line.cell
        if cell is None or beside is None or beside.table != cell.table:
            return
        right = cell.column == 0 and (beside.row, beside.column) == (cell.row, 1)
        under = cell.row == 0 and cell.column > 0 and beside.column == cell.column
        if right or under:
            yield other


# -- words --------------------------------------------------------------------------------------------------------


def _any_of(kind: str) -> str:
    found = sorted(phrases_for("others", kind), key=len, reverse=True)
    texts = (re.escape(phrase) + ("" if phrase[-1] >= "\u3400" else r"(?![^\W_])") for phrase in found)
    return f"(?:{'|'.join(texts)})"


@cache
def _words() -> re.Pattern[str]:
    alone = "|".join(_any_of(kind) + _FOLLOWED[kind] for kind in ("contact", "family"))
    # A title before the word makes it the person's own: `Project manager: …`.
    role = rf"(?:^|[^\w\s]\s?){_any_of('role')}{_FOLLOWED['role']}"
    return re.compile(rf"(?<![A-Za-z\u0400-\u04ff])(?:{alone})|{role}|^{_any_of('letter')}{_FOLLOWED['letter']}")


@cache
def _letter() -> re.Pattern[str]:
    return re.compile(rf"{_any_of('letter')}$")


@cache
def _own() -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z\u0400-\u04ff]){_any_of('own')}{_FOLLOWED['own']}")


@cache
def _behind() -> re.Pattern[str]:
    """`07700 900123 (wife)`, `… – мама`."""
    return re.compile(rf"\s?(?:[(（]|[–—-]\s)\s?(?:{_any_of('contact')}|{_any_of('family')})")
