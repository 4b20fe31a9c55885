"""Preparing the picture of a page for OCR: the sheet cut out of a photo, the page turned upright, the light evened.

Each step is here because it raises what is read from bad scans and photos. Angles below a degree are left in the picture,
since engines read them; the boxes of their words are levelled.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from ingest.ocr.light import INK, evened, fitted
from ingest.ocr.orientation import line_boxes
from ingest.page import Box, Word

Pixels = npt.NDArray[np.uint8]
Corners = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]

_LOOK_SIDE = 800
"""Long side of the shrunk picture in which the sheet is looked for."""
_MIN_SHEET = 0.25
"""Share of a photo that the sheet must cover, and at which it is the whole picture and nothing is to be cut."""
_WHOLE = 0.97
_EDGE = 0.02
"""Of the sheet: how far over its edge writing may reach, and how much is left around it."""
_STRAY = 0.06
"""Share of all writing that may lie beside the sheet found: grain of a table, not a panel of the page."""
_MOST_GROWN = 2.0
"""Times its size to which the bright part may grow by that; what needs more is no sheet."""
_MOST_ASLANT = 10.0
_ASLANT = 1.25
"""Degrees from which a page is straightened: Tesseract's recall falls from 0.98 to 0.91 at 3, 0.78 at 5 and 0.13 at 8. Below,
the pixels stay as they are: straightened by half a degree, RapidOCR overlooks spaces it had seen."""
_STANDS_OUT = 1.1


@dataclass(frozen=True, slots=True)
class Prepared:
    """A picture ready to be read, and the way back from it to the page it was made from."""

    image: Image.Image
    back: Matrix | None = None
    """Projection from fractions of this picture to fractions of the original; None where they are the same."""
    fall: float = 0.0
    """By how much the lines still fall from left to right: pixels down a pixel to the right."""

    def levelled(self, word: Word) -> Word:
        """The word with its box where it would stand if the lines ran level."""
        return self._lowered(word, -self.fall)

    def as_read(self, word: Word) -> Word:
        """The other way round."""
        return self._lowered(word, self.fall)

    def _lowered(self, word: Word, slope: float) -> Word:
        if not slope or word.box is None:
            return word
        x0, y0, x1, y1 = word.box
        by = slope * (x0 + x1) / 2 * self.image.width / self.image.height
        return replace(word, box=Box(x0, y0 + by, x1, y1 + by))

    def put_back(self, word: Word) -> Word:
        """The word with its box where it stands on the original picture."""
        if self.back is None or word.box is None:
            return word
        x0, y0, x1, y1 = word.box
        corners = np.array([[[x0, y0], [x1, y0], [x1, y1], [x0, y1]]], dtype=np.float64)
        points = np.clip(cv2.perspectiveTransform(corners, self.back)[0], 0.0, 1.0)
        (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
        return replace(word, box=Box(float(left), float(top), float(right), float(bottom)))


def prepare(image: Image.Image) -> Prepared:
    """Cut the sheet out of a photo, straighten what lies aslant; most pages stay as they are."""
    prepared = Prepared(image if image.mode in ("L", "RGB") else image.convert("RGB"))
    sheet = find_sheet(prepared.image)
    if sheet is not None:
        prepared = _cut(prepared, sheet * np.array(image.size, dtype=np.float32))
    angle = slant(prepared.image)
    if abs(angle) >= _ASLANT:
        return _cut(prepared, _aslant(prepared.image.size, angle))
    return replace(prepared, fall=math.tan(math.radians(angle)))


def _cut(prepared: Prepared, corners: Corners) -> Prepared:
    """The picture between four corners (in pixels, clockwise from the top left; they may lie outside) as a rectangle."""
    image = prepared.image
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    width, height = max(1, round(float(max(sides[0], sides[2])))), max(1, round(float(max(sides[1], sides[3]))))
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(corners, target)
    pixels = cv2.warpPerspective(
        np.asarray(image), matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float32)
    back = np.asarray(cv2.getPerspectiveTransform(unit, np.divide(corners, np.array(image.size, dtype=np.float32))))
    whole = np.asarray(back if prepared.back is None else prepared.back @ back, dtype=np.float64)
    return Prepared(Image.fromarray(np.asarray(pixels, dtype=np.uint8)), whole)


def slant(image: Image.Image) -> float:
    """By how many degrees the lines of writing fall from left to right, between -10 and 10; 0 where they do not stand out.

    Projected along the lines, ink and gaps between the lines alternate most sharply.
    """
    ink = 255 - np.asarray(evened(image.convert("L").resize(fitted(image.size, _LOOK_SIDE), Image.Resampling.BOX)))
    found = 0.0
    for reach, step in ((_MOST_ASLANT, 1.0), (1.0, 0.25)):
        angles = np.arange(found - reach, found + reach + step / 2, step)
        sharpness = [_roughness(_turned_back(ink, float(angle)).mean(axis=1)) for angle in angles]
        found = float(angles[int(np.argmax(sharpness))])
    return found if _roughness(_turned_back(ink, found).mean(axis=1)) > _STANDS_OUT * _roughness(ink.mean(axis=1)) else 0.0


def _turned_back(pixels: Pixels, angle: float) -> Pixels:
    height, width = pixels.shape
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1.0)
    return np.asarray(cv2.warpAffine(pixels, matrix, (width, height)), dtype=np.uint8)


def _aslant(size: tuple[int, int], angle: float) -> Corners:
    """Corners of a picture whose writing falls by an angle: the rectangle along the writing that holds all of the page."""
    width, height = size
    along = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    across = np.array([-along[1], along[0]])
    page = np.array([[0, 0], [width, 0], [width, height], [0, height]]) - np.array([width / 2, height / 2])
    x, y = float(np.abs(page @ along).max()), float(np.abs(page @ across).max())
    middle = np.array([width / 2, height / 2])
    corners = [middle + along * sx * x + across * sy * y for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return np.array(corners, dtype=np.float32)


def find_sheet(image: Image.Image) -> Corners | None:
    """Corners of a bright sheet on a darker ground, as fractions, clockwise from the top left; None where there is none."""
    grey = image.convert("L")
    grey.thumbnail((_LOOK_SIDE, _LOOK_SIDE))
    pixels = np.asarray(cv2.GaussianBlur(np.asarray(grey, dtype=np.uint8), (0, 0), 2.0), dtype=np.uint8)
    _, bright = cv2.threshold(pixels, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    closed = cv2.morphologyEx(bright, cv2.MORPH_CLOSE, np.ones((25, 25), np.uint8))  # over the writing
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return None
    largest = max(contours, key=cv2.contourArea)
    hull = cv2.convexHull(largest)
    corners = cv2.approxPolyDP(hull, 0.03 * cv2.arcLength(hull, closed=True), closed=True)
    covered = cv2.contourArea(hull) / pixels.size
    if len(corners) != 4 or not _MIN_SHEET <= covered <= _WHOLE or cv2.contourArea(largest) < 0.9 * cv2.contourArea(hull):
        return None
    points = corners[:, 0, :].astype(np.float32)
    if cv2.contourArea(points) < 0.95 * cv2.contourArea(hull) or not _is_darker_outside(pixels, points):
        return None
    whole = _with_all_writing(_clockwise(points), image)
    return None if whole is None else np.divide(whole, np.array([pixels.shape[1], pixels.shape[0]], dtype=np.float32))


def _with_all_writing(corners: Corners, image: Image.Image) -> Corners | None:
    """The corners moved out, in the plane of the sheet, to hold writing beside the bright part: a page's own dark panel.

    None where writing lies all over the place: then nothing tells the sheet from what it lies on.
    """
    small = image.convert("L").resize(fitted(image.size, _LOOK_SIDE), Image.Resampling.BOX)
    boxes = line_boxes(np.asarray(np.asarray(evened(small)) < INK, dtype=np.uint8))
    if not len(boxes):
        return corners
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float32)
    flat = cv2.getPerspectiveTransform(corners, unit)
    ends = np.concatenate([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]]).astype(np.float64)
    places = cv2.perspectiveTransform(ends[None], flat)[0]
    beside = (np.abs(places - 0.5) > 0.5 + _EDGE).any(axis=1)
    lengths = np.concatenate([boxes[:, 2], boxes[:, 2]])
    if lengths[beside].sum() < _STRAY * lengths.sum():
        return corners
    # The few outermost are grain of the table; a panel's writing is many lines.
    low = np.minimum(0.0, np.quantile(places, 0.02, axis=0) - _EDGE)
    high = np.maximum(1.0, np.quantile(places, 0.98, axis=0) + _EDGE)
    if (high - low).max() > _MOST_GROWN:
        return None
    grown = np.array([[low, (high[0], low[1]), high, (low[0], high[1])]], dtype=np.float64)
    return np.asarray(cv2.perspectiveTransform(grown, np.linalg.inv(flat))[0], dtype=np.float32)


def _is_darker_outside(pixels: Pixels, corners: Corners) -> bool:
    """A photo's ground is dark all around the sheet; a page's own coloured panel lies on one side of the paper."""
    inside = np.zeros(pixels.shape, np.uint8)
    cv2.fillConvexPoly(inside, corners.astype(np.int32), 1)
    paper = float(np.median(pixels[inside == 1]))
    border = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    return float(np.quantile(border, 0.75)) < 0.8 * paper


def _clockwise(points: Corners) -> Corners:
    middle = points.mean(axis=0)
    around = points[np.argsort(np.arctan2(points[:, 1] - middle[1], points[:, 0] - middle[0]))]
    first = int(np.argmin(around.sum(axis=1)))
    return np.roll(around, -first, axis=0).astype(np.float32)


def _roughness(profile: npt.NDArray[np.float32]) -> float:
    return float(np.abs(np.diff(profile)).mean()) if len(profile) > 1 else 0.0
