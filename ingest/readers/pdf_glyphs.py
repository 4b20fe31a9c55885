"""The characters of a PDF page: what each is, where it stands, how it is drawn; and their joining to words."""

from __future__ import annotations

import ctypes
import re
import struct
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from ingest.layout import is_han
from ingest.layout.direction import runs_left, word_from_visual
from ingest.page import Box, Source, Word
from ingest.readers import pdf_raw as raw
from ingest.readers.pdf_frame import Area, Frame
from ingest.readers.pdf_scene import Scene, mapped, times
from ingest.readers.sight import is_tiny

_BOLD_NAME = re.compile(r"bold|black|heavy|(?<![a-z])demi|[-_,]medi?(?:um)?\b|simhei|黑体", re.IGNORECASE)
_INVISIBLE_MODES = (3, 7)
_OUTLINES = 1
"""Text render mode: stroked and not filled."""
_CLIPPING = 4
"""Text render mode from which letters become the clip path of what follows."""
_PATTERN = (0xBF, 0xBF, 0xBF)
"""The colour pdfium gives for a pattern or a shading."""
_LINE_END_HYPHEN = 2
"""What pdfium gives for a hyphen at the end of a line."""
_NO_CHARACTER = 0xFFFD
_BULLETS = frozenset("\uf0b7\uf0a7\uf076\uf0d8\uf0fc\uf06e\uf071\uf02d")
"""Symbol and Wingdings bullets as Word writes them."""
# Zero-width and direction characters carry no text; a soft hyphen marks where a word may break.
_DROPPED = frozenset(
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
# Ligatures, full-width letters and digits, CJK radicals and compatibility ideographs stand for ordinary characters;
# other compatibility forms (², ½, ™, №) are what the writer meant and stay. Full-width punctuation is Chinese style and stays.
_COMPATIBLE = re.compile(
    "[\ufb00-\ufb06\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u2e80-\u2fd5\uf900-\ufaff\ufb1d-\ufdff\ufe10-\ufe19\ufe30-\ufe44\ufe70-\ufefc]"
)
_JOINING_EM = 0.18
"""Characters nearer than this belong to one word; spaces in the fonts and writers seen start at 0.2."""

_SUPPOSED_EM = 0.12
"""The same where pdfium supposes a space: narrow fonts set close have spaces of 0.14."""
_SPACE = 0x20

_BOX_EM = 1.17
"""Usual height of a character's box in sizes of type: ascent and descent together."""
_ASCENT_EM, _DESCENT_EM = 0.93, 0.24
_LEAST_BOX_EM, _LARGEST_BOX_EM = 0.85, 3.0
_TOUCH_EM = 0.1
"""Characters that lie this close, and are wider, are neighbours without further questions."""
_HAN_JOINING_EM = 0.45
"""Ideographs are justified by moving them apart; separate ones have a real space, or stand a whole character apart."""
_BARE_JOINING_EM = 0.26
"""For fonts that give the bare shapes of letters: the white to both sides of them adds to the gap."""


@dataclass(frozen=True, slots=True)
class Face:
    """What the characters of one text object share."""

    font: int
    """Address of the font: wrong character maps are a font's, not a page's."""
    size: float
    origin: tuple[float, float]
    """A point on the baseline, in page coordinates."""
    bold: bool
    turns: int | None
    """Quarter turns clockwise that bring the text upright; None for text set aslant, such as a watermark."""
    invisible: bool
    """Drawn in a mode that leaves no mark, fully transparent, or too small to read."""
    doubtful: bool
    """Drawn in about the colour behind it, over a picture, or painted over: only a rendering can tell."""


class Glyph(NamedTuple):
    """A drawn character with its area in page coordinates and the address of its text object."""

    text: str
    area: Area
    face: Face
    owner: int
    spaced: bool = False
    """Whether pdfium, which knows the font's own widths, supposes white space before it."""


@dataclass(frozen=True, slots=True)
class Run:
    """Characters drawn together, as the file maps them, in points from the top left of the upright page."""

    text: str
    area: Area
    face: Face
    space: bool
    """Whether white space follows."""


class TextPage:
    """A loaded text page; a context manager, since pdfium's memory is not Python's."""

    def __init__(self, page: Any) -> None:
        self.handle = pdfium.FPDFText_LoadPage(page)

    def __enter__(self) -> Any:
        return self.handle

    def __exit__(self, *_: object) -> None:
        pdfium.FPDFText_ClosePage(self.handle)


def glyphs_of(loaded: Any, handle: Any, scene: Scene) -> list[Glyph]:
    """Every character that is drawn, white space included, in the file's order: of the text page of a loaded page."""
    glyphs: list[Glyph] = []
    faces: dict[int, Face] = {}
    maker = _FaceMaker(loaded, handle, scene)
    area = ctypes.create_string_buffer(ctypes.sizeof(pdfium.FS_RECTF))
    # Addresses as plain numbers: what is called for every character must not be wrapped and checked every time.
    page, place_at = ctypes.cast(handle, ctypes.c_void_p).value, ctypes.addressof(area)
    unicode_of, area_of, object_of = raw.unicode_of, raw.loose_box_of, raw.text_object_of
    edges_in, append, before = struct.Struct("4f").unpack_from, glyphs.append, 0
    # Where a mark says what an object in a form stands for, pdfium leaves the form's matrix out.
    misplaced = {item: matrix for item, _, _ in scene.marked if (matrix := scene.text_matrix.get(item))}
    high, supposed = 0, False
    for index in range(pdfium.FPDFText_CountChars(handle)):
        owner = object_of(page, index)
        code = unicode_of(page, index)
        if not owner:
            supposed = code == _SPACE  # made up by pdfium; geometry has the last word
            continue
        if 0xD800 <= code < 0xE000:
            if code < 0xDC00:
                high = code
                continue
            code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00) if high else _NO_CHARACTER
            high = 0
        area_of(page, index, place_at)
        left, top, right, bottom = edges_in(area)
        place = (left, bottom, right, top)
        if owner in misplaced:
            place = mapped(place, misplaced[owner])
        if owner != before:
            face = faces.get(owner) or maker.face(index, owner, place)
            before, faces[owner] = owner, face
        text = "-" if code == _LINE_END_HYPHEN else chr(code or _NO_CHARACTER)
        append(Glyph(text, place, face, owner, supposed))
        supposed = False
    return glyphs


