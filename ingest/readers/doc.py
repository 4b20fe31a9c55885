"""Word documents of the binary kind (.doc): paragraphs, tables, fields, headers and text boxes, as lines."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ingest.page import Cell, Picture, Reading
from ingest.readers import ReadLimits
from ingest.readers.colors import UNKNOWN, is_lost
from ingest.readers.doc_binary import Paragraph, Run, WordFile
from ingest.readers.doc_sight import Placed, Placing, cells_of, paper
from ingest.readers.flow import LIST_INDENT, Flow, Look
from ingest.readers.pictures import picture_of, picture_png
from ingest.readers.sight import is_tiny
from resumes.taxonomy import ResumeError

_FIELD_LINK = re.compile(r'HYPERLINK\s+(?:\\[a-z]\s+)*"?([^"\s]+)"?', re.IGNORECASE)
_BEGIN, _SEPARATE, _END = "\x13", "\x14", "\x15"
_SPECIAL = re.compile("[\x01\x0b\x13\x14\x15]")
_PLAIN = str.maketrans({"\x1e": "-", "\x1f": "", "\x02": "", "\x05": "", "\x08": "", "\x03": "", "\x04": "", "\x06": ""})
_A4_TWIPS = 11906 * 16838
_SIGNATURES = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")
_MIN_PICTURE_BYTES = 3_000
_LINE_TWIPS = 260
"""Height of a line of 11 points."""


def read(path: Path, limits: ReadLimits) -> Reading:  # noqa: ARG001 - text is bounded by the size of the file
    """Read a .doc. Raises ResumeError(corrupt, encrypted)."""
    with path.open("rb") as file:
        flow = Flow()
        try:
            _Document(WordFile(file), flow).walk()
        except (struct.error, IndexError, ValueError, OverflowError) as exc:
            raise ResumeError("corrupt", "the text of the document is damaged") from exc
    return flow.reading()


def page_image(path: Path, page: int, limits: ReadLimits, dpi: int = 200) -> bytes:  # noqa: ARG001 - pictures have their own
    """The largest picture of page `page`, upright, as PNG. Raises ResumeError (unsupported_format: there is none)."""
    picture = picture_of(read(path, limits).pages, page)
    with path.open("rb") as file:
        return picture_png(_picture_bytes(WordFile(file).data, int(picture.name)), limits)


@dataclass(slots=True)
class _Table:
    number: int
    row: int = 0
    column: int = 0
    edges: dict[int, Sequence[int]] = field(default_factory=dict)

    @property
    def cell(self) -> Cell:
        return Cell(self.number, self.row, self.column)

    def end_row(self, edges: Sequence[int]) -> None:
        self.edges[self.row] = edges
        self.row += 1
        self.column = 0


class _Document:
    def __init__(self, word: WordFile, flow: Flow) -> None:
        self._word = word
        self._flow = flow
        self._tables: list[_Table] = []  # the tables around us, innermost last
        self._fields: list[list[str]] = []  # instruction and "" or "result" of the open fields
        self._after = 0
        self._ground = paper(word.anchors)
        self._behind = self._ground  # the paragraph at hand
        self._unseen = False  # the paragraph at hand

    def walk(self) -> None:
        self._margins("header")
        boxes = list(self._word.boxes)
        for paragraph, cell in self._placed(self._word.main):
            self._paragraph(paragraph, cell)
            positions = {run.position + index for run in paragraph.runs for index, char in enumerate(run.text) if char == "\x08"}
            for box in [box for box in boxes if box[0] in positions]:
                boxes.remove(box)
                self._frame(box[1], unseen=box[2])
        self._leave_tables(0)
        for _, part, unseen in boxes:
            self._frame(part, unseen=unseen)
        for part in self._word.notes:
            self._story(part, "footer")
        self._margins("footer")

    def _margins(self, kind: str) -> None:
        for what, part in self._word.headers:
            if what == kind:
                self._story(part, kind)

    def _story(self, part: range, style: str) -> None:
        """A text beside the main one."""
        with self._flow.aside(style):
            for paragraph, cell in self._placed(part):
                self._paragraph(paragraph, cell)
            self._leave_tables(0)
        self._fields.clear()

    def _placed(self, part: range) -> Iterator[tuple[Paragraph, Placing]]:
        """The paragraphs of a part, each with what the rows around it do to it."""
        paragraphs = list(self._word.paragraphs(part))
        placed = [Placed(one.depth, one.ends_cell, one.ends_row, one.cells, one.unseen) for one in paragraphs]
        return zip(paragraphs, cells_of(placed), strict=True)

    def _frame(self, part: range, *, unseen: bool) -> None:
        tables, self._tables = self._tables, []
        fields, self._fields = self._fields, []
        self._after = 0
        outer, self._ground = self._ground, UNKNOWN
        with self._flow.frame():
            for paragraph, cell in self._placed(part):
                self._paragraph(paragraph, cell._replace(flat=cell.flat or unseen))
        self._tables, self._fields, self._ground = tables, fields, outer

    # -- paragraphs and tables ------------------------------------------------------------------------------------

    def _paragraph(self, paragraph: Paragraph, cell: Placing) -> None:
        self._behind = paragraph.ground or cell.ground or self._ground
        self._unseen = paragraph.unseen or cell.flat
        self._enter_tables(paragraph.depth)
        if paragraph.ends_row:
            if self._tables:
                self._tables[-1].end_row(paragraph.edges)
            return
        self._flow.space(max(paragraph.before, self._after) / _LINE_TWIPS)
        self._after = paragraph.after
        style, indent = paragraph.style, 0.0
        if paragraph.level is not None:
            style, indent = style or "list", LIST_INDENT * (paragraph.level + 1)
        for run in paragraph.runs:
            self._run(run, style, indent)
        if not self._flow.end_line(style, indent) and not paragraph.depth:
            self._flow.space(1.0, more=True)
        if paragraph.mark in "\x0c\x0e":
            self._flow.space(1.0)
            if paragraph.mark == "\x0e":
                self._flow.new_block()
        if paragraph.ends_cell and self._tables:
            self._tables[-1].column += 1

    def _enter_tables(self, depth: int) -> None:
        self._leave_tables(depth)
        while len(self._tables) < depth:
            self._flow.space(0.5)
            self._tables.append(_Table(self._flow.new_table()))
        self._flow.place(self._tables[-1].cell if self._tables else None)

    def _leave_tables(self, depth: int) -> None:
        self._flow.end_line()
        while len(self._tables) > depth:
            table = self._tables.pop()
            self._flow.align(table.number, table.edges)
            self._flow.place(self._tables[-1].cell if self._tables else None)
            self._flow.space(0.5)
            self._after = 0

    # -- runs -----------------------------------------------------------------------------------------------------

    def _run(self, run: Run, style: str, indent: float) -> None:
        if run.deleted:
            return
        at = 0
        for match in _SPECIAL.finditer(run.text):
            self._text(run, run.text[at : match.start()])
            at = match.end()
            self._special(run, match[0], style, indent)
        self._text(run, run.text[at:])

    def _special(self, run: Run, char: str, style: str, indent: float) -> None:
        if char == _BEGIN:
            self._fields.append(["", ""])
        elif char == _SEPARATE and self._fields:
            self._fields[-1][1] = "result"
        elif char == _END and self._fields:
            self._fields.pop()
        elif char == "\x0b":
            self._flow.end_line(style, indent)
        elif char == "\x01" and run.picture is not None:
            self._picture(run.picture)

    def _text(self, run: Run, text: str) -> None:
        text = text.translate(_PLAIN)
        if not text:
            return
        if self._fields and not self._fields[-1][1]:
            self._fields[-1][0] += text
        elif any(not field[1] for field in self._fields):
            return  # the result of a field inside the instruction of another
        elif self._is_unseen(run):
            self._flow.hide(text)
        else:
            self._flow.text(text, Look(bool(run.bold), run.size, self._link()))

    def _is_unseen(self, run: Run) -> bool:
        if run.hidden or run.unseen or self._unseen or is_tiny(run.size):
            return True
        return run.color is not None and is_lost(run.color, run.ground or self._behind)

    def _link(self) -> str | None:
        for instruction, _ in reversed(self._fields):
            match = _FIELD_LINK.search(instruction)
            if match and not re.match(r"\s*HYPERLINK\s+\\l", instruction, re.IGNORECASE):
                return match[1]
        return None

    def _picture(self, offset: int) -> None:
        data = self._word.data
        if offset >= 0 and offset + 0x24 <= len(data) and _picture_bytes(data, offset):
            width, height, scale_x, scale_y = struct.unpack_from("<4H", data, offset + 0x1C)
            area = width * height * (scale_x / 1000) * (scale_y / 1000)
            self._flow.pictures.append(Picture(None, str(offset), round(min(1.0, area / _A4_TWIPS), 3)))


def _picture_bytes(data: bytes, offset: int) -> bytes:
    """The JPEG or PNG inside a picture's record, empty where it holds neither."""
    size = struct.unpack_from("<I", data, offset)[0]
    record = data[offset : offset + size]
    starts = [at for at in (record.find(signature) for signature in _SIGNATURES) if at >= 0]
    found = record[min(starts) :] if starts else b""
    return found if len(found) >= _MIN_PICTURE_BYTES else b""
