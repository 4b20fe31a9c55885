"""Drawings in Word documents: which form of the same content counts, the text boxes in it, how large its pictures are."""

from __future__ import annotations

import re

from lxml import etree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
V = "{urn:schemas-microsoft-com:vml}"
DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"

_PAGE_AREA_EMU = 7_560_000 * 10_692_000
_EMU_PER_POINT = 12_700
_VML_SIZE = re.compile(r"(width|height)\s*:\s*([\d.]{1,10})(pt|in|cm|mm|px)", re.IGNORECASE)
_POINTS = {"pt": 1.0, "in": 72.0, "cm": 28.35, "mm": 2.835, "px": 0.75}


def alternative(element: etree._Element) -> etree._Element:
    """One of the forms of the same content: the modern one, unless only the old one has text."""
    choices = [*element.iterchildren(MC + "Choice"), *element.iterchildren(MC + "Fallback")]
    return next((choice for choice in choices if _has_text(choice)), choices[0] if choices else element)


def _has_text(element: etree._Element) -> bool:
    if next(element.iter(DGM + "relIds", V + "textpath"), None) is not None:
        return True
    return any(text.text and text.text.strip() for text in element.iter(W + "t"))


def outermost(element: etree._Element, tag: str) -> list[etree._Element]:
    """Elements of that tag that are not inside another one, taking one of each pair of alternatives."""
    found = []
    for child in element:
        if child.tag == tag:
            found.append(child)
        else:
            found += outermost(alternative(child) if child.tag == MC + "AlternateContent" else child, tag)
    return found


def share(drawing: etree._Element, blip: etree._Element) -> float:
    """Share of an A4 page the picture covers."""
    extent = next(drawing.iter(_WP + "extent"), None)
    if extent is not None:
        area = _integer(extent.get("cx")) * _integer(extent.get("cy"))
    else:
        shape = next(blip.iterancestors(V + "shape", V + "rect"), None)
        sizes = (
            {}
            if shape is None
            else {m[1].lower(): float(m[2]) * _POINTS[m[3].lower()] for m in _VML_SIZE.finditer(shape.get("style", ""))}
        )
        area = int(sizes.get("width", 0) * sizes.get("height", 0) * _EMU_PER_POINT**2)
    return round(min(1.0, area / _PAGE_AREA_EMU), 3)


def _integer(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 12 else 0


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
