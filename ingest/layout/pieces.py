"""Words with their boxes in points, and the rows they stand in.

Owns the step from word boxes to visual rows: straightening of a slightly turned page, grouping by baseline, joining of
letter-spaced words. What rows mean (columns, tables, lines) is decided by its neighbours.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ingest.page import Source, Word

# Share of a line's box below the baseline: 0.19 to 0.23 in the fonts seen (Latin, Cyrillic and Han alike).
_DESCENT = 0.21
BOX_EM = 1.17
"""Height of a text layer's boxes in sizes of type."""
_SPECK = 0.6
"""Confidence below which what reads as punctuation alone is dirt."""
_FEW = 3
"""Words of a page below which their widths say nothing about the height of the type."""
_VARIES = 0.15
"""Share by which boxes around type of one size differ in height when they are read from pixels."""
_NEXT = 1.1
"""Times the height of a piece up to which the next higher one is of its size."""
_LEAST_VARIES, _COLUMN = 0.05, 0.25
"""The same of ideographs, measured by their width: at least so much, and a quarter of one however many there are."""
_STRAIGHT = 0.001
"""Slope up to which a page is as good as straight: half a point across it."""


class Piece:
    """A word with its box in points from the top left, straightened."""

    __slots__ = ("base", "height", "word", "x0", "x1", "y0", "y1")

    def __init__(self, word: Word, x0: float, y0: float, x1: float, y1: float) -> None:
        self.word = word
        self.x0, self.y0, self.x1, self.y1 = x0, y0, x1, y1
        self.height = y1 - y0
        # Boxes from pixels end where the letters do, with or without descenders; their middles vary least.
        self.base = (y0 + y1) / 2 if word.source is Source.OCR else y1 - _DESCENT * self.height


@dataclass(frozen=True, slots=True)
class Chunk:
    """Pieces of a row without a wide gap between them."""

    x0: float
    x1: float
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        return " ".join(piece.word.text for piece in self.pieces)


@dataclass(slots=True)
class Row:
    """Pieces on one baseline, left to right. Rows of neighbouring columns may interleave."""

    number: int
    """Which row of the page it is, or is a part of: parts with one number stand level."""
    pieces: list[Piece]
    base: float
    x0: float
    y0: float
    x1: float
    y1: float
    dated: bool | None = None
    """Kept by `columns.is_dated`."""
    chunks: list[Chunk] | None = None
    """Kept by `columns.chunks_of`."""

    @property
    def height(self) -> float:
        return self.y1 - self.y0


def row_of(number: int, pieces: Iterable[Piece]) -> Row:
    """A row from pieces in any order."""
    ordered = sorted(pieces, key=_left_edge)
    first = ordered[0]
    if len(ordered) == 1:
        return Row(number, ordered, first.base, first.x0, first.y0, first.x1, first.y1)
    return Row(
        number,
        ordered,
        base=statistics.median([piece.base for piece in ordered]),
        x0=first.x0,
        y0=min([piece.y0 for piece in ordered]),
        x1=max([piece.x1 for piece in ordered]),
        y1=max([piece.y1 for piece in ordered]),
    )


def _left_edge(piece: Piece) -> float:
    return piece.x0


_NARROW = 2
_TALLER = 1.3
"""Times the height of the words beside it from which the box of a character or two is not its own."""


def pieces_of(words: Sequence[Word], width: float, height: float) -> list[Piece]:
    """Words with a box as pieces; those read from pixels evened in height, and straightened where their lines run aslant."""
    pieces = [
        Piece(word, word.box.x0 * width, word.box.y0 * height, word.box.x1 * width, word.box.y1 * height)
        for word in words
        if word.box is not None and word.text
    ]
    if pieces and pieces[0].word.source is Source.OCR:
        return _straightened(_evened(_levelled(pieces)))
    return pieces


def _levelled(pieces: Sequence[Piece]) -> list[Piece]:
    """Boxes of one or two characters brought to those of the words beside them: engines give such more height than they have."""
    found = list(pieces)
    for at, piece in enumerate(pieces):
        if len(piece.word.text) > _NARROW:
            continue
        beside = [other for other in pieces[max(0, at - 1) : at + 2] if len(other.word.text) > _NARROW and _is_next(piece, other)]
        if beside and piece.height > _TALLER * max([other.height for other in beside]):
            y0, y1 = (statistics.mean([getattr(other, side) for other in beside]) for side in ("y0", "y1"))
            found[at] = Piece(piece.word, piece.x0, y0, piece.x1, y1)
    return found


def _is_next(piece: Piece, other: Piece) -> bool:
    """Whether another piece stands on the line of a piece, a space away."""
    away = max(piece.x0, other.x0) - min(piece.x1, other.x1)
    return piece.y0 < (other.y0 + other.y1) / 2 < piece.y1 and away < other.height


