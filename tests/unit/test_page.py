import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.page import (
    Box,
    Cell,
    Line,
    Page,
    Picture,
    Reading,
    Source,
    TextQuality,
    Word,
    from_data,
    join_words,
    line_of,
    to_data,
)

numbers = st.floats(0, 1).map(lambda number: round(number, 4))
words = st.builds(
    Word,
    text=st.text(min_size=1, max_size=8),
    box=st.none() | st.builds(Box, numbers, numbers, numbers, numbers),
    size=st.none() | st.sampled_from([8.0, 10.5, 24.0]),
    bold=st.booleans(),
    link=st.none() | st.just("https://example.com"),
    source=st.sampled_from(Source),
    confidence=st.sampled_from([1.0, 0.5, 0.913]),
    space=st.booleans(),
)
lines = st.builds(
    Line,
    words=st.lists(words, max_size=4).map(tuple),
    block=st.integers(0, 5),
    style=st.sampled_from(["", "heading1", "list"]),
    cell=st.none() | st.builds(Cell, st.integers(0, 3), st.integers(0, 9), st.integers(0, 9), st.integers(1, 3)),
    gap=st.sampled_from([0.0, 1.5]),
    indent=st.sampled_from([0.0, 0.02]),
)
pages = st.builds(
    Page,
    number=st.integers(1, 200),
    lines=st.lists(lines, max_size=4).map(tuple),
    width=st.none() | st.just(595.0),
    height=st.none() | st.just(842.0),
    quality=st.sampled_from(TextQuality),
    pictures=st.lists(
        st.builds(Picture, st.none() | st.builds(Box, numbers, numbers, numbers, numbers), st.just("x"), numbers)
    ).map(tuple),
    hidden=st.lists(st.text(max_size=5), max_size=2).map(tuple),
    notes=st.just({"ink": 0.2}),
)


@given(
    st.builds(Reading, pages=st.lists(pages, max_size=3).map(tuple), warnings=st.just(("repaired",)), title=st.text(max_size=5))
)
def test_the_stored_form_gives_the_same_reading_back(reading):
    assert from_data(to_data(reading)) == reading


def test_words_join_the_way_they_stand_on_the_page():
    assert join_words([Word("张", space=False), Word("伟"), Word("Wei")]) == "张伟 Wei"


def test_a_lines_box_holds_all_its_words():
    line = Line((Word("a", Box(0.1, 0.1, 0.2, 0.2)), Word("b", Box(0.5, 0.05, 0.6, 0.15)), Word("c")))
    assert line.box == Box(0.1, 0.05, 0.6, 0.2)


def test_a_line_is_bold_when_most_of_its_letters_are():
    assert Line((Word("Experience", bold=True), Word("at"))).bold
    assert not Line((Word("At", bold=True), Word("experience"))).bold


@pytest.mark.parametrize(
    ("quality", "wanted"),
    [(TextQuality.GOOD, ()), (TextQuality.BLANK, ()), (TextQuality.GARBLED, (1,)), (TextQuality.ABSENT, (1,))],
)
def test_only_pages_whose_text_is_not_to_be_relied_on_want_ocr(quality, wanted):
    assert Reading((Page(1, quality=quality),)).wants_ocr == wanted


def test_plain_text_makes_words_without_boxes():
    line = line_of("Alice  Archer")
    assert [word.text for word in line.words] == ["Alice", "Archer"]
    assert line.box is None
