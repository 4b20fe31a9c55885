"""Forms: values that say what they are, by a label before them or a column heading above them.

`公司名称：…`, `Должность: …`, tables headed Period | Employer | Position. Labels are data: `words/<language>/entry_labels.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ingest.fields.datelines import DateLine, Piece, balanced
from ingest.fields.document import normalise
from ingest.fields.entry_labels import BODY, LONGEST, PERIOD, SKIP, label_of
from ingest.fields.wording import is_bare_kind
from ingest.page import Word

_COLUMN_WIDTH = 0.2
"""Of the page's width: how far a value may stand from the left edge of its column's heading, which may be centred."""
_COLON = re.compile(r"\s?:\s?")
_SIGNS = re.compile(r"^[\s.@∞→►▶➤☞✦✧◆◇■□●○✓✔❖★☆]+\s+")
"""Signs that stand before a value, with white space between."""
_WORD_STARTS = re.compile(r"(?:^|(?<=[\s;,|/]))(?=\S)")


def labelled(lines: Sequence[DateLine]) -> list[DateLine]:
    """The lines with labels taken from the pieces and noted on their values; rows of column headings are gone."""
    result: list[DateLine] = []
    columns: list[tuple[str, Piece]] = []
    pending = ""
    for line in lines:
        heads = _column_heads(line)
        if heads:
            columns, pending = heads, ""
            continue
        if columns and _is_below_table(line, columns):
            columns = []
        pieces = list(_from_columns(line, columns)) if columns else list(_from_labels(line.pieces))
        if pending and pieces and not pieces[0].label and not line.item:
            pieces[0] = replace(pieces[0], label=pending)
        pending = ""
        if len(pieces) == 1 and pieces[0].label == "?":
            pending = label_of(pieces[0].text) or ""
            pending = "" if pending in (BODY, SKIP, PERIOD) else pending
            pieces = []
        result.append(replace(line, pieces=tuple(pieces)))
    return result


def _column_heads(line: DateLine) -> list[tuple[str, Piece]]:
    """What the columns below hold, where this line is a row of column headings."""
    if line.date is not None or len(line.whole) < 2:
        return []
    heads = [(label_of(piece.text), piece) for piece in line.whole]
    known = [(label, piece) for label, piece in heads if label]
    return known if len(known) >= 2 and len(known) * 3 >= len(heads) * 2 and len({label for label, _ in known}) > 1 else []


def _is_below_table(line: DateLine, columns: Sequence[tuple[str, Piece]]) -> bool:
    """Whether the line is in no table, though the column headings are."""
    return all(head.column is not None for _, head in columns) and all(piece.column is None for piece in line.whole)


def _from_columns(line: DateLine, columns: Sequence[tuple[str, Piece]]) -> Iterator[Piece]:
    heads = [(label, piece) for label, piece in columns if label != PERIOD or line.date is None]
    if len(line.pieces) == len(heads) > 1:
        yield from (replace(piece, label=label) for piece, (label, _) in zip(line.pieces, heads, strict=True))
        return
    if len(line.pieces) == 1 and line.date is None:
        yield from _from_labels(line.pieces)
        return
    if len(line.pieces) >= 2 and line.date is None and label_of(line.pieces[0].text):
        yield from _from_labels(line.pieces)
        return
    labels = [_column_of(piece, columns) for piece in line.pieces]
    for piece, label in zip(line.pieces, labels, strict=True):
        sure = label and label != PERIOD and labels.count(label) == 1
        yield replace(piece, label=label) if sure else piece


def _column_of(piece: Piece, columns: Sequence[tuple[str, Piece]]) -> str:
    if piece.column is not None:
        return next((label for label, head in columns if head.column == piece.column), "")
    if piece.x is None:
        return ""
    placed = [(abs(head.x - piece.x), label) for label, head in columns if head.x is not None]
    distance, label = min(placed, default=(1.0, ""))
    return label if distance <= _COLUMN_WIDTH else ""


def _from_labels(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Pieces with `label: value` taken apart; a label without a value on its line is kept with the label `?`."""
    at = 0
    while at < len(pieces):
        piece = pieces[at]
        at += 1
        whole = label_of(piece.text)
        if whole and ":" not in piece.text and is_bare_kind(piece.text):
            whole = None  # `University` alone may be the end of a name
        if whole and at < len(pieces) and not label_of(pieces[at].text) and ":" not in pieces[at].text:
            yield replace(pieces[at], label=whole)
            at += 1
        elif whole and len(pieces) == 1:
            yield replace(piece, label=whole if whole == BODY else "?")
        elif whole and whole in (PERIOD, SKIP):
            continue
        else:
            yield from _split_labels(piece)


def _split_labels(piece: Piece) -> Iterator[Piece]:
    """`公司名称：某某公司 职位：工程师` → two pieces."""
    found: list[tuple[int, int, str]] = []
    for colon in _COLON.finditer(piece.text):
        left = found[-1][1] if found else 0
        near = max(left, colon.start() - LONGEST)
        for start in (match.start() for match in _WORD_STARTS.finditer(piece.text, near, colon.start())):
            label = label_of(piece.text[start : colon.start()])
            if label and (start == left or not found or start > left):
                found.append((start, colon.end(), label))
                break
    before = piece.text[: found[0][0]].strip(" ,|/") if found else ""
    if not found or (before and before[-1] not in ".;" and len(found) == 1 and found[0][2] == BODY):
        yield piece
        return
    if found[0][0] > 0:
        head = part(piece, 0, len(piece.text[: found[0][0]].rstrip(" .;")))
        if head:
            yield head
    for index, (_, start, label) in enumerate(found):
        end = found[index + 1][0] if index + 1 < len(found) else len(piece.text)
        value = part(piece, start, end)
        if value:
            yield replace(value, label=label)
        elif label == BODY:
            yield replace(piece, label=BODY)


def part(piece: Piece, start: int, end: int) -> Piece | None:
    """The piece's text from `start` to `end`, without separators at its ends; None for nothing."""
    raw = piece.text[start:end]
    text = balanced(_SIGNS.sub("", raw).strip(" ,;|/·•—–*-"))
    if not text or not any(char.isalnum() for char in text):
        return None
    offset = start + raw.find(text)
    return replace(piece, text=text, words=words_of(piece, offset, offset + len(text)))


def words_of(piece: Piece, start: int, end: int) -> tuple[Word, ...]:
    """The words of the piece that stand at `text[start:end]`; compared without spaces, which words do not hold."""
    texts = [_squeezed(normalise(word.text)) for word in piece.words]
    whole, wanted = "".join(texts), _squeezed(piece.text[start:end])
    base = max(whole.find(_squeezed(piece.text)), 0)
    at = whole.find(wanted, base + len(_squeezed(piece.text[:start])))
    if at < 0 and (at := whole.find(wanted)) < 0:
        return piece.words
    found: list[Word] = []
    offset = 0
    for word, text in zip(piece.words, texts, strict=True):
        if offset < at + len(wanted) and offset + len(text) > at:
            found.append(word)
        offset += len(text)
    return tuple(found)


def _squeezed(text: str) -> str:
    return text.replace(" ", "")
