"""The characters of a PDF page as words with boxes, told apart into what people see and what they do not."""

from __future__ import annotations

import ctypes
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium

from ingest.page import Box, Source, Word
from ingest.readers.pdf_scene import Scene, fill_colour, matrix_of

_BOLD_NAME = re.compile(r"bold|black|heavy|(?<![a-z])demi|[-_,]medi?(?:um)?\b|simhei|黑体", re.IGNORECASE)
_INVISIBLE_MODES = (3, 7)
_LEAST_SIZE = 2.0
"""Points. Nobody reads smaller print, and nobody but a cheat sets it."""
_LEAST_CONTRAST = 24
"""Of 255, in the colour channel that differs most: below it text is hidden unless a rendering shows otherwise."""
# Zero-width and direction characters carry no text. Soft hyphens mark where a word may break, not a character.
_DROPPED = frozenset(
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff"
)
_LINE_END_HYPHEN = 2
"""What pdfium gives for a hyphen at the end of a line."""
_REVERSING = frozenset("\u202e\u2067")
_BULLETS = frozenset("\uf0b7\uf0a7\uf076\uf0d8\uf0fc\uf06e\uf071\uf02d")
"""Symbol and Wingdings bullets as Word writes them."""


@dataclass(frozen=True, slots=True)
class Face:
    """What the characters of one text object share."""

    size: float
    bold: bool
    invisible: bool
    """Drawn in a mode that leaves no mark, fully transparent, or too small to read."""
    doubtful: bool
    """Drawn in about the colour behind it, or painted over: only a rendering can tell."""


@dataclass(slots=True)
class Glyph:
    """A character with its box in fractions of the upright page."""

    text: str
    box: Box
    face: Face
    owner: int
    """Address of its text object."""


class TextPage:
    """A loaded text page; a context manager, since pdfium's memory is not Python's."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self.handle = pdfium.FPDFText_LoadPage(page)

    def __enter__(self) -> TextPage:
        return self

    def __exit__(self, *_: object) -> None:
        pdfium.FPDFText_ClosePage(self.handle)


Place = Callable[[float, float, float, float], Box]
"""From left, bottom, right, top in page coordinates to a box on the upright page."""


def glyphs_of(handle: Any, scene: Scene, place: Place) -> Iterator[Glyph]:
    """Every character that is drawn, in the file's order; None between words where the file holds white space."""
    faces: dict[int, Face] = {}
    area = pdfium.FS_RECTF()
    pointer = ctypes.byref(area)
    unicode_of, box_of, object_of = pdfium.FPDFText_GetUnicode, pdfium.FPDFText_GetLooseCharBox, _text_object
    high = 0
    for index in range(pdfium.FPDFText_CountChars(handle)):
        code = unicode_of(handle, index)
        owner = object_of(handle, index)
        if not owner:
            continue  # a space or line break pdfium made up; geometry decides that here
        if 0xD800 <= code < 0xDC00:
            high = code
            continue
        if 0xDC00 <= code < 0xE000:
            code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00) if high else 0xFFFD
            high = 0
        if code == _LINE_END_HYPHEN:
            code = 0x2D
        box_of(handle, index, pointer)
        face = faces.get(owner)
        if face is None:
            face = faces[owner] = _face(handle, index, owner, scene, area)
        yield Glyph(chr(code or 0xFFFD), place(area.left, area.bottom, area.right, area.top), face, owner)


def _plain_text_object() -> Callable[[Any, int], int]:
    """FPDFText_GetTextObject with an address as result: making pointer objects would cost more than the call."""
    address = ctypes.cast(pdfium.FPDFText_GetTextObject, ctypes.c_void_p).value
    prototype = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
    return prototype(address or 0)


_text_object = _plain_text_object()
_object_type = pdfium.FPDFText_GetTextObject.restype


