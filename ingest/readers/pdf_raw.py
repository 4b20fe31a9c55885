"""pdfium's calls for page objects, with addresses in place of pointer objects.

Some writers make a text object of each letter, so these run thousands of times a page. A pointer object made by ctypes
costs more than the call behind it; an address is an int. Results go through buffers of this module and are read at once:
pdfium is not to be called from several threads anyway.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pypdfium2.raw as pdfium

Matrix = tuple[float, float, float, float, float, float]
Colour = tuple[int, int, int]


def _by_address(function: Any, result: Any, *arguments: Any) -> Callable[..., Any]:
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    return ctypes.CFUNCTYPE(result, *arguments)(address)


_P, _I = ctypes.c_void_p, ctypes.c_int
text_object_of = _by_address(pdfium.FPDFText_GetTextObject, _P, _P, _I)
"""(text page, character number) → address of its text object; None for characters pdfium made up."""
unicode_of = _by_address(pdfium.FPDFText_GetUnicode, ctypes.c_uint, _P, _I)
loose_box_of = _by_address(pdfium.FPDFText_GetLooseCharBox, _I, _P, _I, _P)
"""(text page, character number, address of an FS_RECTF to fill)."""
page_object = _by_address(pdfium.FPDFPage_GetObject, _P, _P, _I)
form_object = _by_address(pdfium.FPDFFormObj_GetObject, _P, _P, ctypes.c_ulong)
form_count = _by_address(pdfium.FPDFFormObj_CountObjects, _I, _P)
kind_of = _by_address(pdfium.FPDFPageObj_GetType, _I, _P)
render_mode_of = _by_address(pdfium.FPDFTextObj_GetTextRenderMode, _I, _P)
font_of = _by_address(pdfium.FPDFTextObj_GetFont, _P, _P)
set_active = _by_address(pdfium.FPDFPageObj_SetIsActive, _I, _P, _I)
segment_count = _by_address(pdfium.FPDFPath_CountSegments, _I, _P)

_font_name = _by_address(pdfium.FPDFFont_GetBaseFontName, ctypes.c_size_t, _P, _P, ctypes.c_size_t)
_matrix = _by_address(pdfium.FPDFPageObj_GetMatrix, _I, _P, _P)
_fill_colour = _by_address(pdfium.FPDFPageObj_GetFillColor, _I, _P, _P, _P, _P, _P)
_bounds = _by_address(pdfium.FPDFPageObj_GetBounds, _I, _P, _P, _P, _P, _P)
_draw_mode = _by_address(pdfium.FPDFPath_GetDrawMode, _I, _P, _P, _P)

_pixel_size = _by_address(pdfium.FPDFImageObj_GetImagePixelSize, _I, _P, _P, _P)

_MATRIX = pdfium.FS_MATRIX()
_COLOUR = (ctypes.c_uint * 4)()
_EDGES = (ctypes.c_float * 4)()
_FLAGS = (_I * 2)()
_NAME = ctypes.create_string_buffer(128)
_MATRIX_AT = ctypes.addressof(_MATRIX)
_COLOUR_AT = tuple(ctypes.addressof(_COLOUR) + 4 * index for index in range(4))
_EDGES_AT = tuple(ctypes.addressof(_EDGES) + 4 * index for index in range(4))
_FLAGS_AT = tuple(ctypes.addressof(_FLAGS) + ctypes.sizeof(_I) * index for index in range(2))


def matrix_of(item: int) -> Matrix:
    """The matrix of a page object."""
    _matrix(item, _MATRIX_AT)
    return (_MATRIX.a, _MATRIX.b, _MATRIX.c, _MATRIX.d, _MATRIX.e, _MATRIX.f)


def fill_colour(item: int) -> tuple[Colour, int] | None:
    """Fill colour and opacity (0 to 255) of a page object, None where it has no plain one."""
    if not _fill_colour(item, *_COLOUR_AT):
        return None
    red, green, blue, alpha = _COLOUR
    return (red, green, blue), alpha


def bounds_of(item: int) -> tuple[float, float, float, float] | None:
    """Left, bottom, right, top of a page object, in the coordinates of the form or page it stands in."""
    if not _bounds(item, *_EDGES_AT):
        return None
    left, bottom, right, top = _EDGES
    return (left, bottom, right, top)


def draw_mode(item: int) -> tuple[bool, bool]:
    """Whether a path is filled and whether it is stroked."""
    _draw_mode(item, *_FLAGS_AT)
    return bool(_FLAGS[0]), bool(_FLAGS[1])


def pixels_of_picture(item: int) -> int:
    """How many pixels an image object unpacks to."""
    return _COLOUR[0] * _COLOUR[1] if _pixel_size(item, *_COLOUR_AT[:2]) else 0


def font_name(font: int) -> str:
    """The base name of a font, subset prefix included."""
    _font_name(font, ctypes.addressof(_NAME), len(_NAME))
    return _NAME.value.decode("utf-8", "replace")
