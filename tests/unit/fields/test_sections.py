"""Sections: headings by wording and typography, and the lines under them."""

from __future__ import annotations

import datetime as dt
from typing import Any, get_args

import pytest

from ingest.fields.document import Document
from ingest.fields.draft import Hints
from ingest.fields.heading_nouns import noun_kind
from ingest.fields.headings import wording
from ingest.fields.sections import Kind, sections
from ingest.fields.words import keys
from ingest.page import Box, Cell, Line, Page, Word, line_of


def document(*lines: Line | str, pages: tuple[Page, ...] | None = None) -> Document:
    made = tuple(line_of(line) if isinstance(line, str) else line for line in lines)
    return Document(pages or (Page(1, made),), Hints(as_of=dt.date(2026, 11, 1)))


def outline(found: Document) -> list[tuple[str, str | None, list[str]]]:
    return [(s.kind, s.heading.text if s.heading else None, [row.text for row in s.rows]) for s in sections(found)]


def printed(text: str, x: float, y: float, *, size: float = 10, bold: bool = False, block: int = 0, **attributes: Any) -> Line:
    """A line with boxes; every character is as wide as half its size, on A4."""
    words, at = [], x
    for part in text.split():
        width = len(part) * size * 0.5 / 595
        words.append(Word(part, Box(at, y, at + width, y + size / 842), size=size, bold=bold))
        at += width + size * 0.25 / 595
    return Line(tuple(words), block=block, **attributes)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Work Experience", "work"),
        ("E X P E R I E N C E", "work"),
        ("W O R K  E X P E R I E N C E", "work"),
        ("PROFESSIONAL EXPERIENCE:", "work"),
        ("Work Experience (continued)", "work"),
        ("Опыт работы — 5 лет 3 месяца", "work"),
        ("У М Е Н И Я", "skills"),
        ("工 作 经 历", "work"),
        ("一、教育背景", "education"),
        ("【项目经验】", "projects"),
        ("工作经历 Work Experience", "work"),
        ("教育背景 / Education", "education"),
        ("■ 自我评价", "summary"),
        ("Education & Training", "education"),
        ("Навыки и технологии", "skills"),
        ("2. Publications", "publications"),
        ("My skills", "skills"),
        ("Achievements", "other?"),
        ("My experience taught me that teams matter", None),
        ("Head of Education", None),
        ("Work experience of 5 engineers", None),
        ("教育科技有限公司", None),
        ("", None),
    ],
)
def test_wording_says_what_a_heading_is(text: str, kind: str | None) -> None:
    assert wording(text) == kind


def test_every_kind_in_the_lists_is_a_kind_of_section() -> None:
    assert {kind.rstrip("?") for kind in keys("headings").values()} <= set(get_args(Kind))


def test_lines_before_the_first_heading_are_the_contact_section() -> None:
    found = document("Ada Example", "ada@example.com", "Experience", "Analyst, Example Ltd", "Education", "Example College")
    assert outline(found) == [
        ("contact", None, ["Ada Example", "ada@example.com"]),
        ("work", "Experience", ["Analyst, Example Ltd"]),
        ("education", "Education", ["Example College"]),
    ]


def test_a_plain_line_is_no_heading_where_headings_are_bold() -> None:
    found = document(
        line_of("Experience", bold=True),
        "Teacher, Example School",
        "Education",
        "Taught physics to several classes of the upper school",
        line_of("Skills", bold=True),
        "Physics",
    )
    assert [kind for kind, *_ in outline(found)] == ["work", "skills"]


def test_an_unknown_heading_is_told_by_its_look() -> None:
    found = document(
        line_of("EXPERIENCE", bold=True),
        "Analyst, Example Ltd, 2019 to 2021, with some more words in the body of the text",
        line_of("BEYOND THE OFFICE", bold=True),
        "Rowing and other things that are done in the body of the text",
        line_of("SKILLS", bold=True),
        "Rowing",
    )
    assert [kind for kind, *_ in outline(found)] == ["work", "other", "skills"]


def test_a_label_inside_an_entry_is_no_section() -> None:
    found = document("Experience", "Analyst, Example Ltd", "Achievements:", "- Saved money", "Education", "Example College")
    assert [kind for kind, *_ in outline(found)] == ["work", "education"]


