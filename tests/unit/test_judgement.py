"""The verdict on a page's text layer, and that a page is rendered only where something is suspicious."""

from __future__ import annotations

import numpy as np
import pytest

from ingest.judgement import Facts, Ink, edges, judge
from ingest.page import Box, TextQuality, Word

_WHOLE = Box(0, 0, 1, 1)
_LOWER = Box(0, 0.5, 1, 1)
_TEXT = "kept the accounts of a small foundry for nine years and left them all in very good order".split()  # noqa: SIM905


def _words(texts: list[str]) -> list[Word]:
    return [
        Word(
            text,
            Box(0.1 + 0.2 * (number % 4), 0.1 + 0.03 * (number // 4), 0.28 + 0.2 * (number % 4), 0.12 + 0.03 * (number // 4)),
        )
        for number, text in enumerate(texts)
    ]


def _ink(rows: range, columns: range = range(10, 90)) -> Ink:
    ink = np.zeros((100, 100), dtype=np.bool_)
    for row in rows:
        ink[row, columns.start : columns.stop : 3] = True
    return ink


def _verdict(**given) -> TextQuality:
    words = given.get("words", [])
    facts = Facts(
        texts=[" ".join(word.text for word in words)],
        words=words,
        invisible=given.get("invisible", []),
        pictures=given.get("pictures", []),
        drawings=given.get("drawings", 0),
        ink=given.get("ink", _never),
    )
    return judge(facts)[0]


def _never() -> Ink:
    pytest.fail("rendered without need")


def test_a_page_of_text_is_good_without_a_look_at_it():
    assert _verdict(words=_words(_TEXT), pictures=[Box(0.8, 0, 1, 0.1)], drawings=40) is TextQuality.GOOD


def test_a_page_with_nothing_on_it_is_blank_without_a_look_at_it():
    assert _verdict() is TextQuality.BLANK


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"pictures": [_WHOLE], "ink": lambda: _ink(range(10, 80))}, TextQuality.ABSENT),
        ({"pictures": [_WHOLE], "ink": lambda: _ink(range(0))}, TextQuality.BLANK),
        ({"drawings": 900, "ink": lambda: _ink(range(10, 80))}, TextQuality.ABSENT),
        ({"invisible": _words(_TEXT), "ink": lambda: _ink(range(0))}, TextQuality.HIDDEN),
        ({"invisible": _words(_TEXT), "pictures": [_WHOLE], "ink": lambda: _ink(range(10, 80))}, TextQuality.CONTRADICTING),
        ({"words": _words(["Scanned"]), "pictures": [_WHOLE], "ink": lambda: _ink(range(10, 80))}, TextQuality.SPARSE),
        ({"words": _words(["Page", "two"]), "ink": lambda: _ink(range(10, 13))}, TextQuality.GOOD),
        ({"words": _words(_TEXT), "pictures": [_LOWER], "ink": lambda: _ink(range(60, 70))}, TextQuality.SPARSE),
        ({"words": _words(_TEXT), "pictures": [_LOWER], "ink": lambda: _ink(range(10, 26))}, TextQuality.GOOD),
        ({"words": _words(_TEXT), "pictures": [_WHOLE], "ink": lambda: _ink(range(10, 26))}, TextQuality.GOOD),
    ],
)
def test_what_is_suspicious_is_judged_by_its_ink(given, expected):
    assert _verdict(**given) is expected


def test_a_scan_cut_into_strips_is_one_scan():
    strips = [Box(0, number / 20, 1, (number + 1) / 20) for number in range(20)]

    assert _verdict(invisible=_words(_TEXT), pictures=strips, ink=lambda: _ink(range(10, 80))) is TextQuality.CONTRADICTING


def test_the_figures_are_kept():
    _, notes = judge(Facts(["of words"], _words(["of", "words"]), [], [_WHOLE], 0, lambda: _ink(range(10, 80))))

    assert notes["letters"] == 7
    assert notes["picture"] == 1.0
    assert 0 < notes["uncovered"] <= notes["ink"]


def test_an_area_of_colour_has_few_edges_and_type_has_many():
    area = np.full((100, 100), 255, dtype=np.int16)
    area[:, :40] = 30
    stripes = np.full((100, 100), 255, dtype=np.int16)
    stripes[20:80, ::2] = 30

    assert edges(area).mean() < 0.02 < edges(stripes).mean()
