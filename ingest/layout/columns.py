"""Where a page falls into columns: rows of a region into blocks in reading order.

A gutter is a vertical strip that stays empty over consecutive rows with text on both sides. An empty strip alone says
little: dates at the right margin, a timeline's dates at the left, labels before values leave one too. What tells them
apart is whether the two sides live on their own (lines fall where they fall, paragraphs run on) or answer each other
row by row.
"""

from __future__ import annotations

import bisect
import re
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ingest.layout.pieces import Chunk, Piece, Row, is_bullet, row_of

_DATED = re.compile(
    r"(?:19|20)\d\d|[’']\d\d\b|\b\d{1,2}[./]\d{2}\b|present|current|today|\bnow\b|настоящ|наст\.|н\.\s?в\.|至今|现在",
    re.IGNORECASE,
)
GUTTER_EM = 0.9
"""Least width of a gutter in line heights; spaces of justified text are narrower or do not line up."""
LARGER = 1.04
"""How much larger the type of a heading is at least; half a point above body type."""
_HEADING = 1.12
"""How much larger a heading is than the text beside it, where nothing but its size tells."""
_FEW = 4
_LONGEST_SIGN = 2
"""Letters of the small words beside dates: `с`, `to`."""
_HANGING = 3.0
"""How much wider than a gutter the space after a bullet may be."""
_TEXT_EM = 10
"""Least width of a column of running text in line heights; labels and values are narrower."""


@dataclass(frozen=True, slots=True)
class Block:
    """Rows that read straight down."""

    rows: list[Row]


@dataclass(frozen=True, slots=True)
class _Run:
    """Consecutive rows `start` to `end` (exclusive) which leave x free, and how many lines that splits."""

    x: float
    start: int
    end: int
    weight: int


def blocks_of(rows: Sequence[Row], depth: int = 0) -> Iterator[Block]:
    """Blocks in reading order: what stands above, the columns from left to right, what stands below."""
    if len(rows) < 3 or depth > 12:
        if rows:
            yield Block(list(rows))
        return
    run = _best_run(rows)
    if run is None:
        yield Block(list(rows))
        return
    inside = rows[run.start : run.end]
    yield from blocks_of(rows[: run.start], depth + 1)
    for stack in _stacks(inside, run.x):
        left, right = split_rows(stack, run.x)
        yield from blocks_of(left, depth + 1)
        yield from blocks_of(right, depth + 1)
    yield from blocks_of(rows[run.end :], depth + 1)


def _best_run(rows: Sequence[Row]) -> _Run | None:
    chunks = [chunks_of(row) for row in rows]
    best: _Run | None = None
    candidates, starts = gutter_candidates(rows, chunks), starts_of(rows)
    for at, x in enumerate(candidates):
        for start, end in free_runs(chunks, x, starts):
            if any(_only_dates_between(chunks[start:end], x, other) for other in candidates[at + 1 :]):
                continue  # dates at the right margin of a text with another column beside it
            for run in _columns_in(rows, x, start, end):
                if best is None or run.weight > best.weight:
                    best = run
    return best


def _only_dates_between(chunks: Sequence[Sequence[Chunk]], left: float, right: float) -> bool:
    """Whether all that begins between the two positions, and ends there, is dates with text at their left."""
    dates = 0
    for row in chunks:
        for place, chunk in enumerate(row):
            if chunk.x0 < left or chunk.x0 >= right:
                continue
            if chunk.x1 > right or not place or not _DATED.search(chunk.text):
                return False
            dates += 1
    return dates >= 2


def chunks_of(row: Row) -> list[Chunk]:
    """The row cut at its wide gaps. What follows a bullet belongs to it, however far in it is set. Kept with the row."""
    if row.chunks is None:
        parts: list[list[Piece]] = [[row.pieces[0]]]
        for left, right in pairwise(row.pieces):
            limit = GUTTER_EM * min(row.height, max(left.height, right.height))
            hanging = len(parts[-1]) == 1 and is_bullet(left)
            if right.x0 - left.x1 > (_HANGING * limit if hanging else limit):
                parts.append([])
            parts[-1].append(right)
        row.chunks = [Chunk(part[0].x0, max([piece.x1 for piece in part]), tuple(part)) for part in parts]
    return row.chunks


def gutter_candidates(rows: Sequence[Row], chunks: Sequence[Sequence[Chunk]]) -> list[float]:
    """Positions where a gutter may end: left edges that recur, and the middle of gaps common to a band of rows."""
    left = min(row.x0 for row in rows)
    size = statistics.median(row.height for row in rows)
    edges = sorted(chunk.x0 for row in chunks for chunk in row if chunk.x0 > left + 3 * size)
    found: list[float] = []
    index = 0
    while index < len(edges):
        end = index
        while end < len(edges) and edges[end] - edges[index] < 0.5 * size:
            end += 1
        if end - index >= 2:
            found.append(edges[index] - 0.25 * size)
        index = end
    for start, end in bands_of(rows):
        found.extend(_common_gaps(chunks[start:end], size))
    unique: list[float] = []
    for x in sorted(found):
        if not unique or x - unique[-1] > 0.2 * size:
            unique.append(x)
    return unique


