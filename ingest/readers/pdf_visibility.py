"""Which text of a PDF page people see: what is drawn without a mark, off the page, or in the colour behind it is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ingest.readers import pdf_raw as raw
from ingest.readers.pdf_frame import Frame
from ingest.readers.pdf_glyphs import Glyph

Pixels = npt.NDArray[np.int16]

_LONG_SIDE = 1000
"""Pixels of the renderings that are compared; a line of 8 points is ten pixels high."""
_TRACE = 24
"""Least difference (of 255) a drawn text must make somewhere to count as seen."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The glyphs of a page by whether people see them."""

    seen: list[Glyph]
    hidden: list[Glyph]
    """Drawn without a mark, off the page, too small, in the colour behind them, or under something else."""


def sorted_by_sight(
    page: Any, glyphs: Sequence[Glyph], frame: Frame, *, drawable: bool = True, layers_off: bool = False
) -> Sight:
    """Tell the glyphs people see from the others. Draws the page only where colours or layers leave a doubt.

    With `layers_off` any text may be in a layer that is not shown, by way of forms too: what is drawn decides.
    A page that is not `drawable` within the limits gets the benefit of the doubt.
    """
    sight = Sight([], [])
    doubtful = [glyph for glyph in glyphs if (layers_off or glyph.face.doubtful) and not glyph.text.isspace()]
    unseen = _without_trace(page, doubtful, frame) if drawable else set()
    for glyph in glyphs:
        left, bottom, right, top = glyph.area
        outside = left >= frame.right or right <= frame.left or bottom >= frame.top or top <= frame.bottom
        if outside or glyph.face.invisible or glyph.owner in unseen:
            sight.hidden.append(glyph)
        else:
            sight.seen.append(glyph)
    return sight


def pixels_of(page: Any, frame: Frame, long_side: int, *, grey: bool = True) -> Pixels:
    """The page upright, its longer side `long_side` pixels: rows by columns by channels, of which grey has one.

    A page without an area is a single white pixel.
    """
    width, height = page.get_size()
    scale = long_side / max(width, height, 1.0)
    if min(width, height) <= 0:
        return np.full((1, 1, 1), 255, dtype=np.int16)
    turn = (frame.turns - page.get_rotation() // 90) % 4 * 90
    bitmap = page.render(scale=scale, rotation=turn, grayscale=grey)
    pixels: Pixels = bitmap.to_numpy().reshape(bitmap.height, -1, bitmap.n_channels)[:, : bitmap.width].astype(np.int16)
    return pixels


def _without_trace(page: Any, doubtful: Sequence[Glyph], frame: Frame) -> set[int]:
    """Text objects that leave the picture as it is: it is drawn with and without them and compared."""
    owners = {glyph.owner for glyph in doubtful}
    if not owners:
        return set()
    # In colour: what is red on green may be as grey as the green.
    with_text = pixels_of(page, frame, _LONG_SIDE, grey=False)
    for owner in owners:
        raw.set_active(owner, 0)
    without = pixels_of(page, frame, _LONG_SIDE, grey=False)
    for owner in owners:
        raw.set_active(owner, 1)
    differs = (np.abs(with_text - without) > _TRACE).any(axis=2)
    if not differs.any():
        return owners
    height, width = differs.shape
    for glyph in doubtful:
        if glyph.owner in owners:
            x0, y0, x1, y1 = frame.box(glyph.area)
            rows = slice(max(0, int(y0 * height)), int(y1 * height) + 1)
            if differs[rows, max(0, int(x0 * width)) : int(x1 * width) + 1].any():
                owners.discard(glyph.owner)
    return owners