class _FaceMaker:
    """Reads how text objects are drawn. Keeps its buffers and what fonts have in common: some writers make an object a letter."""

    def __init__(self, loaded: Any, handle: Any, scene: Scene) -> None:
        self._loaded = loaded
        self._handle = handle
        self._scene = scene
        self._page = ctypes.cast(handle, ctypes.c_void_p).value or 0
        self._bold: dict[int, bool] = {}
        self._drawn: dict[int, bool] = {}
        self._clips = False  # letters have become a clip path, which pdfium does not tell of

    def face(self, index: int, owner: int, place: Area) -> Face:
        """The face of the text object at address `owner`, whose character number `index` stands at `place`."""
        a, b, c, d, e, f = times(raw.matrix_of(owner), self._scene.text_matrix.get(owner))
        nominal = raw.font_size_of(self._page, index)
        size = nominal * (c * c + d * d) ** 0.5
        height = max(place[2] - place[0], place[3] - place[1])
        if height > _LARGEST_BOX_EM * size:  # a Type 3 font may be drawn at any size and scaled by its own matrix
            size = height / _BOX_EM
        mode = raw.render_mode_of(owner)
        font = raw.font_of(owner) or 0
        bold = self._bold.get(font)
        if bold is None:
            bold = self._bold[font] = self._is_bold(font, index)
            self._drawn[font] = self._has_shapes(font, index, owner)
        colour = raw.fill_colour(owner)
        # How tall and how wide letters come out, whichever way the matrix squeezes or slants them.
        area = abs(a * d - b * c) * nominal
        flat = size > 0 and (is_tiny(size) or is_tiny(area / max(hypot(a, b), hypot(c, d), 1e-9)))
        invisible = mode in _INVISIBLE_MODES or (colour is not None and colour[1] < 8) or flat
        self._clips = self._clips or mode >= _CLIPPING
        # Outlines alone and patterns have a colour of their own, which only a drawing tells.
        plain = colour is not None and colour[0] != _PATTERN and mode != _OUTLINES and not self._clips and self._drawn[font]
        doubtful = not invisible and not (plain and colour and self._scene.is_plain(owner, *colour))
        return Face(font, size, (e, f), bold or mode == 2, _turns(a, b), invisible, doubtful)

    def _is_bold(self, font: int, index: int) -> bool:
        return bool(_BOLD_NAME.search(raw.font_name(font))) or pdfium.FPDFText_GetFontWeight(self._handle, index) >= 600

    def _has_shapes(self, font: int, index: int, owner: int) -> bool:
        """Whether a font draws its letters: some have a character map and no shapes. Asked for its first letters.

        Letters of Type 3 fonts have no outlines and are drawn by operators.
        """
        code = raw.unicode_of(self._page, index)
        if not chr(code if code < 0xD800 else 0x20).isalnum():
            return True
        return raw.glyph_segments(font, code) > 0 or raw.leaves_ink(self._loaded, owner)