def _common_gaps(chunks: Sequence[Sequence[Chunk]], size: float) -> list[float]:
    """Middles of the strips no chunk of the band touches."""
    gaps: list[float] = []
    reach = None
    for x0, x1 in sorted((chunk.x0, chunk.x1) for row in chunks for chunk in row):
        if reach is not None and x0 - reach > GUTTER_EM * size:
            gaps.append((reach + x0) / 2)
        reach = x1 if reach is None else max(reach, x1)
    return gaps


def bands_of(rows: Sequence[Row], least: float = 0.5) -> list[tuple[int, int]]:
    """Ranges of rows between horizontal strips without text, higher than `least` of a line."""
    bands: list[tuple[int, int]] = []
    start = 0
    bottom = rows[0].y1
    for index in range(1, len(rows)):
        row = rows[index]
        if row.y0 - bottom > least * min(row.height, rows[index - 1].height):
            bands.append((start, index))
            start = index
        bottom = max(bottom, row.y1)
    bands.append((start, len(rows)))
    return bands


def starts_of(rows: Sequence[Row]) -> frozenset[int]:
    """Where bands of rows begin, and the end of the last."""
    return frozenset([start for start, _ in bands_of(rows)] + [len(rows)])


def free_runs(chunks: Sequence[Sequence[Chunk]], x: float, starts: frozenset[int]) -> Iterator[tuple[int, int]]:
    """Longest ranges of rows no chunk of which crosses x, cut back to horizontal gaps where a crossing row ends them.

    `chunks` are those of the rows, `starts` what `starts_of` says of them.
    """
    start: int | None = None
    for index, row in enumerate(chunks):
        for chunk in row:
            if chunk.x0 < x - 0.5 < chunk.x1 - 1.0:
                if start is not None:
                    yield from _cut_back(start, index, starts)
                start = None
                break
        else:
            if start is None:
                start = index
    if start is not None:
        yield from _cut_back(start, len(chunks), starts)


def _cut_back(start: int, end: int, starts: frozenset[int]) -> Iterator[tuple[int, int]]:
    first = next((index for index in range(start, end) if index in starts), start)
    last = next((index for index in range(end, first, -1) if index in starts), end)
    if last - first >= 2:
        yield first, last


def _columns_in(rows: Sequence[Row], x: float, start: int, end: int) -> Iterator[_Run]:
    """The part of a free run whose sides stand on their own: all of it, or the bands that do."""
    if _independent(rows[start:end], x):
        yield _trim(rows, x, start, end)
        return
    pending: tuple[int, int] | None = None
    for low, high in bands_of(rows[start:end]):
        if _independent(rows[start + low : start + high], x):
            pending = (start + low, start + high) if pending is None else (pending[0], start + high)
        elif pending is not None:
            yield _trim(rows, x, *pending)
            pending = None
    if pending is not None:
        yield _trim(rows, x, *pending)


def _trim(rows: Sequence[Row], x: float, start: int, end: int) -> _Run:
    """A run without the bands at its end that have text on one side only, where more rows follow: they head those."""
    while end < len(rows):
        low, high = bands_of(rows[start:end])[-1]
        if low == 0 or all(split_rows(rows[start + low : start + high], x)):
            break
        end = start + low
    left, right = split_rows(rows[start:end], x)
    return _Run(x, start, end, min(len(left), len(right)) * 3 + len(left) + len(right))


def split_rows(rows: Sequence[Row], x: float) -> tuple[list[Row], list[Row]]:
    """The parts of the rows on either side of x."""
    left: list[Row] = []
    right: list[Row] = []
    for row in rows:
        if row.x1 <= x:
            left.append(row)
        elif row.x0 >= x:
            right.append(row)
        else:
            sides: tuple[list[Piece], list[Piece]] = ([], [])
            for piece in row.pieces:
                sides[(piece.x0 + piece.x1) / 2 > x].append(piece)
            for side, pieces in zip((left, right), sides, strict=True):
                if pieces:
                    side.append(row_of(row.number, pieces))
    return left, right


def _stacks(rows: Sequence[Row], x: float) -> list[Sequence[Row]]:
    """Cut columns into bands that read one after the other, where each band starts level on both sides.

    Entries with facts on the left and highlights on the right are such bands; a sidebar beside a text is none.
    """
    bands = [rows[start:end] for start, end in bands_of(rows, 0.9)]
    if len(bands) < 3:
        return [rows]
    level = 0
    for band in bands:
        left, right = split_rows(band[:1], x)
        both = all(len(side) >= 1 for side in split_rows(band, x))
        level += bool(left and right)
        if both and not (left and right):
            return [rows]
    return bands if level >= 2 and level * 2 > len(bands) else [rows]


