"""Reading order: what belongs together on a page comes out together."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import replace

import pytest

from ingest.layout import read_order
from ingest.page import Box, Line, Word
from tests.unit.layout.typeset import HEIGHT, WIDTH, Sheet, as_read_from_pixels

_SIZE = (WIDTH, HEIGHT)
_JOBS = [
    "#Aldgate Systems",
    "Engineer",
    "Built a thing that counts other things for all who asked",
    "and kept it running through a winter of many storms",
    "",
    "#Bexley Works",
    "Analyst",
    "Wrote reports on the counting of things for the board",
    "and read them aloud to whoever had lost their glasses",
    "",
    "#Camden Foundry",
    "Trainee",
    "Learned to count and to write down what had been counted",
]
_SIDE = [
    "#Contact",
    "ada@example.com",
    "London",
    "",
    "#Skills",
    "Counting",
    "Writing",
    "Reading",
    "",
    "#Languages",
    "English",
    "French",
]


def _texts(words: Sequence[Word], rules: Sequence[Box] = ()) -> list[str]:
    return [line.text for line in read_order(words, _SIZE, rules)]


def _filled(texts: list[str]) -> list[str]:
    return [text.lstrip("#") for text in texts if text]


@pytest.mark.parametrize("pitch", [14, 15.3])
@pytest.mark.parametrize("side_x", ["left", "right"])
def test_a_sidebar_is_read_apart_from_the_text_beside_it(side_x, pitch):
    sheet = Sheet()
    if side_x == "left":
        sheet.column(_SIDE, 40, 60, pitch).column(_JOBS, 200, 63)
        expected = _filled(_SIDE) + _filled(_JOBS)
    else:
        sheet.column(_JOBS, 40, 60).column(_SIDE, 420, 63, pitch)
        expected = _filled(_JOBS) + _filled(_SIDE)

    lines = read_order(sheet.words, _SIZE)

    assert [line.text for line in lines] == expected
    assert len({line.block for line in lines}) == 2


def test_columns_on_one_grid_are_columns_where_their_lines_are_running_text():
    prose = ["the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog", "and", "goes"]
    left = [" ".join(prose[index % 5 :][:8]) for index in range(8)]
    right = [" ".join(prose[index % 4 :][:8]) for index in range(3, 11)]

    assert _texts(Sheet().column(left, 40, 60).column(right, 320, 60).words) == left + right


def test_a_name_of_two_lines_is_whole_though_a_line_is_centred_beside_it():
    sheet = Sheet().column(["+44 7700 900123", "ada@example.com"], 40, 47)
    sheet.put("Augusta Ada", 240, 40, 18).put("Featherstone", 236, 62, 18).put("Engineer", 265, 86, 9)
    sheet.put("City: Leeds", 500, 64, 9).put("Wrote reports on the counting of things for the board", 40, 130)

    texts = _texts(sheet.words)

    assert texts.index("Featherstone") == texts.index("Augusta Ada") + 1
    assert "City: Leeds" in texts


def test_text_across_the_page_stands_above_and_below_its_columns():
    sheet = Sheet().put("Ada Sample", 40, 40, 20)
    sheet.put("A summary that runs right across the page from its left margin to the right one, as summaries do", 40, 80)
    sheet.column(["#Education", "A school", "Physics"], 40, 120).column(["#Skills", "Counting", "Writing"], 230, 120)
    sheet.column(["#Languages", "English", "French"], 420, 120)
    sheet.put("References", 40, 190, 12, bold=True)
    sheet.put("Available from all the usual people, who may be reached by letter at the usual addresses, on any day", 40, 210)

    texts = _texts(sheet.words)

    assert texts[0] == "Ada Sample"
    assert texts[2:11] == ["Education", "A school", "Physics", "Skills", "Counting", "Writing", "Languages", "English", "French"]
    assert texts[11] == "References"


def test_a_date_at_the_right_margin_stays_on_its_employers_line():
    sheet = Sheet().column(_JOBS, 40, 60)
    for number, years in zip((0, 5, 10), ("2019 – 2022", "2016 – 2019", "2012 – 2016"), strict=True):
        sheet.put(years, 480, 60 + 14 * number)

    lines = read_order(sheet.words, _SIZE)

    first = lines[0]
    assert first.text == "Aldgate Systems 2019 – 2022"
    gap = _left(first.words[2]) - _right(first.words[1])
    assert gap * WIDTH > 100, "the gap shows in the boxes"
    assert [line.text for line in lines].count("Bexley Works 2016 – 2019") == 1


def test_dates_in_a_left_gutter_stand_on_the_lines_of_their_entries():
    sheet = Sheet().put("Work", 40, 40, 12, bold=True).column(_JOBS, 160, 60)
    for number, years in zip((0, 5, 10), ("2019 – 2022", "2016 – 2019", "2012 – 2016"), strict=True):
        sheet.put(years, 60, 60 + 14 * number)
    sheet.put("Skills", 40, 260, 12, bold=True).put("Counting, Writing", 40, 280)

    texts = _texts(sheet.words)

    assert texts[0] == "Work"
    assert texts[1:3] == ["2019 – 2022 Aldgate Systems", "Engineer"]
    assert "2016 – 2019 Bexley Works" in texts
    assert texts[-2:] == ["Skills", "Counting, Writing"]


def test_a_date_that_wraps_in_its_gutter_is_whole_on_the_line_of_the_entry():
    sheet = Sheet().column(_JOBS, 160, 60)
    for number, years in zip(
        (0, 5, 10), (("September 2019 –", "March 2022"), ("May 2016 –", "June 2019"), ("2012 – 2016",)), strict=True
    ):
        sheet.column(list(years), 60, 60 + 14 * number, pitch=12)

    texts = _texts(sheet.words)

    assert texts[0] == "September 2019 – March 2022 Aldgate Systems"
    assert texts[1] == "Engineer"
    assert "May 2016 – June 2019 Bexley Works" in texts


def test_a_heading_beside_its_section_comes_before_it():
    sheet = Sheet().column(_JOBS, 160, 60).put("Work", 60, 60, 10)
    sheet.column(["A school", "Physics", "Cum laude, with a prize"], 160, 270).put("Education", 60, 270)

    texts = _texts(sheet.words)

    assert texts[:2] == ["Work", "Aldgate Systems"]
    assert texts[texts.index("Education") + 1] == "A school"


def test_headed_columns_stay_apart_above_entries_with_dates_at_the_margin():
    sheet = Sheet().column(["#Education", "A school", "Physics"], 40, 60).column(["#Skills", "Counting", "Writing"], 230, 60)
    sheet.column(["#Languages", "English", "French"], 420, 60).put("Work", 40, 130, 12, bold=True).column(_JOBS, 40, 160)
    for number, years in zip((0, 5, 10), ("2019 – 2022", "2016 – 2019", "2012 – 2016"), strict=True):
        sheet.put(years, 480, 160 + 14 * number)

    texts = _texts(sheet.words)

    assert texts[:9] == ["Education", "A school", "Physics", "Skills", "Counting", "Writing", "Languages", "English", "French"]
    assert texts[9:12] == ["Work", "Aldgate Systems 2019 – 2022", "Engineer"]


def test_a_table_without_rules_is_read_by_rows():
    rows = [("#Employer", "#Position", "#Period"), ("Aldgate", "Engineer", "2019 – 2022"), ("Bexley", "Analyst", "2016 – 2019")]
    sheet = Sheet()
    for number, row in enumerate(rows):
        for x, text in zip((40, 200, 400), row, strict=True):
            sheet.put(text.lstrip("#"), x, 60 + 16 * number, bold=text.startswith("#"))

    assert _texts(sheet.words) == ["Employer Position Period", "Aldgate Engineer 2019 – 2022", "Bexley Analyst 2016 – 2019"]


def test_a_page_packed_with_words_is_read_in_time():
    sheet = Sheet()
    for number in range(200):
        for column in range(30):
            sheet.put("cell", 10 + 19.5 * column, 5 + 3.9 * number, 2.5)

    started = time.process_time()
    lines = read_order(sheet.words, _SIZE)

    assert time.process_time() - started < 3
    assert len(lines) == 200


def test_labels_and_their_values_are_read_row_by_row():
    rows = [("Nationality", "British"), ("Licence", "Full, clean"), ("Notice", "Three months"), ("Telephone", "020 7946 0000")]
    sheet = Sheet()
    for number, (label, value) in enumerate(rows):
        sheet.put(label, 40, 60 + 16 * number).put(value, 180, 60 + 16 * number)

    assert _texts(sheet.words) == [f"{label} {value}" for label, value in rows]


def test_a_wrapped_cell_is_closed_up_before_the_next_cell():
    sheet = Sheet().put("2019", 40, 60).put("University of Somewhere", 100, 60).put("Physics", 230, 60)
    sheet.put("Else", 100, 72).put("2015", 40, 100).put("School of Thought", 100, 100).put("Logic", 230, 100)

    assert _texts(sheet.words)[0] == "2019 University of Somewhere Else Physics"


def _grid(xs: Sequence[float], ys: Sequence[float]) -> list[Box]:
    across = [Box(xs[0] / WIDTH, y / HEIGHT, xs[-1] / WIDTH, (y + 0.5) / HEIGHT) for y in ys]
    down = [Box(x / WIDTH, ys[0] / HEIGHT, (x + 0.5) / WIDTH, ys[-1] / HEIGHT) for x in xs]
    return across + down


def _cells(lines: Sequence[Line]) -> list[tuple[int, int, str]]:
    return [(line.cell.row, line.cell.column, line.text) for line in lines if line.cell]


def test_a_ruled_form_is_read_cell_by_cell_in_rows():
    sheet = Sheet().put("个人简历", 250, 30, 16)
    for number, row in enumerate((("姓名", "张三", "性别", "男"), ("电话", "138 0000 0000", "邮箱", "z@example"))):
        for x, text in zip((60, 130, 310, 380), row, strict=True):
            sheet.put(text, x, 66 + 40 * number)
    sheet.put(".com", 380, 120).put("End of form", 60, 180)

    lines = read_order(sheet.words, _SIZE, _grid((50, 120, 300, 370, 540), (60, 100, 140)))

    assert _cells(lines) == [
        (0, 0, "姓名"), (0, 1, "张三"), (0, 2, "性别"), (0, 3, "男"),
        (1, 0, "电话"), (1, 1, "138 0000 0000"), (1, 2, "邮箱"), (1, 3, "z@example"), (1, 3, ".com"),
    ]  # fmt: skip
    assert (lines[0].text, lines[-1].text) == ("个人简历", "End of form")
    assert lines[-1].cell is None


def test_a_cell_without_a_wall_spans_two_columns():
    sheet = Sheet().put("a", 60, 66).put("b", 130, 66).put("c", 60, 106).put("d", 130, 106).put("wide", 60, 146)
    walls = [*_grid((50, 120, 200), (60, 100, 140)), *_grid((50, 200), (140, 180))]

    cells = {line.text: line.cell for line in read_order(sheet.words, _SIZE, walls) if line.cell}

    assert (cells["wide"].row, cells["wide"].column, cells["wide"].span) == (2, 0, 2)
    assert cells["d"].span == 1


def test_a_frame_around_the_page_is_no_table():
    frame = _grid((20, 580), (20, 780))

    assert all(line.cell is None for line in read_order(Sheet().column(_JOBS, 40, 60).words, _SIZE, frame))


@pytest.mark.parametrize(
    ("letters", "spacing", "words"),
    [
        ("EXPERIENCE", 5, "EXPERIENCE"),
        ("WORK HISTORY", 5, "WORK HISTORY"),
        ("工作经历", 8, "工作经历"),
    ],
)
def test_letters_set_wide_apart_are_words(letters, spacing, words):
    sheet = Sheet().put(letters, 40, 60, 12, spacing=spacing).put("Aldgate Systems", 40, 80)

    assert _texts(sheet.words) == [words, "Aldgate Systems"]


def test_single_letters_in_a_sentence_stay_apart():
    assert _texts(Sheet().put("Programs in C and R at A B Foundry", 40, 60).words) == ["Programs in C and R at A B Foundry"]


def test_a_chinese_label_set_wide_is_one_word():
    assert _texts(Sheet().put("姓 名：张三", 40, 60).words) == ["姓名：张三"]


def test_white_space_above_and_indents_are_told():
    sheet = Sheet().column(["#Work", "", "One", "Two", "Three"], 40, 60).put("deeper", 64, 130)

    lines = read_order(sheet.words, _SIZE)

    assert [line.gap for line in lines][:4] == [0.0, pytest.approx(1.2, abs=0.1), 0.0, 0.0]
    assert lines[-1].indent == pytest.approx(24 / 600, abs=0.001)


def test_a_footer_is_read_last_beside_a_short_column_too():
    sheet = Sheet().column(_SIDE, 40, 60, 16).column(_JOBS, 200, 60).put("Page 1 of 2", 280, 780, 8)

    assert _texts(sheet.words)[-1] == "Page 1 of 2"


@pytest.mark.parametrize("slope", [0.0, 0.008, -0.008])
def test_words_from_pixels_come_out_in_the_same_order(slope):
    sheet = Sheet().put("Ada Sample", 40, 20, 18).column(_SIDE, 40, 60, 15).column(_JOBS, 200, 63)

    words = as_read_from_pixels(sheet.words, slope, random.Random(7))

    assert _texts(words) == ["Ada Sample", *_filled(_SIDE), *_filled(_JOBS)]


def test_words_from_pixels_get_a_size_that_tells_headings():
    sheet = Sheet().put("Ada Sample, Engineer", 40, 20, 18).column(_JOBS, 40, 60)

    lines = read_order(as_read_from_pixels(sheet.words, 0.0, random.Random(7)), _SIZE)

    assert lines[0].size == pytest.approx(18, rel=0.2)
    assert lines[3].size == pytest.approx(10, rel=0.2)


def test_nothing_is_lost_and_nothing_is_read_twice_however_words_lie():
    chance = random.Random(3)
    for _ in range(40):
        sheet = Sheet()
        for number in range(60):
            sheet.put(f"w{number}", chance.uniform(0, 550), chance.uniform(0, 780), chance.choice((6, 10, 24)))
        found = sorted(word.text for line in read_order(sheet.words, _SIZE) for word in line.words)
        assert found == sorted(word.text for word in sheet.words)


def test_an_empty_page_has_no_lines():
    assert read_order((), _SIZE) == ()


def _left(word: Word) -> float:
    assert word.box is not None
    return word.box.x0


def _right(word: Word) -> float:
    assert word.box is not None
    return word.box.x1


def test_a_watermark_across_the_text_comes_last_and_joins_none_of_its_lines():
    texts = ["Ada Sample keeps the accounts", "of a small foundry and has", "never lost a receipt in her life"]
    sheet = Sheet().column(texts, 60, 100).put("DRAFT COPY", 50, 90, 50)

    assert [line.text for line in read_order(sheet.words, (WIDTH, HEIGHT))] == [*texts, "DRAFT COPY"]


def test_a_large_name_beside_small_print_stays_in_its_place():
    sheet = Sheet().put("Ada Sample", 60, 60, 28).put("ada@example.com", 400, 78)
    sheet.column(["Accounts of a small foundry", "kept in order for nine years"], 60, 110)

    assert read_order(sheet.words, (WIDTH, HEIGHT))[0].text.startswith("Ada Sample")


def test_a_dated_line_among_the_undated_keeps_headed_columns_apart():
    left = [
        "#Work",
        "#Aldgate Systems",
        "Engineer",
        "2019 - 2021",
        "Built a thing that counts",
        "#Bexley Works",
        "Analyst",
        "2015 - 2019",
    ]
    right = [
        "#Education",
        "#School of Counting",
        "Arithmetic",
        "2010 - 2014",
        "#University of Sums",
        "2006 - 2010",
        "",
        "First aid, 2021",
    ]
    sheet = Sheet().column(left, 40, 60).column(right, 330, 60)

    assert _texts(sheet.words) == _filled(left) + _filled(right)


def test_headings_on_both_sides_tell_columns_on_one_grid_from_labels_and_values():
    left = ["Ada Byron", "London", "Counting", "Writing", "Reading", "French", "German"]
    right = ["Aldgate Systems", "Engineer", "Built a thing", "Sums", "Arithmetic", "Algebra", "Logic"]
    sheet = Sheet()
    for number, (one, two) in enumerate(zip(left, right, strict=True)):
        sheet.put(one, 40, 60 + 18 * number, size=13 if number in (0, 5) else 10)
        sheet.put(two, 250, 60 + 18 * number, size=13 if number == 3 else 10)

    assert _texts(sheet.words) == left + right


def test_columns_whose_headings_take_two_lines_stay_columns():
    sheet = Sheet()
    sheet.column(["#Education", "2012 - 2016", "Example College", "Bachelor of Arts"], 60, 100)
    sheet.column(["#Professional", "#skills", "Booking, Planning", "Budgeting, Sales", "Training, Excel"], 230, 100)
    lines = [line.text for line in read_order(sheet.words, (WIDTH, HEIGHT))]
    assert lines[:4] == ["Education", "2012 - 2016", "Example College", "Bachelor of Arts"]


def test_headings_in_capitals_tell_columns_on_one_grid_set_in_one_size():
    left = ["CONTACT", "ada@example.com", "London", "", "SKILLS", "Counting", "Writing", "Reading", "LANGUAGES", "French"]
    right = [
        "WORK EXPERIENCE", "Engineer", "Aldgate Systems", "Mar 2018 - Jun 2021", "Built a thing", "Analyst", "Bexley Works",
        "Jan 2016 - Feb 2018", "EDUCATION", "University of Sums",
    ]  # fmt: skip
    sheet = Sheet().column(left, 40, 60).column(right, 250, 60)

    assert _texts(sheet.words) == _filled(left) + right


def test_a_list_that_is_all_in_capitals_stays_in_rows():
    left = ["LANGUAGE", "ENGLISH", "FRENCH", "GERMAN", "SPANISH"]
    right = ["LEVEL", "FLUENT", "MODERATE", "BEGINNER", "FLUENT"]
    sheet = Sheet().column(left, 40, 60).column(right, 250, 60)

    assert _texts(sheet.words) == [f"{one} {two}" for one, two in zip(left, right, strict=True)]


def test_three_columns_on_one_grid_that_begin_with_headings_in_capitals():
    columns = (
        ["CONTACT", "ada@example.com", "London", "SKILLS", "Counting", "Writing", "Reading", "Sums"],
        [
            "WORK EXPERIENCE",
            "Engineer",
            "Aldgate Systems",
            "Mar 2018 - Jun 2021",
            "Built a thing",
            "Analyst",
            "Bexley Works",
            "Sums",
        ],
        ["EDUCATION", "University of Sums", "Arithmetic", "2013 - 2016", "CERTIFICATES", "First aid", "HOBBIES", "Rowing"],
    )
    sheet = Sheet()
    for column, x in zip(columns, (40, 210, 400), strict=True):
        sheet.column(column, x, 60)

    assert _texts(sheet.words) == [text for column in columns for text in column]


def test_a_heading_among_the_lines_of_the_shorter_column_tells_it_from_values():
    sheet = Sheet().put("Zoe Example", 200, 20, 16)
    sheet.column(["#Key skills", "First aid", "Medication records", "Work with children"], 40, 60, 14)
    sheet.column(["", "", "", "", "", "Languages", "English"], 40, 60, 14)
    sheet.column(["Kept records for 55 beds", "Trained two new nurses"], 330, 60, 14).put("About me", 330, 102, bold=True)
    sheet.column(["Nurse with eleven years of work,", "quick to learn and good in a team."], 330, 121, 12)
    assert _texts(sheet.words) == [
        "Zoe Example",
        *("Key skills", "First aid", "Medication records", "Work with children", "Languages", "English"),
        *("Kept records for 55 beds", "Trained two new nurses", "About me"),
        *("Nurse with eleven years of work,", "quick to learn and good in a team."),
    ]


def test_a_digit_boxed_too_high_does_not_join_its_line_to_the_columns_below():
    sheet = Sheet().put("A specialist with 9 years of practice in many a house and happy to learn something new", 40, 60)
    sheet.column(["#Education", "Aldgate College", "Law", "", "Bexley College", "Management"], 40, 82)
    sheet.column(["#Professional skills", "Hiring of people", "Labour law", "Records", "Archives", "Office"], 330, 82, 15)
    sheet.column(["#Experience", "Clerk", "Aldgate Works", "Kept the archive"], 40, 190).put("March 2022 - now", 430, 204)
    words = as_read_from_pixels(sheet.words, 0.0, random.Random(3))
    words = sorted(words, key=lambda word: (round(word.box.y0, 2), word.box.x0))
    high = [
        replace(word, box=Box(word.box.x0, word.box.y0 - 0.006, word.box.x1, word.box.y1 + 0.014)) if word.text == "9" else word
        for word in words
    ]
    texts = _texts(high)
    assert texts[1:7] == ["Education", "Aldgate College", "Law", "Bexley College", "Management", "Professional skills"]
