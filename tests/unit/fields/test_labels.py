"""Labels and the values they name."""

from __future__ import annotations

import datetime as dt

import pytest

from ingest.fields.document import Document
from ingest.fields.draft import Hints
from ingest.fields.labels import label_key, labelled
from ingest.page import Box, Cell, Line, Page, Word, line_of
from tests.unit.fields.pages import printed_page, text_page


def values(page: Page) -> list[tuple[str, str]]:
    return [(found.key, found.row.text) for found in labelled(Document([page], Hints(as_of=dt.date(2026, 11, 1))))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Phone: 123; E-mail: a@b.example", [("phone", "123"), ("email", "a@b.example")]),
        ("电话：123    E-mail：a@b.example", [("phone", "123"), ("email", "a@b.example")]),
        ("姓 名：张 伟 电 话：123", [("name", "张 伟"), ("phone", "123")]),
        ("姓名：王小明性别：男出生年月：1990", [("name", "王小明"), ("gender", "男"), ("birth", "1990")]),
        ("姓名 孙丽 性别 女", [("name", "孙丽"), ("gender", "女")]),
        ("电话 Tel：177 城市 City：成都", [("phone", "177"), ("city", "成都")]),
        ("E-mail\na@b.example", [("email", "a@b.example")]),
        ("Эл. почта:\na@b.example", [("email", "a@b.example")]),
        ("Tel: (415) 555-0164", [("phone", "(415) 555-0164")]),
        ("Name\nPhone\n123", [("phone", "123")]),
    ],
)
def test_a_label_names_what_follows_it(text, found):
    assert values(text_page(text)) == found


def test_in_a_form_a_label_names_the_cell_beside_it():
    cells = ["姓名", "孙丽", "电话", "177"]
    page = Page(1, tuple(line_of(text, cell=Cell(0, 0, at)) for at, text in enumerate(cells)))
    assert values(page) == [("name", "孙丽"), ("phone", "177")]


@pytest.mark.parametrize("text", ["Engineer", "http", "the phone", "Дом"])
def test_other_words_are_no_labels(text):
    assert label_key(text) is None


def test_weight_alone_tells_a_label_from_its_value():
    words = [
        Word("Full", Box(0.1, 0.1, 0.14, 0.12), bold=True),
        Word("name", Box(0.145, 0.1, 0.19, 0.12), bold=True),
        Word("Jane", Box(0.195, 0.1, 0.23, 0.12)),
        Word("Roe", Box(0.235, 0.1, 0.26, 0.12)),
        Word("Phone", Box(0.265, 0.1, 0.31, 0.12), bold=True),
        Word("555", Box(0.315, 0.1, 0.34, 0.12)),
    ]
    page = printed_page(Line(tuple(words)))
    assert values(page) == [("name", "Jane Roe"), ("phone", "555")]


@pytest.mark.parametrize("text", ["Ф.И.О.:", "Ф. И. О.:", "Ф. И. О", "Ф.И. О."])
def test_an_abbreviation_is_a_label_with_spaces_in_it_and_without(text):
    assert label_key(text) == "name"
