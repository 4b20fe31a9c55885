"""Spans: pieces of lines, the evidence they make, and where a piece that a narrow column has broken goes on."""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakKeyDictionary

from ingest.fields.document import Document, Row, normalise
from ingest.fields.draft import Value
from ingest.fields.segments import cut, segments
from ingest.page import Box, Word, join_words

# In heights of the line: how far below the next line of a paragraph begins, and how far its edge may be off.
_NEXT_LINE = 1.3
_ALIGNED = 0.6
_REACH = 6
"""Lines looked at for the one below: columns side by side are read in turns."""
_A4_WIDTH, _A4_HEIGHT = 595.0, 842.0


def clip(row: Row, start: int, end: int) -> Row:
    """The part of a row from `start` to `end` of its text, with its words; a word only partly inside is cut to that part."""
    words: list[Word] = []
    at = 0
    for word in row.line.words:
        text = normalise(word.text)
        while at < len(row.text) and row.text[at] == " ":
            at += 1
        if text and at < end and at + len(text) > start:
            inside = text[max(start - at, 0) : end - at]
            words.append(word if inside == text else replace(word, text=inside, space=word.space and end >= at + len(text)))
        at += len(text)
    return cut(row, tuple(words))


def value_of(value: str, confidence: float, *parts: Row) -> Value:
    """A value with the parts of lines it was read from as its evidence; no surer than its words were read."""
    words = tuple(word for part in parts for word in part.line.words)
    if words:
        confidence *= sum(word.confidence for word in words) / len(words)
    quote = " ".join(join_words(part.line.words).strip() for part in parts)
    return Value(value, confidence, parts[0].page.number, words, quote)


def below(document: Document, row: Row, part: Row) -> Row | None:
    """The text right under `part`, a piece at the end of a segment of `row`: where it goes on if the column broke it.

    With boxes: a segment that stands under it within a line's distance and shares an edge or the middle with it. Without: the
    next line of the same block and cell.
    """
    if part.line.box is None:
        after = document.rows[row.index + 1] if row.index + 1 < len(document.rows) else None
        same = (
            after is not None
            and after.page is row.page
            and after.line.block == row.line.block
            and after.line.cell == row.line.cell
        )
        return segments(after)[0] if after is not None and same else None
    around = next((segment for segment in segments(row) if part.line.words[-1] in segment.line.words), part)
    for after in document.rows[row.index + 1 : row.index + 1 + _REACH]:
        if after.page is not row.page:
            return None
        for segment in segments(after):
            if any(_stands_under(upper, segment) for upper in (part, around, row)):
                return segment
    return None


def _stands_under(upper: Row, lower: Row) -> bool:
    one, two = upper.line.box, lower.line.box
    if one is None or two is None:
        return False
    height = max(one.height, 1e-4)
    if not 0.3 * height < two.y0 - one.y0 < (1 + _NEXT_LINE) * height:
        return False
    page = upper.page
    slack = _ALIGNED * height * (page.height or _A4_HEIGHT) / (page.width or _A4_WIDTH)
    middle = abs((one.x0 + one.x1) - (two.x0 + two.x1)) / 2
    return min(abs(one.x0 - two.x0), abs(one.x1 - two.x1), middle) <= slack or (two.x0 >= one.x0 - slack and two.x1 <= one.x1)


def fills_column(document: Document, part: Row, more: str) -> bool:
    """Whether `part` reaches so far right that `more` would not have fitted behind it; true where there are no boxes."""
    box = part.line.box
    if box is None:
        return True
    column = columns(document).get((part.page.number, part.line.block))
    letter = box.width / max(len(part.text), 1)
    return column is None or box.x1 + letter * len(more) * 0.9 > column.x1


_CACHE: WeakKeyDictionary[Document, dict[tuple[int, int], Box]] = WeakKeyDictionary()


def columns(document: Document) -> dict[tuple[int, int], Box]:
    """The box around each block, by page number and block; found once per document."""
    found = _CACHE.get(document)
    if found is None:
        found = _CACHE[document] = {}
        for row in document.rows:
            if (box := row.line.box) is not None:
                key = (row.page.number, row.line.block)
                found[key] = box.union(found.get(key, box))
    return found
