"""Mark-up typed into plain text is read as what it means, and nothing else is touched."""

from __future__ import annotations

import pytest

from ingest.fields.markup import is_marked_up, plain, without_leaders
from ingest.page import Box, Line, Word, line_of
from tests.unit.fields.entry_pages import jobs_of, read, studies_of
from tests.unit.fields.pages import draft_of


def test_a_resume_in_markdown_is_read_like_any_other():
    draft = read(
        """
# Jane Whitlow
> Analyst, remote
## Work
### Northwind Ltd · Senior Analyst
*2021.05 - now*
- **Rebuilt** the forecast
### Southgate Ltd · Analyst
*2018.02 - 2021.04*
## Education
### University of Harrowfield · Economics · BSc
*2014.09 - 2017.06*
"""
    )
    assert jobs_of(draft) == (
        ("Northwind Ltd", "Senior Analyst", "2021-05", None),
        ("Southgate Ltd", "Analyst", "2018-02", "2021-04"),
    )
    assert studies_of(draft) == (("University of Harrowfield", "BSc", "Economics", "2014-09", "2017-06"),)


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("## 工作经历", "工作经历"),
        ("> в поиске работы", "в поиске работы"),
        ("*2019.03 - 至今*", "2019.03 - 至今"),
        ("**ООО «Клюква»**, инженер", "ООО «Клюква», инженер"),
        ("C# and F# are 2 * 3", "C# and F# are 2 * 3"),
    ],
)
def test_signs_of_markdown_are_left_out(text, becomes):
    assert plain(line_of(text)).text == becomes


def test_a_heading_keeps_the_edge_where_its_hashes_stood():
    words = (Word("##", Box(0.1, 0, 0.12, 0.01)), Word("Work", Box(0.13, 0, 0.2, 0.01)))
    line = plain(Line(words))
    assert line.style == "heading2"
    assert line.box is not None
    assert line.box.x0 == 0.1


def test_one_hash_makes_no_markdown():
    assert not is_marked_up([line_of("# 12 Main Street"), line_of("Jane Whitlow")])


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("Name ....... Jane", "Name: Jane"),
        ("Город ..... Тверь", "Город: Тверь"),
        ("姓名 …… 王小明", "姓名 …… 王小明"),
        ("and so on ...", "and so on ..."),
    ],
)
def test_leaders_between_a_label_and_its_value_are_a_colon(text, becomes):
    assert without_leaders(line_of(text)).text == becomes


def test_labels_with_leaders_are_read():
    draft = draft_of("Name ......... Jane Whitlow\nE-mail ....... jane@example.com\n\nSkills\nSQL, Excel")
    assert draft.profile.basics.name == "Jane Whitlow"
