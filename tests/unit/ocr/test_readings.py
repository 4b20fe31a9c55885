"""Of two readings of one picture the better words are kept, and nothing stands there twice."""

from __future__ import annotations

import pytest

from ingest.ocr.readings import combined
from ingest.page import Box, Source, Word


def line(*words, y=0.1):
    """Words one after the other, each as wide as its text: text and confidence."""
    made, x = [], 0.05
    for text, confidence in words:
        made.append(Word(text, Box(x, y, x + 0.01 * len(text), y + 0.02), source=Source.OCR, confidence=confidence))
        x += 0.01 * (len(text) + 1)
    return made


def texts(words):
    return [word.text for word in words]


def test_the_surer_reading_of_each_word_is_kept_in_its_place():
    first = line(("Опыт", 0.95), ("раб0ты", 0.5), ("Python", 0.9))
    second = line(("0пыт", 0.4), ("работы", 0.95), ("Рутhоп", 0.6))
    assert texts(combined(first, second)) == ["Опыт", "работы", "Python"]


@pytest.mark.parametrize(("sure", "kept"), [(0.5, ["Ведение", "боль"]), (0.99, ["Ведет", "ние", "боль"])])
def test_a_word_cut_in_two_is_weighed_as_a_whole(sure, kept):
    whole = line(("Ведение", 0.6), ("боль", 0.9))
    cut = [
        Word("Ведет", Box(0.05, 0.1, 0.09, 0.12), confidence=sure),
        Word("ние", Box(0.09, 0.1, 0.12, 0.12), confidence=sure),
    ]
    assert texts(combined(whole, cut)) == kept
    assert texts(combined([*cut, whole[1]], whole[:1])) == kept


def test_what_one_of_them_missed_is_put_where_the_other_saw_it():
    first = [*line(("Education", 0.9)), *line(("Skills", 0.9), y=0.3)]
    second = [*line(("Education", 0.8)), *line(("Lakeside", 0.9), ("University", 0.9), y=0.2), *line(("Skills", 0.8), y=0.3)]
    whole = ["Education", "Lakeside", "University", "Skills"]
    assert texts(combined(first, second)) == texts(combined(second, first)) == whole
    assert texts(combined([], second)) == whole
    assert texts(combined(first, [])) == ["Education", "Skills"]


@pytest.mark.parametrize(("text", "confidence"), [("University", 0.3), ("7", 0.9), ("•", 0.9)])
def test_what_only_the_second_look_saw_and_hardly_is_no_writing(text, confidence):
    first = line(("Education", 0.9))
    assert texts(combined(first, [*first, *line((text, confidence), y=0.4)])) == ["Education"]
