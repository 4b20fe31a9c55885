from __future__ import annotations

import pytest

from ingest.page import Cell, Picture, TextQuality
from ingest.readers.flow import Flow, Look, words_of


def _texts(*runs: str) -> list[str]:
    return [word.text for word in words_of([(run, Look()) for run in runs])]


def test_a_word_may_be_spread_over_runs():
    assert _texts("Ver", "sion 2") == ["Version", "2"]


def test_a_word_that_changes_its_look_is_two_words_without_a_space():
    words = words_of([("Email:", Look(bold=True)), ("nora@example.com", Look())])
    assert [(word.text, word.bold, word.space) for word in words] == [("Email:", True, False), ("nora@example.com", False, True)]


@pytest.mark.parametrize(
    ("target", "kept"),
    [
        ("https://nora.example.com/", True),
        ("HTTP://nora.example.com:8080/", True),
        ("mailto:nora@example.com", True),
        ("tel:+442079460000", True),
        ("ftp://files.example.org/cv", True),
        ("nora.example.com/work", True),
        ("nora.example.com:8080/work", True),
        ("javascript:alert(1)", False),
        (" java\tscript:alert(1)", False),
        ("\x01JavaScript:1", False),
        ("data:text/html,x", False),
        ("vbscript:x", False),
        ("file:///C:/Users/nora/cv.doc", False),
    ],
)
@pytest.mark.parametrize("gap", [" ", "\t"])
def test_only_links_that_people_may_follow_are_handed_on(target, kept, gap):
    words = words_of([(f"my{gap}work", Look(link=target))])
    assert [word.link for word in words if word.text != "\t"] == [target if kept else None] * 2


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Example Ltd\t2019", ["Example", "Ltd", "\t", "2019"]),
        ("Example Ltd    2019", ["Example", "Ltd", "\t", "2019"]),
        ("One.  Two", ["One.", "Two"]),
        ("示例科技　测试工程师", ["示例科技", "\t", "测试工程师"]),
        ("姓　　名：林芳", ["姓", "名：林芳"]),
        ("•    Led a team", ["•", "Led", "a", "team"]),
        ("\tIndented", ["Indented"]),
    ],
)
def test_white_space_as_wide_as_a_tab_parts_the_line(text, parts):
    assert _texts(text) == parts


def test_what_cannot_be_stored_is_left_out_and_surrogates_are_joined():
    assert _texts("a\0b\x08", "\ud83d\ude80 \ud800x") == ["ab\U0001f680", "\ufffdx"]


def test_a_frame_is_a_block_of_its_own_and_the_line_around_it_goes_on():
    flow = Flow()
    flow.text("half a ")
    with flow.frame():
        flow.text("boxed")
    flow.text("line")
    flow.end_line()
    assert [(line.text, line.block) for line in flow.lines] == [("boxed", 1), ("half a line", 0)]


def test_columns_are_numbered_by_a_grid_common_to_all_rows():
    flow = Flow()
    for row, texts in enumerate((["a", "b", "c"], ["wide", "d"])):
        for column, text in enumerate(texts):
            with flow.cell(0, row, column):
                flow.text(text)
    flow.align(0, {0: [0, 1000, 2000, 3000], 1: [10, 2010, 3000]})
    assert [line.cell for line in flow.lines] == [
        Cell(0, 0, 0, 1), Cell(0, 0, 1, 1), Cell(0, 0, 2, 1), Cell(0, 1, 0, 2), Cell(0, 1, 2, 1),
    ]  # fmt: skip


def test_a_line_told_in_one_footer_is_not_told_in_the_next():
    flow = Flow()
    for text in ("Page of Nora Field", "Page of Nora Field", "another"):
        with flow.aside("footer"):
            flow.text(text)
    assert [(line.text, line.style) for line in flow.lines] == [("Page of Nora Field", "footer"), ("another", "footer")]


def test_empty_lines_are_white_space_above_the_next():
    flow = Flow()
    flow.space(1.0, more=True)
    flow.space(1.0, more=True)
    flow.text("x")
    flow.end_line()
    assert flow.lines[0].gap == 2.0


@pytest.mark.parametrize(
    ("letters", "share", "qualities"),
    [
        (0, 0.0, [TextQuality.BLANK]),
        (0, 0.05, [TextQuality.ABSENT]),
        (50, 0.05, [TextQuality.GOOD]),
        (50, 0.1, [TextQuality.GOOD, TextQuality.ABSENT]),
        (500, 0.1, [TextQuality.GOOD]),
        (500, 0.9, [TextQuality.GOOD, TextQuality.ABSENT]),
    ],
)
def test_a_picture_is_a_page_where_it_may_be_a_scan(letters, share, qualities):
    flow = Flow()
    flow.text("x" * letters)
    flow.end_line()
    if share:
        flow.pictures.append(Picture(None, "image1.png", share))
    assert [page.quality for page in flow.pages()] == qualities
