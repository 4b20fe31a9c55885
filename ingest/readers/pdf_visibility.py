"""Which text of a PDF page people see: what is drawn without a mark, off the page, or in the colour behind it is hidden."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ingest.page import Box
from ingest.readers import pdf_raw as raw
from ingest.readers.pdf_frame import Frame
from ingest.readers.pdf_glyphs import Glyph

Pixels = npt.NDArray[np.int16]
Bytes = npt.NDArray[np.uint8]

_LONG_SIDE = 1000
"""Pixels of the renderings that are compared; a line of 8 points is ten pixels high."""
_TRACE = 24
"""Least difference (of 255) a drawn text must make somewhere to count as seen."""
_THIN_TRACE = 8
"""The same for each of its letters: a thin one in light grey darkens its pixels by a third."""
_SLIT = 0.2
"""Share of the height of its letters a text must show: less is the rim of what is cut away."""
_CELL = 4.0
"""Points: side of the squares by which texts over one another are told."""
_MOST_LAYERS = 6
"""How many texts over one another are drawn one by one."""


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
    doubtful = [glyph for glyph in glyphs if layers_off or glyph.face.doubtful]
    unseen = _without_trace(page, doubtful, frame) if drawable and any(not glyph.text.isspace() for glyph in doubtful) else set()
    x0, y0, x1, y1 = frame.left, frame.bottom, frame.right, frame.top
    seen: list[Glyph] = []
    hidden: list[Glyph] = []
    for glyph in glyphs:
        left, bottom, right, top = glyph.area
        inside = left < x1 and right > x0 and bottom < y1 and top > y0
        shown = inside and not glyph.face.invisible and not (unseen and id(glyph) in unseen)
        (seen if shown else hidden).append(glyph)
    return Sight(seen, hidden)


def pixels_of(page: Any, frame: Frame, long_side: int, *, grey: bool = True) -> Pixels:
    """The page upright, its longer side `long_side` pixels: rows by columns by channels, of which grey has one.

    A page without an area is a single white pixel.
    """
    return _drawn(page, frame, long_side, grey=grey).astype(np.int16)


def _drawn(page: Any, frame: Frame, long_side: int, *, grey: bool) -> Bytes:
    width, height = page.get_size()
    scale = long_side / max(width, height, 1.0)
    if min(width, height) <= 0:
        return np.full((1, 1, 1), 255, dtype=np.uint8)
    turn = (frame.turns - page.get_rotation() // 90) % 4 * 90
    bitmap = page.render(scale=scale, rotation=turn, grayscale=grey)
    pixels: Bytes = bitmap.to_numpy().reshape(bitmap.height, -1, bitmap.n_channels)[:, : bitmap.width]
    return pixels


def _without_trace(page: Any, doubtful: Sequence[Glyph], frame: Frame) -> set[int]:
    """Glyphs, by `id`, that leave the picture as it is: it is drawn with and without their text objects and compared."""
    # In colour: what is red on green may be as grey as the green.
    with_text = _drawn(page, frame, _LONG_SIDE, grey=False)
    unseen: set[int] = set()
    for layer in _layers(doubtful):
        for owner in layer:
            raw.set_active(owner, 0)
        without = _drawn(page, frame, _LONG_SIDE, grey=False)
        for owner in layer:
            raw.set_active(owner, 1)
        unseen.update(id(glyph) for glyph in _lost(layer.values(), _difference(with_text, without), frame))
    return unseen


def _layers(glyphs: Sequence[Glyph]) -> list[dict[int, list[Glyph]]]:
    """Text objects with their glyphs, those apart that stand over one another: one would be seen in the place of the other."""
    owners: dict[int, list[Glyph]] = {}
    for glyph in glyphs:
        owners.setdefault(glyph.owner, []).append(glyph)
    layers: list[dict[int, list[Glyph]]] = []
    taken: list[set[tuple[int, int]]] = []
    for owner, members in owners.items():
        cells = {
            (int((glyph.area[0] + glyph.area[2]) / 2 // _CELL), int((glyph.area[1] + glyph.area[3]) / 2 // _CELL))
            for glyph in members
            if not glyph.text.isspace()
        }
        at = next((at for at, others in enumerate(taken) if cells.isdisjoint(others)), len(taken))
        if at == len(taken) and at < _MOST_LAYERS:
            layers.append({})
            taken.append(set())
        at = min(at, _MOST_LAYERS - 1)
        layers[at][owner] = members
        taken[at] |= cells
    return layers


def _difference(one: Bytes, other: Bytes) -> Bytes:
    """How much two renderings differ in the channel that differs most."""
    every: Bytes = np.maximum(one, other) - np.minimum(one, other)
    most: Bytes = every[:, :, 0].copy()
    for channel in range(1, every.shape[2]):
        np.maximum(most, every[:, :, channel], out=most)
    return most


def _lost(objects: Iterable[Sequence[Glyph]], difference: Bytes, frame: Frame) -> Iterator[Glyph]:
    """The glyphs that made no difference, text object by text object."""
    thin = difference > _THIN_TRACE
    sums = [_summed(difference > _TRACE), _summed(thin)]
    for glyphs in objects:
        places = _pixels_in([frame.box(glyph.area) for glyph in glyphs], difference.shape)
        x0, y0, x1, y1 = places
        clear, faint = (table[y1, x1] - table[y0, x1] - table[y1, x0] + table[y0, x0] for table in sums)
        letters = sum(glyph.text.isalnum() for glyph in glyphs)
        if not clear.any() or (letters > 1 and _is_slit(thin, places)):
            yield from glyphs
            continue
        if faint.all():
            continue
        gone = False
        for glyph, trace in zip(glyphs, faint, strict=True):
            if glyph.text.isalnum():  # what is no letter goes with the letter before it
                gone = not trace
            if gone:
                yield glyph


Places = npt.NDArray[np.intp]
"""Left, top, right and bottom in pixels, a row each, of any number of boxes."""


def _pixels_in(boxes: Sequence[Box], shape: tuple[int, ...]) -> Places:
    height, width = shape
    edges = np.array(boxes) * (width, height, width, height) + (0, 0, 1, 1)
    places: Places = np.clip(edges, 0, (width, height, width, height)).astype(np.intp).T
    return places


def _summed(marks: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
    """Sums of all marks above and to the left, so that those in any box are told by four look-ups."""
    table = np.zeros((marks.shape[0] + 1, marks.shape[1] + 1), dtype=np.int32)
    np.cumsum(marks, axis=0, dtype=np.int32, out=table[1:, 1:])
    np.cumsum(table[1:, 1:], axis=1, out=table[1:, 1:])
    return table


def _is_slit(marks: npt.NDArray[np.bool_], places: Places) -> bool:
    """Whether of a whole text there is but the rim."""
    x0, y0, x1, y1 = int(places[0].min()), int(places[1].min()), int(places[2].max()), int(places[3].max())
    return bool(marks[y0:y1, x0:x1].any(axis=1).sum() < _SLIT * float((places[3] - places[1]).mean()))
