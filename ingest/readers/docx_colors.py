"""Colours in Word documents: of text and of what lies behind it, those of the document's theme resolved.

None where nothing is said and what is around shows through; `UNKNOWN` where it cannot be told (gradients, pictures, the
automatic colour, which Word chooses so that it can be read).
"""

from __future__ import annotations

import colorsys
import re
from collections.abc import Callable, Mapping
from functools import cached_property

from lxml import etree

from ingest.readers.colors import BLACK, UNKNOWN, WHITE, Color, color_of, over
from ingest.readers.docx_drawings import A, V, W

_W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_WPS = "{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}"
_VAL = W + "val"
_TRANSPARENT = Color(255, 255, 255, 0.0)
_OFFICE = {
    "dk1": "000000", "lt1": "ffffff", "dk2": "44546a", "lt2": "e7e6e6", "accent1": "4472c4", "accent2": "ed7d31",
    "accent3": "a5a5a5", "accent4": "ffc000", "accent5": "5b9bd5", "accent6": "70ad47", "hlink": "0563c1", "folHlink": "954f72",
}  # fmt: skip
"""What Word takes for a document that has no theme of its own."""
_LONG_NAMES = {
    "dark1": "dk1", "light1": "lt1", "dark2": "dk2", "light2": "lt2", "text1": "tx1", "text2": "tx2", "background1": "bg1",
    "background2": "bg2", "hyperlink": "hlink", "followedHyperlink": "folHlink", "t1": "tx1", "t2": "tx2",
}  # fmt: skip
_MAPPED = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"}
_HIGHLIGHTS = {
    "black": "000000", "blue": "0000ff", "cyan": "00ffff", "green": "00ff00", "magenta": "ff00ff", "red": "ff0000",
    "yellow": "ffff00", "white": "ffffff", "darkblue": "000080", "darkcyan": "008080", "darkgreen": "008000",
    "darkmagenta": "800080", "darkred": "800000", "darkyellow": "808000", "darkgray": "808080", "lightgray": "c0c0c0",
}  # fmt: skip
_HEX_BYTE = re.compile(r"[0-9a-fA-F]{1,2}")
_PER_100000 = re.compile(r"-?\d{1,7}")


class Palette:
    """The colours of one document. `theme` and `settings` give those parts; they are asked for when a colour needs them."""

    def __init__(
        self,
        theme: Callable[[], etree._Element | None] = lambda: None,
        settings: Callable[[], etree._Element | None] = lambda: None,
    ) -> None:
        self._theme_part = theme
        self._settings_part = settings

    def text(self, color: etree._Element | None, fill: etree._Element | None) -> Color | None:
        """Of text, by its w:color and its w14:textFill, which goes before it."""
        if fill is not None:
            return self._text_fill(fill)
        if color is None:
            return None
        themed = self._themed(color, "themeColor", "themeTint", "themeShade")
        if themed is not None:
            return themed
        text = color.get(_VAL, "")
        return UNKNOWN if text in ("", "auto") else color_of(text)

    def ground(self, shading: etree._Element | None, highlight: etree._Element | None = None) -> Color | None:
        """Behind text, by its w:highlight, else its w:shd."""
        if highlight is not None and highlight.get(_VAL, "none") != "none":
            return color_of(_HIGHLIGHTS.get(highlight.get(_VAL, "").lower(), "?"))
        if shading is None:
            return None
        pattern = shading.get(_VAL, "clear")
        fill = self._themed(shading, "themeFill", "themeFillTint", "themeFillShade") or _named(shading.get(W + "fill"))
        if pattern == "solid":
            return self._themed(shading, "themeColor", "themeTint", "themeShade") or _named(shading.get(W + "color")) or BLACK
        if pattern.startswith("pct") and pattern[3:].isdigit():
            front = _named(shading.get(W + "color")) or BLACK
            return over(front._replace(alpha=min(1.0, int(pattern[3:]) / 100)), fill or WHITE)
        return fill if pattern in ("clear", "nil", "") else UNKNOWN

    def drawn(self, holder: etree._Element | None) -> Color | None:
        """Of a shape, by the fill among these properties (`wps:spPr`, `w14:textFill`); None where they say nothing."""
        for fill in () if holder is None else holder:
            name = etree.QName(fill).localname if isinstance(fill.tag, str) else ""
            if name == "noFill":
                return _TRANSPARENT
            if name == "solidFill":
                return self._solid(fill)
            if name.endswith("Fill") and name != "grpFill":
                return UNKNOWN
        return None

    def of_shape(self, box: etree._Element) -> Color:
        """Behind the text of a text box; transparent where the box is not painted."""
        shape = next(box.iterancestors(_WPS + "wsp"), None)
        if shape is not None:
            return self.shape_fill(shape)
        old = next(box.iterancestors(V + "shape", V + "rect", V + "roundrect", V + "oval"), None)
        return UNKNOWN if old is None else vml_fill(old)

    def shape_fill(self, shape: etree._Element) -> Color:
        """What paints a wps:wsp; transparent where nothing does."""
        said = self.drawn(shape.find(_WPS + "spPr"))
        reference = shape.find(f"{_WPS}style/{A}fillRef")
        if said is None and reference is not None:
            index = reference.get("idx", "0")
            said = _TRANSPARENT if index in ("0", "1000") else self._solid(reference) if index == "1" else UNKNOWN
        return said or _TRANSPARENT

    def page(self, background: etree._Element | None) -> Color:
        """Of the paper, by the document's w:background."""
        if background is None:
            return WHITE
        settings = self._settings
        shown = settings is not None and settings.find(W + "displayBackgroundShape") is not None
        color = self._themed(background, "themeColor", "themeTint", "themeShade") or _named(background.get(W + "color"))
        return color if color and shown and not len(background) else UNKNOWN

    # -- themes ---------------------------------------------------------------------------------------------------

    @cached_property
    def _settings(self) -> etree._Element | None:
        return self._settings_part()

    @cached_property
    def _theme(self) -> Mapping[str, Color]:
        root = self._theme_part()
        scheme = None if root is None else next(root.iter(A + "clrScheme"), None)
        colors = {name: color_of(text) for name, text in _OFFICE.items()}
        for entry in () if scheme is None else scheme:
            value = next(entry.iterchildren(), None)
            if value is not None and isinstance(entry.tag, str):
                colors[etree.QName(entry).localname] = color_of(value.get("lastClr") or value.get("val") or "")
        mapped = dict(_MAPPED)
        settings = self._settings
        mapping = None if settings is None else settings.find(W + "clrSchemeMapping")
        for key, target in () if mapping is None else mapping.items():
            name, target_name = etree.QName(key).localname, str(target)
            mapped[_LONG_NAMES.get(name, name)] = _LONG_NAMES.get(target_name, target_name)
        return colors | {name: colors.get(target, UNKNOWN) for name, target in mapped.items()}

    def _named(self, name: str) -> Color:
        return self._theme.get(_LONG_NAMES.get(name, name), UNKNOWN)

    def _themed(self, element: etree._Element, name: str, tint: str, shade: str) -> Color | None:
        """The theme's colour that an element names, lightened or darkened; None where it names none."""
        theme = element.get(W + name)
        if not theme or theme == "none":
            return None
        color = self._named(theme)
        lighter, darker = _share_of_byte(element.get(W + tint)), _share_of_byte(element.get(W + shade))
        if lighter is not None:
            color = _lit(color, lambda light: light * lighter + 1 - lighter)
        return color if darker is None else _lit(color, lambda light: light * darker)

    # -- drawings -------------------------------------------------------------------------------------------------

    def _text_fill(self, fill: etree._Element) -> Color | None:
        color = self.drawn(fill)
        run = fill.getparent()
        outline = None if run is None else run.find(_W14 + "textOutline")
        if outline is not None and outline.find(_W14 + "noFill") is None and len(outline):
            return UNKNOWN  # the rims of the letters show
        return color

    def _solid(self, fill: etree._Element) -> Color:
        value = next((child for child in fill if isinstance(child.tag, str)), None)
        if value is None:
            return UNKNOWN
        name, own = etree.QName(value).localname, etree.QName(value).namespace == _W14[1:-1]
        text = value.get((_W14 if own else "") + "val", "")
        color = (
            self._named(text) if name == "schemeClr"
            else color_of(text) if name in ("srgbClr", "prstClr")
            else color_of(value.get("lastClr") or "?")
        )  # fmt: skip
        for change in value:
            amount = _share(change.get((_W14 if own else "") + "val"))
            kind = etree.QName(change).localname if isinstance(change.tag, str) else ""
            if amount is None or color is UNKNOWN:
                continue
            color = _changed(color, kind, 1 - amount if own and kind == "alpha" else amount)  # Word's own counts transparency
        return color


