"""What is drawn on a PDF page besides its text: filled areas, pictures and ruled lines, in drawing order.

Serves three questions: what colour lies behind a word, which pictures may carry text, and where the lines of a table run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
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
_OPAQUE = 250


@dataclass(frozen=True, slots=True)
class Fill:
    """An area painted in one colour. `colour` is None where it cannot be told (a picture, a shading)."""

    order: int
    area: Area
    colour: Colour | None


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
    paths: int = 0
    most_pixels: int = 0
    """Of one picture: what drawing the page makes pdfium unpack."""

    def behind(self, order: int, x: float, y: float) -> Colour | None:
        """The colour behind a point for an object drawn at `order`; white where nothing is painted, None if unknown."""
        for fill in reversed(self.fills):
            if fill.order < order and _holds(fill.area, x, y):
                return fill.colour
        return (255, 255, 255)

    def covered(self, order: int, x: float, y: float) -> bool:
        """Whether something is painted over a point after `order`."""
        if not self.fills or self.fills[-1].order < order:
            return False
        return any(fill.order > order and _holds(fill.area, x, y) for fill in self.fills)


def scene_of(page: Any) -> Scene:
    """Walk the page's objects once, forms included."""
    scene = Scene()
    for order, (item, kind, matrix) in enumerate(_objects(page)):
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            scene.text_order[item] = order
            if matrix is not None:
                scene.text_matrix[item] = matrix
        elif bounds := raw.bounds_of(item):
            _note(scene, order, item, kind, _mapped(bounds, matrix))
    return scene


def _note(scene: Scene, order: int, item: int, kind: int, area: Area) -> None:
    if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
        scene.pictures.append(area)
        scene.most_pixels = max(scene.most_pixels, raw.pixels_of_picture(item))
        scene.fills.append(Fill(order, area, None))
    elif kind == pdfium.FPDF_PAGEOBJ_SHADING:
        scene.fills.append(Fill(order, area, None))
    elif kind == pdfium.FPDF_PAGEOBJ_PATH:
        scene.paths += 1
        filled, stroked = raw.draw_mode(item)
        width, height = area[2] - area[0], area[3] - area[1]
        if min(width, height) <= _HAIRLINE:
            if max(width, height) > 2 * _HAIRLINE and (filled or stroked):
                scene.rules.append(area)
        elif filled and max(width, height) > _DOT:
            scene.fills.append(Fill(order, area, _blended(scene, order, item, area)))
        elif stroked and raw.segment_count(item) in (4, 5):
            left, bottom, right, top = area
            scene.rules += [(left, bottom, right, bottom), (left, top, right, top)]
            scene.rules += [(left, bottom, left, top), (right, bottom, right, top)]


def _blended(scene: Scene, order: int, item: int, area: Area) -> Colour | None:
    """The colour a filled path shows: its own, mixed with what is behind it where it is translucent."""
    fill = raw.fill_colour(item)
    if fill is None:
        return None
    colour, opacity = fill
    if opacity >= _OPAQUE:
        return colour
    behind = scene.behind(order, (area[0] + area[2]) / 2, (area[1] + area[3]) / 2)
    if behind is None:
        return None
    red, green, blue = (round(under + (over - under) * opacity / 255) for over, under in zip(colour, behind, strict=True))
    return (red, green, blue)


def _objects(page: Any) -> Iterator[tuple[int, int, Matrix | None]]:
    """Objects in drawing order with their kind and the matrix of the forms around them (None: none)."""
    left = _MAX_OBJECTS
    stack: list[tuple[Any, Any, int, int, Matrix | None]] = [
        (raw.page_object, page.raw, 0, pdfium.FPDFPage_CountObjects(page), None)
    ]
    while stack and left:
        get, owner, index, count, matrix = stack.pop()
        while index < count and left:
            item = get(owner, index)
            index += 1
            left -= 1
            if not item:
                continue
            kind = raw.kind_of(item)
            if kind != pdfium.FPDF_PAGEOBJ_FORM:
                yield item, kind, matrix
            elif len(stack) < _MAX_DEPTH:
                stack.append((get, owner, index, count, matrix))
                stack.append((raw.form_object, item, 0, raw.form_count(item), times(raw.matrix_of(item), matrix)))
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


def _mapped(area: Area, matrix: Matrix | None) -> Area:
    if matrix is None:
        return area
    a, b, c, d, e, f = matrix
    xs = [a * x + c * y + e for x in (area[0], area[2]) for y in (area[1], area[3])]
    ys = [b * x + d * y + f for x in (area[0], area[2]) for y in (area[1], area[3])]
    return (min(xs), min(ys), max(xs), max(ys))


def _holds(area: Area, x: float, y: float) -> bool:
    return area[0] <= x <= area[2] and area[1] <= y <= area[3]
