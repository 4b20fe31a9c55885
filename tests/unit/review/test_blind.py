from __future__ import annotations

import io

import pytest
from PIL import Image

from ingest.page import Box, Line, Page, Reading, Source, Word, line_of
from review import blind


def reading(*lines: str) -> Reading:
    return Reading((Page(1, tuple(line_of(line) for line in lines)),))


def left(name: str, *lines: str) -> str:
    """What is still to be read."""
    read = reading(*lines)
    covered = blind.cover(read, {"basics": {"name": name}})
    return " ".join(
        word.text
        for at_line, line in enumerate(read.pages[0].lines)
        for at, word in enumerate(line.words)
        if (0, at_line, at) not in covered.words
    )


@pytest.mark.parametrize(
    ("name", "lines", "gone", "stays"),
    [
        ("Ada Quillfeather", ("ADA QUILLFEATHER", "ada.quillfeather@example.org", "Ada built it"), ("ada", "quill"), ("built",)),
        (
            "孙雨桐",
            ("孙雨桐", "姓名： 孙 雨 桐 性别： 女 年龄： 28", "籍贯： 江苏 苏州", "税务经理"),
            ("孙", "雨", "女", "28", "江苏"),
            ("税务经理",),
        ),
        (
            "Марина Ветрова",
            ("Ветрова Марина", "Женщина, 29 лет, родилась 3 мая 1995", "Место рождения: Тверь", "Опыт работы 6 лет"),
            ("Марина", "Ветрова", "29", "1995", "Тверь"),
            ("Опыт", "6"),
        ),
        ("Li Na", ("Li Na", "Liverpool, Nantes", "Sex: F"), ("Li Na",), ("Liverpool", "Nantes")),
        ("", ("Date of birth: 1 May 1990", "Engineer since 2012"), ("1990",), ("2012",)),
    ],
)
def test_what_tells_who_it_is_is_covered_and_the_rest_is_not(name, lines, gone, stays):
    shown = left(name, *lines)
    assert not [part for part in gone if part.casefold() in shown.casefold()]
    assert all(part in shown for part in stays)


def test_a_picture_shows_the_words_that_are_left_and_nothing_else():
    page = Image.new("RGB", (200, 100), (200, 30, 30))  # a photo all over the sheet
    words = (
        Word("Ada", Box(0.1, 0.1, 0.3, 0.2), source=Source.OCR),
        Word("Engineer", Box(0.5, 0.1, 0.9, 0.2), source=Source.OCR),
    )
    sheet = Page(1, (Line(words),))
    covered = blind.cover(Reading((sheet,)), {"basics": {"name": "Ada"}})
    content = io.BytesIO()
    page.save(content, "PNG")
    shown = Image.open(io.BytesIO(blind.mask_picture(content.getvalue(), sheet, 0, covered)))
    assert shown.getpixel((40, 15)) == (40, 48, 56)
    assert shown.getpixel((140, 15)) == (200, 30, 30)
    assert shown.getpixel((100, 80)) == (255, 255, 255)


def test_values_that_tell_the_name_are_kept_from_the_form():
    covered = blind.cover(reading("Ada Quillfeather"), {"basics": {"name": "Ada Quillfeather"}})
    profile = {"basics": {"name": "Ada Quillfeather", "email": "quillfeather@example.org", "phone": "+1 202 555 0143"}}
    data = blind.mask_form(
        {"profile": profile, "evidence": {"basics.name": {"quote": "Ada"}, "basics.phone": {"quote": "+1"}}, "alternatives": {}},
        covered,
    )
    assert data["masked"] == ["basics.email", "basics.name"]
    assert data["profile"]["basics"] == {"name": None, "email": None, "phone": "+1 202 555 0143"}
    assert list(data["evidence"]) == ["basics.phone"]


def test_lists_and_drafts_hold_nothing_that_tells_the_name():
    covered = blind.cover(reading("Grant Quillfeather"), {"basics": {"name": "Grant Quillfeather"}})
    profile = {
        "basics": {"name": "Grant Quillfeather", "profiles": [{"url": "https://example.org/quillfeather"}]},
        "work": [{"name": "Northwind", "highlights": ["Built it", "Mr Quillfeather led five people"]}],
        "skills": [{"name": "Grant writing"}, {"name": "Python"}],
    }
    draft = {"basics": {"city": "Leeds"}, "work": [{"summary": "Quillfeather left"}]}
    data = blind.mask_form({"profile": profile, "evidence": {}, "alternatives": {}, "draft": draft}, covered)
    assert not [part for part in ("Grant", "quillfeather", "Quillfeather") if part in str(data)]
    assert data["profile"]["work"][0]["highlights"] == ["Built it", blind.COVER]
    assert "work[0].highlights[1]" in data["masked"]
    own = {"basics": {"city": "Leeds"}}
    assert blind.mask_form({"profile": {}, "evidence": {}, "alternatives": {}, "draft": own}, covered)["draft"] == own
