"""Running headers, footers and page numbers."""

from __future__ import annotations

import pytest

from ingest.layout import mark_running
from ingest.page import Box, Line, Page, Word


def _line(text: str, y: float) -> Line:
    return Line(tuple(Word(part, Box(0.1, y, 0.2, y + 0.015)) for part in text.split()))


def _pages(*pages: list[tuple[str, float]]) -> list[Page]:
    return [Page(number, tuple(_line(*line) for line in lines)) for number, lines in enumerate(pages, 1)]


def _styles(*pages: list[tuple[str, float]]) -> list[list[str]]:
    return [[line.style for line in page.lines] for page in mark_running(_pages(*pages))]


def test_lines_repeated_at_an_edge_are_marked_and_those_inside_are_not():
    body = [("Curriculum vitae", 0.03), ("Foundry", 0.4), ("Printed on 1.1.2026", 0.95)]

    assert _styles(body, body) == [["header", "", "footer"]] * 2


def test_a_line_that_stands_at_the_edge_of_one_page_alone_is_text():
    assert _styles([("Ada Sample", 0.03)], [("Foundry", 0.03)]) == [[""], [""]]


@pytest.mark.parametrize("text", ["2", "- 2 -", "Page 2", "Page 2 of 3", "2/3", "стр. 2 из 3", "第 2 页 / 共3页", "Страница 2"])
def test_page_numbers_are_marked_without_repetition(text):
    assert _styles([(text, 0.95)]) == [["footer"]]


@pytest.mark.parametrize("text", ["2012", "2019 – 2022", "+44 20", "3 years"])
def test_years_and_other_figures_are_no_page_numbers(text):
    assert _styles([(text, 0.95)]) == [[""]]