def _evened(pieces: list[Piece]) -> list[Piece]:
    """Boxes from pixels brought to the height a text layer gives: engines cut them close or pad them, each in its way.

    How high the type is, widths tell: characters are about as wide in every font. Specks without a letter are left out.
    """
    ratios = [piece.height / em for piece in pieces if (em := _em(piece))]
    factor = BOX_EM / statistics.median(ratios) if len(ratios) >= _FEW else 1.0
    kept = [piece for piece in pieces if piece.word.confidence >= _SPECK or any(map(str.isalnum, piece.word.text))]
    heights = _settled(kept, [_full_height(piece, factor) for piece in kept])
    return [_grown(piece, (height - piece.height) / 2) for piece, height in zip(kept, heights, strict=True)]


def _full_height(piece: Piece, factor: float) -> float:
    """The height a text layer would give. Ideographs are as wide as the type is high, which says it better than their box."""
    lying = piece.x1 - piece.x0 > 0.6 * piece.height
    return BOX_EM * _em(piece) if _are_ideographs(piece) and lying else factor * piece.height


def _are_ideographs(piece: Piece) -> bool:
    return len(piece.word.text) > 1 and all(map(is_han, piece.word.text))


def _settled(pieces: Sequence[Piece], heights: Sequence[float]) -> list[float]:
    """The heights with those made one that differ by no more than boxes around type of one size do: the page's usual height
    first, then the others from the lowest up."""
    if not pieces:
        return []
    usual = statistics.median([height for piece, height in zip(pieces, heights, strict=True) for _ in piece.word.text])
    settled = list(heights)
    groups: list[list[int]] = []
    for index in sorted(range(len(pieces)), key=lambda index: heights[index]):
        varies = max(_LEAST_VARIES, _COLUMN / len(pieces[index].word.text)) if _are_ideographs(pieces[index]) else _VARIES
        if abs(heights[index] - usual) <= varies * usual:
            settled[index] = usual
        elif groups and heights[index] <= _NEXT * heights[groups[-1][-1]]:
            groups[-1].append(index)
        else:
            groups.append([index])
    for group in groups:
        common = statistics.median([heights[index] for index in group])
        for index in group:
            settled[index] = common
    return settled


def _em(piece: Piece) -> float:
    """The size of type, in points, that makes the piece as wide as it is; 0 where it is too short to tell."""
    text = piece.word.text
    if len(text) < 2:
        return 0.0
    return (piece.x1 - piece.x0) / sum(map(_advance, text))


def _advance(char: str) -> float:
    """Usual width of a character, in sizes of type."""
    if char >= "\u2e80":
        return 1.0
    if char.isalpha():
        return 0.66 if char.isupper() else 0.5 if char < "\u0400" else 0.56
    return 0.55 if char.isdigit() else 0.35


def _grown(piece: Piece, by: float) -> Piece:
    return Piece(piece.word, piece.x0, piece.y0 - by, piece.x1, piece.y1 + by)


def _straightened(pieces: list[Piece]) -> list[Piece]:
    """The pieces of a slightly turned page as if it lay straight."""
    slope = _slope(pieces)
    if abs(slope) < _STRAIGHT:
        return pieces
    return [_shifted(piece, slope * (piece.x0 + piece.x1) / 2) for piece in pieces]


def _shifted(piece: Piece, by: float) -> Piece:
    return Piece(piece.word, piece.x0, piece.y0 - by, piece.x1, piece.y1 - by)


def rows_of(pieces: Iterable[Piece]) -> list[Row]:
    """Group pieces by baseline, top to bottom."""
    groups: list[tuple[float, list[Piece]]] = []
    for piece in sorted(pieces, key=lambda item: item.base):
        for index in range(len(groups) - 1, max(-1, len(groups) - 4), -1):
            base, members = groups[index]
            if abs(piece.base - base) < _same_row(piece, members[0]):
                members.append(piece)
                groups[index] = (base + (piece.base - base) / len(members), members)
                break
        else:
            groups.append((piece.base, [piece]))
    rows = [row_of(number, members) for number, (_, members) in enumerate(sorted(groups, key=lambda group: group[0]))]
    return _with_bullets(rows)


def _with_bullets(rows: list[Row]) -> list[Row]:
    """Put bullets on the lines they open: symbol fonts have boxes and baselines of their own."""
    result = list(rows)
    for row in rows:
        if len(row.pieces) == 1 and is_bullet(row.pieces[0]):
            home = next((other for other in result if other is not row and _opens(row.pieces[0], other)), None)
            if home is not None:
                result.remove(row)
                result[result.index(home)] = replace(home, pieces=[*row.pieces, *home.pieces], x0=row.x0, dated=None, chunks=None)
    return result


def _opens(bullet: Piece, row: Row) -> bool:
    middle = (bullet.y0 + bullet.y1) / 2
    return row.y0 < middle < row.y1 and 0 < row.x0 - bullet.x1 < 4 * row.height and not is_bullet(row.pieces[0])


