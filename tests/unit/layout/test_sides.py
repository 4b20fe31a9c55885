"""Side headings, and dates at the margin of a text with another column beside it."""

from __future__ import annotations

from ingest.layout import read_order
from tests.unit.layout.typeset import HEIGHT, WIDTH, Sheet


def _texts(sheet: Sheet) -> list[str]:
    return [line.text for line in read_order(sheet.words, (WIDTH, HEIGHT))]


def test_headings_in_a_left_column_come_before_their_text_however_they_are_broken() -> None:
    sheet = Sheet()
    sheet.put("Places of", 40, 60, 12, bold=True).put("work", 60, 75, 12, bold=True)
    sheet.column(["Keeper of the north light on the long sandy point", "Trimmed the lamp and kept the log", "Rowed"], 180, 62)
    sheet.put("Schooling", 50, 140, 12, bold=True)
    sheet.column(["The little school behind the dunes at Marlowe bay", "Reading and sums"], 180, 142)
    sheet.put("Other", 70, 200, 12, bold=True)
    sheet.column(["Knots, splices and the names of all the winds", "Songs"], 180, 202)
    texts = _texts(sheet)
    assert texts[0] == "Places of work"
    assert texts[1].startswith("Keeper")
    assert texts.index("Schooling") == texts.index("Rowed") + 1
    assert texts[-2:] == ["Knots, splices and the names of all the winds", "Songs"]


def test_a_column_of_labels_with_one_value_each_is_no_column_of_headings() -> None:
    sheet = Sheet()
    for number, (label, value) in enumerate(
        [("Phone", "555 0101"), ("Town", "Marlowe"), ("Born", "in spring"), ("Boat", "none")]
    ):
        sheet.put(label, 40, 60 + 16 * number, bold=True).put(value, 160, 60 + 16 * number)
    assert _texts(sheet) == ["Phone 555 0101", "Town Marlowe", "Born in spring", "Boat none"]


def test_dates_at_the_right_margin_stay_with_their_lines_where_a_sidebar_stands_beside_them() -> None:
    sheet = Sheet()
    for number, (title, date) in enumerate([("Keeper", "2019 – 2021"), ("Rower", "2016 – 2019"), ("Cook", "2014 – 2016")]):
        y = 60 + 60 * number
        sheet.put(title, 40, y).put(date, 300, y)
        sheet.put("kept all things as they had been kept before", 50, y + 14).put("and wrote it down", 50, y + 28)
    sheet.column(["#Skills", "Knots", "Splices", "", "#Tongues", "Norse", "Welsh", "", "#Hobbies", "Songs", "Chess"], 440, 64, 17)
    texts = _texts(sheet)
    assert "Keeper 2019 – 2021" in texts
    assert "Cook 2014 – 2016" in texts