def vml_fill(shape: etree._Element) -> Color:
    """What paints an old shape."""
    fill = shape.find(V + "fill")
    painted = shape.get("filled", "t" if fill is None else fill.get("on", "t"))
    if painted.lower() in ("f", "false", "0"):
        return _TRANSPARENT
    if fill is not None and (fill.get("type", "solid") != "solid" or fill.get("{urn:schemas-microsoft-com:office:office}relid")):
        return UNKNOWN
    color = color_of((shape.get("fillcolor") or "white").partition("[")[0].replace("window", "white"))
    opacity = None if fill is None else fill.get("opacity")
    if opacity and re.fullmatch(r"\d{0,6}\.?\d{1,6}[f%]?", opacity):
        value = float(opacity.rstrip("f%")) / (65536 if opacity.endswith("f") else 100 if opacity.endswith("%") else 1)
        color = color._replace(alpha=min(1.0, value)) if color is not UNKNOWN else color
    return color


def _named(text: str | None) -> Color | None:
    return None if not text or text == "auto" else color_of(text)


def _share_of_byte(text: str | None) -> float | None:
    return int(text, 16) / 255 if text and _HEX_BYTE.fullmatch(text) else None


def _share(text: str | None) -> float | None:
    if text and text.endswith("%") and _PER_100000.fullmatch(text[:-1]):
        return int(text[:-1]) / 100
    return int(text) / 100_000 if text and _PER_100000.fullmatch(text) else None


def _changed(color: Color, kind: str, amount: float) -> Color:
    if kind == "alpha":
        return color._replace(alpha=min(1.0, max(0.0, amount)))
    if kind == "lumMod":
        return _lit(color, lambda light: light * amount)
    if kind == "lumOff":
        return _lit(color, lambda light: light + amount)
    if kind == "shade":
        return _lit(color, lambda light: light * amount)
    if kind == "tint":
        return _lit(color, lambda light: light * amount + 1 - amount)
    return color


def _lit(color: Color, change: Callable[[float], float]) -> Color:
    """A colour with its lightness (0 to 1) changed."""
    if color is UNKNOWN:
        return color
    hue, light, saturation = colorsys.rgb_to_hls(color.red / 255, color.green / 255, color.blue / 255)
    red, green, blue = colorsys.hls_to_rgb(hue, min(1.0, max(0.0, change(light))), saturation)
    return Color(255 * red, 255 * green, 255 * blue, color.alpha)