def _turns(a: float, b: float) -> int | None:
    """Quarter turns clockwise that bring text running along (a, b) upright."""
    if abs(b) <= 0.3 * abs(a):
        return 0 if a >= 0 else 2
    if abs(a) <= 0.3 * abs(b):
        return 1 if b > 0 else 3
    return None


def runs_of(glyphs: Iterable[Glyph], frame: Frame) -> list[Run]:
    """Join characters that follow each other closely. They must run along the frame."""
    glyphs = list(glyphs)
    if runs_left("".join([glyph.text for glyph in glyphs])):
        glyphs = list(_from_the_left(glyphs, frame))
    runs: list[Run] = []
    current: list[tuple[Glyph, Area]] = []
    space = True
    for glyph, area in zip(glyphs, frame.uprights([glyph.area for glyph in glyphs]), strict=True):
        text = glyph.text
        if text in _DROPPED:
            continue
        if text.isspace():
            space = True
            continue
        if current:
            last, place = current[-1]
            if not space and last.face is glyph.face and _touch(last.face.size or 1.0, place, area):
                current.append((glyph, area))
                continue
            relation = _relation(last, place, glyph, area)
            if relation == "same":
                continue
            if relation == "part":
                joined = (min(place[0], area[0]), min(place[1], area[1]), max(place[2], area[2]), max(place[3], area[3]))
                current[-1] = (Glyph(last.text + text, last.area, last.face, last.owner), joined)
                continue
            if space or relation == "apart":
                runs.append(_run(current, frame, space=True))
                current = []
            elif last.face.bold is not glyph.face.bold:
                runs.append(_run(current, frame, space=False))
                current = []
        current.append((glyph, area))
        space = False
    if current:
        runs.append(_run(current, frame, space=True))
    return list(_each_once(runs))


def _from_the_left(glyphs: Sequence[Glyph], frame: Frame) -> Iterator[Glyph]:
    """Characters as they stand from left to right, line by line, where a line has letters that are written from the right.

    Some writers draw such letters in the order they are read, others in the order they stand.
    """
    at = 0
    while at < len(glyphs):
        base = frame.upright(glyphs[at].area)[3]
        end = at + 1
        while end < len(glyphs) and abs(frame.upright(glyphs[end].area)[3] - base) < 0.5 * (glyphs[end].face.size or 1.0):
            end += 1
        line = glyphs[at:end]
        if runs_left("".join([glyph.text for glyph in line])):
            line = [glyph._replace(spaced=False) for glyph in sorted(line, key=lambda glyph: frame.upright(glyph.area)[0])]
        yield from line
        at = end


