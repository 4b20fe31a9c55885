"""What drawings paint behind the text of a Word document: bands and sidebars that light text stands out from.

Word says where a drawing begins and not which words end up on it, so one that may lie behind text leaves the colour of
the ground unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lxml import etree

from ingest.readers.colors import WHITE, Color, is_lost
from ingest.readers.docx_colors import Palette, vml_fill
from ingest.readers.docx_drawings import V

_WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_WPS = "{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}"
_PIC = "{http://schemas.openxmlformats.org/drawingml/2006/picture}"
_BAND_EMU = (1_500_000, 200_000)
"""Width and height from which a drawing can hold a line of text: a fifth of the page, two lines."""
_BEHIND = re.compile(r"(?:^|;)\s*z-index\s*:\s*-", re.IGNORECASE)
_SHAPES = tuple(V + name for name in ("shape", "rect", "roundrect", "oval"))


def paints_behind_text(roots: Iterable[etree._Element], palette: Palette) -> bool:
    """Whether a drawing that lies behind the text and is large enough to carry some is painted otherwise than white."""
    for root in roots:
        for anchor in root.iter(_WP + "anchor"):
            extent = anchor.find(_WP + "extent")
            if anchor.get("behindDoc") in ("1", "true") and _is_band(extent) and _is_painted(anchor, palette):
                return True
        if any(_BEHIND.search(shape.get("style", "")) and _paints(shape) for shape in root.iter(*_SHAPES)):
            return True
    return False


def paints_behind_boxes(roots: Iterable[etree._Element], palette: Palette) -> bool:
    """Whether a drawing anywhere may lie behind a text box and is painted otherwise than white."""
    return any(
        any(_is_painted(anchor, palette) for anchor in root.iter(_WP + "anchor"))
        or any(_paints(shape) for shape in root.iter(*_SHAPES))
        for root in roots
    )


def _is_band(extent: etree._Element | None) -> bool:
    sizes = ["" if extent is None else extent.get(name, "") for name in ("cx", "cy")]
    return all(size.isdecimal() and len(size) < 12 and int(size) >= least for size, least in zip(sizes, _BAND_EMU, strict=True))


def _is_painted(anchor: etree._Element, palette: Palette) -> bool:
    if next(anchor.iter(_PIC + "pic"), None) is not None:
        return True
    return any(_shows(palette.shape_fill(shape)) for shape in anchor.iter(_WPS + "wsp"))


def _paints(shape: etree._Element) -> bool:
    if next(shape.iter(V + "textpath"), None) is not None:
        return False  # paints its letters
    return next(shape.iter(V + "imagedata"), None) is not None or _shows(vml_fill(shape))


def _shows(color: Color) -> bool:
    return not is_lost(color, WHITE)
