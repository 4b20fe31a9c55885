"""What is drawn on a PDF page besides its text: filled areas, pictures and ruled lines, in drawing order.

Serves three questions: what colour lies behind a word, which pictures may carry text, and where the lines of a table run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import pypdfium2.raw as pdfium

from ingest.readers import pdf_raw as raw
from ingest.readers.pdf_frame import Area
from ingest.readers.pdf_raw import Colour, Matrix

_MAX_DEPTH = 8
_MAX_OBJECTS = 60_000
_HAIRLINE = 3.0
"""Points: what is thinner is a ruled line, not an area."""

_DOT = 6.0
"""Points: smaller filled shapes are bullets and lie behind no text."""
_LEAST_CONTRAST = 24
"""Of 255, in the colour channel that differs most: below it text is hidden unless a rendering shows otherwise."""
_SOLID = 255
"""Opacity of what nothing shines through."""
_PAPER = (255, 255, 255)
_RIM = 0.25
"""Share of a text's height that may lie beyond an edge: boxes of type are taller than its letters."""


@dataclass(frozen=True, slots=True)
class Fill:
    """An area painted in one colour. `colour` is None where it cannot be told (a picture, a shading, a translucent shape)."""

    order: int
    area: Area
    colour: Colour | None
    item: int


@dataclass(slots=True)
class Scene:
    """The page's drawing, told apart by kind."""

    fills: list[Fill] = field(default_factory=list)
    pictures: list[Area] = field(default_factory=list)
    rules: list[Area] = field(default_factory=list)
    text_order: dict[int, int] = field(default_factory=dict)
    """Place in the drawing order of each text object, by address."""
    text_matrix: dict[int, Matrix] = field(default_factory=dict)
    """Matrix of the forms a text object stands in, by address, where it stands in one."""
    mixed: bool = True
    """Whether translucent objects may be mixed with what is behind them by more than their opacity."""
    paths: int = 0
    most_pixels: int = 0
    """Of one picture: what drawing the page makes pdfium unpack."""

    veiled: set[int] = field(default_factory=set)
    """Text objects in forms that are translucent or clipped, by address."""
    marked: list[tuple[int, int, bytes]] = field(default_factory=list)
    """Text objects that are said to stand for a text, with the mark that says it, by address, and that text
    as it stands in the file."""
    _clips: dict[tuple[int, int], tuple[Area, bool]] = field(default_factory=dict)
    _rectangles: dict[int, bool] = field(default_factory=dict)

    def is_plain(self, item: int, colour: Colour, opacity: int) -> bool:
        """Whether a text object filled with a colour is seen for sure: solid, whole, and in contrast to all that lies below.

        Where it is not, only a drawing of the page can tell.
        """
        if item in self.veiled or (raw.has_transparency(item) and (self.mixed or opacity == _SOLID)):
            return False
        contrast = _LEAST_CONTRAST * _SOLID / opacity
        clip = raw.clips_of(item, self._clips)
        if not self.fills and clip is None:
            return not _is_close(_PAPER, colour, contrast)
        bounds = raw.bounds_of(item)
        if bounds is None or (clip is not None and not (clip[1] and _holds(clip[0], _core(bounds)))):
            return False
        order = self.text_order.get(item, 0)
        left, bottom, right, top = _core(mapped(bounds, self.text_matrix.get(item)))
        for fill in reversed(self.fills):
            x0, y0, x1, y1 = fill.area
            if x0 >= right or left >= x1 or y0 >= top or bottom >= y1:
                continue
            if fill.order > order or fill.colour is None or _is_close(fill.colour, colour, contrast):
                return False
            if x0 <= left and y0 <= bottom and right <= x1 and top <= y1 and self._is_solid(fill):
                return True
        return not _is_close(_PAPER, colour, contrast)

    def veils(self, form: int) -> bool:
        """Whether a form may show less of what stands in it."""
        bounds = raw.bounds_of(form)
        return bool(raw.has_transparency(form)) or bounds is None or not self._is_whole(form, bounds)

    def _is_whole(self, item: int, area: Area) -> bool:
        clip = raw.clips_of(item, self._clips)
        return clip is None or (clip[1] and _holds(clip[0], area))

    def _is_solid(self, fill: Fill) -> bool:
        """Whether a fill covers the whole of its area."""
        known = self._rectangles.get(fill.item)
        if known is None:
            bounds = raw.bounds_of(fill.item)
            known = bounds is not None and raw.is_rectangle(fill.item) and self._is_whole(fill.item, _core(bounds))
            self._rectangles[fill.item] = known
        return known


