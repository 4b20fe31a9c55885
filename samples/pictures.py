"""Pictures of paper: a page as a flatbed scanner and as a telephone see it. Chance is seeded, so the same bytes come out."""

from __future__ import annotations

import io

import numpy as np
import pypdfium2
from fpdf import FPDF
from PIL import Image, ImageFilter
from sheets import CREATED

_ORIENTATION = 0x0112
_TURNED_RIGHT = 6
"""EXIF: turn the picture a quarter to the right to see it upright."""


def rendered(pdf: bytes, dpi: int) -> Image.Image:
    """The first page of a PDF in grey levels or colours, as it prints."""
    with pypdfium2.PdfDocument(pdf) as document:
        return document[0].render(scale=dpi / 72).to_pil().convert("RGB")


def scanned(pdf: bytes) -> bytes:
    """A PDF that holds nothing but the picture of the page: 170 dpi, grey, slightly askew, with a scanner's grain."""
    page = rendered(pdf, 170).convert("L").rotate(0.35, resample=Image.Resampling.BICUBIC, fillcolor=255)
    page = page.filter(ImageFilter.GaussianBlur(0.45))
    grain = np.random.default_rng(1).normal(0, 2.2, (page.height, page.width))
    pixels = np.clip(np.asarray(page, float) * 0.95 + 7 + grain, 0, 255).astype(np.uint8)
    picture = io.BytesIO()
    Image.fromarray(pixels).save(picture, "JPEG", quality=52, optimize=True, dpi=(170, 170))
    sheet = FPDF(format="A4")
    sheet.set_creation_date(CREATED)
    sheet.set_producer("Gleaner samples")
    sheet.add_page()
    sheet.image(picture, 0, 0, sheet.w, sheet.h)
    return bytes(sheet.output())


def photographed(pdf: bytes) -> bytes:
    """A JPEG of the page lying on a table, taken from slightly below with the telephone held upright (EXIF orientation 6)."""
    width, height = 1500, 2000
    page = rendered(pdf, 190)
    corners = ((118, 96), (1392, 132), (1446, 1910), (62, 1888))  # of the paper in the photo, clockwise from the top left
    table = _table(width, height)
    coefficients = _perspective(corners, page.width, page.height)
    size = (width, height)
    paper = page.transform(size, Image.Transform.PERSPECTIVE, coefficients, Image.Resampling.BICUBIC)
    mask = Image.new("L", page.size, 255).transform(size, Image.Transform.PERSPECTIVE, coefficients, Image.Resampling.BILINEAR)
    shadow = mask.transform(size, Image.Transform.AFFINE, (1, 0, -14, 0, 1, -16)).filter(ImageFilter.GaussianBlur(14))
    table.paste((58, 44, 34), (0, 0), shadow.point(lambda level: int(level * 0.55)))
    table.paste(paper, (0, 0), mask)
    across, down = np.meshgrid(np.linspace(0, 1, width), np.linspace(0, 1, height))
    light = 1.02 - 0.2 * across * down - 0.06 * down
    warm = np.array([1.0, 0.985, 0.945])
    grain = np.random.default_rng(2).normal(0, 2.0, (height, width, 1))
    pixels = np.asarray(table.filter(ImageFilter.GaussianBlur(0.5)), float) * light[..., None] * warm + grain
    photo = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).transpose(Image.Transpose.ROTATE_90)
    exif = Image.Exif()
    exif[_ORIENTATION] = _TURNED_RIGHT
    out = io.BytesIO()
    photo.save(out, "JPEG", quality=66, optimize=True, exif=exif)
    return out.getvalue()


def _table(width: int, height: int) -> Image.Image:
    """A wooden table: a brown that changes along the grain."""
    chance = np.random.default_rng(3)
    stripes = np.repeat(np.cumsum(chance.normal(0, 1.1, height // 4 + 1)), 4)[:height]
    tone = np.clip(stripes - stripes.mean(), -16, 16)[:, None, None]
    return Image.fromarray(np.clip(np.array([142, 108, 78]) + tone + np.zeros((height, width, 1)), 0, 255).astype(np.uint8))


def _perspective(corners: tuple[tuple[int, int], ...], width: int, height: int) -> tuple[float, ...]:
    """The eight coefficients that take points of the photo to points of the page, as Pillow wants them."""
    rows, targets = [], []
    for (x, y), (u, v) in zip(corners, ((0, 0), (width, 0), (width, height), (0, height)), strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        targets += [u, v]
    return tuple(np.linalg.solve(np.array(rows, float), np.array(targets, float)))
