"""Labels: `Phone: …`, `姓名 …`, `Город: …`, and the text that each of them names.

A label and its value stand in one line (`Label: value`, several to a line), beside each other (table cells, a wide gap) or
under each other. Which words are labels, and of what, is `words/<language>/labels.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from weakref import WeakKeyDictionary

from ingest.fields.document import Document, Row, normalise
from ingest.fields.headings import wording
from ingest.fields.segments import segments
from ingest.fields.spans import clip
from ingest.fields.words import fold, keys
from ingest.page import join_words

_HAN = "\u3400-\u9fff"
_SPACED_HAN = re.compile(rf"(?<=[{_HAN}]) (?=[{_HAN}])")
_SPACED_INITIAL = re.compile(r"(?<=\b[^\W\d_]\.) (?=[^\W\d_](?:\.|$))")
"""In `ф. и. о.`, which is written without spaces too."""
_HAN_CHAR = re.compile(rf"[{_HAN}]")
_NOW = re.compile(r"(?:当前|目前|最近|现任|所在)$")
"""What may stand before a label without making another one of it."""
_COLON = re.compile(r"\s?[:：](?!//)\s?")
_WORD_START = re.compile(rf"(?:^|(?<=[\s,;|/·•(]))(?=\S)|(?<=[^{_HAN}])(?=[{_HAN}])|(?<=[{_HAN}])(?=[A-Za-z])")
_EDGES = " \t-–—•·●▪◆■□▶►*|,;、,/()[]【】<>«»"
_OPENING, _CLOSING = " -–—•·●▪◆■□▶►*|,;、,/", " •·●▪◆■□▶►*|,;、,([【<«"
_LONGEST = 40
_COLUMN = 40
"""Lines after a label among which the one beside it is looked for: the columns of a page are read in turns."""
_LEVEL = 0.35
_NEAR = 0.25
"""In heights of the line, how level a value is with its label; as a share of the page's width, how near."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A value with what its label says it is. `row` holds the words of the value only and keeps its line's index."""

    key: str
    label: str
    row: Row
    inline: bool
    """Whether label and value stand in the same line."""


_CACHE: WeakKeyDictionary[Document, tuple[Labelled, ...]] = WeakKeyDictionary()


def labelled(document: Document) -> tuple[Labelled, ...]:
    """Every labelled value of a document in reading order; found once per document."""
    found = _CACHE.get(document)
    if found is None:
        found = _CACHE[document] = tuple(_find(document))
    return found


def label_key(text: str) -> str | None:
    """What a text names if it is a label and nothing else, such as `姓 名：` or `E-mail`; None for other text."""
    bare = _SPACED_INITIAL.sub("", _SPACED_HAN.sub("", fold(text))).strip(_EDGES + ":：. ")
    if not bare or len(bare) > _LONGEST:
        return None
    return _lookup(bare)


@cache
def _known() -> dict[str, str]:
    return {phrase.replace(" ", "") if re.match(rf"[{_HAN}]", phrase) else phrase: key for phrase, key in keys("labels").items()}


def _lookup(bare: str) -> str | None:
    known = _known()
    if (key := known.get(bare)) is not None:
        return key
    if (key := known.get(bare.rstrip("."))) is not None:
        return key
    if re.search(r"[/ (]", bare):
        # `电话 Tel`, `Имя / Name`, `E-mail (личный)`: the parts agree, or the first one says it and the rest is its translation.
        parts = [part.strip(_EDGES) for part in re.split(rf"\s*[/(|]\s*|(?<=[{_HAN}])\s+(?=[a-z])", bare) if part.strip(_EDGES)]
        found = [known.get(part) for part in parts]
        if len(parts) == 2 and found[0] is not None and (found[1] is None or found[0] == found[1]):
            return found[0] if found[1] is not None or "(" in bare else None
    return None


def _find(document: Document) -> Iterator[Labelled]:
    rows = document.rows
    for at, row in enumerate(rows):
        parts = segments(row)
        for place, part in enumerate(parts):
            pairs = list(_pairs(part))
            for key, label, value in pairs:
                if value is not None:
                    yield Labelled(key, label, value, inline=True)
                elif place + 1 < len(parts):
                    if not any(_pairs(parts[place + 1])) and label_key(parts[place + 1].text) is None:
                        yield Labelled(key, label, parts[place + 1], inline=True)
                elif (beside := _in_next_column(rows, part)) is not None:
                    yield Labelled(key, label, beside, inline=True)
                elif (below := _beside_or_below(rows, at)) is not None:
                    yield Labelled(key, label, below, inline=False)


def _in_next_column(rows: tuple[Row, ...], label: Row) -> Row | None:
    """The text level with a label in the block to its right, where labels and values are set in two columns."""
    box = label.line.box
    if box is None or label.line.cell is not None:
        return None
    nearest: Row | None = None
    for row in rows[label.index + 1 : label.index + 1 + _COLUMN]:
        other = row.line.box
        if other is None or row.page is not label.page or row.line.block == label.line.block or other.x0 < box.x1:
            continue
        level = abs((other.y0 + other.y1) - (box.y0 + box.y1)) / 2 < _LEVEL * max(box.height, other.height)
        if level and other.x0 - box.x1 < _NEAR and (nearest is None or other.x0 < nearest.line.box.x0):  # type: ignore[union-attr]
            nearest = row
    if nearest is None:
        return None
    first = segments(nearest)[0]
    taken = label_key(first.text) is not None or wording(first.text) is not None or any(_pairs(first))
    return None if taken else first


def _beside_or_below(rows: tuple[Row, ...], at: int) -> Row | None:
    """The text a label at the end of row `at` names: the cell to its right, or the next line of its block."""
    if at + 1 >= len(rows):
        return None
    row, after = rows[at], rows[at + 1]
    if row.page is not after.page:
        return None
    one, two = row.line.cell, after.line.cell
    if one is not None and two is not None and one.table == two.table:
        if (one.row, one.column) != (two.row, two.column) and one.row != two.row:
            return None
    elif one != two or row.line.block != after.line.block:
        return None
    first = segments(after)[0]
    if (row.text.endswith(".") and " " not in row.text and row.line.gap < 1) or wording(first.text) is not None:
        return None
    if label_key(first.text) is not None or any(value is not None for _, _, value in _pairs(first)):
        return None
    return first


def _pairs(part: Row) -> Iterator[tuple[str, str, Row | None]]:
    """The labels in a segment with what follows each, up to the next one; None where nothing follows."""
    text = part.text
    whole = label_key(text) if len(text) <= _LONGEST else None
    if whole is not None and (":" in text[-2:] or len(text) > 1):
        yield whole, text, None
        return
    marks = list(_colon_marks(text))
    if not marks:
        marks = _spaced_marks(text) or _bold_marks(part)
    for number, (key, start, end) in enumerate(marks):
        stop = marks[number + 1][1] if number + 1 < len(marks) else len(text)
        value = text[end:stop].lstrip(_OPENING).rstrip(_CLOSING)
        if not value:
            yield key, text[start:end], None
            continue
        begin = text.index(value, end)
        yield key, text[start:end], clip(part, begin, begin + len(value))


def _colon_marks(text: str) -> Iterator[tuple[str, int, int]]:
    """(key, start, end) of each known label before a colon; the longest reading of each wins."""
    before = 0
    for colon in _COLON.finditer(text):
        begin = max(before, colon.start() - _LONGEST)
        for start in _starts(text, begin, colon.start()):
            key = label_key(text[start : colon.start()])
            if key is not None:
                now = _NOW.search(text, before, start)
                yield key, now.start() if now is not None else start, colon.end()
                before = colon.end()
                break


def _starts(text: str, begin: int, end: int) -> Iterator[int]:
    if begin == 0 or not text[begin - 1].isalnum():
        yield begin
    for match in _WORD_START.finditer(text, begin, end):
        if match.start() > begin:
            yield match.start()
    if begin:
        # Chinese forms run pairs together: `姓名:王小明性别:男`. The first label of a line must stand whole.
        yield from (at for at in range(begin + 1, end) if _HAN_CHAR.match(text, at))


def _bold_marks(part: Row) -> list[tuple[str, int, int]]:
    """Labels told from their values by weight alone, as in `**Phone** 020 7946 0123`."""
    words = [word for word in part.line.words if word.text.strip()]
    if len({word.bold for word in words}) < 2:
        return []
    marks: list[tuple[str, int, int]] = []
    at = 0
    for bold, run in groupby(words, key=lambda word: word.bold):
        label = normalise(join_words(tuple(run)))
        start = part.text.find(label, at)
        if start < 0:
            return []
        at = start + len(label)
        if bold and (key := label_key(label)) is not None:
            marks.append((key, start, at))
    return marks


def _spaced_marks(text: str) -> list[tuple[str, int, int]]:
    """`姓名 张伟 性别 男`: Chinese forms without colons, where labels and values take turns."""
    if not re.match(rf"[{_HAN}]", text) or " " not in text:
        return []
    marks: list[tuple[str, int, int]] = []
    at = 0
    for token in text.split(" "):
        if re.match(rf"[{_HAN}]", token) and len(token) > 1 and (key := _known().get(fold(token))) is not None:
            marks.append((key, at, at + len(token)))
        at += len(token) + 1
    return marks if marks and marks[0][1] == 0 else []
