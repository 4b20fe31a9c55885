"""What decides in Rich Text whether text is seen: the table of colours, shapes and where they stand, what lies behind."""

from __future__ import annotations

from dataclasses import dataclass, field

from ingest.readers.colors import BLACK, UNKNOWN, WHITE, Color
from ingest.readers.sight import A4_POINTS, is_beyond, is_tiny

_TWIPS_PER_POINT = 20
_FOREGROUND = 5000
"""Of a pattern, in hundredths of a per cent, from which its foreground is what lies behind the text."""
SHAPE_PLACES = frozenset(("shpleft", "shptop", "shpright", "shpbottom"))


class ColorTable:
    """The colours a document numbers, in the order it lists them."""

    def __init__(self) -> None:
        self._colors: list[Color | None] = []
        self._parts: dict[str, int] = {}

    def word(self, word: str, number: int | None) -> None:
        """A control word of the table."""
        if word in ("red", "green", "blue"):
            self._parts[word] = min(max(number or 0, 0), 255)

    def end(self, entries: int) -> None:
        """So many entries end here."""
        for _ in range(entries):
            parts, self._parts = self._parts, {}
            self._colors.append(Color(*(parts.get(name, 0) for name in ("red", "green", "blue"))) if parts else None)

    def color(self, number: int | None) -> Color | None:
        """The colour of that number, None for the automatic one."""
        return self._colors[number] if number is not None and 0 <= number < len(self._colors) else None


@dataclass(slots=True)
class Shading:
    """A background as it is being told: its colour, and how much of a second one a pattern puts over it."""

    back: Color | None = None
    front: Color | None = None
    share: int = 0

    @property
    def color(self) -> Color | None:
        return self.front or BLACK if self.share >= _FOREGROUND else self.back


@dataclass(slots=True)
class Shape:
    """A shape as it is being told; places in twips."""

    places: dict[str, int] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)

    @property
    def is_out_of_sight(self) -> bool:
        """Whether it is switched off, has no extent or stands beyond the page."""
        if self.properties.get("fHidden") == "1":
            return True
        fits = self.properties.get("fFitShapeToText") == "1"
        for near, far, limit in (("shpleft", "shpright", A4_POINTS[0]), ("shptop", "shpbottom", A4_POINTS[1])):
            if near not in self.places or far not in self.places:
                continue
            start, end = self.places[near], self.places[far]
            if (is_tiny((end - start) / _TWIPS_PER_POINT) and not fits) or is_beyond(
                start, end - start, limit * _TWIPS_PER_POINT
            ):
                return True
        return False

    @property
    def ground(self) -> Color:
        """What it is painted with; unknown where that is nothing, a pattern or a picture."""
        if self.properties.get("fFilled") == "0" or self.properties.get("fillType", "0") != "0":
            return UNKNOWN
        value = self.properties.get("fillColor", "")
        if not value:
            return WHITE
        number = int(value) if value.isdecimal() and len(value) < 11 else -1
        return Color(number & 0xFF, number >> 8 & 0xFF, number >> 16 & 0xFF) if 0 <= number <= 0xFFFFFF else UNKNOWN


def paper_of(data: bytes) -> Color:
    """Behind text that stands on nothing else: unknown where a page colour or a shape below the text may be painted."""
    return UNKNOWN if b"\\shpfblwtxt1" in data or b"\\*\\background" in data else WHITE
