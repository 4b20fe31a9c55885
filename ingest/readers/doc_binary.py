"""The binary Word format (97 to 2003, and what can be had of 6 and 95): pieces of text and their properties.

Follows [MS-DOC]. Gives paragraphs of runs for a range of character positions; what they mean on the page is
`ingest.readers.doc`. Every number in the file is taken for a claim: reads outside the streams raise ResumeError(corrupt).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import BinaryIO

import olefile

from ingest.readers.colors import UNKNOWN, Color
from ingest.readers.doc_formatting import PAGE_BYTES, FormattedPages, Properties, Style, style_sheet
from ingest.readers.doc_sight import Anchor
from resumes.taxonomy import ResumeError

_WORD_97 = 0xA5EC
_WORD_6 = (0xA5DC, 0xA5DB)
_ENCRYPTED, _COMPLEX, _TABLE_1 = 0x0100, 0x0004, 0x0200
_MARKS = "\r\x07\x0c\x0e"
# Index of an fc/lcb pair in the file information block.
STYLES, HEADERS, CHARACTER_PAGES, PARAGRAPH_PAGES, PIECES, ANCHORS, HEADER_ANCHORS, BOXES = 1, 11, 12, 13, 33, 40, 41, 56
_CODE_PAGES = {0x19: "cp1251", 0x22: "cp1251", 0x02: "cp1251", 0x23: "cp1251", 0x04: "gb18030", 0x11: "cp932", 0x12: "cp949"}
"""By primary language, for versions that store bytes. Traditional Chinese is told by its sublanguage."""
_TRADITIONAL = (0x0404, 0x0C04, 0x1404)


@dataclass(frozen=True, slots=True)
class Run:
    """Text of one look. `picture` is the place of an inline picture in the data stream."""

    text: str
    position: int
    """Character position of its first character."""
    bold: bool | None = False
    size: float | None = None
    hidden: bool | None = False
    deleted: bool = False
    picture: int | None = None
    color: Color | None = None
    ground: Color | None = None
    unseen: bool = False
    """Of no width."""
    style: int | None = None
    """Of characters."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    runs: tuple[Run, ...]
    mark: str
    """The character that ends it: paragraph, cell, page or column."""
    style: str = ""
    level: int | None = None
    """List level from 0."""
    depth: int = 0
    """How many tables it is inside of."""
    ends_cell: bool = False
    ends_row: bool = False
    edges: tuple[int, ...] = ()
    """At the end of a row: where its cells begin, and where the last ends, in twips."""
    before: int = 0
    after: int = 0
    """White space above and below in twips."""
    ground: Color | None = None
    unseen: bool = False
    """Of no height, or beyond the page; of the end of a row: the row is of no height."""
    cells: tuple[Color | None, ...] = ()
    """At the end of a row: the grounds of its cells."""


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    end: int
    offset: int
    width: int

    def file_position(self, position: int) -> int:
        return self.offset + (position - self.start) * self.width


