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
Edges = tuple[float, float, float, float]
"""Left, bottom, right, top."""


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
font_size_of = _by_address(pdfium.FPDFText_GetFontSize, ctypes.c_double, _P, _I)
"""(text page, character number) → size of type before any matrix, in points."""
font_of = _by_address(pdfium.FPDFTextObj_GetFont, _P, _P)
set_active = _by_address(pdfium.FPDFPageObj_SetIsActive, _I, _P, _I)
segment_count = _by_address(pdfium.FPDFPath_CountSegments, _I, _P)
has_transparency = _by_address(pdfium.FPDFPageObj_HasTransparency, _I, _P)
"""Opacity, a blend mode or a soft mask of an object; for a form, a group of its own too."""
mark_count = _by_address(pdfium.FPDFPageObj_CountMarks, _I, _P)
_glyph_path = _by_address(pdfium.FPDFFont_GetGlyphPath, _P, _P, _I, ctypes.c_float)
_glyph_segments = _by_address(pdfium.FPDFGlyphPath_CountGlyphSegments, _I, _P)
_rendered_text = _by_address(pdfium.FPDFTextObj_GetRenderedBitmap, _P, _P, _P, _P, ctypes.c_float)
_buffer_of = _by_address(pdfium.FPDFBitmap_GetBuffer, _P, _P)
_stride_of = _by_address(pdfium.FPDFBitmap_GetStride, _I, _P)
_height_of = _by_address(pdfium.FPDFBitmap_GetHeight, _I, _P)
_destroy_bitmap = _by_address(pdfium.FPDFBitmap_Destroy, None, _P)
_segment_of = _by_address(pdfium.FPDFPath_GetPathSegment, _P, _P, _I)
_clip_of = _by_address(pdfium.FPDFPageObj_GetClipPath, _P, _P)
_clip_count = _by_address(pdfium.FPDFClipPath_CountPaths, _I, _P)
_clip_segments = _by_address(pdfium.FPDFClipPath_CountPathSegments, _I, _P, _I)
_clip_segment = _by_address(pdfium.FPDFClipPath_GetPathSegment, _P, _P, _I, _I)
_point = _by_address(pdfium.FPDFPathSegment_GetPoint, _I, _P, _P, _P)
_mark = _by_address(pdfium.FPDFPageObj_GetMark, _P, _P, ctypes.c_ulong)
_mark_bytes = _by_address(pdfium.FPDFPageObjMark_GetParamBlobValue, _I, _P, ctypes.c_char_p, _P, ctypes.c_ulong, _P)
remove_mark = _by_address(pdfium.FPDFPageObj_RemoveMark, _I, _P, _P)

_font_name = _by_address(pdfium.FPDFFont_GetBaseFontName, ctypes.c_size_t, _P, _P, ctypes.c_size_t)
_matrix = _by_address(pdfium.FPDFPageObj_GetMatrix, _I, _P, _P)
_fill_colour = _by_address(pdfium.FPDFPageObj_GetFillColor, _I, _P, _P, _P, _P, _P)
_bounds = _by_address(pdfium.FPDFPageObj_GetBounds, _I, _P, _P, _P, _P, _P)
_draw_mode = _by_address(pdfium.FPDFPath_GetDrawMode, _I, _P, _P, _P)

_pixel_size = _by_address(pdfium.FPDFImageObj_GetImagePixelSize, _I, _P, _P, _P)

_STRAIGHT = 1e-4
_RECTANGLE = 6
"""The most segments a rectangle is drawn with: four corners, back to the first, closed."""

_MATRIX = pdfium.FS_MATRIX()
_COLOUR = (ctypes.c_uint * 4)()
_EDGES = (ctypes.c_float * 4)()
_FLAGS = (_I * 2)()
_NAME = ctypes.create_string_buffer(128)
_ACTUAL = ctypes.create_string_buffer(8192)
_LENGTH = ctypes.c_ulong()
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


def bounds_of(item: int) -> Edges | None:
    """Left, bottom, right, top of a page object, in the coordinates of the form or page it stands in."""
    if not _bounds(item, *_EDGES_AT):
        return None
    left, bottom, right, top = _EDGES
    return (left, bottom, right, top)


