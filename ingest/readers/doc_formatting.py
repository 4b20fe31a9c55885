"""Formatting in binary Word files: lists of property modifiers, the pages that say where they hold, the style sheet."""

from __future__ import annotations

import bisect
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ingest.readers.colors import UNKNOWN, Color
from ingest.readers.doc_sight import cell_shadings, numbered, old_shading, reference, shading
from ingest.readers.sight import A4_POINTS, is_thin, is_tiny

PAGE_BYTES = 512
_OPERAND_BYTES = {0: 1, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2, 7: 3}
_TITLE_STYLE = 62
_TABLE_DEFINITION = 0xD608
_TABLE_SHADINGS = {0xD612: 0, 0xD616: 22, 0xD60C: 44}
"""Shading of cells, by the first of the cells they speak of."""
_OLD_TABLE_SHADING = 0xD609


@dataclass(frozen=True, slots=True)
class Properties:
    """Of characters or paragraphs; None where nothing is said."""

    bold: bool | None = None
    size: float | None = None
    hidden: bool | None = None
    deleted: bool = False
    picture: int | None = None
    style: int = 0
    level: int | None = None
    in_list: bool = False
    in_table: bool = False
    depth: int | None = None
    row_end: bool = False
    inner_cell: bool = False
    edges: tuple[int, ...] = ()
    before: int = 0
    after: int = 0
    color: Color | None = None
    """UNKNOWN where it is the automatic one."""
    ground: Color | None = None
    """Behind letters or the paragraph."""
    rims: bool = False
    """Letters with rims or shadows, which show whatever their colour."""
    unseen: bool = False
    """Strokes for letters; a paragraph whose lines have no height or begin beyond the page; a row of no height."""
    cells: tuple[Color | None, ...] = ()
    """Grounds of the cells of a row."""
    character_style: int | None = None


@dataclass(frozen=True, slots=True)
class Style:
    name: str = ""
    base: int = 0xFFF
    look: Properties = field(default_factory=Properties)


PLAIN = Properties()


class FormattedPages:
    """Formatted disk pages: which properties hold at a position of the file."""

    def __init__(self, data: bytes, pages: Sequence[int], *, is_paragraph: bool) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._values: list[Properties] = []
        known: dict[bytes, Properties] = {}
        for page in pages:
            block = data[page : page + PAGE_BYTES]
            if len(block) == PAGE_BYTES:
                self._load(block, known, is_paragraph=is_paragraph)
        order = sorted(range(len(self._starts)), key=self._starts.__getitem__)
        self._starts = [self._starts[index] for index in order]
        self._ends = [self._ends[index] for index in order]
        self._values = [self._values[index] for index in order]

    def _load(self, block: bytes, known: dict[bytes, Properties], *, is_paragraph: bool) -> None:
        count = min(block[-1], 101)
        bounds = struct.unpack_from(f"<{count + 1}I", block)
        width = 13 if is_paragraph else 1
        for index in range(count):
            at = block[4 * (count + 1) + width * index] * 2
            grpprl = b""
            if at:
                size = block[at]
                if not is_paragraph:
                    grpprl = block[at + 1 : at + 1 + size]
                elif size:
                    grpprl = block[at + 1 : at + 2 * size]
                else:
                    grpprl = block[at + 2 : at + 2 + 2 * block[at + 1]]
            if grpprl not in known:
                known[grpprl] = _paragraph_properties(grpprl) if is_paragraph else _apply(Properties(), grpprl)
            self._starts.append(bounds[index])
            self._ends.append(bounds[index + 1])
            self._values.append(known[grpprl])

    def at(self, position: int) -> tuple[Properties, int | None]:
        """The properties at a file position and where they end; None for never."""
        index = bisect.bisect_right(self._starts, position) - 1
        if index >= 0 and position < self._ends[index]:
            return self._values[index], self._ends[index]
        following = self._starts[index + 1] if index + 1 < len(self._starts) else None
        return PLAIN, following


def _paragraph_properties(data: bytes) -> Properties:
    if len(data) < 2:
        return Properties()
    return _apply(Properties(style=struct.unpack_from("<H", data)[0]), data[2:])


def _apply(properties: Properties, grpprl: bytes) -> Properties:
    """Properties changed by a list of property modifiers."""
    at = 0
    while at + 2 < len(grpprl):
        code = struct.unpack_from("<H", grpprl, at)[0]
        at += 2
        size = _OPERAND_BYTES.get(code >> 13)
        if size is None:
            head = 2 if code == _TABLE_DEFINITION else 1  # a table's definition has a longer length
            size = head + int.from_bytes(grpprl[at : at + head], "little") - (1 if head == 2 else 0)
        operand = int.from_bytes(grpprl[at : at + min(size, 4)], "little")
        name = _MODIFIERS.get(code)
        if code == _TABLE_DEFINITION:
            properties = replace(properties, edges=_edges(grpprl[at : at + size]))
        elif code in _TABLE_SHADINGS:
            first = (*properties.cells, *[None] * 44)[: _TABLE_SHADINGS[code]]
            properties = replace(properties, cells=(*first, *cell_shadings(grpprl[at + 1 : at + size], 10)))
        elif code == _OLD_TABLE_SHADING:
            properties = replace(properties, cells=properties.cells or cell_shadings(grpprl[at + 1 : at + size], 2))
        elif code in _SIGHT:
            properties = replace(properties, **_SIGHT[code](grpprl[at : at + size]))
        elif name is not None:
            properties = replace(properties, **{name: _operand(name, operand)})
        at += size
    return properties