# -- do two sides stand on their own? ----------------------------------------------------------------------------


def _independent(rows: Sequence[Row], x: float) -> bool:
    left, right = split_rows(rows, x)
    if len(left) < 2 or len(right) < 2:
        return _stands_beside(left, right) or _stands_beside(right, left)
    sparse, dense = (left, right) if len(left) <= len(right) else (right, left)
    # What has nothing beside it (a heading between entries) says nothing about how the sides belong together.
    sparse = _beside(sparse, dense)
    if len(sparse) < 2:
        return False
    numbers = {row.number for row in dense}
    groups = groups_of(sparse)
    level = sum(row.number in numbers for row in sparse) / len(sparse)
    starts = sum(group[0].number in numbers for group in groups) / len(groups)
    length = len(sparse) / len(groups)
    if level >= 0.7 and max(_dated_share(sparse, sparse), _dated_share(sparse, dense)) >= 0.6:
        return False
    lone_dates = any(len(group) == 1 and _is_only_date(group[0]) and group[0].number in numbers for group in groups)
    if _are_headed(left, right) and not lone_dates:
        return True
    if _are_headed_apart(left, right) or _are_headed_in_capitals(left, right):
        return True
    if sum(map(is_dated, (group[0] for group in groups))) >= 0.5 * len(groups) and starts >= 0.6 and length <= 3.5:
        return False
    if length <= 1.7 and starts >= (0.75 if len(groups) > 3 else 0.5) and not _has_heading_between(sparse, dense):
        return False
    if level >= 0.75 and _are_labels(left):
        return False
    if level >= 0.9 and len(sparse) >= 0.8 * len(_beside(dense, sparse)):
        return _fills(left, -1) or _fills(right, 0)
    return True


def _stands_beside(rows: Sequence[Row], others: Sequence[Row]) -> bool:
    """Whether a single line, centred beside a few others, is on the row of none of them and would be read between them."""
    if len(rows) != 1 or not 2 <= len(others) <= _FEW or is_dated(rows[0]) or is_level(rows[0], others):
        return False
    return others[0].y1 < rows[0].y1 and rows[0].y0 < others[-1].y0


def _beside(rows: Sequence[Row], others: Sequence[Row]) -> list[Row]:
    """The rows that share some height with one of the others."""
    spans: list[tuple[float, float]] = []
    for other in sorted(others, key=lambda row: row.y0):
        if spans and other.y0 <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], other.y1))
        else:
            spans.append((other.y0, other.y1))
    tops = [top for top, _ in spans]
    found: list[Row] = []
    for row in rows:
        index = bisect.bisect_left(tops, row.y1) - 1
        if index >= 0 and spans[index][1] > row.y0:
            found.append(row)
    return found


def _dated_share(rows: Sequence[Row], others: Sequence[Row]) -> float:
    """Share of the rows that have a date on their level among the others."""
    dated = {other.number for other in others if is_dated(other)}
    return sum(row.number in dated for row in rows) / len(rows)


def groups_of(rows: Sequence[Row]) -> list[list[Row]]:
    """Rows that stand close together; a label is one by itself.

    What follows a date before the next one (a duration, a place) stays with it.
    """
    groups = [[rows[0]]]
    for above, below in pairwise(rows):
        together = 1.0 if is_dated(groups[-1][0]) and not is_dated(below) else 0.45
        label = _text(above).endswith((":", "："))
        if label or below.y0 - above.y1 > together * min(above.height, below.height):
            groups.append([])
        groups[-1].append(below)
    return groups


def is_level(row: Row, others: Sequence[Row]) -> bool:
    """Whether one of the others is on the same row of the page."""
    return any(other.number == row.number for other in others)


def _text(row: Row) -> str:
    return " ".join(piece.word.text for piece in row.pieces)


def is_dated(row: Row) -> bool:
    """Whether a date stands in the row. Asked many times of each row, so the answer is kept with it."""
    if row.dated is None:
        row.dated = _DATED.search(_text(row)) is not None
    return row.dated


def _is_only_date(row: Row) -> bool:
    """Whether a row says nothing besides a date: `First aid, 2021` does, `March 2019 – present` does not."""
    words = [piece.word.text for piece in row.pieces]
    dated = [_DATED.search(word) is not None for word in words]
    return any(dated) and all(
        any(dated[max(at - 1, 0) : at + 1]) or (any(dated[at + 1 : at + 2]) and not word.endswith(","))
        for at, word in enumerate(words)
        if sum(map(str.isalpha, word)) > _LONGEST_SIGN
    )


