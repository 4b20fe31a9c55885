"""Gathers the lines of a document that has no pages of its own (Word, HTML, text) in reading order.

The readers of these formats walk their own trees and tell a `Flow` what they meet; here runs of text become words,
words become lines, and cells, frames, gaps and hidden text are kept. A tab, or white space wide enough to look like
one, becomes a word of its own whose text is a tab: it parts the line into what stands side by side on the page.
"""

from __future__ import annotations

import bisect
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from ingest.page import BAD_CHARACTERS, Cell, Line, Page, Picture, Reading, TextQuality, Word
from ingest.readers.links import followable
from resumes.taxonomy import ResumeError

TAB = "\t"
MOST_CHARACTERS = 500_000
"""Of text in a document without pages: 200 dense ones. What is longer is no resume, and finding fields in it takes minutes."""
MOST_LINES = 30_000
"""The same in lines, empty ones among them."""
LIST_INDENT = 0.02
"""Indent of one list level, as a fraction of the page's width."""
TAB_INDENT = 0.03

_PIECE = re.compile(r"\s+|\S+")
# What neither stands on the page nor can be stored: control characters, surrogates on their own, noncharacters.
_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_UNUSUAL = re.compile(rf"[^\S ]|\s\s|{_UNPRINTABLE.pattern}")
_HAN = re.compile(r"[㐀-鿿]")
_MIN_SCAN_SHARE = 0.3
_MIN_SCAN_SHARE_WITHOUT_TEXT = 0.08
_FEW_LETTERS = 200
_HIDDEN_WORTH_TELLING = 10
"""Characters; the initial behind a photo is nobody's trick."""
_SAME_EDGE_TWIPS = 60
"""Edges nearer than a millimetre are the same."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a run of text looks and where it leads."""

    bold: bool = False
    size: float | None = None
    link: str | None = None


PLAIN = Look()


def clean(text: str) -> str:
    """Text without characters that cannot be stored; surrogate pairs are joined."""
    if _SURROGATES.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _UNPRINTABLE.sub("", text)


def words_of(runs: Sequence[tuple[str, Look]]) -> tuple[Word, ...]:
    """The words of a line given as runs of text. A word that changes its look in the middle is two words without a space."""
    if not runs:
        return ()
    whole, first = "".join([text for text, _ in runs]), runs[0][1]
    if not _UNUSUAL.search(whole) and all(look is first or look == first for _, look in runs):
        # Nearly every line: one look, single spaces. Three times as quick as what is right for all.
        link = followable(first.link)
        return tuple([Word(text, None, first.size, first.bold, link) for text in whole.split()])
    groups: list[tuple[str, list[tuple[str, Look]]]] = []  # white space before, pieces without any between them
    gap = ""
    for text, look in runs:
        for piece in _PIECE.findall(text):
            if piece.isspace():
                gap += piece
            elif gap or not groups:
                groups.append((gap, [(piece, look)]))
                gap = ""
            else:
                pieces = groups[-1][1]
                if pieces[-1][1] == look:
                    pieces[-1] = (pieces[-1][0] + piece, look)
                else:
                    pieces.append((piece, look))
    if _UNPRINTABLE.search(whole):
        # Only here: a character may have come as two halves of a surrogate pair.
        cleaned = ((gap, [(clean(text), look) for text, look in pieces]) for gap, pieces in groups)
        groups = [(gap, [piece for piece in pieces if piece[0]]) for gap, pieces in cleaned]
        groups = [group for group in groups if group[1]]
    return tuple(_words(groups))


