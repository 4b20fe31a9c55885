"""Pages are straightened, cut out and turned before they are read, and boxes find their way back."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from ingest.ocr import prepare
from ingest.page import Box, Word
from tests.unit.ocr.pictures import page


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
    assert prepare.sideways(page()) < 0.3
    assert prepare.sideways(prepare.turned(page(), 90)) > 3


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_the_turn_that_makes_a_page_readable_is_chosen(degrees):
    def worth(part):
        """As if read: writing starts at the left edge, and its lines lie."""
        ink = 255 - np.asarray(part.convert("L"), dtype=float)
        lies = np.abs(np.diff(ink.mean(axis=1))).mean() > np.abs(np.diff(ink.mean(axis=0))).mean()
        left = ink[:, : part.width // 2].sum() > 1.2 * ink[:, part.width // 2 :].sum()
        return 0.9 if lies and left else 0.1

    lines = ("Short", "A little longer", "Writing", "starts left", "always")
    wrong = prepare.turned(page(lines), (360 - degrees) % 360)
    assert prepare.upright(wrong, worth, 0.1) == degrees


def test_no_turn_is_made_where_none_helps():
    assert prepare.upright(page(), lambda _part: 0.2, 0.1) == 0


def test_white_writing_in_a_dark_panel_becomes_dark_on_white():
    evened = np.asarray(prepare.evened(page(ink="white", paper=(40, 45, 70))))
    assert np.median(evened) > 240
    assert evened.min() < 40
