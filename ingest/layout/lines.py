"""From blocks of rows to the page model's lines: spaces, gaps, indents."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from ingest.layout.direction import in_reading_order, is_right_to_left, runs_left
from ingest.layout.pieces import BOX_EM, Piece, Row, is_han
from ingest.page import Cell, Line, Source, Word

_SPACE_EM = 0.2
_HAN_SPACE_EM = 0.6


def lines_of(rows: Sequence[Row], block: int, page_width: float, cell: Cell | None = None) -> Iterable[Line]:
    """The rows of one block as lines. Where nothing else is known the first line of a block counts as a new start."""
    usual = _usual_gap(rows)
    texts = [piece.word.text for row in rows for piece in row.pieces]
    leftwards = is_right_to_left(texts) if runs_left("".join(texts)) else None
    left = min(piece.x0 for row in rows for piece in row.pieces)
    above: Row | None = None
    for row in rows:
        if above is None:
            gap = 1.0 if block else 0.0
        else:
            gap = max(0.0, row.y0 - above.y1 - usual) / max(1.0, min(row.height, above.height))
        yield Line(
            words=_words(row.pieces if leftwards is None else _read_leftwards(row.pieces, leftwards=leftwards)),
            block=block,
            cell=cell,
            gap=round(gap, 2),
            indent=round(max(0.0, row.pieces[0].x0 - left) / page_width, 4),
        )
        above = row


def _read_leftwards(pieces: Sequence[Piece], *, leftwards: bool) -> list[Piece]:
    """The pieces of a row with words from right to left, in reading order."""
    exact = all(piece.word.source is Source.TEXT for piece in pieces)
    ordered = []
    for index, text in in_reading_order([piece.word.text for piece in pieces], leftwards=leftwards, exact=exact):
        piece = pieces[index]
        if text != piece.word.text:
            piece = Piece(replace(piece.word, text=text), piece.x0, piece.y0, piece.x1, piece.y1)
        ordered.append(piece)
    return ordered


def _words(pieces: Sequence[Piece]) -> tuple[Word, ...]:
    words: list[Word] = []
    size = round(statistics.median(piece.height for piece in pieces) / BOX_EM, 1)
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        word = piece.word if piece.word.size else replace(piece.word, size=size)
        if following is None:
            space = True
        else:
            space = _apart(piece, following)
        words.append(word if word.space is space else replace(word, space=space))
    return tuple(words)


def _apart(piece: Piece, following: Piece) -> bool:
    """Whether white space separates two pieces of a line."""
    if abs(following.base - piece.base) > 0.5 * piece.height:  # a cell that wrapped
        return not (is_han(piece.word.text[-1]) and is_han(following.word.text[0]))
    gap = max(following.x0 - piece.x1, piece.x0 - following.x1)  # it may stand to the left
    if piece.word.source is Source.OCR and is_han(piece.word.text[-1]) and is_han(following.word.text[0]):
        return gap > _HAN_SPACE_EM * piece.height  # engines put spaces between the words of a language that has none
    return gap > _SPACE_EM * piece.height or (piece.word.space and gap > -0.5 * piece.height)


def _usual_gap(rows: Sequence[Row]) -> float:
    gaps = [below.y0 - above.y1 for above, below in pairwise(rows)]
    heights = [min(above.height, below.height) for above, below in pairwise(rows)]
    close = [gap for gap, height in zip(gaps, heights, strict=True) if -0.5 * height < gap < 0.8 * height]
    return statistics.median_low(close) if close else 0.0