def clips_of(item: int, known: dict[tuple[int, int], tuple[Edges, bool]]) -> tuple[Edges, bool] | None:
    """The area all clip paths of an object leave, and whether it is a plain rectangle; None where nothing is clipped.

    Objects share their clip paths; `known` keeps those already gone through, by their number and the address of the last.
    """
    clip = _clip_of(item)
    count = _clip_count(clip) if clip else 0
    if count <= 0:
        return None
    key = (count, _clip_segment(clip, count - 1, 0) or 0)
    if key not in known:
        paths = [
            _bounds_of_points([_clip_segment(clip, path, at) for at in range(min(_clip_segments(clip, path), _RECTANGLE + 1))])
            for path in range(count)
        ]
        lefts, bottoms, rights, tops = zip(*[edges for edges, _ in paths], strict=True)
        known[key] = (max(lefts), max(bottoms), min(rights), min(tops)), all(plain for _, plain in paths)
    return known[key]


def is_rectangle(item: int) -> bool:
    """Whether a path is a rectangle that stands straight in the coordinates of the form or page."""
    count = segment_count(item)
    if count > _RECTANGLE:
        return False
    a, b, c, d, _, _ = matrix_of(item)
    straight = (abs(b) < _STRAIGHT and abs(c) < _STRAIGHT) or (abs(a) < _STRAIGHT and abs(d) < _STRAIGHT)
    return straight and _bounds_of_points([_segment_of(item, at) for at in range(count)])[1]


def _bounds_of_points(segments: list[int | None]) -> tuple[Edges, bool]:
    """The area around the points of a path, and whether they are the corners of a rectangle. An empty path has no area."""
    points = [(_EDGES[0], _EDGES[1]) for segment in segments if segment and _point(segment, *_EDGES_AT[:2])]
    if not points:
        return (0.0, 0.0, 0.0, 0.0), True
    xs, ys = zip(*points, strict=True)
    area = left, bottom, right, top = min(xs), min(ys), max(xs), max(ys)
    corners = {(round(x, 1), round(y, 1)) for x, y in points}
    return area, corners == {(round(x, 1), round(y, 1)) for x in (left, right) for y in (bottom, top)}


def actual_text(item: int) -> tuple[int, bytes] | None:
    """The mark that says what an object's text stands for, by its address, and what it says as it stands in the file."""
    for index in range(mark_count(item)):
        mark = _mark(item, index)
        if mark and _mark_bytes(mark, b"ActualText", ctypes.addressof(_ACTUAL), len(_ACTUAL), ctypes.addressof(_LENGTH)):
            return mark, _ACTUAL.raw[: min(_LENGTH.value, len(_ACTUAL))]
    return None


def draw_mode(item: int) -> tuple[bool, bool]:
    """Whether a path is filled and whether it is stroked."""
    _draw_mode(item, *_FLAGS_AT)
    return bool(_FLAGS[0]), bool(_FLAGS[1])


def pixels_of_picture(item: int) -> int:
    """How many pixels an image object unpacks to."""
    return _COLOUR[0] * _COLOUR[1] if _pixel_size(item, *_COLOUR_AT[:2]) else 0


def glyph_segments(font: int, code: int) -> int:
    """How many segments the shape of a character has in a font: none where it draws nothing, or is drawn by operators."""
    path = _glyph_path(font, code, 10.0)
    return _glyph_segments(path) if path else 0


def leaves_ink(page: Any, item: int) -> bool:
    """Whether a text object of a page (pypdfium2's PdfPage) drawn by itself makes any mark."""
    document, loaded = (ctypes.cast(each.raw, ctypes.c_void_p).value for each in (page.pdf, page))
    bitmap = _rendered_text(document, loaded, item, 1.0)
    if not bitmap:
        return False
    pixels = ctypes.string_at(_buffer_of(bitmap), _stride_of(bitmap) * _height_of(bitmap))
    _destroy_bitmap(bitmap)
    return any(pixels)


def font_name(font: int) -> str:
    """The base name of a font, subset prefix included."""
    _font_name(font, ctypes.addressof(_NAME), len(_NAME))
    return _NAME.value.decode("utf-8", "replace")
