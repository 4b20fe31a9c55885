"""Which words are set in bold, told from their pixels: engines do not say, and headings live by it."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from PIL import Image

from ingest.page import Box, Word

_INK = 128
"""Grey level of the evened picture below which a pixel is ink."""
_BOLD, _REGULAR = 1.22, 1.08
"""Times the page's usual stroke from which a word is surely bold, and up to which it surely is not. On scans at 200 dpi words
in bold have 1.25 and more, small capitals in bold 1.12, regular ones 1.16 and less; on screens bold ones 1.23 and more,
regular ones 1.05 and less. Large type counts as bold."""
_RATHER = 1.15
"""The line between the two for words whose neighbours do not tell."""
_SHORT = 2
"""Letters up to which a word's own strokes say too little for that."""
_FEW = 40
"""Characters below which nothing is usual."""
_SMALL = 30
"""Height of the usual line, in pixels, below which strokes are too thin to tell apart: scans at 200 dpi have 36 and more,
screenshots in Latin letters 20 to 27, where regular strokes are as thin as can be measured and bold ones hardly wider."""
_ENLARGED = 2
_SQUARE = np.ones((3, 3), np.uint8)


def is_small(words: Sequence[Word], height: int) -> bool:
    """Whether the type of a picture of so many pixels is too small to tell strokes apart as it is."""
    heights = [word.box.height * height for word in words if word.box]
    return bool(heights) and statistics.median(heights) < _SMALL


def weighed(words: Sequence[Word], even: Image.Image, *, small: bool = False) -> tuple[Word, ...]:
    """The words, those in bold marked so. They come line by line; `even` is the page as `prepare.evened` leaves it.

    Where the type is `small` each word is looked at enlarged, since the grey at the edges of strokes says how wide they are;
    `even` is to keep what is taken for specks then, which thin strokes are.
    """
    strokes = _strokes(words, even, _ENLARGED if small else 1)
    known = [stroke for word, stroke in zip(words, strokes, strict=True) if stroke for _ in word.text]
    if len(known) < _FEW:
        return tuple(words)
    usual = statistics.median(known)
    shares = [stroke / usual for stroke in strokes]
    sure = [_surely(word, share) for word, share in zip(words, shares, strict=True)]
    return tuple(replace(word, bold=True) if _is_bold(words, shares, sure, index) else word for index, word in enumerate(words))


def _surely(word: Word, share: float) -> bool | None:
    if not any(map(str.isalnum, word.text)) or _REGULAR < share < _BOLD:
        return None
    return share >= _BOLD


def _is_bold(words: Sequence[Word], shares: Sequence[float], sure: Sequence[bool | None], index: int) -> bool:
    """What a word's strokes say, where they say it clearly; else what stands close beside it on its line."""
    own = sure[index]
    if own is not None:
        return own
    beside = [sure[near] for near in (index - 1, index + 1) if 0 <= near < len(words) and _are_close(words[index], words[near])]
    told = {answer for answer in beside if answer is not None}
    if len(told) == 1:
        return told.pop()
    return _letters(words[index].text) > _SHORT and shares[index] >= _RATHER


def _are_close(one: Word, other: Word) -> bool:
    """Whether two words stand on one line with no more than a wide space between them."""
    if one.box is None or other.box is None:
        return False
    height = max(one.box.height, other.box.height)
    level = abs(one.box.y0 + one.box.y1 - other.box.y0 - other.box.y1) < height
    return level and max(one.box.x0, other.box.x0) - min(one.box.x1, other.box.x1) < height


def _strokes(words: Sequence[Word], even: Image.Image, enlarged: int) -> list[float]:
    """How wide the strokes of each word are, in pixels: twice the ink over its edge. 0 where there is none."""
    pixels = np.asarray(even)
    height, width = pixels.shape

    def stroke(box: Box) -> float:
        left, right = round(box.x0 * width), round(box.x1 * width)
        top, bottom = round(box.y0 * height), round(box.y1 * height)
        if left >= right or top >= bottom:
            return 0.0
        # A pixel more on each side: strokes that go on past the box have no edge there.
        seen = pixels[max(0, top - 1) : bottom + 1, max(0, left - 1) : right + 1]
        if enlarged > 1:
            seen = cv2.resize(seen, None, fx=enlarged, fy=enlarged, interpolation=cv2.INTER_CUBIC)
        ink = np.asarray(seen < _INK, dtype=np.uint8)
        edge = ink - cv2.erode(ink, _SQUARE)
        first, start = (enlarged * min(1, at) for at in (top, left))
        inside = (slice(first, enlarged * (bottom - top) + first), slice(start, enlarged * (right - left) + start))
        area, rim = (cv2.countNonZero(part[inside]) for part in (ink, edge))
        return 2 * area / rim if rim else 0.0

    return [stroke(word.box) if word.box else 0.0 for word in words]


def _letters(text: str) -> int:
    """How many characters of usual width the text is worth: ideographs count double, marks nothing."""
    return sum(2 if char >= "\u2e80" else 1 for char in text if char.isalnum())
