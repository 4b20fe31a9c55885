"""What is drawn on a PDF page besides its text: filled areas, pictures and ruled lines, in drawing order.

Serves three questions: what colour lies behind a word, which pictures may carry text, and where the lines of a table run.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as pdfium

from ingest.readers.pdf_frame import Area

Matrix = tuple[float, float, float, float, float, float]
Colour = tuple[int, int, int]

_MAX_DEPTH = 8
_MAX_OBJECTS = 60_000
_HAIRLINE = 3.0
"""Points: what is thinner is a ruled line, not an area."""

# Buffers for what pdfium hands out, read at once: making them anew for each letter's object would double its cost.
_MATRIX = pdfium.FS_MATRIX()
_COLOUR = tuple(ctypes.c_uint() for _ in range(4))


@dataclass(frozen=True, slots=True)
class Fill:
    """An area painted in one colour. `colour` is None where it cannot be told (a picture, a shading, half transparent)."""

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

    def behind(self, order: int, x: float, y: float) -> Colour | None:
        """The colour behind a point for an object drawn at `order`; white where nothing is painted, None if unknown."""
        for fill in reversed(self.fills):
            if fill.order < order and _holds(fill.area, x, y):
                return fill.colour
        return (255, 255, 255)

    def covered(self, order: int, x: float, y: float) -> bool:
        """Whether something is painted over a point after `order`."""
        return any(fill.order > order and _holds(fill.area, x, y) for fill in reversed(self.fills))


def scene_of(page: Any) -> Scene:
    """Walk the page's objects once, forms included."""
    scene = Scene()
    corners = tuple(ctypes.c_float() for _ in range(4))
    for order, (item, kind, matrix) in enumerate(_objects(page)):
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            address = ctypes.cast(item, ctypes.c_void_p).value or 0
            scene.text_order[address] = order
            if matrix is not None:
                scene.text_matrix[address] = matrix
        elif pdfium.FPDFPageObj_GetBounds(item, *corners):
            bounds: Area = tuple(corner.value for corner in corners)  # type: ignore[assignment]
            _note(scene, order, item, kind, _mapped(bounds, matrix))
    return scene


def _note(scene: Scene, order: int, item: Any, kind: int, area: Area) -> None:
    if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
        scene.pictures.append(area)
        scene.fills.append(Fill(order, area, None))
    elif kind == pdfium.FPDF_PAGEOBJ_SHADING:
        scene.fills.append(Fill(order, area, None))
    elif kind == pdfium.FPDF_PAGEOBJ_PATH:
        scene.paths += 1
        mode, stroke = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDFPath_GetDrawMode(item, mode, stroke)
        width, height = area[2] - area[0], area[3] - area[1]
        if min(width, height) <= _HAIRLINE:
            if max(width, height) > 2 * _HAIRLINE and (mode.value or stroke.value):
                scene.rules.append(area)
        elif mode.value:
            scene.fills.append(Fill(order, area, _opaque(fill_colour(item))))
        elif stroke.value and pdfium.FPDFPath_CountSegments(item) in (4, 5):
            left, bottom, right, top = area
            scene.rules += [(left, bottom, right, bottom), (left, top, right, top)]
            scene.rules += [(left, bottom, left, top), (right, bottom, right, top)]


def _objects(page: Any) -> Iterator[tuple[Any, int, Matrix | None]]:
    """Objects in drawing order with their kind and the matrix of the forms around them (None: none)."""
    left = _MAX_OBJECTS
    stack: list[tuple[Any, Any, int, int, Matrix | None]] = [
        (pdfium.FPDFPage_GetObject, page, 0, pdfium.FPDFPage_CountObjects(page), None)
    ]
    while stack and left:
        get, owner, index, count, matrix = stack.pop()
        while index < count and left:
            item = get(owner, index)
            index += 1
            left -= 1
            if not item:
                continue
            kind = pdfium.FPDFPageObj_GetType(item)
            if kind != pdfium.FPDF_PAGEOBJ_FORM:
                yield item, kind, matrix
            elif len(stack) < _MAX_DEPTH:
                stack.append((get, owner, index, count, matrix))
                inner = times(matrix_of(item), matrix)
                stack.append((pdfium.FPDFFormObj_GetObject, item, 0, pdfium.FPDFFormObj_CountObjects(item), inner))
                break


def matrix_of(item: Any) -> Matrix:
    """The matrix of a page object."""
    pdfium.FPDFPageObj_GetMatrix(item, _MATRIX)
    return (_MATRIX.a, _MATRIX.b, _MATRIX.c, _MATRIX.d, _MATRIX.e, _MATRIX.f)


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


def fill_colour(item: Any) -> tuple[Colour, int] | None:
    """Fill colour and opacity (0 to 255) of an object, None where it has no plain one."""
    red, green, blue, alpha = _COLOUR
    if not pdfium.FPDFPageObj_GetFillColor(item, red, green, blue, alpha):
        return None
    return (red.value, green.value, blue.value), alpha.value


def _opaque(colour: tuple[Colour, int] | None) -> Colour | None:
    return colour[0] if colour and colour[1] >= 250 else None


def _holds(area: Area, x: float, y: float) -> bool:
    return area[0] <= x <= area[2] and area[1] <= y <= area[3]