def test_a_label_cell_is_the_heading_of_what_stands_beside_it() -> None:
    tab = Word("\t")
    lines = [
        Line((*line_of("Work").words, tab, *line_of("Example Ltd").words)),
        line_of("Analyst"),
        Line((*line_of("Languages").words, tab, *line_of("English, German").words)),
    ]
    assert outline(document(*lines)) == [
        ("work", "Work", ["Example Ltd", "Analyst"]),
        ("languages", "Languages", ["English, German"]),
    ]


def test_a_section_in_a_sidebar_ends_with_it() -> None:
    side = [
        printed("Contact", 0.05, 0.10, size=13, bold=True, block=0),
        printed("ada@example.com", 0.05, 0.13, block=0),
        printed("Skills", 0.05, 0.20, size=13, bold=True, block=0),
        printed("Physics", 0.05, 0.23, block=0),
    ]
    main = [
        printed("Ada Example", 0.40, 0.05, size=20, block=1),
        printed("Experience", 0.40, 0.12, size=13, bold=True, block=1),
        printed("Analyst at Example Ltd with many words to make a body", 0.40, 0.15, block=1),
    ]
    found = document(pages=(Page(1, tuple(side + main), 595, 842),))
    assert [(kind, rows) for kind, _, rows in outline(found)] == [
        ("contact", ["ada@example.com"]),
        ("skills", ["Physics"]),
        ("other", ["Ada Example"]),
        ("work", ["Analyst at Example Ltd with many words to make a body"]),
    ]


def test_a_section_goes_on_in_its_own_column_on_the_next_page() -> None:
    first = (
        printed("Experience", 0.40, 0.12, size=13, bold=True, block=0),
        printed("Analyst at Example Ltd with many words", 0.40, 0.15, block=0),
        printed("Skills", 0.05, 0.12, size=13, bold=True, block=1),
        printed("Physics", 0.05, 0.15, block=1),
    )
    second = (printed("Clerk at Example Bank with many words", 0.40, 0.15, block=0),)
    found = document(pages=(Page(1, first, 595, 842), Page(2, second, 595, 842)))
    assert outline(found)[0][2] == ["Analyst at Example Ltd with many words", "Clerk at Example Bank with many words"]


def test_running_headers_and_page_numbers_belong_to_no_section() -> None:
    def page(number: int, *lines: Line) -> Page:
        header = printed("Ada Example, Curriculum Vitae", 0.1, 0.02)
        footer = printed(f"Page {number} of 2", 0.4, 0.95, gap=3.0)
        return Page(number, (header, *lines, footer), 595, 842)

    found = document(
        pages=(
            page(1, printed("Experience", 0.1, 0.2, size=14), printed("Analyst at Example Ltd", 0.1, 0.25)),
            page(2, printed("Saved a good deal of money", 0.1, 0.12)),
        )
    )
    assert outline(found) == [("work", "Experience", ["Analyst at Example Ltd", "Saved a good deal of money"])]


def test_cells_of_a_layout_table_are_columns() -> None:
    left, right = Cell(0, 0, 0), Cell(0, 0, 1)
    lines = [
        line_of("Skills", bold=True, cell=left),
        line_of("Physics", cell=left),
        line_of("Chemistry", cell=left),
        line_of("Ada Example with a longer line of text", cell=right),
        line_of("Experience", bold=True, cell=right),
        line_of("Analyst at Example Ltd", cell=right),
    ]
    assert outline(document(*lines)) == [
        ("skills", "Skills", ["Physics", "Chemistry"]),
        ("other", None, ["Ada Example with a longer line of text"]),
        ("work", "Experience", ["Analyst at Example Ltd"]),
    ]


def test_a_heading_broken_over_two_lines_is_one() -> None:
    lines = (
        printed("Ada Quill", 0.05, 0.05, size=20, bold=True),
        printed("Skills", 0.05, 0.10, size=12, bold=True),
        printed("Sorting and filing of letters", 0.05, 0.12),
        printed("Дополнительное", 0.05, 0.20, size=12, bold=True),
        printed("образование", 0.05, 0.2145, size=12, bold=True),
        printed("Курсы делопроизводства и архивного дела", 0.05, 0.24),
    )
    found = outline(document(*lines))
    assert ("certificates", "Дополнительное образование", ["Курсы делопроизводства и архивного дела"]) in found


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Research appointments", "work"),
        ("Where I have cooked", "work"),
        ("Where I’ve worked", "work"),
        ("Academic timeline", "education"),
        ("History of employment", "work"),
        ("Range of skills", "skills"),
        ("What I know best", "skills"),
        ("任教经历", "work"),
        ("求学履历", "education"),
        ("外语水平", "languages"),
        ("Предыдущие места работы (начиная с последнего)", "work"),
        ("Где я училась", "education"),
        ("Сведения об учёбе", "education"),
        ("Companies I have worked for", "work"),
        ("Things I've built", "projects"),
        ("Linguistic abilities", "languages"),
        ("Tools I use", "skills"),
        ("Этапы карьеры", "work"),
        ("Владение языками", "languages"),
        ("Чем занимался", "work"),
        ("职业轨迹", "work"),
        ("能力素养", "skills"),
        ("Sales Experience Manager", None),
        ("Software Development", None),
        ("Head of Education", None),
        ("Where applicable", None),
        ("机器学习", None),
        ("负责项目经验总结和分享的相关工作", None),
        ("Работа с клиентами", None),
        ("I am a manager", None),
        ("Experience, 5 years.", None),
    ],
)
def test_the_noun_of_a_heading_says_its_kind_where_no_list_does(text: str, kind: str | None) -> None:
    assert noun_kind(text) == kind