def is_bullet(piece: Piece) -> bool:
    """Whether a piece is a single sign, such as a bullet or a dash."""
    return len(piece.word.text) == 1 and not piece.word.text.isalnum()


def _same_row(piece: Piece, other: Piece) -> float:
    """How far apart the baselines of two pieces of one row may be."""
    if piece.word.source is Source.OCR:
        return 0.35 * max(piece.height, other.height)
    return 0.3 * min(piece.height, other.height)


def _slope(pieces: Sequence[Piece]) -> float:
    """How steeply lines fall to the right; 0 where the page is straight or says too little."""
    slopes = [slope for chain in _chains(pieces) if (slope := _slope_of(chain)) is not None]
    return statistics.median(slopes) if len(slopes) >= 4 else 0.0


def _chains(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Words that follow each other closely at about one height."""
    chains: list[list[Piece]] = []
    for piece in sorted(pieces, key=_left_edge):
        for chain in chains:
            last = chain[-1]
            near = -0.3 * last.height < piece.x0 - last.x1 < 2 * last.height
            if near and abs(piece.base - last.base) < 0.4 * last.height:
                chain.append(piece)
                break
        else:
            chains.append([piece])
    return chains


def _slope_of(chain: Sequence[Piece]) -> float | None:
    """The slope of a long chain by least squares."""
    if len(chain) < 4 or chain[-1].x1 - chain[0].x0 < 10 * chain[0].height:
        return None
    return statistics.linear_regression([(piece.x0 + piece.x1) / 2 for piece in chain], [piece.base for piece in chain]).slope


# -- letter-spaced words -----------------------------------------------------------------------------------------


def join_spaced(row: Row) -> Row:
    """Join runs of single characters set wide apart (`E X P E R I E N C E`) into the words they are."""
    pieces = row.pieces
    if not any(len(piece.word.text) == 1 for piece in pieces):
        return row
    joined: list[Piece] = []
    index = 0
    while index < len(pieces):
        end = index
        while end < len(pieces) and len(pieces[end].word.text) == 1 and pieces[end].word.text.isalnum():
            if end > index and not _same_style(pieces[end - 1], pieces[end]):
                break
            end += 1
        run = pieces[index:end]
        if len(run) == 1 and end < len(pieces) and _is_split_label(run[0], pieces[end]):
            run.append(pieces[end])
            joined.append(_merged(run))
            index += 2
            continue
        joined.extend(_join_run(run, pieces[end] if end < len(pieces) else None) if len(run) >= 2 else pieces[index : index + 1])
        index += max(1, len(run))
    return replace(row, pieces=joined, dated=None, chunks=None)


def _is_split_label(first: Piece, second: Piece) -> bool:
    """Whether two pieces are a Chinese label set wide (`姓 名：`)."""
    text = second.word.text
    near = 0 < second.x0 - first.x1 < 3 * first.height
    return (
        near and is_han(first.word.text) and len(text) > 1 and is_han(text[0]) and text[1] in ":：" and _same_style(first, second)
    )


def _join_run(run: list[Piece], following: Piece | None) -> list[Piece]:
    gaps = [right.x0 - left.x1 for left, right in pairwise(run)]
    size = statistics.median(piece.height for piece in run)
    han = sum(is_han(piece.word.text) for piece in run) * 2 > len(run)
    if max(gaps) > 3 * size:
        return run
    if len(run) < 4 and not han:
        return run
    if (
        len(run) < 4
        and following is not None
        and following.word.text[0] not in ":："
        and following.x0 - run[-1].x1 < max(gaps) * 1.2
    ):
        return run
    usual = sorted(gaps)[len(gaps) // 3]
    limit = max(usual * 1.6, usual + 0.18 * size)
    words: list[list[Piece]] = [[run[0]]]
    for gap, piece in zip(gaps, run[1:], strict=True):
        if gap > limit:
            words.append([])
        words[-1].append(piece)
    return [_merged(letters) for letters in words]


def _merged(letters: list[Piece]) -> Piece:
    first, last = letters[0], letters[-1]
    boxes = [piece.word.box for piece in letters if piece.word.box]
    box = boxes[0]
    for other in boxes[1:]:
        box = box.union(other)
    word = replace(last.word, text="".join(piece.word.text for piece in letters), box=box, link=first.word.link)
    return Piece(word, first.x0, min(p.y0 for p in letters), last.x1, max(p.y1 for p in letters))


def _same_style(left: Piece, right: Piece) -> bool:
    if left.word.bold != right.word.bold:
        return False
    one, other = left.word.size or left.height, right.word.size or right.height
    # Boxes from pixels are as high as the letters in them, so their heights say less than a font size does.
    return abs(one - other) < (0.35 if left.word.source is Source.OCR else 0.1) * max(one, other)


def is_han(text: str) -> bool:
    """Whether a text begins with an ideograph."""
    return "㐀" <= text <= "鿿"