def _face(handle: Any, index: int, owner: int, scene: Scene, area: Any) -> Face:
    item = ctypes.cast(owner, _object_type)
    matrix = matrix_of(item)
    scale = (matrix[2] ** 2 + matrix[3] ** 2) ** 0.5 * scene.text_scale.get(owner, 1.0)
    size = pdfium.FPDFText_GetFontSize(handle, index) * scale
    mode = pdfium.FPDFTextObj_GetTextRenderMode(item)
    name = ctypes.create_string_buffer(128)
    pdfium.FPDFFont_GetBaseFontName(pdfium.FPDFTextObj_GetFont(item), name, 128)
    weight = pdfium.FPDFText_GetFontWeight(handle, index)
    colour = fill_colour(item)
    x, y = (area.left + area.right) / 2, (area.bottom + area.top) / 2
    order = scene.text_order.get(owner, 1 << 30)
    doubtful = False
    if colour is not None and mode not in _INVISIBLE_MODES:
        behind = scene.behind(order, x, y)
        near = behind is not None and max(abs(a - b) for a, b in zip(behind, colour[0], strict=True)) < _LEAST_CONTRAST
        doubtful = near or scene.covered(order, x, y)
    return Face(
        size=size,
        bold=bool(_BOLD_NAME.search(name.value.decode("utf-8", "replace"))) or weight >= 600 or mode == 2,
        invisible=mode in _INVISIBLE_MODES or (colour is not None and colour[1] < 8) or 0 < size < _LEAST_SIZE,
        doubtful=doubtful,
    )


def words_of(glyphs: list[Glyph], width: float, height: float) -> list[Word]:
    """Join characters that follow each other closely to words. `width` and `height` are the page's, in points."""
    words: list[Word] = []
    run: list[Glyph] = []
    seen: dict[tuple[str, int, int], None] = {}
    for glyph in glyphs:
        if glyph.text in _DROPPED:
            continue
        if glyph.text.isspace():
            _close(words, run, space=True)
            run = []
            continue
        key = (glyph.text, round(glyph.box.x0 * width * 0.7), round(glyph.box.y0 * height * 0.7))
        if key in seen:
            continue  # drawn twice on one spot to look bold
        seen[key] = None
        if run and not _follows(run[-1], glyph, width, height):
            _close(words, run, space=True)
            run = []
        elif run and run[-1].face.bold is not glyph.face.bold:
            _close(words, run, space=False)
            run = []
        run.append(glyph)
    _close(words, run, space=True)
    return words


def _follows(left: Glyph, right: Glyph, width: float, height: float) -> bool:
    gap = (right.box.x0 - left.box.x1) * width
    size = max(left.face.size, 1.0)
    if not -0.6 * size < gap < 0.18 * size:
        return False
    return abs(right.box.y1 - left.box.y1) * height < 0.5 * size


def _close(words: list[Word], run: list[Glyph], *, space: bool) -> None:
    if not run:
        return
    text = clean("".join(glyph.text for glyph in run))
    if not text:
        return
    first = run[0]
    box = Box(
        run[0].box.x0,
        min(glyph.box.y0 for glyph in run),
        run[-1].box.x1,
        max(glyph.box.y1 for glyph in run),
    )
    words.append(Word(text, box, round(first.face.size, 1), first.face.bold, source=Source.TEXT, space=space))


def clean(text: str) -> str:
    """The text of a word as people read it: composed, ligatures and compatibility forms resolved, icons left out."""
    if text.isascii():
        return text if text.isprintable() else "".join(char for char in text if char.isprintable())
    text = "".join("•" if char in _BULLETS else char for char in text)
    kept = "".join(char for char in text if unicodedata.category(char) not in ("Co", "Cc", "Cn"))
    return unicodedata.normalize("NFC", _COMPATIBLE.sub(lambda match: unicodedata.normalize("NFKC", match.group()), kept))


# Ligatures, full-width letters and digits, CJK radicals and compatibility ideographs stand for ordinary characters;
# other compatibility forms (², ½, ™, №) are what the writer meant and stay. Full-width punctuation is Chinese style and stays.
_COMPATIBLE = re.compile("[\ufb00-\ufb06\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u2e80-\u2fd5\uf900-\ufaff]")
