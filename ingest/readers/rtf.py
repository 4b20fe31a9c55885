"""Rich Text Format: text in whatever code pages its fonts have, tables, headers, links; hidden and deleted text kept apart."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from ingest.page import CUT_OFF, Cell, Line, Reading
from ingest.readers import ReadLimits
from ingest.readers.colors import UNKNOWN, Color, is_lost
from ingest.readers.flow import LIST_INDENT, TAB, Flow
from ingest.readers.pictures import picture_of, picture_png
from ingest.readers.rtf_destinations import ENTERED, HEADERS, SKIPPED, TRANSPARENT
from ingest.readers.rtf_fonts import Fonts
from ingest.readers.rtf_pictures import Pictures
from ingest.readers.rtf_sight import SHAPE_PLACES, ColorTable, Shading, Shape, paper_of
from ingest.readers.rtf_state import PAGE_WIDTH_TWIPS, Paragraph, Row, State, Table, style_named
from ingest.readers.rtf_tokens import Kind, tokens
from ingest.readers.sight import is_thin, is_tiny
from resumes.taxonomy import ResumeError

_MAX_DEPTH = 500
_MAX_MARKS = 1_500_000
"""Control words, escapes and groups: three for each character a document may have."""
_CHARACTERS = {
    "tab": TAB, "emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
    "emspace": "\u2003", "enspace": "\u2002", "qmspace": "\u2005",
}  # fmt: skip
_SYMBOLS = {"~": "\xa0", "_": "-", "\\": "\\", "{": "{", "}": "}"}
_SCRIPTS = frozenset(("loch", "hich", "dbch", "rtlch", "ltrch"))
_BREAKS = frozenset(("par", "line", "page", "sect", "column", "softline", "softpage"))
_FIELD_LINK = re.compile(r'HYPERLINK\s+(?:\\[a-z]\s+)*"?([^"\s]+)"?', re.IGNORECASE)
_LINE_TWIPS = 260


def read(path: Path, limits: ReadLimits) -> Reading:  # noqa: ARG001 - text is bounded by the size of the file
    """Read an RTF file. Raises ResumeError(corrupt, too_large)."""
    flow = Flow()
    title = rtf_into(flow, path.read_bytes())
    return flow.reading(title)


def rtf_into(flow: Flow, data: bytes) -> str:
    """Add the text of an RTF document to a flow; returns its title. Raises ResumeError(corrupt, too_large)."""
    if b"{\\rtf" not in data[:100]:
        raise ResumeError("corrupt", "no RTF document")
    if data.count(b"\\") + data.count(b"{") > _MAX_MARKS:
        raise ResumeError("too_large", "more marks than a document may have")
    document = _Document(flow)
    document.walk(data)
    return document.title


def page_image(path: Path, page: int, limits: ReadLimits, dpi: int = 200) -> bytes:  # noqa: ARG001 - pictures have their own
    """The largest picture of page `page`, upright, as PNG. Raises ResumeError (unsupported_format: there is none)."""
    flow = Flow()
    document = _Document(flow)
    document.walk(path.read_bytes())
    return picture_png(document.pictures.contents[int(picture_of(flow.pages(), page).name)], limits)


class _Document:
    """The walk through one document."""

    def __init__(self, flow: Flow) -> None:
        self.title = ""
        self.pictures = Pictures()
        self._flow = flow
        self._state = State()
        self._stack: list[State] = []
        self._asides: list[tuple[Paragraph, list[Table]]] = []  # what to go on with after a text that stands elsewhere
        self._paragraph = Paragraph()
        self._tables: list[Table] = []
        self._row = Row()
        self._colors = ColorTable()
        self._shape = Shape()
        self._said = {"sn": "", "sv": ""}  # name and value of the property of a shape
        self._shading = Shading()  # of the letters
        self._fonts = Fonts()
        self._styles: dict[int, tuple[str, State]] = {}
        self._style = 0  # the one being defined
        self._name: list[str] = []  # of the style or the document
        self._instructions: list[list[str]] = []  # of the open fields
        self._bytes = bytearray()  # text not yet decoded
        self._stand_in = 0  # characters yet to drop after \\u
        self._starred = False
        self._has_alternatives = False

    def walk(self, data: bytes) -> None:
        self._state = State(backdrop=paper_of(data))
        self._has_alternatives = b"\\ud" in data
        for token in tokens(data):
            if token.kind is Kind.BYTES:
                self._data(token.data)
                continue
            self._flush()
            if token.kind is Kind.OPEN:
                self._stack.append(self._state)
                self._starred = False
                if len(self._stack) > _MAX_DEPTH:
                    raise ResumeError("corrupt", "the document is nested too deeply")
            elif token.kind is Kind.CLOSE:
                self._close()
            elif token.kind is Kind.WORD:
                self._word(token.word, token.number)
            else:
                self._symbol(token.word)
        self._flush()
        if self._stack:
            self._flow.warn(CUT_OFF)
        while self._stack:
            self._close()
        self._end_line()
        self._leave_tables(0)
        self._order_margins()

    # -- groups and destinations ----------------------------------------------------------------------------------

    def _close(self) -> None:
        if not self._stack:
            return
        inner, self._state = self._state, self._stack.pop()
        if inner.destination in ("styles", "title"):
            self._named(inner)
        elif inner.destination == "property" != self._state.destination:
            self._shape.properties[self._said["sn"].strip()] = self._said["sv"].strip()
            self._said = {"sn": "", "sv": ""}
        elif inner.destination == "picture" and self._state.destination != "picture":
            self._flow.pictures += self.pictures.end()
        if inner.aside and not self._state.aside:
            self._end_line(inner.aside)
            self._leave_tables(0)
            self._flow.resume()
            self._paragraph, self._tables = self._asides.pop()

    def _enter(self, word: str) -> None:
        destination = ENTERED.get(word) or HEADERS[word]
        state = self._state
        if destination in ("frame", "header", "footer"):
            if not state.aside:
                self._asides.append((self._paragraph, self._tables))
                self._paragraph, self._tables = Paragraph(), []
                self._flow.suspend(frame=destination == "frame")
            self._state = replace(state, aside=state.aside or destination)
            if destination == "frame":
                shape = self._shape
                hidden = state.out_of_sight or shape.is_out_of_sight
                self._state = replace(self._state, backdrop=shape.ground, out_of_sight=hidden)
        else:
            self._state = replace(state, destination=destination)
            if destination == "instruction":
                self._instructions.append([])

    def _named(self, state: State) -> None:
        name = "".join(self._name).strip()
        self._name.clear()
        if state.destination == "title":
            self.title = name
        if state.destination == "title" or not name:
            return
        self._styles[self._style] = (style_named(name), state)

    # -- control words --------------------------------------------------------------------------------------------

    def _word(self, word: str, number: int | None) -> None:
        starred, self._starred = self._starred, False
        destination = self._state.destination
        if word == "u" and number is not None:
            self._unicode(number)
            return
        self._stand_in = 0
        if word == "ud" and self._state.alternative is not None:
            self._state = replace(self._state, destination=self._state.alternative, alternative=None)
        elif word == "upr" and self._has_alternatives:  # the same text twice: what comes first is for old programs
            self._state = replace(self._state, destination="skip", alternative=destination)
        elif destination in ("skip", "unknown"):
            return
        elif destination in ("property", "sn", "sv"):
            self._state = replace(
                self._state, destination=word if word in self._said else "skip" if starred or word in ENTERED else destination
            )
        elif word in ENTERED or word in HEADERS:
            self._enter(word)
        elif word in SKIPPED or (starred and word not in TRANSPARENT):
            unknown = destination == "" and word not in SKIPPED
            self._state = replace(self._state, destination="unknown" if unknown else "skip")
        elif destination == "picture":
            self.pictures.measures[word] = number or 0
        elif destination == "colors":
            self._colors.word(word, number)
        elif destination == "info" and word == "title":
            self._state = replace(self._state, destination="title")
        elif destination in ("", "styles", "fonts"):
            self._format(word, number)

    def _format(self, word: str, number: int | None) -> None:
        if word in _BREAKS:
            self._break(word)
        elif word in _CHARACTERS:
            self._text(_CHARACTERS[word])
        elif word == "fldrslt":
            self._state = replace(self._state, link=self._field_target() or self._state.link)
        elif word == "shp":
            self._shape = Shape()
        elif word in SHAPE_PLACES:
            self._shape.places[word] = number or 0
        elif not (self._table_word(word, number) or self._paragraph_word(word, number) or self._encoding_word(word, number)):
            self._character_word(word, number)

    def _character_word(self, word: str, number: int | None) -> None:
        state, on = self._state, number != 0
        if word == "plain":
            self._shading = Shading()
            self._state = State(
                skip=state.skip, link=state.link, destination=state.destination, aside=state.aside,
                backdrop=state.backdrop, out_of_sight=state.out_of_sight,
            )  # fmt: skip
        elif word in _SCRIPTS:
            self._state = replace(state, script=word)
        elif word == "ab" and state.script == "dbch":
            self._state = replace(state, asian_bold=on)
        elif word == "afs" and state.script == "dbch":
            self._state = replace(state, asian_size=(number or 0) / 2 or None)
        elif word == "b":
            self._state = replace(state, bold=on)
        elif word == "fs":
            self._state = replace(state, size=(number or 0) / 2 or None)
        elif word in ("v", "webhidden"):
            self._state = replace(state, hidden=on)
        elif word == "deleted":
            self._state = replace(state, deleted=on)
        elif word == "charscalex":
            self._state = replace(state, thin=is_thin(number))
        else:
            self._color_word(word, number)

    def _color_word(self, word: str, number: int | None) -> None:
        if word in ("embo", "impr", "outl", "shad"):
            self._state = replace(self._state, rims=number != 0)
        elif word == "cf":
            self._state = replace(self._state, color=self._colors.color(number))
        elif word in ("highlight", "cb"):
            self._state = replace(self._state, ground=self._colors.color(number))
        elif word in ("chcbpat", "chcfpat", "chshdng"):
            self._shade(self._shading, word[2:], number)
            self._state = replace(self._state, ground=self._shading.color)

    def _shade(self, shading: Shading, part: str, number: int | None) -> None:
        if part == "shdng":
            shading.share = number or 0
        elif part == "cbpat":
            shading.back = self._colors.color(number)
        else:
            shading.front = self._colors.color(number)

    def _encoding_word(self, word: str, number: int | None) -> bool:
        if word == "uc":
            self._state = replace(self._state, skip=max(0, min(1 if number is None else number, 10)))
        elif self._fonts.word(word, number, defining=self._state.destination == "fonts"):
            if word == "f":
                self._state = replace(self._state, codec=self._fonts.codec_of(number or 0))
        else:
            return False
        return True

    def _paragraph_word(self, word: str, number: int | None) -> bool:
        paragraph = self._paragraph
        if word == "pard":
            self._paragraph = Paragraph()
        elif word == "s" and self._state.destination == "styles":
            self._style = number or 0
        elif word == "s":
            paragraph.style, look = self._styles.get(number or 0, ("", State()))
            state = self._state
            self._state = replace(
                state, bold=look.bold or state.bold, size=state.size or look.size, hidden=look.hidden or state.hidden,
                color=state.color or look.color, ground=state.ground or look.ground,
            )  # fmt: skip
        elif word == "outlinelevel" and number is not None and 0 <= number < 9:
            paragraph.style = paragraph.style or f"heading{min(number + 1, 6)}"
        elif word == "sb":
            paragraph.before = number or 0
        elif word == "sl":
            paragraph.clipped = number is not None and number < 0 and is_tiny(-number / 20)  # below zero: exactly so high
        elif word in ("cbpat", "cfpat", "shading"):
            self._shade(paragraph.shading, word if word != "shading" else "shdng", number)
        elif word == "li":
            paragraph.left = max(0, number or 0)
        elif word in ("ls", "pnlvlblt", "pnlvlbody"):
            paragraph.level = paragraph.level or 0
        elif word == "ilvl":
            paragraph.level = max(0, min(number or 0, 8))
        else:
            return False
        return True

    # -- tables ---------------------------------------------------------------------------------------------------

    def _table_word(self, word: str, number: int | None) -> bool:
        if word == "intbl":
            self._paragraph.depth = max(1, self._paragraph.depth)
        elif word == "itap":
            self._paragraph.depth = max(0, min(number or 0, 8))
        elif word == "trowd":
            self._row = Row()
        elif word == "trleft":
            self._row.edges[:1] = [number or 0]
        elif word == "trrh":
            self._row.clipped = number is not None and number < 0 and is_tiny(-number / 20)
        elif word in ("clcbpat", "clcfpat", "clshdng"):
            self._shade(self._row.shading, word[2:], number)
        elif word == "cellx":
            self._row.edges.append(number or 0)
            self._row.grounds.append(self._row.shading.color)
            self._row.shading = Shading()
        elif word in ("cell", "nestcell"):
            self._paragraph.depth = 1 if word == "cell" else max(2, self._paragraph.depth)
            self._end_line()
            self._tables[-1].column += 1
        elif word in ("row", "nestrow"):
            self._flow.end_line()
            if self._tables:
                table = self._tables[-1]
                table.edges[table.row] = tuple(self._row.edges)
                table.row, table.column = table.row + 1, 0
        else:
            return False
        return True

    def _leave_tables(self, depth: int) -> None:
        while len(self._tables) > depth:
            table = self._tables.pop()
            self._flow.align(table.number, table.edges)
            self._flow.space(0.5)

    # -- text -----------------------------------------------------------------------------------------------------

    def _symbol(self, char: str) -> None:
        if char == "*":
            self._starred = True
        elif char in _SYMBOLS:
            self._text(_SYMBOLS[char])
        elif char in "\r\n":
            self._break("par")

    def _data(self, data: bytes) -> None:
        dropped = min(self._stand_in, len(data))
        self._stand_in -= dropped
        data = data[dropped:]
        if self._state.destination == "picture":
            self.pictures.digits.append(data)
        elif self._state.destination != "skip":
            self._bytes += data

    def _flush(self) -> None:
        """Decode what came since the last control word: characters of two bytes may be written as two escapes."""
        if self._bytes:
            data, self._bytes = bytes(self._bytes), bytearray()
            codec = self._state.codec or self._fonts.default
            self._text(data.decode(codec, "replace"))

    def _unicode(self, number: int) -> None:
        self._stand_in = self._state.skip
        self._text(chr(number & 0xFFFF))

    def _text(self, text: str) -> None:
        state = self._state
        if state.destination == "instruction":
            self._instructions[-1].append(text)
        elif state.destination in self._said:
            self._said[state.destination] += text
        elif state.destination == "colors":
            self._colors.end(text.count(";"))
        elif state.destination in ("styles", "title"):
            self._name.append(text)
        elif state.destination == "fonts":
            self._fonts.name(text)
        elif state.destination == "unknown":
            self._flow.hide(text)
        elif state.destination or state.deleted:
            return
        elif self._is_unseen(state):
            self._flow.hide(text)
        else:
            self._flow.text(text, state.look(text))

    def _is_unseen(self, state: State) -> bool:
        paragraph = self._paragraph
        if state.hidden or state.out_of_sight or state.thin or is_tiny(state.size) or paragraph.unseen:
            return True
        if paragraph.depth and self._row.clipped:
            return True
        return (
            state.color is not None
            and not state.rims
            and is_lost(state.color, state.ground or paragraph.shading.color or self._behind())
        )

    def _behind(self) -> Color:
        """Behind the paragraph: its cell, its frame or the paper."""
        depth = self._paragraph.depth
        if not depth:
            return self._state.backdrop
        if depth > 1:
            return UNKNOWN  # rows inside a cell are defined after their text
        column = self._tables[0].column if self._tables else 0
        cell = self._row.grounds[column] if column < len(self._row.grounds) else None
        return cell or self._state.backdrop

    def _field_target(self) -> str | None:
        instruction = "".join(self._instructions.pop()) if self._instructions else ""
        match = _FIELD_LINK.search(instruction)
        return match[1] if match and not re.match(r"\s*HYPERLINK\s+\\l", instruction, re.IGNORECASE) else None

    def _break(self, word: str) -> None:
        if not self._end_line() and word == "par":
            self._flow.space(1.0, more=True)
        if word in ("page", "sect", "column"):
            self._flow.space(1.0)
        if word == "column":
            self._flow.new_block()

    def _end_line(self, aside: str = "") -> bool:
        paragraph = self._paragraph
        self._leave_tables(paragraph.depth)
        while len(self._tables) < paragraph.depth:
            self._tables.append(Table(self._flow.new_table()))
        table = self._tables[-1] if self._tables else None
        self._flow.place(Cell(table.number, table.row, table.column) if table else None)
        self._flow.space(paragraph.before / _LINE_TWIPS)
        style, indent = paragraph.style, paragraph.left / PAGE_WIDTH_TWIPS
        if paragraph.level is not None:
            style, indent = style or "list", LIST_INDENT * (paragraph.level + 1)
        aside = aside or self._state.aside
        return self._flow.end_line(aside if aside in ("header", "footer") else style, indent)

    def _order_margins(self) -> None:
        """Footers go to the end, whatever the place they are written at; headers of several sections are told once."""
        order: dict[str, dict[object, Line]] = {"header": {}, "": {}, "footer": {}}
        for index, line in enumerate(self._flow.lines):
            key = line.style if line.style in order else ""
            order[key].setdefault(line.text if key else index, line)
        self._flow.lines[:] = [line for lines in order.values() for line in lines.values()]
