"""Pages are straightened, cut out and turned before they are read, and boxes find their way back."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from ingest.layout.ruling import ruled_lines
from ingest.ocr import light, orientation, prepare
from ingest.page import Box, Word
from tests.unit.ocr.pictures import LINES, page


def photo():
    """A sheet on a dark table, seen from the side."""
    sheet = page(size=(1000, 1414), letters=28)
    table = Image.new("RGB", (1400, 1900), (70, 50, 35))
    # Coefficients of the projection from the photo to the sheet with corners (150, 200), (1250, 120), (1200, 1800), (200, 1700).
    corners = [(150, 200), (1250, 120), (1200, 1800), (200, 1700)]
    targets = [(0, 0), (1000, 0), (1000, 1414), (0, 1414)]
    rows = []
    for (x, y), (u, v) in zip(corners, targets, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
    values = np.linalg.solve(np.array(rows, dtype=float), np.array(targets, dtype=float).ravel())
    warped = sheet.transform(
        table.size, Image.Transform.PERSPECTIVE, tuple(values), Image.Resampling.BILINEAR, fillcolor=(70, 50, 35)
    )
    return warped, [(x / 1400, y / 1900) for x, y in corners]


def test_a_plain_page_is_left_as_it_is():
    prepared = prepare.prepare(page())
    assert prepared.back is None
    assert prepared.image.size == (1240, 1754)


def test_the_sheet_is_cut_out_of_a_photo_and_boxes_lead_back_to_it():
    image, corners = photo()
    found = prepare.find_sheet(image)
    assert found is not None
    assert np.abs(found - np.array(corners)).max() < 0.02
    prepared = prepare.prepare(image)
    whole = prepared.put_back(Word("all", Box(0.0, 0.0, 1.0, 1.0))).box
    assert whole == pytest.approx((150 / 1400, 120 / 1900, 1250 / 1400, 1800 / 1900), abs=0.02)


def test_a_dark_side_panel_is_no_table_under_a_sheet():
    image = page()
    image.paste((40, 45, 70), (0, 0, 380, 1754))
    assert prepare.find_sheet(image) is None


@pytest.mark.parametrize("size", [(30_000, 30), (30, 30_000), (1, 1)])
def test_a_strip_has_no_slant(size):
    assert prepare.slant(Image.new("L", size, 255)) == 0.0


@pytest.mark.parametrize("angle", [-7, -3, 4, 8])
def test_the_slant_of_the_lines_is_found(angle):
    # Pillow turns against the clock: the lines then rise.
    aslant = page().rotate(-angle, Image.Resampling.BILINEAR, expand=True, fillcolor="white")
    assert prepare.slant(aslant) == pytest.approx(angle, abs=0.6)


def test_a_word_on_a_straightened_page_keeps_its_place_on_the_original():
    aslant = page().rotate(5, Image.Resampling.BILINEAR, expand=True, fillcolor="white")
    prepared = prepare.prepare(aslant)
    assert prepared.back is not None
    middle = prepared.put_back(Word("x", Box(0.49, 0.49, 0.51, 0.51))).box
    assert (middle.x0 + middle.x1) / 2 == pytest.approx(0.5, abs=0.01)
    assert (middle.y0 + middle.y1) / 2 == pytest.approx(0.5, abs=0.01)


def test_lines_that_run_from_top_to_bottom_are_noticed():
    assert orientation.sideways(page()) < 0.3
    assert orientation.sideways(orientation.turned(page(), 90)) > 3


def test_lines_that_end_level_and_begin_anywhere_hint_at_a_page_upside_down():
    lines = [line[: 20 + 7 * (at % 4)] for at, line in enumerate(LINES * 2)]
    sheet = page(lines)
    assert not orientation.ragged_left(sheet)
    assert orientation.ragged_left(orientation.turned(sheet, 180))
    assert not orientation.ragged_left(page(LINES[:3]))


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_the_turn_that_makes_a_page_readable_is_chosen(degrees):
    def worth(part):
        """As if read: writing starts at the left edge, and its lines lie."""
        ink = 255 - np.asarray(part.convert("L"), dtype=float)
        lies = np.abs(np.diff(ink.mean(axis=1))).mean() > np.abs(np.diff(ink.mean(axis=0))).mean()
        left = ink[:, : part.width // 2].sum() > 1.2 * ink[:, part.width // 2 :].sum()
        return 0.9 if lies and left else 0.1

    lines = ("Short", "A little longer", "Writing", "starts left", "always")
    wrong = orientation.turned(page(lines), (360 - degrees) % 360)
    assert orientation.upright(wrong, worth, 0.1) == degrees


def test_no_turn_is_made_where_none_helps():
    assert orientation.upright(page(), lambda _part: 0.2, 0.1) == 0


def test_a_turn_that_reads_well_ends_the_search():
    tried = []
    wrong = orientation.turned(page(), 270)
    assert orientation.upright(wrong, lambda part: tried.append(part) or 0.9, 0.0) == 90
    assert len(tried) == 1


def test_a_part_that_says_nothing_is_followed_by_a_larger_one():
    """The densest part of a page may be a dark panel or a picture."""
    wrong = orientation.turned(page(), 270)
    heights = []

    def worth(part):
        heights.append(part.height)
        return 0.9 if part.height > 0.2 * wrong.width else 0.1

    assert orientation.upright(wrong, worth, 0.0) in (90, 270)
    assert len(heights) == 3
    assert heights[0] == heights[1] < heights[2]


def test_white_writing_in_a_dark_panel_becomes_dark_on_white():
    evened = np.asarray(light.evened(page(ink="white", paper=(40, 45, 70))))
    assert np.median(evened) > 240
    assert evened.min() < 40


def test_white_headings_in_dark_bars_become_dark_on_white_and_leave_the_lines_beside_them_alone():
    image = Image.new("RGB", (1654, 2339), (246, 246, 246))
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(30)
    for top in (300, 420):
        draw.rectangle((130, top, 1520, top + 55), fill=(30, 90, 50))
        draw.text((150, top + 8), "Work experience of Zoe Example", fill="white", font=font)
        draw.text((150, top + 75), "Nurse at Example Hospital since 2019", fill=(20, 20, 20), font=font)

    evened = np.asarray(light.evened(image.rotate(0.6, fillcolor=(246, 246, 246))), dtype=float)

    for top in (300, 420):
        bar, line = evened[top : top + 55, 170:560], evened[top + 75 : top + 115, 170:560]
        assert np.median(bar) > 230
        assert np.median(line) > 230
        assert bar.min() < 80
        assert line.min() < 80


@pytest.mark.parametrize("letters", [50, 56, 62, 70, 90])
def test_large_letters_are_no_bars(letters):
    image = Image.new("L", (1654, 2339), 240)
    font = ImageFont.load_default(letters)
    ImageDraw.Draw(image).text((120, 200), "BOREDOM Zoe nob", fill=20, font=font, stroke_width=letters // 20, stroke_fill=20)
    evened = np.asarray(light.evened(image))
    lost = (np.asarray(image) < 60) & (evened > 128)
    assert lost.mean() < 0.02 * (np.asarray(image) < 60).mean()


@pytest.mark.parametrize("angle", [0.0, 0.6, -0.7])
def test_the_empty_end_of_a_dark_panel_is_no_bar(angle):
    image = Image.new("L", (1654, 2339), 246)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 470, 2338), fill=45)
    for row in range(22):
        draw.text((40, 100 + 66 * row), "- Negotiation and law", fill=235, font=ImageFont.load_default(34))
    evened = np.asarray(light.evened(image.rotate(angle, fillcolor=246)))
    panel = evened[100:1550, 60:300]
    assert np.median(panel) > 230
    rows = [evened[110 + 66 * row : 140 + 66 * row, 60:300] for row in range(22)]
    assert all(line.min() < 90 and np.median(line) > 200 for line in rows)


def test_bars_between_white_letters_are_no_ruled_lines():
    image = Image.new("L", (1200, 1600), 245)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 380, 1599), fill=40)
    for row in range(40):
        draw.text((30, 60 + 36 * row), "IllIlI HHHH nurse", fill=250, font=ImageFont.load_default(26))
    across = [rule for rule in ruled_lines(light.evened(image.rotate(0.7, fillcolor=245))) if rule.width > rule.height]
    assert len(across) <= 2  # the panel's own ends


@pytest.mark.parametrize(("size", "thick"), [((1654, 2339), 3), ((1280, 1810), 2), ((1266, 3584), 2)])
@pytest.mark.parametrize("angle", [0.0, 0.4])
def test_the_frame_of_a_table_is_no_bar_and_its_rules_stay(size, thick, angle):
    image = Image.new("L", size, 250)
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(26)
    left, right, top, rows = 150, size[0] - 150, 300, 12
    for row in range(rows + 1):
        draw.line((left, top + 80 * row, right, top + 80 * row), fill=20, width=thick)
    for x in (left, (left + right) // 2, right):
        draw.line((x, top, x, top + 80 * rows), fill=20, width=thick)
    for row in range(rows):
        draw.text((left + 30, top + 80 * row + 24), "Example Hospital", fill=20, font=font)
        draw.text(((left + right) // 2 + 30, top + 80 * row + 24), "Nurse", fill=20, font=font)

    evened = light.evened(image.rotate(angle, fillcolor=250))

    rules = ruled_lines(evened)
    assert sum(rule.width * size[0] > rule.height * size[1] for rule in rules) == rows + 1
    assert sum(rule.width * size[0] < rule.height * size[1] for rule in rules) == 3
    assert np.median(np.asarray(evened)) > 230


@pytest.mark.parametrize("degrees", [-0.8, -0.6, 0.6, 0.9])
def test_words_of_a_page_a_little_askew_are_levelled_and_put_back(degrees):
    prepared = prepare.prepare(page(size=(1240, 1754)).rotate(-degrees, fillcolor="white"))
    left, right = Word("Ada", Box(0.1, 0.3, 0.2, 0.32)), Word("2019", Box(0.8, 0.3, 0.9, 0.32))
    fallen = math.tan(math.radians(degrees)) * 0.7 * 1240 / 1754

    levelled = [prepared.levelled(word) for word in (left, right)]

    assert levelled[0].box.y0 - levelled[1].box.y0 == pytest.approx(fallen, abs=0.0025)
    assert prepared.as_read(levelled[1]).box == pytest.approx(right.box)


def test_a_shadow_over_the_writing_is_no_bar():
    xs, ys = np.meshgrid(np.arange(1240), np.arange(1754))
    shadow = 1 - 0.45 / (1 + np.exp((np.hypot(xs - 500, ys - 500) - 330) / 25))
    dim = Image.fromarray((np.asarray(page().convert("L")) * shadow).astype(np.uint8))
    here, there = np.asarray(light.evened(dim)), np.asarray(light.evened(page()))
    assert ((here < 128) == (there < 128)).mean() > 0.99


def grainy(sigma, *, ink="black"):
    """A page with grain and specks."""
    numbers = np.random.default_rng(7)
    pixels = np.asarray(page(ink=ink, paper=(225, 225, 225)).convert("L"), dtype=np.float32)
    pixels = pixels + numbers.normal(0, sigma, pixels.shape)
    for y, x in zip(numbers.integers(0, 1750, 60), numbers.integers(0, 1200, 60), strict=True):
        pixels[y : y + 3, x : x + 3] = 60
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


@pytest.mark.parametrize("sigma", [24, 30])
def test_grain_and_lone_specks_are_taken_out_and_the_writing_stays(sigma):
    even = light.evened(grainy(sigma))
    clean = light.without_grain(even)
    paper = np.asarray(clean)[1300:]  # below the last line
    assert (paper == 255).mean() > 0.99
    letters = np.asarray(light.evened(page())) < 100
    assert (np.asarray(clean)[letters] < 160).mean() > 0.9


@pytest.mark.parametrize("sigma", [0, 3, 10])
def test_a_page_with_little_grain_is_read_as_it_is(sigma):
    even = light.evened(grainy(sigma))
    assert light.without_grain(even) is even


@pytest.mark.parametrize("grey", [0, 70, 110])
def test_thin_strokes_of_a_page_in_black_and_white_alone_stay(grey):
    image = page(ink=(grey, grey, grey), letters=24).convert("L").point(lambda level: 255 if level > 128 else 0)
    before = np.asarray(image) < 128
    after = np.asarray(light.evened(image)) < 200
    assert (before & after).sum() > 0.95 * before.sum()
