"""Scripts written from right to left come out in the order they are read, from the places of words and letters alone."""

from __future__ import annotations

import pytest

from ingest.layout import read_order
from ingest.layout.direction import is_right_to_left, runs_left, word_from_visual
from ingest.page import Box, Source, Word


def _line(visual: str) -> str:
    """A line as it looks, one space between words, each read by itself as the reader of a page does."""
    words, x = [], 0.1
    for text in visual.split():
        shown = word_from_visual(list(text)) if runs_left(text) else text
        words.append(Word(shown, Box(x, 0.1, x + 0.01 * len(text), 0.12), source=Source.TEXT))
        x += 0.01 * len(text) + 0.006
    return read_order(words, (600.0, 800.0))[0].text


@pytest.mark.parametrize(
    ("visual", "read"),
    [
        ("יול העונ", "נועה לוי"),
        ('noa@example.com :ל"אוד 050-123-4567 :ןופלט', 'טלפון: 050-123-4567 דוא"ל: noa@example.com'),
        ("Northwind תרבחב שכר תלהנמ 2020-2015", "2020-2015 מנהלת רכש בחברת Northwind"),
        (")Agile( םיטקיורפ לוהינו Python, SQL", "Python, SQL וניהול פרויקטים (Agile)"),
        ("(Agile) םיטקיורפ לוהינו Python, SQL", "Python, SQL וניהול פרויקטים (Agile)"),
        (",Northwind תרבחב ++C", "C++ בחברת Northwind,"),
        ("רכש 972-50+", "+972-50 שכר"),
    ],
)
def test_hebrew_is_read_from_the_right_with_latin_words_and_numbers_from_the_left(visual, read):
    assert _line(visual) == read


@pytest.mark.parametrize(
    ("visual", "read"),
    [
        ("layla@example.com :ديربلا 4567-123-050 :فتاهلا", "الهاتف: 050-123-4567 البريد: layla@example.com"),
        ("يبد ،Northwind ةكرش يف 2015-2020", "2015-2020 في شركة Northwind، دبي"),
    ],
)
def test_after_arabic_letters_numbers_run_to_the_left_as_wholes(visual, read):
    assert _line(visual) == read


def test_a_hebrew_phrase_in_an_english_line_is_turned_alone():
    visual = "Translated the collected letters of הנוי רפכ from Hebrew for the press"
    assert _line(visual) == "Translated the collected letters of כפר יונה from Hebrew for the press"
    assert not is_right_to_left(visual.split())


def test_what_has_no_such_letter_stays_as_it_is():
    assert _line("Nora Field, (born) 1990 - Линда 林芳") == "Nora Field, (born) 1990 - Линда 林芳"


def test_ligatures_keep_their_inner_order():
    assert word_from_visual(["م", "لا", "س"]) == "سلام"