def _words(groups: Sequence[tuple[str, Sequence[tuple[str, Look]]]]) -> Iterator[Word]:
    """The words of groups of pieces, with a tab as a word where white space sets two groups apart."""
    last = len(groups) - 1
    texts = ["".join([text for text, _ in pieces]) for _, pieces in groups]
    for index, (_, pieces) in enumerate(groups):
        parts = index < last and _parts(texts[index], groups[index + 1][0], texts[index + 1])
        end = len(pieces) - 1
        for number, (text, look) in enumerate(pieces):
            yield Word(text, None, look.size, look.bold, followable(look.link), space=number == end and not parts)
        if parts:
            look = groups[index + 1][1][0][1]
            yield Word(TAB, None, look.size, look.bold, space=False)


def _parts(before: str, gap: str, after: str) -> bool:
    """Whether white space sets its neighbours apart, as a tab does.

    Chinese forms stretch labels with it (姓　　名), and bullets stand off their text; neither is a separation.
    """
    if gap == " ":
        return False
    if TAB in gap:
        return True
    if len(before) == 1 and not (before.isalnum() and before.isascii()):
        return False
    han = _HAN.match(before[-1]) or _HAN.match(after)
    if han and len(after) == 1:
        return False
    width = sum(2 if unicodedata.east_asian_width(char) == "F" else 1 for char in gap)
    return width >= (2 if han else 3)