def test_headings_in_words_of_their_own_are_told_by_noun_and_look() -> None:
    found = document(
        line_of("EDUCATION", bold=True),
        "Example College, 2012 to 2016, with some more words in the body of the text",
        line_of("LABORATORY APPOINTMENTS", bold=True),
        "Analyst, Example Ltd, 2019 to 2021, with some more words in the body of the text",
        line_of("TICKETS & SKILLS", bold=True),
        "Welding",
    )
    assert [kind for kind, *_ in outline(found)] == ["education", "work", "skills"]


def test_a_plain_line_with_such_a_noun_is_text() -> None:
    found = document(
        line_of("EXPERIENCE", bold=True),
        "Analyst, Example Ltd",
        "Customer Experience",
        line_of("EDUCATION", bold=True),
        "Sales Training",
    )
    assert [kind for kind, *_ in outline(found)] == ["work", "education"]


def test_a_mark_before_every_heading_is_no_bullet() -> None:
    found = document("慕容某", "◆ 经历", "示例有限公司 工程师", "◆ 学历", "示例大学", "◆ 会用", "电子表格")
    assert [kind for kind, *_ in outline(found)] == ["contact", "work", "education", "skills"]
    more = document("◆ 经历", "示例有限公司 工程师", "◆ 证书", "示例证书", line_of("◆ 远方的风", gap=1), "骑行")
    assert [kind for kind, *_ in outline(more)] == ["work", "certificates", "other"]


def test_markdown_headings_need_no_known_words() -> None:
    found = document(
        line_of("Work", style="heading2"),
        line_of("Cook @ Example Ltd", style="heading3"),
        line_of("School", style="heading2"),
        "Example College",
        line_of("Toolbox", style="heading2"),
        "Knives",
    )
    assert [kind for kind, *_ in outline(found)] == ["work", "education", "skills"]


def test_an_employer_set_larger_than_the_text_is_no_heading() -> None:
    side = [
        printed("Contact", 0.05, 0.05, size=12, block=0),
        printed("ada@example.com", 0.05, 0.08, block=0),
        printed("Languages", 0.05, 0.15, size=12, block=0, gap=1.5),
        printed("English", 0.05, 0.18, block=0),
        printed("Certifications", 0.05, 0.25, size=12, block=0, gap=1.5),
        printed("First Aid", 0.05, 0.28, block=0),
    ]
    main = [
        printed("Experience", 0.4, 0.05, size=15, block=1),
        printed("Example Limes", 0.4, 0.09, size=12, block=1, gap=1.5),
        printed("Buyer of limes and of other fruit", 0.4, 0.12, block=1),
        printed("Education", 0.4, 0.2, size=15, block=1, gap=1.5),
        printed("Example College", 0.4, 0.24, size=12, block=1, gap=1.5),
    ]
    assert [(kind, heading) for kind, heading, _ in outline(document(*side, *main))][-2:] == [
        ("work", "Experience"),
        ("education", "Education"),
    ]


def test_the_name_above_everything_is_no_heading_though_it_looks_like_one() -> None:
    found = document(
        line_of("ADA EXAMPLE", bold=True),
        "ada@example.com, with some more words in the body of the text",
        line_of("EXPERIENCE", bold=True),
        "Analyst, Example Ltd, with some more words in the body of the text",
        line_of("SKILLS", bold=True),
        "Rowing",
    )
    assert [kind for kind, *_ in outline(found)] == ["contact", "work", "skills"]


