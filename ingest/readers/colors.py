"""Colours of text and of what it stands on, and whether one can be seen on the other.

Colours are given as CSS writes them. `UNKNOWN` stands for what cannot be told (a picture, a gradient, a variable, the
automatic colour of a word processor): text in it or on it counts as seen.
"""

from __future__ import annotations

import colorsys
import re
from functools import lru_cache
from typing import NamedTuple


class Color(NamedTuple):
    """Red, green and blue from 0 to 255; alpha from 0 (nothing is seen) to 1."""

    red: float
    green: float
    blue: float
    alpha: float = 1.0


UNKNOWN = Color(-1000, -1000, -1000)
WHITE = Color(255, 255, 255)
BLACK = Color(0, 0, 0)
CLOSE = 24
"""Colours that differ less in each part cannot be told apart on a screen or in print."""
_FAINT = 0.05
_SOLID = 0.95
_HEX = re.compile(r"#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_FUNCTION = re.compile(r"(rgb|hsl)a?\(([^()]*)\)")
_NUMBER = re.compile(r"(-?\d{0,6}\.?\d{1,6})(%|deg)?")
_NAMES = {
    "white": "ffffff", "snow": "fffafa", "ghostwhite": "f8f8ff", "whitesmoke": "f5f5f5", "floralwhite": "fffaf0",
    "mintcream": "f5fffa", "azure": "f0ffff", "ivory": "fffff0", "black": "000000", "silver": "c0c0c0", "gray": "808080",
    "grey": "808080", "red": "ff0000", "lime": "00ff00", "blue": "0000ff", "yellow": "ffff00", "cyan": "00ffff",
    "aqua": "00ffff", "magenta": "ff00ff", "fuchsia": "ff00ff", "green": "008000", "maroon": "800000", "navy": "000080",
    "olive": "808000", "purple": "800080", "teal": "008080", "darkblue": "00008b", "darkgreen": "006400", "darkred": "8b0000",
    "lightgray": "d3d3d3", "lightgrey": "d3d3d3", "darkgray": "a9a9a9", "darkgrey": "a9a9a9", "transparent": "00000000",
}  # fmt: skip


@lru_cache(maxsize=1024)
def color_of(text: str) -> Color:
    """The colour that CSS, HTML or a word processor names: `#fff`, `FEFEFE`, `rgb(255 255 255 / 0)`, `hsl(…)`, `white`."""
    text = text.strip().lower()
    digits = _HEX.fullmatch(_NAMES.get(text, text))
    if digits:
        parts = digits[1] if len(digits[1]) > 4 else "".join(2 * digit for digit in digits[1])
        red, green, blue, alpha = (int(f"{parts:f<8}"[at : at + 2], 16) for at in (0, 2, 4, 6))
        return Color(red, green, blue, alpha / 255)
    function = _FUNCTION.fullmatch(text)
    found = _NUMBER.findall(function[2]) if function else []
    if not function or len(found) not in (3, 4):
        return UNKNOWN
    values = [(float(value), unit == "%") for value, unit in found]
    alpha_value = _share(*values[3]) if len(values) == 4 else 1.0
    if function[1] == "rgb":
        levels = [value * 2.55 if percent else value for value, percent in values[:3]]
        return Color(levels[0], levels[1], levels[2], alpha_value)
    hue, saturation, light = values[0][0] / 360 % 1, values[1][0] / 100, values[2][0] / 100
    shares = colorsys.hls_to_rgb(hue, light, saturation)
    return Color(255 * shares[0], 255 * shares[1], 255 * shares[2], alpha_value)


def _share(value: float, percent: bool) -> float:  # noqa: FBT001
    return value / 100 if percent else value


def over(color: Color, ground: Color) -> Color:
    """What is seen of a colour, partly transparent maybe, laid over another."""
    if color.alpha >= _SOLID or color is UNKNOWN:
        return color
    if color.alpha <= _FAINT or ground is UNKNOWN:
        return ground
    share = color.alpha
    return Color(*(share * upper + (1 - share) * lower for upper, lower in zip(color[:3], ground[:3], strict=True)))


def is_lost(text: Color, ground: Color) -> bool:
    """Whether nobody sees text of this colour on that ground."""
    if text is UNKNOWN:
        return False
    if text.alpha <= _FAINT:
        return True
    if ground is UNKNOWN:
        return False
    return all(abs(a - b) < CLOSE for a, b in zip(over(text, ground)[:3], ground[:3], strict=True))
