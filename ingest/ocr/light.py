"""The light of a page evened: dark writing on white, whatever its colours, shadows, panels and grain."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

Pixels = npt.NDArray[np.uint8]

INK = 160
"""Grey level of evened pictures below which a pixel is ink."""
_BAR_SIDE = 800
"""Long side of the shrunk picture in which dark bars are looked for."""
_LIGHT_SIDE = 400
"""Long side of the shrunk picture from which the background is estimated, and the size of its window: wider than any letter."""
_LIGHT_WINDOW = 31
_BAR = 12
"""Pixels of a picture of `_BAR_SIDE` from which a dark rectangle is a bar with writing in it; rules and type are thinner."""
_SOLID = 0.85
"""Share of its rectangle that a bar's outline holds: words smeared together have less."""
_BAR_LENGTH = 1.8
"""Times its height from which a bar has room for a word: large letters are dark rectangles too, 1.2 times as long as wide."""
_FILLED = 0.5
"""Share of what a bar's outline holds that is dark: bars with white writing have 0.88 and more, framed tables 0.15 and less."""
_ALL_AROUND = 0.9
"""Share of a bar's surroundings that is paper: bars measured have 1.0, parts of panels and of a photo's ground 0.84 and less."""
_NEAR, _FAR = 2, 5
"""Pixels of that picture from a bar's edge between which its surroundings lie."""
_DARK = 0.65
"""Of the grey level of the paper around, below which bars are."""
_PANEL = 101
"""Pixels of that picture across which the paper is seen around a bar: wider ones are panels, darkness that grows a shadow."""
_RIM = 3.0
"""Pixels of that picture along a bar's edge that are neither bar nor paper."""
_LEAST_CONTRAST = 30.0
"""Grey levels of the darkest writing from the background; below, the page is blank and noise is not to be blown up."""
_BLACK, _GREYS = 8, 0.02
"""Grey levels that count as black or white, and share of others up to which a picture is in black and white alone."""
_AROUND = 41
"""Pixels across which writing is told from what is around it."""
_LEAST_LETTER, _WIDEST = 4, 3
"""Height of a letter in pixels, and how much wider than high, or higher than wide, one may be."""
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


def evened(image: Image.Image, *, specks: bool = False) -> Image.Image:
    """Dark writing on white, whatever the page's own colours and light: what differs from its surroundings is ink.

    Specks of a pixel are taken out first unless they are wanted. Tesseract needs it on shadows, on white type in dark panels
    and bars and on poor scans (recall of fields on the Russian ones 0.85 without, 0.96 with it); RapidOCR does not.
    """
    grey = np.asarray(image.convert("L"), dtype=np.uint8)
    grey = _without_bars(grey if specks else _smoothed(grey))
    height, width = grey.shape
    small = cv2.resize(grey, fitted((width, height), _LIGHT_SIDE), interpolation=cv2.INTER_AREA)
    ground = cv2.resize(cv2.medianBlur(small, _LIGHT_WINDOW), (width, height), interpolation=cv2.INTER_LINEAR)
    ink = np.asarray(cv2.absdiff(grey, ground), dtype=np.uint8)
    darkest = max(_LEAST_CONTRAST, _level(ink, 0.995))
    return Image.fromarray(cv2.bitwise_not(cv2.convertScaleAbs(ink, alpha=255 / darkest)))


def _smoothed(grey: Pixels) -> Pixels:
    """Specks of a pixel taken out; of black and white alone nothing is, since strokes may be a pixel thin there."""
    counts = cv2.calcHist([grey], [0], None, [256], [0, 256])
    between = float(counts[_BLACK + 1 : 255 - _BLACK].sum()) / grey.size
    blur = cv2.GaussianBlur(grey, (3, 3), 0) if between < _GREYS else cv2.medianBlur(grey, 3)
    return np.asarray(blur, dtype=np.uint8)


def type_height(image: Image.Image) -> float:
    """How high most marks of the writing are, in pixels: small letters where there are any. 0 on a page without."""
    grey = np.asarray(image.convert("L"), dtype=np.uint8)
    ground = cv2.blur(grey, (_AROUND, _AROUND))
    ink = np.asarray(cv2.absdiff(grey, ground) > _LEAST_CONTRAST, dtype=np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(ink)
    heights, widths = stats[1:count, cv2.CC_STAT_HEIGHT], stats[1:count, cv2.CC_STAT_WIDTH]
    letters = heights[(heights >= _LEAST_LETTER) & (widths <= _WIDEST * heights) & (heights <= _WIDEST * widths)]
    return float(np.median(letters)) if len(letters) else 0.0


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
    small = np.asarray(cv2.resize(grey, fitted((width, height), _BAR_SIDE), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    scale = np.array([width / small.shape[1], height / small.shape[0]])
    light = np.asarray(cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((_PANEL, _PANEL), np.uint8)), dtype=np.uint8)
    dark: Pixels = np.asarray(small < _DARK * light, dtype=np.uint8)
    contours, _ = cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    turned_over = grey
    for contour in (np.asarray(each, dtype=np.int32) for each in contours):
        if not _is_bar(contour, dark) or not _stands_alone(contour, small, light):
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
    """Whether an outline is that of a box dark inside, with room for a word; the frame of a table is dark around."""
    _, sides, _ = cv2.minAreaRect(contour)
    if min(sides) < _BAR or max(sides) < _BAR_LENGTH * min(sides) or cv2.contourArea(contour) < _SOLID * sides[0] * sides[1]:
        return False
    x, y, wide, high = cv2.boundingRect(contour)
    return float(dark[y : y + high, x : x + wide][_filled(contour, dark.shape)[y : y + high, x : x + wide] > 0].mean()) >= _FILLED


def _stands_alone(contour: npt.NDArray[np.int32], small: Pixels, light: Pixels) -> bool:
    """Whether there is paper all around an outline; else it is a part of a panel."""
    inside = _filled(contour, small.shape)
    near, far = (cv2.dilate(inside, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)) for reach in (_NEAR, _FAR))
    around = small[far > near]
    between = (float(np.median(small[inside > 0])) + float(np.median(light[inside > 0]))) / 2
    return bool(len(around)) and float((around > between).mean()) >= _ALL_AROUND


def _filled(contour: npt.NDArray[np.int32], shape: tuple[int, ...]) -> Pixels:
    inside: Pixels = np.zeros(shape, dtype=np.uint8)
    cv2.fillPoly(inside, [contour], 1)
    return inside


def fitted(size: tuple[int, int], side: int) -> tuple[int, int]:
    scale = min(1.0, side / max(size))
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))