class WordFile:
    """One Word document. Raises ResumeError(corrupt, encrypted) from everything."""

    def __init__(self, file: BinaryIO) -> None:
        try:
            ole = olefile.OleFileIO(file)
            self._main: bytes = ole.openstream("WordDocument").read()
            flags = self._word(0x0A)
            if flags & _ENCRYPTED:
                raise ResumeError("encrypted", "the document needs a password")
            self.is_old = self._word(0) in _WORD_6
            if not self.is_old and self._word(0) != _WORD_97:
                raise ResumeError("corrupt", "the main stream is no Word document")
            self._language = self._word(6)
            names = ("1Table", "0Table") if flags & _TABLE_1 else ("0Table", "1Table")
            table = next((name for name in names if ole.exists(name)), None)
            self._table = ole.openstream(table).read() if table and not self.is_old else self._main
            self.data = ole.openstream("Data").read() if ole.exists("Data") else b""
            self._load(is_complex=bool(flags & _COMPLEX))
        except (OSError, struct.error, IndexError, ValueError, TypeError, AttributeError, KeyError, OverflowError) as exc:
            raise ResumeError("corrupt", "the compound file is damaged") from exc

    # -- the parts of the text ------------------------------------------------------------------------------------

    @property
    def main(self) -> range:
        return range(self._lengths[0])

    @property
    def notes(self) -> tuple[range, ...]:
        """Footnotes and endnotes."""
        return (self._part(1), self._part(5))

    @property
    def headers(self) -> tuple[tuple[str, range], ...]:
        """Headers and footers of all sections: `header` or `footer` and where its text is."""
        start = self._part(2).start
        bounds = self._positions(HEADERS, 0)
        found = []
        for index in range(6, len(bounds) - 1):
            kind = "footer" if index % 6 in (2, 3, 5) else "header"
            found.append((kind, range(start + bounds[index], min(start + bounds[index + 1], self._part(2).stop))))
        return tuple(found)

    @property
    def boxes(self) -> tuple[tuple[int | None, range, bool], ...]:
        """Text boxes: the position of the character they hang on (None where not known), where their text is, and
        whether nobody sees them."""
        part = self._part(6)
        bounds = self._positions(BOXES, 22)
        records = self._records(BOXES, 22, bounds)
        anchors = {shape: (position, anchor.is_out_of_sight) for position, shape, anchor in self._anchors(ANCHORS)}
        found: list[tuple[int | None, range, bool]] = []
        for index in range(len(bounds) - 1):
            shape = struct.unpack_from("<i", records[index], 14)[0]
            stop = min(part.start + bounds[index + 1], part.stop)
            if bounds[index] < bounds[index + 1] and part.start + bounds[index] < stop:
                position, unseen = anchors.get(shape, (None, False))
                found.append((position, range(part.start + bounds[index], stop), unseen))
        return tuple(found) or (((None, part, False),) if part else ())

    def _part(self, index: int) -> range:
        start = sum(self._lengths[:index])
        return range(start, start + self._lengths[index])

    @cached_property
    def anchors(self) -> tuple[Anchor, ...]:
        """Where the shapes stand, those of headers too."""
        return tuple(anchor for index in (ANCHORS, HEADER_ANCHORS) for _, _, anchor in self._anchors(index))

    def _anchors(self, index: int) -> Iterator[tuple[int, int, Anchor]]:
        """The position of the character each shape hangs on, its number, its place."""
        bounds = self._positions(index, 26)
        for position, record in zip(bounds, self._records(index, 26, bounds), strict=False):
            shape, left, top, right, bottom, flags = struct.unpack_from("<5iH", record)
            yield position, shape, Anchor(left, top, right, bottom, flags)

    # -- paragraphs -----------------------------------------------------------------------------------------------

    def paragraphs(self, part: range) -> Iterator[Paragraph]:
        """The paragraphs of a part of the text."""
        runs: list[Run] = []
        for piece in self._pieces:
            start, stop = max(piece.start, part.start), min(piece.end, part.stop)
            while start < stop:
                at = piece.file_position(start)
                properties, until = self._characters.at(at)
                end = stop if until is None else min(stop, start + max(1, (until - at) // piece.width))
                position = start
                for line, mark in _split(self._text(piece, start, end)):
                    if line:
                        runs.append(_run(self._line(line), position, properties))
                    position += len(line) + len(mark)
                    if mark:
                        yield self._paragraph(runs, mark, piece.file_position(position - 1))
                        runs = []
                start = end
        if runs:
            yield Paragraph(self._styled(runs, Properties()), "\r")

    def _text(self, piece: _Piece, start: int, end: int) -> str:
        at = piece.file_position(start)
        raw = self._main[at : at + (end - start) * piece.width]
        if piece.width == 2:
            # One character a unit keeps positions true; pairs are joined when words are made.
            return "".join(chr(unit) for (unit,) in struct.iter_unpack("<H", raw[: len(raw) & ~1]))
        return raw.decode(self._code_page, "replace") if self._single_byte else raw.decode("latin-1")

    def _line(self, text: str) -> str:
        """Text between marks; in old files of two-byte languages it has still to be decoded."""
        if self._single_byte:
            return text
        return text.encode("latin-1", "ignore").decode(self._code_page, "replace")

    def _paragraph(self, runs: Sequence[Run], mark: str, at: int) -> Paragraph:
        properties, _ = self._paragraph_properties.at(at)
        depth = properties.depth if properties.depth is not None else int(properties.in_table)
        if self.is_old:
            depth = int(mark == "\x07")
        depth = min(max(depth, int(mark == "\x07")), 8)
        inner = depth > 1
        row_end = properties.row_end or (self.is_old and mark == "\x07" and not runs)
        return Paragraph(
            self._styled(runs, properties),
            mark,
            style=self._style_name(properties.style),
            level=(properties.level or 0) if properties.in_list else None,
            depth=depth,
            ends_cell=not row_end and (properties.inner_cell if inner else mark == "\x07"),
            ends_row=row_end,
            edges=properties.edges,
            before=properties.before,
            after=properties.after,
            ground=properties.ground or self._style_look(properties.style).ground,
            unseen=properties.unseen,
            cells=properties.cells,
        )

    def _styled(self, runs: Sequence[Run], properties: Properties) -> tuple[Run, ...]:
        """Runs with what their paragraph's style says where they say nothing themselves."""
        return tuple(self._under(run, properties.style) for run in runs)

    def _under(self, run: Run, paragraph_style: int) -> Run:
        look = self._style_look(paragraph_style)
        if run.style is not None:
            own = self._style_look(run.style)
            look = replace(
                look, bold=look.bold if own.bold is None else own.bold, size=own.size or look.size,
                hidden=look.hidden if own.hidden is None else own.hidden, color=own.color or look.color,
            )  # fmt: skip
        return replace(
            run,
            bold=bool(look.bold) if run.bold is None else run.bold,
            size=run.size or look.size,
            hidden=bool(look.hidden) if run.hidden is None else run.hidden,
            color=run.color or look.color,
        )

    def _style_name(self, index: int) -> str:
        for _ in range(10):
            if not 0 <= index < len(self._styles):
                return ""
            if self._styles[index].name:
                return self._styles[index].name
            index = self._styles[index].base
        return ""

    def _style_look(self, index: int) -> Properties:
        """What a style and those it is based on say of letters."""
        found = Properties()
        for _ in range(10):
            if not 0 <= index < len(self._styles):
                break
            look = self._styles[index].look
            found = Properties(
                bold=look.bold if found.bold is None else found.bold,
                size=found.size or look.size,
                hidden=look.hidden if found.hidden is None else found.hidden,
                color=found.color or look.color,
                ground=found.ground or look.ground,
            )
            index = self._styles[index].base
        return found

    # -- loading --------------------------------------------------------------------------------------------------

    def _word(self, at: int) -> int:
        return int(struct.unpack_from("<H", self._main, at)[0])

    def _load(self, *, is_complex: bool) -> None:
        language = self._language
        self._code_page = "big5hkscs" if language in _TRADITIONAL else _CODE_PAGES.get(language & 0x3FF, "cp1252")
        self._single_byte = self._code_page not in ("gb18030", "big5hkscs", "cp932", "cp949")
        self._pairs: list[tuple[int, int]] = []
        self._styles: list[Style] = []
        if self.is_old:
            self._load_old(is_complex=is_complex)
            return
        words = self._word(0x20)
        at = 0x22 + words * 2
        longs = self._word(at)
        at += 2
        counts = struct.unpack_from(f"<{longs}i", self._main, at)
        # text, footnotes, headers, (macros), comments, endnotes, boxes, boxes in headers
        self._lengths = self._bounded(counts[3:11])
        at += longs * 4
        pairs = self._word(at)
        self._pairs = [struct.unpack_from("<iI", self._main, at + 2 + 8 * index) for index in range(min(pairs, 200))]
        self._pieces = self._piece_table(self._bytes(PIECES), old=False)
        self._single_byte = True  # what is stored in bytes is never of two-byte languages
        self._code_page = self._compressed_code_page()
        self._styles = style_sheet(self._bytes(STYLES))
        self._characters = FormattedPages(self._main, self._page_table(CHARACTER_PAGES), is_paragraph=False)
        self._paragraph_properties = FormattedPages(self._main, self._page_table(PARAGRAPH_PAGES), is_paragraph=True)

    def _load_old(self, *, is_complex: bool) -> None:
        """Word 6 and 95: one-byte text, most often in one piece; formatting is left aside."""
        first, last = struct.unpack_from("<II", self._main, 0x18)
        counts = struct.unpack_from("<6i", self._main, 0x34)
        self._lengths = self._bounded(counts)
        total = sum(self._lengths)
        self._pieces = [_Piece(0, min(total, max(0, last - first)), first, 1)]
        if is_complex:
            start, size = struct.unpack_from("<II", self._main, 0x160)
            self._pieces = self._piece_table(self._main[start : start + size], old=True) or self._pieces
        self._characters = self._paragraph_properties = FormattedPages(b"", (), is_paragraph=False)

    def _bounded(self, counts: Sequence[int]) -> list[int]:
        """The lengths of the eight parts of the text, which together are no longer than the file has bytes."""
        left = len(self._main)
        lengths = []
        for count in (*counts, *[0] * (8 - len(counts))):
            lengths.append(max(0, min(count, left)))
            left -= lengths[-1]
        return lengths

    def _compressed_code_page(self) -> str:
        """One-byte pieces are Windows-1252; some writers put the bytes of their own code page there."""
        if self._code_page != "cp1251":
            return "cp1252"
        sample = b"".join(self._main[piece.offset : piece.offset + 4000] for piece in self._pieces[:50] if piece.width == 1)
        letters = sum(byte >= 0xC0 for byte in sample)
        return self._code_page if letters * 3 > len(sample) else "cp1252"

    def _bytes(self, index: int) -> bytes:
        """What an fc/lcb pair points at in the table stream."""
        if index >= len(self._pairs):
            return b""
        start, size = self._pairs[index]
        return self._table[start : start + size] if start >= 0 else b""

    def _positions(self, index: int, record_bytes: int) -> list[int]:
        """The positions of a PLC; empty where it is not there."""
        data = self._bytes(index)
        count = (len(data) - 4) // (4 + record_bytes)
        return list(struct.unpack_from(f"<{count + 1}i", data)) if count > 0 else []

    def _records(self, index: int, record_bytes: int, positions: Sequence[int]) -> list[bytes]:
        data = self._bytes(index)[4 * len(positions) :]
        return [data[at : at + record_bytes] for at in range(0, record_bytes * max(0, len(positions) - 1), record_bytes)]

    def _page_table(self, index: int) -> list[int]:
        """Where the pages of formatted disk pages are."""
        positions = self._positions(index, 4)
        return [(struct.unpack("<I", record)[0] & 0x3FFFFF) * PAGE_BYTES for record in self._records(index, 4, positions)]

    def _piece_table(self, data: bytes, *, old: bool) -> list[_Piece]:
        at = 0
        while at < len(data) and data[at] == 1:
            at += 3 + struct.unpack_from("<H", data, at + 1)[0]
        if at >= len(data) or data[at] != 2:
            if old:
                return []
            raise ResumeError("corrupt", "the table of pieces is missing")
        size = struct.unpack_from("<I", data, at + 1)[0]
        data = data[at + 5 : at + 5 + size]
        count = (len(data) - 4) // 12
        positions = struct.unpack_from(f"<{count + 1}I", data)
        pieces = []
        total = sum(self._lengths) + 1
        done = 0
        for index in range(count):
            start, end = max(positions[index], done), min(positions[index + 1], total)
            raw = struct.unpack_from("<I", data, 4 * (count + 1) + 8 * index + 2)[0]
            compressed = bool(raw & 0x40000000)
            offset, width = (raw, 1) if old else ((raw & 0x3FFFFFFF) // 2, 1) if compressed else (raw & 0x3FFFFFFF, 2)
            available = max(0, len(self._main) - offset) // width
            if start < end:
                done = min(end, positions[index] + available)
                pieces.append(_Piece(start, done, offset + (start - positions[index]) * width, width))
        return pieces


def _run(text: str, position: int, properties: Properties) -> Run:
    return Run(
        text, position, properties.bold, properties.size, properties.hidden, properties.deleted, properties.picture,
        UNKNOWN if properties.rims else properties.color, properties.ground, properties.unseen, properties.character_style,
    )  # fmt: skip


def _split(text: str) -> Iterator[tuple[str, str]]:
    """Text up to each mark that ends a paragraph, with the mark ("" at the end)."""
    start = 0
    for index, char in enumerate(text):
        if char in _MARKS:
            yield text[start:index], char
            start = index + 1
    if start < len(text):
        yield text[start:], ""
