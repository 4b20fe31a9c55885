"""Pictures of pages for the tests, drawn with the fonts of the machine or its drawing library."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

LINES = (
    "Zoe Example",
    "Senior Software Engineer",
    "zoe.example@example.com | +44 20 7946 0018",
    "Work experience",
    "Developed the booking platform together with four colleagues",
    "and led the migration of the database to a new version",
    "Education",
    "Bachelor of Science in Mathematics, graduated with honours",
)


def page(lines=LINES, *, size=(1240, 1754), ink="black", paper="white", letters=34):
    """An A4 page at 150 dpi with lines of writing."""
    image = Image.new("RGB", size, paper)
    draw = ImageDraw.Draw(image)
    font = _font(letters)
    for number, line in enumerate(lines):
        draw.text((120, 120 + number * letters * 2), line, fill=ink, font=font)
    return image


def _font(size):
    for name in ("DejaVuSans.ttf", "LiberationSans-Regular.ttf", "NotoSans-Regular.ttf"):
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)


def cyrillic_font():
    """Whether a font with Cyrillic letters is at hand; the drawing library's own has none."""
    return isinstance(_font(20), ImageFont.FreeTypeFont) and Path(str(_font(20).path)).exists()
