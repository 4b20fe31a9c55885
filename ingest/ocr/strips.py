"""Parts of a page read once more: cut out, put below each other on one sheet, and put back where they stood.

One call of an engine reads them all; most of what a call costs is its start.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from PIL import Image

from ingest.page import Box, Word

STRIPS = "strips"
"""Key in the `info` of a picture that is no page: lines below each other, for engines that look for blocks first."""
_ROUND = 8
"""Pixels of paper around a part, and twice as much between two of them."""


_DARKEST = 0.02
"""Share of a part that is its writing's darkest."""
_FAINT = 160
"""Darkness of that up to which strokes are broken."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A picture of parts of a page, each with the place it comes from."""

    image: Image.Image
    page: tuple[int, int]
    """Size of the page in pixels."""
    origins: tuple[tuple[int, int], ...]
    """Where the upper left corner of each part stood on the page, in pixels."""
    tops: tuple[int, ...]
    """Where each part begins on the sheet, in pixels."""

    @classmethod
    def of(cls, page: Image.Image, boxes: Sequence[Box]) -> Sheet:
        """Cut the boxes out of a page that is dark on white."""
        parts, origins, tops = [], [], []
        for box in boxes:
            left, top = max(0, round(box.x0 * page.width) - _ROUND), max(0, round(box.y0 * page.height) - _ROUND)
            right, bottom = round(box.x1 * page.width) + _ROUND, round(box.y1 * page.height) + _ROUND
            parts.append(_darkened(page.crop((left, top, min(page.width, right), min(page.height, bottom)))))
            origins.append((left, top))
        image = Image.new("L", (max(part.width for part in parts), sum(part.height + 2 * _ROUND for part in parts)), 255)
        image.info[STRIPS] = len(parts)
        at = _ROUND
        for part in parts:
            image.paste(part, (0, at))
            tops.append(at)
            at += part.height + 2 * _ROUND
        return cls(image, page.size, tuple(origins), tuple(tops))

    def put_back(self, words: Iterable[Word]) -> list[list[Word]]:
        """The words read on the sheet by the part they stand in, their boxes those on the page."""
        found: list[list[Word]] = [[] for _ in self.tops]
        for word in words:
            if word.box is None:
                continue
            middle = (word.box.y0 + word.box.y1) / 2 * self.image.height
            part = max(0, bisect.bisect_right(self.tops, middle + _ROUND) - 1)
            found[part].append(replace(word, box=self._on_page(word.box, part)))
        return found

    def _on_page(self, box: Box, part: int) -> Box:
        (left, top), down = self.origins[part], self.tops[part]
        width, height = self.page

        def across(share: float) -> float:
            return min(1.0, max(0.0, (share * self.image.width + left) / width))

        def below(share: float) -> float:
            return min(1.0, max(0.0, (share * self.image.height - down + top) / height))

        return Box(across(box.x0), below(box.y0), across(box.x1), below(box.y1))


def _darkened(part: Image.Image) -> Image.Image:
    """A part with its writing as dark as that of others, however faint it is; broken strokes closed up."""
    ink = 255.0 - np.asarray(part.convert("L"))
    darkest = float(np.quantile(ink, 1 - _DARKEST))
    if not darkest:
        return part
    whole = cv2.dilate(ink, np.ones((3, 3), np.uint8)) if darkest < _FAINT else ink
    return Image.fromarray(255 - np.clip(whole * (255 / darkest), 0, 255).astype(np.uint8))
