"""What of an OpenDocument text is seen: what lies behind it, where its frame stands, what is switched off."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from lxml import etree

from ingest.readers.colors import UNKNOWN, WHITE, Color, color_of, is_lost, over
from ingest.readers.odt_styles import DRAW, FO, LOEXT, STYLE, SVG, TABLE, TEXT, Styles, points
from ingest.readers.sight import A4_POINTS, is_beyond, is_tiny

_TRANSPARENT = Color(255, 255, 255, 0.0)
_BAND_POINTS = (120.0, 16.0)
"""Width and height from which a drawing can hold a line of text."""


class Sight:
    """Grounds and places in one document. `roots` are its parts, in which drawings may lie behind the text."""

    def __init__(self, styles: Styles, roots: tuple[etree._Element, ...]) -> None:
        self._styles = styles
        self._roots = roots

    @cached_property
    def paper(self) -> Color:
        """Behind text that stands on nothing else; unknown where a drawing may lie behind it."""
        if any(self._paints(drawing) for drawing in self._drawings() if self._is_band(drawing) and self._is_behind(drawing)):
            return UNKNOWN
        return self._page_color

    @cached_property
    def behind_frames(self) -> Color:
        """Behind frames that are not painted themselves."""
        return UNKNOWN if any(map(self._paints, self._drawings())) else self._page_color

    def table(self, element: etree._Element) -> Color | None:
        """Of a table or a row; None where what is around shows through."""
        family = "table-row" if element.tag == TABLE + "table-row" else "table"
        return self._background(family, element.get(TABLE + "style-name", ""), f"{family}-properties")

    def cell(self, element: etree._Element) -> Color | None:
        """Of a cell; None where what is around shows through."""
        return self._background("table-cell", element.get(TABLE + "style-name", ""), "table-cell-properties")

    def frame(self, element: etree._Element) -> Color:
        """Of a frame or shape, over what lies behind it."""
        fill = self._fill(element)
        return fill if fill.alpha >= 1 else over(fill, self.behind_frames)

    def is_flat(self, row: etree._Element) -> bool:
        """Whether a row is collapsed or of an exact height that shows nothing."""
        if row.get(TABLE + "visibility") in ("collapse", "filter"):
            return True
        height = self._styles.said("table-row", row.get(TABLE + "style-name", ""), "table-row-properties", STYLE + "row-height")
        return height is not None and is_tiny(points(height))

    def is_out_of_sight(self, element: etree._Element) -> bool:
        """Whether a frame or shape has no extent or stands beyond the page."""
        grows = element.get(STYLE + "rel-width") or element.find(f"{DRAW}text-box[@{FO}min-height]") is not None
        if self._graphic(element, DRAW + "auto-grow-height") == "true":
            grows = True
        for extent, place, limit in ((SVG + "width", SVG + "x", A4_POINTS[0]), (SVG + "height", SVG + "y", A4_POINTS[1])):
            length = element.get(extent)
            if length is not None and is_tiny(points(length)) and not grows:
                return True
            if is_beyond(points(element.get(place)), points(length), limit):
                return True
        return False

    # -- drawings -------------------------------------------------------------------------------------------------

    def _drawings(self) -> Iterator[etree._Element]:
        for root in self._roots:
            for element in root.iter(DRAW + "*"):
                if element.get(DRAW + "style-name"):
                    yield element

    def _graphic(self, element: etree._Element, attribute: str) -> str | None:
        return self._styles.said("graphic", element.get(DRAW + "style-name", ""), "graphic-properties", attribute)

    def _is_behind(self, element: etree._Element) -> bool:
        return self._graphic(element, STYLE + "run-through") == "background"

    @staticmethod
    def _is_band(element: etree._Element) -> bool:
        width, height = points(element.get(SVG + "width")), points(element.get(SVG + "height"))
        return width >= _BAND_POINTS[0] and height >= _BAND_POINTS[1]

    def _paints(self, element: etree._Element) -> bool:
        if element.find(DRAW + "image") is not None:
            return True
        return element.tag not in (DRAW + "g", DRAW + "line", DRAW + "connector") and not is_lost(self._fill(element), WHITE)

    def _fill(self, element: etree._Element) -> Color:
        kind = self._graphic(element, DRAW + "fill")
        if kind == "none" or element.tag == DRAW + "frame":
            text = self._graphic(element, FO + "background-color")
            if kind in (None, "none"):
                return _TRANSPARENT if text in (None, "transparent") else color_of(text)
        if kind in (None, "solid"):
            text = self._graphic(element, DRAW + "fill-color")
            color = UNKNOWN if text is None else color_of(text)
            opacity = self._graphic(element, DRAW + "opacity") or ""
            if color is not UNKNOWN and opacity.endswith("%") and opacity[:-1].isdecimal():
                color = color._replace(alpha=min(1.0, int(opacity[:-1]) / 100))
            return color
        return UNKNOWN

    # -- backgrounds ----------------------------------------------------------------------------------------------

    @cached_property
    def _page_color(self) -> Color:
        for root in self._roots:
            for layout in root.iter(STYLE + "page-layout-properties"):
                text = layout.get(FO + "background-color")
                if layout.find(STYLE + "background-image[@{http://www.w3.org/1999/xlink}href]") is not None:
                    return UNKNOWN
                if layout.get(DRAW + "fill", "solid") not in ("none", "solid"):
                    return UNKNOWN
                if text and text != "transparent":
                    return color_of(text)
        return WHITE

    def _background(self, family: str, name: str, kind: str) -> Color | None:
        if not name:
            return None
        text = self._styles.said(family, name, kind, FO + "background-color")
        if self._styles.has_picture(family, name, kind):
            return UNKNOWN
        return None if text in (None, "transparent") else color_of(text)


def is_switched_off(element: etree._Element) -> bool:
    """Whether a section, paragraph or text is hidden by a switch or by a condition that held when it was saved."""
    return element.get(TEXT + "display") == "none" or element.get(TEXT + "is-hidden") == "true"


def table_tag(tag: object) -> object:
    """Tables inside shapes have a name space of LibreOffice's own; told apart they are not."""
    return tag.replace(LOEXT, TABLE) if isinstance(tag, str) and tag.startswith(LOEXT) else tag