def _each_once(runs: Iterable[Run]) -> Iterator[Run]:
    """Leave out what is drawn a second time in its own place, as writers without a bold type do line by line."""
    drawn: dict[str, list[Area]] = {}
    for run in runs:
        places = drawn.setdefault(run.text, [])
        near = 0.12 * run.face.size
        if not any(all(abs(one - other) < near for one, other in zip(run.area, place, strict=True)) for place in places):
            places.append(run.area)
            yield run


def _joining(left: str, right: str, height: float, size: float) -> float:
    """Sizes of type up to which two characters belong to one word where the file has no space between them."""
    if is_han(left) and is_han(right):
        return _HAN_JOINING_EM
    return _BARE_JOINING_EM if height < _LEAST_BOX_EM * size else _JOINING_EM


def _run(members: list[tuple[Glyph, Area]], frame: Frame, *, space: bool) -> Run:
    lefts, tops, rights, bottoms = zip(*[area for _, area in members], strict=True)
    x0, y0, x1, y1 = min(lefts), min(tops), max(rights), max(bottoms)
    face = members[0][0].face
    if y1 - y0 < _LEAST_BOX_EM * face.size:  # fonts without ascent and descent give the bare box of a dash or a full stop
        base = frame.upright((*face.origin, *face.origin))[1]
        y0, y1 = base - _ASCENT_EM * face.size, base + _DESCENT_EM * face.size
    text = "".join([glyph.text for glyph, _ in members])
    if runs_left(text):
        text = word_from_visual([glyph.text for glyph, _ in members])
    return Run(text, (x0, y0, x1, y1), face, space)


def words_of(runs: Iterable[Run], frame: Frame) -> list[Word]:
    """Runs as words of the page model; those without a readable character are left out."""
    width, height = frame.width, frame.height
    words: list[Word] = []
    for run in runs:
        text = clean(run.text)
        if text:
            x0, y0, x1, y1 = run.area
            box = Box(max(0.0, x0 / width), max(0.0, y0 / height), min(1.0, x1 / width), min(1.0, y1 / height))
            words.append(Word(text, box, round(run.face.size, 1), run.face.bold, source=Source.TEXT, space=run.space))
    return words


def _touch(size: float, place: Area, area: Area) -> bool:
    """Whether a character stands right behind another: what most do."""
    reach = _TOUCH_EM * size
    left = area[0]
    return -reach < left - place[2] < reach < area[2] - left and -0.5 * size < area[3] - place[3] < 0.5 * size


def _relation(last: Glyph, place: Area, glyph: Glyph, area: Area) -> str:
    """How a character stands to the one before: next to it, apart, the same again, or part of the same ligature."""
    size = last.face.size or 1.0
    if _touch(size, place, area):
        return "next"
    gap = area[0] - place[2]
    level = abs(area[3] - place[3]) < 0.5 * size
    near = min(0.12 * size, 0.35 * (area[2] - area[0]))  # condensed type has letters narrower than an offset copy is off
    if abs(area[0] - place[0]) < near and abs(area[2] - place[2]) < near:
        if glyph.text == last.text and abs(area[1] - place[1]) < 0.12 * size:
            return "same"
        if glyph.owner == last.owner and abs(area[1] - place[1]) < size:
            return "part"
    joining = _joining(last.text[-1], glyph.text, area[3] - area[1], size)
    if glyph.spaced and joining == _JOINING_EM:
        joining = _SUPPOSED_EM
    if level and -0.6 * size < gap < joining * size:
        return "next"
    return "apart"


def clean(text: str) -> str:
    """The text of a word as people read it: composed, ligatures and compatibility forms resolved, icons left out."""
    if text.isascii():
        return text if text.isprintable() else "".join(char for char in text if char.isprintable())
    kept = "".join("•" if char in _BULLETS else char for char in text if char in _BULLETS or _is_text(char))
    return unicodedata.normalize("NFC", _COMPATIBLE.sub(lambda match: unicodedata.normalize("NFKC", match.group()), kept))


def _is_text(char: str) -> bool:
    return unicodedata.category(char) not in ("Co", "Cc", "Cn")
