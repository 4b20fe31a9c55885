"""Bold type is told from its strokes."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw, ImageFont

from ingest.ocr.light import evened
from ingest.ocr.weight import is_small, weighed
from ingest.page import Box, Source, Word

SIZE = (1240, 1754)


def sheet(lines, *, ink="black", paper="white"):
    """The picture of lines of (word, strokes thickened by so many pixels), and its words with their boxes."""
    image = Image.new("RGB", SIZE, paper)
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(34)
    words = []
    for row, line in enumerate(lines):
        x = 120.0
        for text, thicker in line:
            y = 120 + 70 * row
            draw.text((x, y), text, fill=ink, font=font, stroke_width=thicker, stroke_fill=ink)
            end = x + draw.textlength(text, font=font)
            words.append(Word(text, Box(x / SIZE[0], y / SIZE[1], end / SIZE[0], (y + 45) / SIZE[1]), source=Source.OCR))
            x = end + 12
    return image, words


TEXT = [[("Developed", 0), ("booking", 0), ("platforms", 0)], [("Managed", 0), ("seventeen", 0), ("nurses", 0)]] * 2


@pytest.mark.parametrize("colours", [("black", "white"), ("white", (40, 45, 70))])
def test_a_heading_in_bold_is_seen_on_paper_and_in_panels(colours):
    ink, paper = colours
    image, words = sheet([[("Employment", 1), ("history", 1)], *TEXT], ink=ink, paper=paper)
    assert [word.text for word in weighed(words, evened(image)) if word.bold] == ["Employment", "history"]


def test_a_line_may_turn_from_bold_to_regular():
    image, words = sheet([[("Pharmacist", 1), ("Example", 0), ("Hospital", 0)], *TEXT])
    assert [word.text for word in weighed(words, evened(image)) if word.bold] == ["Pharmacist"]


def test_where_nothing_is_set_apart_or_little_is_written_nothing_is_bold():
    for lines in (TEXT, [[("Employment", 1)], [("Nurse", 0)]]):
        image, words = sheet(lines)
        assert not any(word.bold for word in weighed(words, evened(image)))


def test_marks_between_words_in_bold_are_bold_too():
    image, words = sheet([[("Education", 1), ("&", 0), ("Training", 1)], *TEXT])
    assert [word.text for word in weighed(words, evened(image)) if word.bold] == ["Education", "&", "Training"]


@pytest.mark.parametrize(("scale", "thicker"), [(0.6, 0.6), (0.5, 0.4), (0.4, 0.8)])
def test_small_type_of_a_screen_is_told_word_by_word(scale, thicker):
    names = [[("Pharmacist", thicker), ("Example", 0), ("Hospital", 0)]]
    names += [[("Example", thicker), ("Town", thicker), ("Council", thicker), ("clerk", 0)]]
    image, words = sheet([*names, *TEXT])
    screen = image.resize((round(SIZE[0] * scale), round(SIZE[1] * scale)), Image.Resampling.LANCZOS)
    assert is_small(words, screen.height)
    seen = weighed(words, evened(screen, specks=True), small=True)
    assert [word.text for word in seen if word.bold] == ["Pharmacist", "Example", "Town", "Council"]


def test_only_small_type_is_enlarged():
    image, words = sheet(TEXT)
    assert not is_small(words, image.height)
    assert not is_small([], image.height)
    assert is_small(words, image.height // 2)
