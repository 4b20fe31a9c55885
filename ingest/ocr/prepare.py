"""Preparing the picture of a page for OCR: the sheet cut out of a photo, the page turned upright, the light evened.

Each step is here because it raises what is read from bad scans and photos. Angles below a degree are left in the picture,
since engines read them; the boxes of their words are levelled.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from ingest.page import Box, Word

Pixels = npt.NDArray[np.uint8]
Corners = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]

_LOOK_SIDE = 800
"""Long side of the shrunk picture in which the sheet is looked for."""
_MIN_SHEET = 0.25
"""Share of a photo that the sheet must cover, and at which it is the whole picture and nothing is to be cut."""
_WHOLE = 0.97
_INK = 160
"""Grey level of evened pictures below which a pixel is ink."""
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
_TURN_SIDE = 2400
"""The same for finding which way is up: still to be read."""
_SMEAR = 7
"""Pixels of that picture by which letters are smeared: more than from letter to letter, less than from line to line."""
_LEAST_WORTH = 0.4
"""Of a turned page's best part, below which nothing is gained by turning."""
_BANDS = (0.125, 0.3)
"""Shares of the page's height that are read to tell which way is up; the second where the first says nothing."""
_GOOD_WORTH = 0.65
"""From which no other turn needs to be tried: parts that lie the wrong way have 0.55 and less."""
_LYING = 2.0
"""Of `sideways`, from which the lines surely run from top to bottom (its inverse: from left to right). Pages measured upright
had 0.15 and less, turned 6.5 and more."""
_LIGHT_SIDE = 400
"""Long side of the shrunk picture from which the background is estimated, and the size of its window: wider than any letter."""
_LIGHT_WINDOW = 31
_BAR = 12
"""Pixels of a picture of `_LOOK_SIDE` from which a dark rectangle is a bar with writing in it; rules and type are thinner."""
_SOLID = 0.85
"""Share of its rectangle that a bar's outline holds: words smeared together have less."""
_FILLED = 0.5
"""Share of what a bar's outline holds that is dark: bars with white writing have 0.75 and more, framed tables 0.15 and less."""
_DARK = 0.65
"""Of the grey level of the paper around, below which bars are."""
_PANEL = 101
"""Pixels of that picture across which the paper is seen around a bar: wider ones are panels, darkness that grows a shadow."""
_RIM = 3.0
"""Pixels of that picture along a bar's edge that are neither bar nor paper."""
_LEAST_CONTRAST = 30.0
"""Grey levels of the darkest writing from the background; below, the page is blank and noise is not to be blown up."""
_GRAINY = 0.02
"""Grain in the darkness of writing from which a page is better read without it: scans and photos measured had 0.018 and
less, poor scans 0.024 and more."""
_GRAIN_REACH = 4.5
"""Times the usual grain up to which what is seen on paper may be grain: three standard deviations."""
_FAINT = 55
"""Darkness from which something is left to see."""
_MOST_GRAIN = 0.45
"""Darkness that is writing however grainy the page."""
_SPECK, _ALONE = 5 / 2340, 6 / 2340
"""Of the long side: size of specks, and how far from everything else they must lie to be none of a letter's dots."""


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
    ink = 255 - np.asarray(evened(image.convert("L").resize(_fitted(image.size, _LOOK_SIDE), Image.Resampling.BOX)))
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
    small = image.convert("L").resize(_fitted(image.size, _LOOK_SIDE), Image.Resampling.BOX)
    boxes = _bar_boxes(np.asarray(np.asarray(evened(small)) < _INK, dtype=np.uint8))
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


def turned(image: Image.Image, degrees: int) -> Image.Image:
    """The picture turned clockwise by a multiple of 90 degrees."""
    turns = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}
    return image.transpose(turns[degrees]) if degrees else image