def scene_of(page: Any, *, mixed: bool = True) -> Scene:
    """Walk the page's objects once, forms included. `mixed`: whether the file has soft masks or modes of blending."""
    scene = Scene(mixed=mixed)
    for order, (item, kind, matrix, veiled) in enumerate(_objects(page, scene)):
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            scene.text_order[item] = order
            if veiled:
                scene.veiled.add(item)
            if raw.mark_count(item) and (said := raw.actual_text(item)):
                scene.marked.append((item, *said))
            if matrix is not None:
                scene.text_matrix[item] = matrix
        elif bounds := raw.bounds_of(item):
            _note(scene, order, item, kind, mapped(bounds, matrix), veiled=veiled)
    return scene


def _note(scene: Scene, order: int, item: int, kind: int, area: Area, *, veiled: bool) -> None:
    if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
        scene.pictures.append(area)
        scene.most_pixels = max(scene.most_pixels, raw.pixels_of_picture(item))
        scene.fills.append(Fill(order, area, None, item))
    elif kind == pdfium.FPDF_PAGEOBJ_SHADING:
        scene.fills.append(Fill(order, area, None, item))
    elif kind == pdfium.FPDF_PAGEOBJ_PATH:
        scene.paths += 1
        filled, stroked = raw.draw_mode(item)
        width, height = area[2] - area[0], area[3] - area[1]
        if min(width, height) <= _HAIRLINE:
            if max(width, height) > 2 * _HAIRLINE and (filled or stroked):
                scene.rules.append(area)
        elif filled and max(width, height) > _DOT:
            fill = None if veiled or raw.has_transparency(item) else raw.fill_colour(item)
            scene.fills.append(Fill(order, area, fill and fill[0], item))
        elif stroked and raw.segment_count(item) in (4, 5):
            left, bottom, right, top = area
            scene.rules += [(left, bottom, right, bottom), (left, top, right, top)]
            scene.rules += [(left, bottom, left, top), (right, bottom, right, top)]


def _objects(page: Any, scene: Scene) -> Iterator[tuple[int, int, Matrix | None, bool]]:
    """Objects in drawing order with their kind, the matrix of the forms around them (None: none) and whether those veil them."""
    left = _MAX_OBJECTS
    stack: list[tuple[Any, Any, int, int, Matrix | None, bool]] = [
        (raw.page_object, page.raw, 0, pdfium.FPDFPage_CountObjects(page), None, False)
    ]
    while stack and left:
        get, owner, index, count, matrix, veiled = stack.pop()
        while index < count and left:
            item = get(owner, index)
            index += 1
            left -= 1
            if not item:
                continue
            kind = raw.kind_of(item)
            if kind != pdfium.FPDF_PAGEOBJ_FORM:
                yield item, kind, matrix, veiled
            elif len(stack) < _MAX_DEPTH:
                stack.append((get, owner, index, count, matrix, veiled))
                inner = veiled or scene.veils(item)
                matrix = times(raw.matrix_of(item), matrix)
                stack.append((raw.form_object, item, 0, raw.form_count(item), matrix, inner))
                break


def times(inner: Matrix, outer: Matrix | None) -> Matrix:
    """The matrix that applies `inner` first, then `outer`."""
    if outer is None:
        return inner
    a, b, c, d, e, f = inner
    oa, ob, oc, od, oe, of = outer
    return (
        a * oa + b * oc,
        a * ob + b * od,
        c * oa + d * oc,
        c * ob + d * od,
        e * oa + f * oc + oe,
        e * ob + f * od + of,
    )


def mapped(area: Area, matrix: Matrix | None) -> Area:
    """The area that holds what a matrix makes of an area."""
    if matrix is None:
        return area
    a, b, c, d, e, f = matrix
    xs = [a * x + c * y + e for x in (area[0], area[2]) for y in (area[1], area[3])]
    ys = [b * x + d * y + f for x in (area[0], area[2]) for y in (area[1], area[3])]
    return (min(xs), min(ys), max(xs), max(ys))


def _core(area: Area) -> Area:
    """An area without its rim."""
    left, bottom, right, top = area
    rim = _RIM * min(right - left, top - bottom)
    return (left + rim, bottom + rim, right - rim, top - rim)


def _holds(area: Area, inner: Area) -> bool:
    return area[0] <= inner[0] and area[1] <= inner[1] and inner[2] <= area[2] and inner[3] <= area[3]


@lru_cache(maxsize=1024)
def _is_close(one: Colour, other: Colour, contrast: float) -> bool:
    return abs(one[0] - other[0]) < contrast and abs(one[1] - other[1]) < contrast and abs(one[2] - other[2]) < contrast
