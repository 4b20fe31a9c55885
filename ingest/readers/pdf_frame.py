"""How a PDF page lies: from its own coordinates to the upright page people look at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ingest.page import Box

Area = tuple[float, float, float, float]
"""Left, bottom, right, top in the page's own coordinates (points, unrotated, origin at the bottom left)."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The visible part of a page and how many quarter turns clockwise bring it upright."""

    left: float
    bottom: float
    right: float
    top: float
    turns: int = 0

    @property
    def width(self) -> float:
        """Of the upright page, in points."""
        return max(1.0, self.top - self.bottom if self.turns % 2 else self.right - self.left)

    @property
    def height(self) -> float:
        return max(1.0, self.right - self.left if self.turns % 2 else self.top - self.bottom)

    def upright(self, area: Area) -> Area:
        """The area in points from the top left of the upright page: x0, y0, x1, y1."""
        left, bottom, right, top = area
        if self.turns == 0:
            return (left - self.left, self.top - top, right - self.left, self.top - bottom)
        if self.turns == 1:
            return (bottom - self.bottom, left - self.left, top - self.bottom, right - self.left)
        if self.turns == 2:
            return (self.right - right, bottom - self.bottom, self.right - left, top - self.bottom)
        return (self.top - top, self.right - right, self.top - bottom, self.right - left)

    def uprights(self, areas: Iterable[Area]) -> list[Area]:
        """`upright` of many areas."""
        if self.turns == 0:  # a page has thousands of characters, and most pages stand upright: no call for each
            x, y = self.left, self.top
            return [(left - x, y - top, right - x, y - bottom) for left, bottom, right, top in areas]
        return [self.upright(area) for area in areas]

    def box(self, area: Area) -> Box:
        """The area in fractions of the upright page."""
        x0, y0, x1, y1 = self.upright(area)
        return Box(x0 / self.width, y0 / self.height, x1 / self.width, y1 / self.height)


def turned(box: Box, turns: int) -> Box:
    """A box of a page after quarter turns clockwise of that page."""
    for _ in range(turns % 4):
        box = Box(1 - box.y1, box.x0, 1 - box.y0, box.x1)
    return box
