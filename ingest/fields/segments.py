"""Segments: the parts of a line that stand apart, such as an employer at the left margin and its dates at the right.

A segment break is a tab (formats without boxes), a gap much wider than a space (formats with boxes), or the edge of a
table cell, which readers already put on lines of their own. A segment is a `Row` with fewer words; it keeps the index
of the row it is cut from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from ingest.fields.document import Row, normalise
from ingest.page import Page, Source, Word

# In heights of the text. A space is about 0.25 and a stretched one in justified text up to about 1, on the whole line.
WIDE_GAP = 1.5
LEAST_GAP = 0.85
# A gap this many times the smallest on its line is no space either, if it is not small in itself.
UNEVEN = 2.6
# Where the type changes too, a smaller gap tells two things apart.
CHANGE_GAP = 0.55
_TYPE_IN_BOX = 0.8
"""Size of type as a share of the height of the box around it."""
_OTHER_LINE = 99.0
"""The gap to a word that stands above or below, where a reader has put a tall cell on one line."""
_TAB = "\t"
_A4_WIDTH, _A4_HEIGHT = 595.0, 842.0


def segments(row: Row) -> tuple[Row, ...]:
    """The parts of a row, left to right; the row itself where nothing separates its words."""
    if not row.cuts:
        row.cuts.append(_segments(row))
    return row.cuts[0]


def _segments(row: Row) -> tuple[Row, ...]:
    parts = list(_runs(row.line.words, row.page))
    if len(parts) < 2 and all(word.text != _TAB for word in row.line.words):
        return (row,)
    return tuple(found for found in (cut(row, part) for part in parts) if found.text)


def type_size(words: Sequence[Word]) -> float | None:
    """The size most of the text is set in; None where nobody knows it: the height of a box read from pixels is no size."""
    sizes = [(len(word.text), word.size) for word in words if word.size and word.source is not Source.OCR]
    return max(sizes)[1] if sizes else None


def cut(row: Row, words: tuple[Word, ...]) -> Row:
    """A row with only these of its words."""
    line = replace(row.line, words=words)
    return replace(row, line=line, text=normalise(line.text))


def _runs(words: tuple[Word, ...], page: Page) -> Iterator[tuple[Word, ...]]:
    run: list[Word] = []
    gaps = [0.0, *(_gap(left, right, page) for left, right in pairwise(words))]
    wide = _wide_gap(gaps)
    for word, gap in zip(words, gaps, strict=False):
        if word.text == _TAB:
            if run:
                yield tuple(run)
            run = []
            continue
        if run and _breaks(run[-1], word, gap, wide):
            yield tuple(run)
            run = []
        run.append(word)
    if run:
        yield tuple(run)


def _wide_gap(gaps: Sequence[float]) -> float:
    """From which gap on the words of a line with these stand apart."""
    space = min(min((gap for gap in gaps if gap > 0.1), default=0.3), 0.6)
    return min(WIDE_GAP, max(LEAST_GAP, UNEVEN * space))


def _breaks(left: Word, right: Word, gap: float, wide: float) -> bool:
    if gap >= wide or gap < CHANGE_GAP:
        return gap >= wide
    sizes = sorted((type_size((left,)) or 1.0, type_size((right,)) or 1.0))
    return sizes[1] > sizes[0] * 1.12 or left.bold != right.bold


def _gap(left: Word, right: Word, page: Page) -> float:
    """White space between two words of a line in heights of their text; 0 where there are no boxes."""
    if left.box is None or right.box is None:
        return 0.0
    if right.box.y0 >= left.box.y1 or right.box.y1 <= left.box.y0:
        return _OTHER_LINE
    width, height = page.width or _A4_WIDTH, page.height or _A4_HEIGHT
    sizes = (type_size((word,)) or (word.box.height * height * _TYPE_IN_BOX if word.box else 0.0) for word in (left, right))
    size = max(*sizes, 1.0)
    return (right.box.x0 - left.box.x1) * width / size
