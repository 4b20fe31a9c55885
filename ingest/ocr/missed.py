"""What an engine has overlooked and what it has seen where nothing is: ink without words, and words read from ruled lines."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from ingest.page import Box, Word

Pixels = npt.NDArray[np.uint8]

_INK = 200
"""Grey level of evened pictures below which a pixel is ink, that of headings in light grey too."""
_AROUND = 0.3
"""Of the usual line's height: how far ink of a word may reach past its box."""
_BROKEN, _APART = 0.4, 1.2
"""Of the usual line's height: gaps in the strokes of faint letters, and between words."""
_RIM = 2
"""Pixels of ink along a rule."""
_HEIGHTS = (0.45, 3.0)
"""Of the usual line's height, between which a piece of ink may be writing."""
_LEAST_WIDTH = 1.6
"""The same; narrower ones are bullets, icons and specks."""
_FULLNESS = (0.03, 0.6)
"""Share of its box that writing covers: frames have less, bars and pictures more."""
_MOST = 24
"""Pieces above which they are a picture's."""
_DOUBTFUL = 0.5
"""Confidence of a word below which it may have been read from a rule."""
_ALONG = 0.8
"""Share of such a word along which the rule runs."""
_LONGER = 1.5
"""Times the word's length that the rule goes on; underlines end with their words."""
_UNDERLINE = 0.15
"""Share of a word's height at its foot, where an underline runs."""


def without_ruled(words: Sequence[Word], rules: Sequence[Box]) -> list[Word]:
    """The words but for those that an engine read, doubtfully, where a rule runs."""
    across = [rule for rule in rules if rule.width > rule.height]
    return [word for word in words if word.confidence >= _DOUBTFUL or not any(_runs_through(rule, word) for rule in across)]


def _runs_through(rule: Box, word: Word) -> bool:
    """Whether a rule runs along a word and not below its letters."""
    box = word.box
    if box is None:
        return False
    shared = min(rule.x1, box.x1) - max(rule.x0, box.x0)
    through = box.y0 < (rule.y0 + rule.y1) / 2 < box.y1 - _UNDERLINE * box.height
    return through and shared >= _ALONG * box.width and rule.width >= _LONGER * box.width


def missed_writing(clean: Image.Image, words: Sequence[Word], rules: Sequence[Box]) -> list[Box]:
    """Boxes of what looks like writing and has no word on a page dark on white; none where nothing has been read."""
    width, height = clean.size
    heights = [word.box.height * height for word in words if word.box]
    if not heights:
        return []
    usual = statistics.median(heights)
    ink = np.asarray(np.asarray(clean) < _INK, dtype=np.uint8)
    for word in words:
        if word.box:
            _wipe(ink, word.box, _AROUND * usual)
    for rule in rules:
        _wipe(ink, rule, _RIM)
    smear = (max(3, round(_BROKEN * usual)), max(3, round(_APART * usual)))
    smeared = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones(smear, np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(smeared)
    found = []
    for x, y, wide, high, _ in stats[1:count].tolist():
        if not _HEIGHTS[0] * usual <= high <= _HEIGHTS[1] * usual or wide < _LEAST_WIDTH * usual:
            continue
        if _FULLNESS[0] <= float(ink[y : y + high, x : x + wide].mean()) <= _FULLNESS[1]:
            found.append(Box(x / width, y / height, (x + wide) / width, (y + high) / height))
    return found if len(found) <= _MOST else []


def _wipe(ink: Pixels, box: Box, around: float) -> None:
    height, width = ink.shape
    left, top = max(0, round(box.x0 * width - around)), max(0, round(box.y0 * height - around))
    ink[top : round(box.y1 * height + around), left : round(box.x1 * width + around)] = 0