def _are_labels(rows: Sequence[Row]) -> bool:
    return sum(_text(row).endswith((":", "：")) for row in rows) >= 0.6 * len(rows)


def _has_heading(rows: Sequence[Row]) -> bool:
    """Whether the first of the rows is set larger or heavier than the second, and is no date. It may take two rows."""
    if len(rows) < 2 or is_dated(rows[0]):
        return False
    if len(rows) > 2 and _alike(rows[0], rows[1]):
        rows = rows[1:]
    first, second = (max([piece.word.size or piece.height for piece in row.pieces]) for row in rows[:2])
    if first > LARGER * second:
        return True
    bold = [all(piece.word.bold for piece in row.pieces) for row in rows[:2]]
    return first * LARGER > second and bold == [True, False]


def _has_heading_between(rows: Sequence[Row], others: Sequence[Row]) -> bool:
    """Whether a row among the others of its side is set in bold alone, and does not answer one in bold beside it."""
    bold = [all(piece.word.bold for piece in row.pieces) for row in rows]
    beside = {row.number for row in others if any(piece.word.bold for piece in row.pieces)}
    return any(
        bold[at - 1 : at + 2] == [False, True, False] and not is_dated(rows[at]) and rows[at].number not in beside
        for at in range(1, len(rows) - 1)
    )


def _alike(one: Row, other: Row) -> bool:
    """Whether two rows, close together, are set in bold of one size."""
    sizes = [max([piece.word.size or piece.height for piece in row.pieces]) for row in (one, other)]
    bold = all(piece.word.bold for row in (one, other) for piece in row.pieces)
    return bold and max(sizes) <= LARGER * min(sizes) and other.y0 - one.y1 < 0.5 * one.height


def _are_headed(left: Sequence[Row], right: Sequence[Row]) -> bool:
    """Whether both sides begin, on one level, with a heading of their own."""
    return is_level(left[0], right[:1]) and len(left) > 1 and len(right) > 1 and _has_heading(left) and _has_heading(right)


def _are_headed_apart(left: Sequence[Row], right: Sequence[Row]) -> bool:
    """Whether headings stand on both sides, each larger than what is level with it on the other: nothing answers those."""
    beside = {row.number: row for row in right}
    larger = [0, 0]
    for row in left:
        other = beside.get(row.number)
        if other is None or is_dated(row) or is_dated(other):
            continue
        sizes = [max([piece.word.size or 0.0 for piece in side.pieces]) for side in (row, other)]
        if min(sizes) > 0 and max(sizes) > _HEADING * min(sizes):
            larger[sizes[1] > sizes[0]] += 1
    return all(larger)


_HEADING_WORDS, _ABBREVIATION, _HEADINGS_SHARE = 4, 4, 0.4
"""Words a heading has at most, letters up to which capitals may be an abbreviation, and the share of a column that headings
make at most: what is all in capitals has none."""


def _are_headed_in_capitals(left: Sequence[Row], right: Sequence[Row]) -> bool:
    """Whether both sides have headings in capitals, as those set them who change neither size nor weight.

    One on each side may be the titles of a table; with more on one side they are headings where they begin both.
    """
    counts = [_headings_in_capitals(rows) for rows in (left, right)]
    begin = is_level(left[0], right[:1]) and _in_capitals(left[0].pieces) and _in_capitals(right[0].pieces)
    return min(counts) >= (1 if begin and max(counts) > 1 else 2)


def _headings_in_capitals(rows: Sequence[Row]) -> int:
    """How many there are; 0 where they are too many to be headings."""
    chunks = [chunk for row in rows for chunk in chunks_of(row)]
    count = sum(_in_capitals(chunk.pieces) for chunk in chunks)
    return count if count <= _HEADINGS_SHARE * len(chunks) else 0


def _in_capitals(pieces: Sequence[Piece]) -> bool:
    words = [piece.word.text for piece in pieces if piece.word.text not in "&/"]
    return len(words) <= _HEADING_WORDS and all(map(_is_capitals, words)) and max(map(len, words), default=0) > _ABBREVIATION


def _is_capitals(word: str) -> bool:
    return word.isupper() and word.isalpha()


def _fills(rows: Sequence[Row], nearest: int) -> bool:
    """Whether what stands next to the gutter is running text: wide, and most lines end near its right edge.

    `nearest` is the place of the chunk next to the gutter in each row: 0 on its right side, -1 on its left.
    """
    chunks = [chunks_of(row)[nearest] for row in rows]
    edge = max(chunk.x1 for chunk in chunks)
    width = edge - min(chunk.x0 for chunk in chunks)
    if len(rows) < 3 or width <= _TEXT_EM * statistics.median(row.height for row in rows):
        return False
    return sum(chunk.x1 > edge - 0.2 * width for chunk in chunks) >= 0.6 * len(chunks)
