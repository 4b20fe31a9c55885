from __future__ import annotations

import io
from dataclasses import replace

import pytest
from PIL import Image

from ingest.page import TextQuality
from ingest.readers import image as reader
from ingest.readers import reader_for
from resumes.taxonomy import ResumeError
from tests.unit.readers.made import LIMITS, read

ORIENTATION = 0x0112


def picture(form: str, size=(60, 40), mode="RGB", orientation=1, **options) -> bytes:
    image = Image.new(mode, size, "white" if mode != "P" else 0)
    image.paste(0 if mode in ("1", "L", "P", "I;16") else (255, 0, 0, 255)[: len(mode)], (0, 0, size[0] // 2, size[1] // 2))
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    out = io.BytesIO()
    image.save(out, form, **({"exif": exif} if form in ("JPEG", "PNG", "WEBP", "HEIF") else {}), **options)
    return out.getvalue()


@pytest.mark.parametrize(
    ("media_type", "form"),
    [("image/jpeg", "JPEG"), ("image/png", "PNG"), ("image/tiff", "TIFF"), ("image/webp", "WEBP"), ("image/heic", "HEIF")],
)
def test_a_picture_is_one_page_without_text(tmp_path, media_type, form):
    (page,) = read(media_type, picture(form), tmp_path).pages
    assert (page.quality, page.lines, page.pictures[0].share) == (TextQuality.ABSENT, (), 1.0)
    assert page.width / page.height == pytest.approx(1.5, rel=0.01)
    assert reader.page_image(tmp_path / "document", 1, LIMITS).startswith(b"\x89PNG")


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_a_photo_is_turned_the_way_its_exif_says(tmp_path, form):
    (page,) = read("image/jpeg", picture(form, orientation=6), tmp_path).pages
    assert page.height > page.width
    upright = Image.open(io.BytesIO(reader.page_image(tmp_path / "document", 1, LIMITS)))
    assert upright.size == (40, 60)
    assert upright.getpixel((30, 5))[1] < 100, "the red corner is at the top right"
    assert upright.getpixel((5, 55))[1] > 200


def test_every_frame_of_a_tiff_is_a_page(tmp_path):
    frames = [Image.new("1", (10 * number, 20), 1) for number in (1, 2, 3)]
    out = io.BytesIO()
    frames[0].save(out, "TIFF", save_all=True, append_images=frames[1:])
    assert [page.number for page in read("image/tiff", out.getvalue(), tmp_path).pages] == [1, 2, 3]
    assert Image.open(io.BytesIO(reader.page_image(tmp_path / "document", 3, LIMITS))).size == (30, 20)


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGBA", "LA", "CMYK", "I;16"])
def test_every_kind_of_pixels_becomes_grey_or_colour(tmp_path, mode):
    form = "TIFF" if mode in ("CMYK", "I;16") else "PNG"
    image = Image.new(mode, (8, 8))
    out = io.BytesIO()
    image.save(out, form)
    read("image/png", out.getvalue(), tmp_path)
    assert Image.open(io.BytesIO(reader.page_image(tmp_path / "document", 1, LIMITS))).mode in ("1", "L", "RGB")


def test_transparent_parts_are_white(tmp_path):
    out = io.BytesIO()
    Image.new("RGBA", (8, 8), (0, 0, 0, 0)).save(out, "PNG")
    read("image/png", out.getvalue(), tmp_path)
    assert Image.open(io.BytesIO(reader.page_image(tmp_path / "document", 1, LIMITS))).getpixel((4, 4)) == (255, 255, 255)


@pytest.mark.parametrize(("ink", "paper"), [("white", 0), ((230, 240, 255), 0), ("black", 255), ((200, 30, 30), 255)])
@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_writing_on_transparent_ground_can_be_seen_whatever_its_colour(tmp_path, mode, ink, paper):
    image = Image.new("RGBA", (60, 60), (255, 255, 255, 0))
    image.paste(ink, (20, 20, 40, 40))
    out = io.BytesIO()
    (image.quantize(8) if mode == "P" else image.convert(mode)).save(out, "PNG")
    read("image/png", out.getvalue(), tmp_path)
    shown = Image.open(io.BytesIO(reader.page_image(tmp_path / "document", 1, LIMITS))).convert("L")
    assert abs(shown.getpixel((2, 2)) - paper) <= 2
    assert abs(shown.getpixel((30, 30)) - paper) > 120


def test_pixels_are_counted_before_they_are_decoded(tmp_path):
    path = tmp_path / "large"
    path.write_bytes(picture("PNG", (200, 200)))
    with pytest.raises(ResumeError, match="too_large"):
        reader_for("image/png").read(path, replace(LIMITS, max_pixels=39_999))
    with pytest.raises(ResumeError, match="too_large"):
        reader.page_image(path, 1, replace(LIMITS, max_pixels=39_999))


def test_a_picture_larger_than_any_page_is_scaled_down(tmp_path):
    path = tmp_path / "wide"
    path.write_bytes(picture("PNG", (3000, 10), "L"))
    assert Image.open(io.BytesIO(reader.page_image(path, 1, LIMITS, dpi=100))).width == 2340


def test_more_frames_than_pages_allowed_are_refused(tmp_path):
    frames = [Image.new("1", (4, 4)) for _ in range(3)]
    path = tmp_path / "fax"
    frames[0].save(path, "TIFF", save_all=True, append_images=frames[1:])
    with pytest.raises(ResumeError, match="too_many_pages"):
        reader_for("image/tiff").read(path, replace(LIMITS, max_pages=2))


@pytest.mark.parametrize("content", [b"\xff\xd8\xff\xe0 noise", picture("JPEG")[:-60], picture("PNG", (300, 300))[:200], b""])
def test_broken_pictures_are_corrupt(tmp_path, content):
    with pytest.raises(ResumeError, match="corrupt"):
        read("image/jpeg", content, tmp_path)


@pytest.mark.parametrize("size", [(1, 1), (20_000, 3), (23, 500)])
def test_a_picture_too_low_or_narrow_for_a_line_of_text_is_blank_and_costs_no_ocr(tmp_path, size):
    (page,) = read("image/png", picture("PNG", size=size), tmp_path).pages
    assert page.quality is TextQuality.BLANK