def sideways(image: Image.Image) -> float:
    """How much the lines of writing seem to run from top to bottom: well above 1 where they do, well below where they do not.

    Letters stand closer to their neighbours in the word than to the lines beside: smeared a little along the line they
    become bars, smeared across it they stay apart.
    """
    small = image.convert("L").resize(_fitted(image.size, _LOOK_SIDE), Image.Resampling.BOX)
    ink: Pixels = np.asarray(np.asarray(evened(small)) < _INK, dtype=np.uint8)
    return (_bars(np.ascontiguousarray(ink.T)) + 1.0) / (_bars(ink) + 1.0)


def _bars(ink: Pixels) -> float:
    """Length of what becomes a lying bar when smeared from left to right; ruled lines and panels are none."""
    return float(_bar_boxes(ink)[:, 2].sum())


def _bar_boxes(ink: Pixels) -> npt.NDArray[np.int32]:
    """The bars: left, top, width and height of each in pixels."""
    smeared = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((1, _SMEAR), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(smeared)
    widths, heights = stats[1:, cv2.CC_STAT_WIDTH], stats[1:, cv2.CC_STAT_HEIGHT]
    bars = (widths >= 3 * heights) & (heights >= 4) & (heights <= _LOOK_SIDE // 20)
    return np.asarray(stats[1:][bars][:, :4], dtype=np.int32)


def _roughness(profile: npt.NDArray[np.float32]) -> float:
    return float(np.abs(np.diff(profile)).mean()) if len(profile) > 1 else 0.0


def _fitted(size: tuple[int, int], side: int) -> tuple[int, int]:
    scale = min(1.0, side / max(size))
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


def upright(image: Image.Image, worth: Callable[[Image.Image], float], now: float) -> int:
    """By how many degrees to turn a page clockwise that cannot be read as it is; 0 where no turn makes it better.

    `worth` reads a picture (here a small part of the page) and says how good that was, 0 to 1; `now` is how good the page was.
    """
    lying = sideways(image)
    candidates = (90, 270) if lying > _LYING else (180,) if lying < 1 / _LYING else (180, 90, 270)
    small = image.resize(_fitted(image.size, _TURN_SIDE), Image.Resampling.BOX)
    for share in _BANDS:
        found: dict[int, float] = {}
        for degrees in candidates:
            found[degrees] = worth(_densest(turned(small, degrees), share))
            if found[degrees] >= _GOOD_WORTH:
                break
        best = max(found, key=lambda degrees: found[degrees])
        if found[best] > max(now, _LEAST_WORTH):
            return best
        if now > _LEAST_WORTH:  # it makes some sense as it is
            break
    return 0


def _densest(image: Image.Image, share: float) -> Image.Image:
    """The band of the picture with the most ink, of a share of its height."""
    ink = 255 - np.asarray(evened(image), dtype=np.float32)
    height = max(1, round(share * image.height))
    sums = np.concatenate([[0.0], np.cumsum(ink.sum(axis=1))])
    top = int(np.argmax(sums[height:] - sums[:-height]))
    return image.crop((0, top, image.width, top + height))


def evened(image: Image.Image) -> Image.Image:
    """Dark writing on white, whatever the page's own colours and light: what differs from its surroundings is ink.

    Specks of a pixel are taken out first. Tesseract needs it on shadows, on white type in dark panels and bars and on poor
    scans (recall of fields on the Russian ones 0.85 without, 0.96 with it); RapidOCR does not.
    """
    grey = _without_bars(np.asarray(cv2.medianBlur(np.asarray(image.convert("L"), dtype=np.uint8), 3), dtype=np.uint8))
    height, width = grey.shape
    small = cv2.resize(grey, _fitted((width, height), _LIGHT_SIDE), interpolation=cv2.INTER_AREA)
    ground = cv2.resize(cv2.medianBlur(small, _LIGHT_WINDOW), (width, height), interpolation=cv2.INTER_LINEAR)
    ink = np.asarray(cv2.absdiff(grey, ground), dtype=np.uint8)
    darkest = max(_LEAST_CONTRAST, _level(ink, 0.995))
    return Image.fromarray(cv2.bitwise_not(cv2.convertScaleAbs(ink, alpha=255 / darkest)))


def _level(pixels: Pixels, share: float) -> int:
    """The grey level up to which a share of the pixels goes: what a quantile is, from a count of 256 instead of a sort."""
    counts = np.cumsum(cv2.calcHist([pixels], [0], None, [256], [0, 256]), dtype=np.float64)
    return int(np.searchsorted(counts, share * counts[-1]))


def without_grain(even: Image.Image) -> Image.Image:
    """An evened picture with the paper's grain and lone specks taken out; itself where there is little grain."""
    ink: Pixels = np.asarray(255 - np.asarray(even, dtype=np.uint8), dtype=np.uint8)
    grain = _level(ink, 0.5)
    if grain < _GRAINY * 255:
        return even
    floor = min(_GRAIN_REACH * grain, _MOST_GRAIN * 255)
    left: Pixels = np.clip((ink.astype(np.float32) - floor) * (255 / (255 - floor)), 0, 255).astype(np.uint8)
    return Image.fromarray(255 - _without_specks(left))


def _without_specks(ink: Pixels) -> Pixels:
    side, reach = (max(1, round(share * max(ink.shape))) for share in (_SPECK, _ALONE))
    around = cv2.dilate(np.asarray(ink > _FAINT, dtype=np.uint8), np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(around)
    alone = (stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]] <= side + 2 * reach).all(axis=1)
    alone[0] = False  # the paper
    return np.where(alone[labels], 0, ink).astype(np.uint8)


def _without_bars(grey: Pixels) -> Pixels:
    """White type in dark bars turned to dark type on paper, the bars' edges taken out.

    Where bars are about as high as the window of the ground is wide, the ground would take their colour past their edges, and
    the writing beside them would be gone. Shadows and wide panels are left to the ground.
    """
    height, width = grey.shape
    small = np.asarray(cv2.resize(grey, _fitted((width, height), _LOOK_SIDE), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    scale = np.array([width / small.shape[1], height / small.shape[0]])
    light = np.asarray(cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((_PANEL, _PANEL), np.uint8)), dtype=np.uint8)
    dark: Pixels = np.asarray(small < _DARK * light, dtype=np.uint8)
    contours, _ = cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    turned_over = grey
    for contour in (np.asarray(each, dtype=np.int32) for each in contours):
        if not _is_bar(contour, dark):
            continue
        outline = np.rint((contour + 0.5) * scale).astype(np.int32)
        inside = np.zeros_like(grey)
        cv2.fillPoly(inside, [outline], 255)
        x, y, wide, high = cv2.boundingRect(contour)
        paper, colour = float(np.median(light[y : y + high, x : x + wide])), float(np.median(grey[inside > 0]))
        over = np.clip(paper + colour - grey.astype(np.float32), 0, paper)
        turned_over = np.where(inside > 0, over, turned_over).astype(np.uint8)
        cv2.polylines(turned_over, [outline], isClosed=True, color=paper, thickness=round(_RIM * float(scale.max())))
    return turned_over


def _is_bar(contour: npt.NDArray[np.int32], dark: Pixels) -> bool:
    """Whether an outline is that of a box dark inside; the frame of a table is dark around."""
    _, sides, _ = cv2.minAreaRect(contour)
    if min(sides) < _BAR or cv2.contourArea(contour) < _SOLID * sides[0] * sides[1]:
        return False
    x, y, wide, high = cv2.boundingRect(contour)
    inside: Pixels = np.zeros((high, wide), dtype=np.uint8)
    cv2.fillPoly(inside, [contour - np.array([x, y], dtype=np.int32)], 1)
    return float(dark[y : y + high, x : x + wide][inside > 0].mean()) >= _FILLED