class Flow:
    """Collects text in reading order. Use: `text` any number of times, then `end_line`; `pages` at the end.

    Raises ResumeError(too_large) as soon as there is more of it than a document may have.
    """

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.hidden: list[str] = []
        self.pictures: list[Picture] = []
        self._runs: list[tuple[str, Look]] = []
        self._block = 0
        self._blocks = 0
        self._cell: Cell | None = None
        self._tables = 0
        self._forced = ""
        self._warnings: dict[str, None] = {}
        self._gap = 0.0
        self._characters_left = MOST_CHARACTERS
        self._lines_left = MOST_LINES
        self._suspended: list[tuple[int, Cell | None, list[tuple[str, Look]], float]] = []

    def text(self, text: str, look: Look = PLAIN) -> None:
        """Add text to the line; tabs and spaces count, line feeds are spaces."""
        if text:
            self._spend(len(text))
            self._runs.append((text, look))

    def end_line(self, style: str = "", indent: float = 0.0) -> bool:
        """Close the line. Returns whether there was anything on it."""
        self._spend(0, lines=1)
        runs, self._runs = self._runs, []
        words = words_of(runs)
        if not words:
            return False
        if any("\ufffd" in text for text, _ in runs):
            self.warn(BAD_CHARACTERS)
        leading = "".join(text for text, _ in runs)
        tabs = leading[: len(leading) - len(leading.lstrip())].count(TAB)
        self.lines.append(
            Line(
                words,
                block=self._block,
                style=self._forced or style,
                cell=self._cell,
                gap=round(self._gap, 2),
                indent=round(indent + tabs * TAB_INDENT, 4),
            )
        )
        self._gap = 0.0
        return True

    def _spend(self, characters: int, lines: int = 0) -> None:
        self._characters_left -= characters
        self._lines_left -= lines
        if self._characters_left < 0 or self._lines_left < 0:
            raise ResumeError("too_large", "more text than a document may have")

    def space(self, heights: float, *, more: bool = False) -> None:
        """White space above the next line, in heights of a line: at least that much, or that much `more`."""
        self._gap = min(self._gap + heights, 10.0) if more else max(self._gap, heights)

    def hide(self, text: str) -> None:
        """Keep text nobody can see on record, apart from the lines."""
        self._spend(len(text))
        text = " ".join(clean(text).split())
        if text:
            self.hidden.append(text)

    def new_block(self) -> None:
        """What follows stands in a column of its own."""
        self._blocks += 1
        self._block = self._blocks

    def suspend(self, *, frame: bool = True) -> None:
        """Lay the line at hand aside for a text that stands elsewhere; with `frame` that text is a block of its own."""
        self._suspended.append((self._block, self._cell, self._runs, self._gap))
        self._cell, self._runs = None, []
        if frame:
            self.new_block()
            self._gap = max(self._gap, 1.0)

    def resume(self) -> None:
        """Go on with the line that was laid aside."""
        self.end_line()
        self._block, self._cell, self._runs, self._gap = self._suspended.pop()

    @contextmanager
    def frame(self) -> Iterator[None]:
        """What is added inside stands in a frame of its own (a text box), apart from the table or column around it."""
        self.suspend()
        yield
        self.resume()

    @contextmanager
    def aside(self, style: str) -> Iterator[None]:
        """What is added inside is a header or a footer; a line already told in one is left out."""
        start, outer = len(self.lines), self._forced
        known = {line.text for line in self.lines if line.style == style}
        self._forced = style
        yield
        self.end_line()
        self._forced = outer
        self.lines[start:] = [line for line in self.lines[start:] if line.text not in known]

    def new_table(self) -> int:
        """The number of a new table, from 0."""
        self._tables += 1
        return self._tables - 1

    def place(self, cell: Cell | None) -> Cell | None:
        """The line at hand stands in this cell, or in none. Returns where it stood before."""
        outer, self._cell = self._cell, cell
        if cell and outer and cell.table == outer.table and cell != outer:
            self._gap = 0.0  # what stood empty in the cell before says nothing about this one
        return outer

    @contextmanager
    def cell(self, table: int, row: int, column: int, span: int = 1) -> Iterator[None]:
        """What is added inside stands in this cell."""
        self.end_line()
        outer = self.place(Cell(table, row, column, span))
        yield
        self.end_line()
        self.place(outer)

    def align(self, table: int, edges: Mapping[int, Sequence[int]]) -> None:
        """Number the columns of a table by a grid common to all rows.

        `edges` has for each row where its cells begin, and where the last ends, in twips. For formats that know a row's
        cells by their places only.
        """
        grid: list[int] = []
        for edge in sorted({edge for row in edges.values() for edge in row}):
            if not grid or edge - grid[-1] > _SAME_EDGE_TWIPS:
                grid.append(edge)
        for index, line in enumerate(self.lines):
            cell = line.cell
            if cell is None or cell.table != table or cell.column + 1 >= len(edges.get(cell.row, ())):
                continue
            start, end = (bisect.bisect_right(grid, edge) - 1 for edge in edges[cell.row][cell.column : cell.column + 2])
            self.lines[index] = replace(line, cell=Cell(table, cell.row, start, max(1, end - start)))

    def pages(self) -> tuple[Page, ...]:
        """The text as one page, and each picture that may be a scan as a page of its own.

        A picture of a person or a logo is small; a scanned page covers a good part of the sheet it was put on. Where there
        is next to no text, smaller pictures count too.
        """
        letters = sum(len(word.text) for line in self.lines for word in line.words)
        least = _MIN_SCAN_SHARE if letters >= _FEW_LETTERS else _MIN_SCAN_SHARE_WITHOUT_TEXT if letters else 0.0
        scans = [picture for picture in self.pictures if picture.share >= least]
        pages = []
        if self.lines or self.hidden or not scans:
            quality = TextQuality.GOOD if self.lines else TextQuality.HIDDEN if self.hidden else TextQuality.BLANK
            small = tuple(picture for picture in self.pictures if picture.share < least)
            pages.append(Page(1, tuple(self.lines), quality=quality, pictures=small, hidden=tuple(self.hidden)))
        pages += [
            Page(number, quality=TextQuality.ABSENT, pictures=(scan,)) for number, scan in enumerate(scans, start=len(pages) + 1)
        ]
        return tuple(pages)

    def reading(self, title: str = "") -> Reading:
        """The pages with what people should know about them."""
        if sum(map(len, self.hidden)) >= _HIDDEN_WORTH_TELLING:
            self.warn("hidden_text")
        return Reading(self.pages(), tuple(self._warnings), " ".join(clean(title).split()))

    def warn(self, code: str) -> None:
        """Note what people should know about the document, once."""
        self._warnings[code] = None
