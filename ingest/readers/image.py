"""Pictures of resumes: photos, screenshots, scans of one or more pages. They have no text; OCR reads them."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from ingest.page import Page, Picture, Reading, TextQuality
from ingest.readers import ReadLimits
from ingest.readers.pictures import check, opened, png, upright
from resumes.taxonomy import ResumeError

_ORIENTATION = 0x0112
_SIDEWAYS = (5, 6, 7, 8)
_LONG_SIDE_POINTS = 842.0
"""Of A4: pictures say nothing reliable about the size of the paper."""
_LONG_SIDE_INCHES = 11.7
_PROBE_PIXELS = 512
_LEAST_SIDE = 24
"""Pixels: nothing lower or narrower holds a line of text, and OCR would enlarge it for half a minute to find that out."""


def read(path: Path, limits: ReadLimits) -> Reading:
    """One page for each frame. Raises ResumeError(corrupt, too_large, too_many_pages)."""
    pages = []
    with opened(path, limits) as image:
        count = _frames(image)
        if count > limits.max_pages:
            raise ResumeError("too_many_pages", "more frames than the limit of pages")
        for number in range(1, count + 1):
            image.seek(number - 1)
            check(image, limits)
            width, height = _upright_size(image)
            scale = _LONG_SIDE_POINTS / max(width, height, 1)
            pages.append(
                Page(
                    number,
                    width=round(width * scale, 1),
                    height=round(height * scale, 1),
                    quality=TextQuality.ABSENT if min(width, height) >= _LEAST_SIDE else TextQuality.BLANK,
                    pictures=(Picture(None, str(number)),),
                )
            )
    for number in range(1, count + 1):
        _probe(path, number, limits)
    return Reading(tuple(pages))


def page_image(path: Path, page: int, limits: ReadLimits, dpi: int = 200) -> bytes:
    """Frame number `page`, upright, as PNG; at most twice the pixels that A4 has at `dpi`. Raises ResumeError."""
    with opened(path, limits) as image:
        if page > _frames(image):
            raise ResumeError("corrupt", "the file has fewer frames")
        image.seek(page - 1)
        check(image, limits)
        return png(upright(image, longest=round(2 * _LONG_SIDE_INCHES * dpi)))


def _frames(image: Image.Image) -> int:
    """Pages of a TIFF; the further frames of other formats are thumbnails, depth maps or an animation."""
    return getattr(image, "n_frames", 1) if image.format == "TIFF" else 1


def _upright_size(image: Image.Image) -> tuple[int, int]:
    try:
        sideways = image.getexif().get(_ORIENTATION) in _SIDEWAYS
    except (OSError, SyntaxError, ValueError, TypeError, KeyError):
        sideways = False  # an EXIF block that cannot be read says nothing
    return (image.height, image.width) if sideways else image.size


def _probe(path: Path, number: int, limits: ReadLimits) -> None:
    """Decode a frame, as small as its format allows: only that shows whether the pixels are there."""
    with opened(path, limits) as image:
        image.seek(number - 1)
        image.draft(None, (_PROBE_PIXELS, _PROBE_PIXELS))
        image.load()
