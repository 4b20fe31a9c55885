"""Chinese and Japanese set from top to bottom: characters that stand upright, each below the one before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ingest.layout import is_han
from ingest.readers.pdf_frame import Area, Frame
from ingest.readers.pdf_glyphs import Face, Glyph

_HAN = re.compile("[㐀-鿿]")
_LEAST = 6
"""Characters from which a column is text. Labels in narrow cells of forms are shorter, and stand in a cell of their own."""
_ASIDE_EM = 0.4
_STEP_EM = (0.5, 2.6)
"""How far below each other characters of a column stand; punctuation and spaces make it more."""


def turned_columns(glyphs: Sequence[Glyph], frame: Frame) -> list[Glyph]:
    """The glyphs, those of columns marked as if they ran down the page the way turned letters do.

    They are then read in the frame of such text, column by column from the right, together with the digits and Latin
    words that writers turn to fit in.
    """
    if frame.turns or len(_HAN.findall("".join([glyph.text for glyph in glyphs]))) < _LEAST:
        return list(glyphs)
    columns = list(_columns(glyphs))
    if not any(_is_text(glyphs[start:end]) for start, end in columns):
        return list(glyphs)
    faces: dict[int, Face] = {}
    found = list(glyphs)
    for start, end in columns:
        for index in range(start, end):
            glyph = found[index]
            face = faces.setdefault(id(glyph.face), replace(glyph.face, turns=3))
            area = _reaching(glyph, glyphs[index + 1]) if index + 1 < end else glyph.area
            found[index] = glyph._replace(face=face, area=area)
    return found


def _columns(glyphs: Sequence[Glyph]) -> Iterator[tuple[int, int]]:
    """Stretches of characters each of which stands below the one before."""
    at = 0
    while at < len(glyphs):
        end = at + 1
        while end < len(glyphs) and _is_below(glyphs[end - 1], glyphs[end]):
            end += 1
        if end - at > 1:
            yield at, end
        at = end


def _is_text(column: Sequence[Glyph]) -> bool:
    return len(column) >= _LEAST and sum(is_han(glyph.text[0]) for glyph in column) * 2 > len(column)


def _reaching(glyph: Glyph, following: Glyph) -> Area:
    """The place of a character down to the next one: punctuation fills the upper half of its square, or the lower."""
    left, bottom, right, top = glyph.area
    gap = bottom - following.area[3]
    return (left, bottom - gap, right, top) if abs(gap) < (glyph.face.size or 1.0) else glyph.area


def _is_below(upper: Glyph, lower: Glyph) -> bool:
    left, bottom, right, top = upper.area
    size = upper.face.size or 1.0
    aside = left + right - lower.area[0] - lower.area[2]
    if abs(aside) >= 2 * _ASIDE_EM * size or upper.face.turns or lower.face.turns:  # nearly always the first
        return False
    step = (bottom + top - lower.area[1] - lower.area[3]) / 2
    return _STEP_EM[0] * size < step < _STEP_EM[1] * size
