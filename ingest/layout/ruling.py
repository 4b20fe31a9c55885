"""Ruled lines in the picture of a page: what a scan has in place of a PDF's drawing commands.

Apart from `ingest.layout` itself, since it needs OpenCV and only pages read from pixels need it.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from ingest.page import Box

Pixels = npt.NDArray[np.uint8]

_LONG_SIDE = 1600
"""Pixels the picture is brought to: rules of half a point are two pixels wide there, type is well below the length of a rule."""
_ACROSS = 0.06
"""Share of the long side from which a horizontal stroke is a rule; strokes of type in a row hang together for less."""
_DOWN = 0.021
"""The same for vertical strokes: as low as the lowest row of a table, higher than capitals of a title."""
_THICK = 7
"""Pixels from which a stroke is a bar or the edge of a picture."""
_MAX_RULES = 400


def ruled_lines(image: Image.Image) -> list[Box]:
    """Horizontal and vertical rules as thin boxes in fractions of the picture, for `read_order`."""
    grey = image.convert("L")
    grey.thumbnail((_LONG_SIDE, _LONG_SIDE))
    pixels = np.asarray(grey, dtype=np.uint8)
    dark: Pixels = np.asarray(
        cv2.adaptiveThreshold(pixels, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 25, 12), dtype=np.uint8
    )
    long_side = max(pixels.shape)
    rules = [*_strokes(dark, int(_ACROSS * long_side), 1), *_strokes(dark, 1, int(_DOWN * long_side))]
    height, width = pixels.shape
    if len(rules) > _MAX_RULES:
        return []
    return [Box(x / width, y / height, (x + w) / width, (y + h) / height) for x, y, w, h in rules]


def _strokes(dark: Pixels, across: int, down: int) -> Iterator[tuple[int, int, int, int]]:
    """Straight strokes of at least the given extent: x, y, width, height in pixels."""
    # A line that runs a little aslant is broken into steps; thickened across its direction they hang together.
    thick = cv2.dilate(dark, np.ones((1 if down > across else 3, 3 if down > across else 1), np.uint8).T)
    opened = cv2.morphologyEx(thick, cv2.MORPH_OPEN, np.ones((down, across), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(opened)
    for index in range(1, count):
        x, y, width, height = (int(value) for value in stats[index][:4])
        if min(width, height) <= _THICK + 0.02 * max(width, height):
            yield x, y, width, height
