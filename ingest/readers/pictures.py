"""Opens pictures for OCR and for people: bytes to an upright image, checked before anything is decoded."""

from __future__ import annotations

import io
import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pillow_heif
from PIL import Image, ImageOps, UnidentifiedImageError

from ingest.readers import ReadLimits
from resumes.taxonomy import ResumeError

pillow_heif.register_heif_opener()
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
            with Image.open(file) as image:
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


def upright(image: Image.Image) -> Image.Image:
    """Decode: turned the way its EXIF orientation says, transparent parts white, greyscale or RGB."""
    try:
        image = ImageOps.exif_transpose(image)
    except _DAMAGE:
        image = image.copy()  # an EXIF block that cannot be read says nothing
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        layer = image.convert("RGBA")
        paper = Image.new("RGBA", layer.size, "white")
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


def picture_png(source: bytes, limits: ReadLimits) -> bytes:
    """An embedded picture as upright PNG. Raises ResumeError."""
    with opened(source, limits) as image:
        return png(upright(image))


def _stretched(image: Image.Image) -> Image.Image:
    """Sixteen and more bits a pixel brought down to eight."""
    grey = image.convert("F")
    low, high = grey.getextrema()
    scale = 255.0 / (high - low) if high > low else 1.0  # type: ignore[operator]
    return grey.point(lambda value: (value - low) * scale).convert("L")  # type: ignore[operator]
