"""What of a binary Word document is seen: colours and shading as its property modifiers give them, rows, frames.

What paints a text box is kept in drawing records that are not read, so text in boxes counts as standing on an unknown
ground; so does all text where a shape lies below it.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

from ingest.readers.colors import BLACK, UNKNOWN, WHITE, Color
from ingest.readers.sight import A4_POINTS, is_beyond, is_tiny

# The sixteen colours of old versions by number; 0 is the automatic one.
_NUMBERED = (
    None, (0, 0, 0), (0, 0, 255), (0, 255, 255), (0, 255, 0), (255, 0, 255), (255, 0, 0), (255, 255, 0), (255, 255, 255),
    (0, 0, 128), (0, 128, 128), (0, 128, 0), (128, 0, 128), (128, 0, 0), (128, 128, 0), (128, 128, 128), (192, 192, 192),
)  # fmt: skip
_AUTOMATIC = 0xFF
_SOLID = 1
_SHADING_BYTES = 10
_BELOW_TEXT = 0x4000
_BAND_TWIPS = (2400, 320)
"""Width and height from which a shape can hold a line of text."""


def numbered(number: int) -> Color | None:
    """A colour by its number, None for the automatic one."""
    parts = _NUMBERED[number] if 0 <= number < len(_NUMBERED) else None
    return None if parts is None else Color(*parts)


def reference(data: bytes) -> Color | None:
    """A colour of four bytes, None for the automatic one."""
    return None if len(data) < 4 or data[3] == _AUTOMATIC else Color(*data[:3])


def old_shading(value: int) -> Color | None:
    """What a background of two bytes shows; None for nothing."""
    front, back, pattern = value & 0x1F, value >> 5 & 0x1F, value >> 10
    return _shown(numbered(front), numbered(back), pattern)


def shading(data: bytes) -> Color | None:
    """What a background of ten bytes shows; None for nothing."""
    if len(data) < _SHADING_BYTES:
        return None
    return _shown(reference(data), reference(data[4:]), struct.unpack_from("<H", data, 8)[0])


def cell_shadings(data: bytes, size: int) -> tuple[Color | None, ...]:
    """The backgrounds of the cells of a row, `size` bytes each."""
    parts = [data[at : at + size] for at in range(0, len(data) - size + 1, size)]
    return tuple(shading(part) if size == _SHADING_BYTES else old_shading(int.from_bytes(part, "little")) for part in parts)


def _shown(front: Color | None, back: Color | None, pattern: int) -> Color | None:
    if pattern == 0:
        return back
    return front or BLACK if pattern == _SOLID else UNKNOWN


class Placing(NamedTuple):
    """What the rows around a paragraph do to it."""

    ground: Color | None = None
    flat: bool = False
    """In a row that shows nothing."""


class Placed(NamedTuple):
    """What is known of a paragraph's place in tables before its row has ended."""

    depth: int
    ends_cell: bool
    ends_row: bool
    cells: tuple[Color | None, ...]
    flat: bool


def cells_of(paragraphs: Sequence[Placed]) -> list[Placing]:
    """For each paragraph its cell: rows tell what their cells look like only at their end."""
    found = [Placing()] * len(paragraphs)
    columns: dict[int, int] = {}
    pending: dict[int, list[tuple[int, int]]] = {}
    for index, paragraph in enumerate(paragraphs):
        for depth in range(1, paragraph.depth + 1):
            pending.setdefault(depth, []).append((index, columns.get(depth, 0)))
        if paragraph.ends_cell:
            columns[paragraph.depth] = columns.get(paragraph.depth, 0) + 1
        if paragraph.ends_row:
            for waiting, column in pending.pop(paragraph.depth, ()):
                inner = found[waiting]
                ground = paragraph.cells[column] if column < len(paragraph.cells) else None
                found[waiting] = Placing(inner.ground or ground, inner.flat or paragraph.flat)
            columns[paragraph.depth] = 0
    return found


class Anchor(NamedTuple):
    """Where a shape stands, in twips, and whether it lies below the text."""

    left: int
    top: int
    right: int
    bottom: int
    flags: int

    @property
    def is_out_of_sight(self) -> bool:
        width, height = self.right - self.left, self.bottom - self.top
        return (
            is_tiny(min(width, height) / 20)
            or is_beyond(self.left, width, A4_POINTS[0] * 20)
            or is_beyond(self.top, height, A4_POINTS[1] * 20)
        )

    @property
    def may_lie_behind_text(self) -> bool:
        wide = self.right - self.left >= _BAND_TWIPS[0] and self.bottom - self.top >= _BAND_TWIPS[1]
        return wide and bool(self.flags & _BELOW_TEXT)


def paper(anchors: Sequence[Anchor]) -> Color:
    """Behind text that stands on nothing else."""
    return UNKNOWN if any(anchor.may_lie_behind_text for anchor in anchors) else WHITE