def test_training_that_holds_a_school_is_education_where_nothing_else_is() -> None:
    lines = ["Employment", "Fitter, Example Ltd", "Training", "2009–2012 Electrical fitting", "Example College"]
    assert [kind for kind, *_ in outline(document(*lines))] == ["work", "education"]
    more = document(*lines, "Education", "Example University, 2004–2008")
    assert [kind for kind, *_ in outline(more)] == ["work", "certificates", "education"]


def test_a_students_practice_is_work_where_there_is_no_other() -> None:
    student = document("教育经历", "示例大学", "社会实践", "2024.07-2024.09 示例有限公司 实习生")
    assert [kind for kind, *_ in outline(student)] == ["education", "work"]
    worker = document("工作经历", "示例有限公司", "社会实践", "2014.07-2014.09 支教")
    assert [kind for kind, *_ in outline(worker)] == ["work", "other"]


def test_labels_with_their_text_behind_them_head_sections_where_headings_end_in_a_colon() -> None:
    lines = ["Experience:", "Analyst, Example Ltd", "Languages: none needed", "Education:", "Example College", "Skills: Rowing"]
    assert outline(document(*lines)) == [
        ("work", "Experience:", ["Analyst, Example Ltd", "Languages: none needed"]),
        ("education", "Education:", ["Example College"]),
        ("skills", "Skills:", ["Rowing"]),
    ]
    assert [kind for kind, *_ in outline(document(*(line.rstrip(":") for line in lines)))] == ["work", "education"]


def test_white_space_alone_sets_a_heading_in_words_of_its_own_apart() -> None:
    def after_space(text: str) -> Line:
        return line_of(text, gap=1.0)

    found = document(
        "Ada Example",
        after_space("Education"),
        "Example College",
        after_space("Laboratory appointments"),
        "Analyst, Example Ltd",
        after_space("Special education"),
        "Teacher, Example School",
    )
    assert [kind for kind, *_ in outline(found)] == ["contact", "education", "work"]


def test_a_document_without_one_known_heading_has_those_that_look_alike() -> None:
    found = document(
        line_of("ADA EXAMPLE", bold=True),
        line_of("PLACES WHERE I STAYED"),
        line_of("WHERE I HAVE COOKED", style="heading2"),
        "Example Inn, with some more words in the body of the text",
        line_of("WHERE I TRAINED", style="heading2"),
        "Example College, with some more words in the body of the text",
    )
    assert [kind for kind, *_ in outline(found)] == ["contact", "work", "education"]


def test_a_label_in_a_form_is_no_heading_though_set_like_one() -> None:
    def cell(text: str, column: int, **attributes: Any) -> Line:
        return line_of(text, cell=Cell(0, 0, column), **attributes)

    found = document(
        line_of("求职意向", bold=True),
        "示例工程师和更多的文字",
        cell("学历", 0, bold=True),
        cell("本科", 1),
        line_of("工作经历", bold=True),
        "示例有限公司的工程师和更多的文字",
    )
    assert [kind for kind, *_ in outline(found)] == ["objective", "work"]


def test_a_row_of_a_table_by_itself_heads_those_below_it() -> None:
    def cell(text: str, row: int, column: int, span: int = 1) -> Line:
        return line_of(text, cell=Cell(0, row, column, span))

    found = document(
        cell("姓名", 0, 0), cell("慕容某", 0, 1), cell("学历", 0, 2), cell("本科", 0, 3),
        cell("支教履历", 1, 0, 4),
        cell("2019–2021", 2, 0), cell("示例学校", 2, 1), cell("教师", 2, 2, 2),
        cell("办公工具", 3, 0), cell("电子表格", 3, 1, 3),
        cell("学历", 4, 0), cell("本科", 4, 1, 3),
    )  # fmt: skip
    assert [kind for kind, *_ in outline(found)] == ["contact", "work", "skills"]


def test_the_end_of_a_schools_name_is_no_heading() -> None:
    found = document(
        printed("EDUCATION", 0.1, 0.05, bold=True),
        printed("2012 to 2016 and some more words in the body", 0.1, 0.08, gap=1.0),
        printed("NORTHERN EXAMPLE", 0.1, 0.11, bold=True, gap=1.0),
        printed("SCHOOL", 0.1, 0.125, bold=True, gap=0.1),
        printed("SKILLS", 0.1, 0.16, bold=True, gap=1.5),
        printed("Rowing and some more words in the body", 0.1, 0.18, gap=1.0),
    )
    assert "SCHOOL" not in [heading for _, heading, _ in outline(found)]
