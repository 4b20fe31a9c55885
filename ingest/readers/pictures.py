"""Opens pictures for OCR and for people: bytes to an upright image, checked before anything is decoded."""

from __future__ import annotations

import io
import struct
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

import pillow_heif
from PIL import Image, ImageOps, UnidentifiedImageError

from ingest.page import Page, Picture
from ingest.readers import ReadLimits
from resumes.taxonomy import ResumeError

pillow_heif.register_heif_opener()
_FORMATS = ("JPEG", "PNG", "TIFF", "WEBP", "HEIF", "BMP", "GIF")
"""Those a resume comes in or that stand inside one. Others have decoders that call programs or are rarely tested."""
_SEEN, _LIGHT = 128, 200
"""Opacity from which something can be seen, and the shade from which it is hard to see on white."""
_EXTENSIONS = frozenset((".jpg", ".jpeg", ".jpe", ".png", ".tif", ".tiff", ".webp", ".bmp", ".gif"))
# What Pillow and its plug-ins raise for broken files.
_DAMAGE = (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError, TypeError, IndexError, KeyError, struct.error,
           RuntimeError, ZeroDivisionError, OverflowError)  # fmt: skip


@contextmanager
def opened(source: Path | bytes, limits: ReadLimits) -> Iterator[Image.Image]:
    """A picture whose size is within the limit, not yet decoded. Raises ResumeError(corrupt, too_large).

    Errors of decoding inside the block are translated as well.
    """
    file = io.BytesIO(source) if isinstance(source, bytes) else source
    with warnings.catch_warnings():
        # Broken EXIF and odd TIFF tags are warned about; the picture is still a picture.
        warnings.simplefilter("ignore")
        try:
            with Image.open(file, formats=_FORMATS) as image:
                check(image, limits)
                yield image
        except Image.DecompressionBombError as exc:
            raise ResumeError("too_large", "the picture has more pixels than the limit") from exc
        except _DAMAGE as exc:
            raise ResumeError("corrupt", "the picture cannot be decoded") from exc


def check(image: Image.Image, limits: ReadLimits) -> None:
    """Refuse a picture (or the frame it stands at) with more pixels than the limit."""
    if image.width * image.height > limits.max_pixels:
        raise ResumeError("too_large", "the picture has more pixels than the limit")


def upright(image: Image.Image, longest: int | None = None) -> Image.Image:
    """Decode: turned the way its EXIF orientation says, transparent parts white (black beneath white writing), grey or RGB.

    With `longest` a larger picture is scaled down to that many pixels on its long side.
    """
    if longest and max(image.size) > longest:
        image.draft(None, (longest, longest))
        if image.mode in ("1", "P"):
            image = image.convert("RGBA" if "transparency" in image.info else "L" if image.mode == "1" else "RGB")
        image.thumbnail((longest, longest))
    try:
        image = ImageOps.exif_transpose(image)
    except _DAMAGE:
        image = image.copy()  # an EXIF block that cannot be read says nothing
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        layer = image.convert("RGBA")
        paper = Image.new("RGBA", layer.size, "black" if _is_light(layer) else "white")
        image = Image.alpha_composite(paper, layer).convert("RGB")
    if image.mode in ("1", "L", "RGB"):
        return image
    if image.mode in ("I", "F") or image.mode.startswith("I;16"):
        return _stretched(image)
    return image.convert("RGB")


def png(image: Image.Image) -> bytes:
    """PNG bytes, packed fast rather than small."""
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=1)
    return out.getvalue()


def is_raster(name: str) -> bool:
    """Whether a part of a document, by its name, is a picture that can be opened here; drawings are not."""
    return PurePosixPath(name).suffix.lower() in _EXTENSIONS


def picture_of(pages: Sequence[Page], number: int) -> Picture:
    """The largest picture on page `number` (from 1). Raises ResumeError(unsupported_format) where there is none to look at."""
    pictures = pages[number - 1].pictures if 0 < number <= len(pages) else ()
    if not pictures:
        raise ResumeError("unsupported_format", "a page of text has no picture")
    return max(pictures, key=lambda picture: picture.share)


def picture_png(source: bytes, limits: ReadLimits) -> bytes:
    """An embedded picture as upright PNG. Raises ResumeError."""
    with opened(source, limits) as image:
        return png(upright(image))


def _is_light(layer: Image.Image) -> bool:
    """Whether all that can be seen of a picture with transparent parts is so light that it would be lost on white."""
    alpha = layer.getchannel("A")
    seen = alpha.point([255 * (value >= _SEEN) for value in range(256)])
    shades = layer.convert("L").histogram(mask=seen)
    return any(alpha.histogram()[:_SEEN]) and 0 < sum(shades) == sum(shades[_LIGHT:])


def _stretched(image: Image.Image) -> Image.Image:
    """Sixteen and more bits a pixel brought down to eight."""
    grey = image.convert("F")
    low, high = grey.getextrema()
    scale = 255.0 / (high - low) if high > low else 1.0  # type: ignore[operator]
    return grey.point(lambda value: (value - low) * scale).convert("L")