_MODIFIERS = {
    0x0835: "bold", 0x4A43: "size", 0x083C: "hidden", 0x0800: "deleted", 0x6A03: "picture",
    0x0838: "rims", 0x0839: "rims", 0x0854: "rims", 0x0858: "rims",
    0x4A30: "character_style",
    0x260A: "level", 0x460B: "in_list", 0xA413: "before", 0xA414: "after",
    0x2416: "in_table", 0x2417: "row_end", 0x6649: "depth", 0x244B: "inner_cell", 0x244C: "row_end",
}  # fmt: skip


def _signed(data: bytes) -> int:
    return int.from_bytes(data[:2], "little", signed=True)


_SIGHT: Mapping[int, Callable[[bytes], dict[str, Any]]] = {
    0x2A42: lambda data: {"color": numbered(data[0]) or UNKNOWN} if data else {},
    0x6870: lambda data: {"color": reference(data) or UNKNOWN},
    0x2A0C: lambda data: {"ground": numbered(data[0])} if data else {},
    0x4866: lambda data: {"ground": old_shading(int.from_bytes(data, "little"))},
    0x442D: lambda data: {"ground": old_shading(int.from_bytes(data, "little"))},
    0xCA71: lambda data: {"ground": shading(data[1:])},
    0xC64D: lambda data: {"ground": shading(data[1:])},
    0x4852: lambda data: {"unseen": is_thin(int.from_bytes(data, "little"))},
    0x6412: lambda data: {"unseen": _signed(data) < 0 and is_tiny(-_signed(data) / 20)},  # below zero: exactly so high
    0x9407: lambda data: {"unseen": _signed(data) < 0 and is_tiny(-_signed(data) / 20)},
    0x840F: lambda data: {"unseen": _signed(data) >= A4_POINTS[0] * 20},
    0x845E: lambda data: {"unseen": _signed(data) >= A4_POINTS[0] * 20},
}
"""What modifiers say of being seen: of letters, paragraphs and rows."""


def _operand(name: str, operand: int) -> Any:
    if name == "size":
        return operand / 2
    if name in ("picture", "level", "style", "before", "after", "character_style"):
        return operand
    if name == "depth":
        return min(operand, 8)
    # Toggles: 0x80 is "as the style says", 0x81 its opposite.
    return None if name in ("bold", "hidden") and operand == 0x80 else operand not in (0, 0x80)


def _edges(definition: bytes) -> tuple[int, ...]:
    """The left edges of a row's cells and the right edge of its last, in twips."""
    count = definition[2] if len(definition) > 2 else 0
    size = 2 * (count + 1)
    return struct.unpack_from(f"<{count + 1}h", definition, 3) if count and len(definition) >= 3 + size else ()


def style_sheet(data: bytes) -> list[Style]:
    """The styles by number. A style that cannot be read says nothing."""
    if len(data) < 6:
        return []
    head, count, base_bytes = struct.unpack_from("<HHH", data)
    at = 2 + head
    styles: list[Style] = []
    while at + 2 <= len(data) and len(styles) < min(count, 4096):
        size = struct.unpack_from("<H", data, at)[0]
        styles.append(_style(data[at + 2 : at + 2 + size], base_bytes))
        at += 2 + size + (size & 1)
    return styles


def _style(data: bytes, base_bytes: int) -> Style:
    if len(data) < base_bytes + 2 or base_bytes < 8:
        return Style()
    identity, kind, count = (word for word in struct.unpack_from("<3H", data))
    number = identity & 0xFFF
    name = f"heading{min(number, 6)}" if 1 <= number <= 9 else "title" if number == _TITLE_STYLE else ""
    at = base_bytes
    at += 2 + 2 * struct.unpack_from("<H", data, at)[0] + 2
    properties = [b""] * 2
    for index in range(min(count & 0xF, 2)):
        if at + 2 > len(data):
            break
        size = struct.unpack_from("<H", data, at)[0]
        properties[index] = data[at + 2 : at + 2 + size]
        at += 2 + size + (size & 1)
    is_paragraph = kind & 0xF == 1
    return Style(name, kind >> 4, _apply(Properties(), properties[1] if is_paragraph else properties[0]))
