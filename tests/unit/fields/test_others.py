"""Contact data of other people never become the person's, wherever they stand and in whatever language."""

from __future__ import annotations

import pytest

from ingest.page import Cell, Line, Page, Word, line_of
from tests.unit.fields.pages import draft_of, links_of

OTHERS = [
    ("Jane Roe", "Emergency contact: Anna Roe, +44 20 7946 0999, anna.roe@example.org"),
    ("Jane Roe", "Emergency contact (husband): Peter Roe +44 20 7946 0999 peter.roe@example.org"),
    ("Jane Roe", "Emergency contact\nAnna Roe\n+44 20 7946 0999\nanna.roe@example.org"),
    ("Jane Roe", "EMERGENCY CONTACT: Anna Roe\nPhone: +44 20 7946 0999\nEmail: anna.roe@example.org"),
    ("Jane Roe", "Spouse: Peter Roe, +44 20 7946 0999, peter@example.org"),
    ("Jane Roe", "Peter Roe (husband), +44 20 7946 0999, peter@example.org"),
    ("Jane Roe", "Mother: Anna Roe, tel. +44 20 7946 0999, email anna@example.org"),
    ("Jane Roe", "Line manager: Peter Miles, +44 20 7946 0999, peter.miles@example.org"),
    ("Jane Roe", "Supervisor: Dr Peter Miles, +44 20 7946 0999, peter.miles@example.org"),
    ("Jane Roe", "Reference: Peter Miles, +44 20 7946 0999, peter.miles@example.org"),
    ("Jane Roe", "Referee: Peter Miles\n+44 20 7946 0999\npeter.miles@example.org"),
    ("Jane Roe", "To: Peter Miles, +44 20 7946 0999, peter.miles@example.org"),
    ("Jane Roe", "To: Northwind Ltd\npeter.miles@example.org\n+44 20 7946 0999"),
    ("Jane Roe", "Recruiter: Peter Miles, +44 20 7946 0999, peter.miles@example.org"),
    ("Jane Roe", "Agency: Northwind Staffing, +44 20 7946 0999, peter.miles@example.org"),
    ("Иванова Анна Петровна", "Контактное лицо: Петров Олег, +7 911 000-00-00, oleg@example.org"),
    ("Иванова Анна Петровна", "Экстренный контакт: Иванов Пётр, +7 911 000-00-00, petr@example.org"),
    ("Иванова Анна Петровна", "Муж: Иванов Пётр, тел. +7 911 000-00-00, почта petr@example.org"),
    ("Иванова Анна Петровна", "Иванов Пётр (муж) +7 911 000-00-00 petr@example.org"),
    ("Иванова Анна Петровна", "Руководитель: Петров Олег, +7 911 000-00-00, oleg@example.org"),
    ("Иванова Анна Петровна", "Непосредственный руководитель: Петров Олег\n+7 911 000-00-00\noleg@example.org"),
    ("Иванова Анна Петровна", "Рекомендатель: Петров Олег, +7 911 000-00-00, oleg@example.org"),
    ("Иванова Анна Петровна", "Кому: Петров Олег, +7 911 000-00-00, oleg@example.org"),
    ("Иванова Анна Петровна", "Кадровое агентство: Северный ветер, +7 911 000-00-00, oleg@example.org"),
    ("王小明", "紧急联系人：李四 13900139000 lisi@example.org"),
    ("王小明", "紧急联系人\n李四\n13900139000\nlisi@example.org"),
    ("王小明", "证明人：李四，电话 13900139000，邮箱 lisi@example.org"),
    ("王小明", "推荐人：李四\n电话：13900139000\n邮箱：lisi@example.org"),
    ("王小明", "配偶：李四，13900139000，lisi@example.org"),
    ("王小明", "直属上级：李四 13900139000 lisi@example.org"),
    ("王小明", "致：李四，13900139000，lisi@example.org"),
    ("王小明", "猎头顾问：李四 13900139000 lisi@example.org"),
]
OWN = {
    "Jane Roe": ("+44 20 7946 0111", "j77@example.com"),
    "Иванова Анна Петровна": ("+7 922 111-11-11", "a77@example.com"),
    "王小明": ("13800138000", "w77@example.com"),
}


@pytest.mark.parametrize(("name", "text"), OTHERS)
def test_anothers_data_are_nobodys_where_the_person_has_none(name, text):
    draft = draft_of(f"{name}\n{text}")
    assert (draft.profile.basics.name, draft.profile.basics.phone, draft.profile.basics.email) == (name, None, None)
    assert all(value.confidence < 0.5 for key in ("phone", "email") for value in draft.alternatives.get(f"basics.{key}", ()))


@pytest.mark.parametrize(("name", "text"), OTHERS)
def test_the_persons_own_win_though_they_come_later(name, text):
    phone, email = OWN[name]
    draft = draft_of(f"{name}\n{text}\n{phone}\n{email}")
    assert (draft.profile.basics.phone, draft.profile.basics.email) == (phone, email)


@pytest.mark.parametrize(("name", "text"), OTHERS)
def test_the_name_of_another_is_not_the_persons(name, text):
    draft = draft_of(f"{text}")
    assert draft.profile.basics.name is None


@pytest.mark.parametrize(
    "text",
    [
        "Project manager\n{phone}\n{email}",
        "Supervisor | {phone} | {email}",
        "Recruiter, Northwind Ltd, {phone}, {email}",
        "Mother tongue: English\n{phone}\n{email}",
        "Spouse: none\nPhone: {phone}\nEmail: {email}",
        "{phone} | {email}\nEmergency contact: Anna Roe, +44 20 7946 0999",
        "To: Peter Miles, peter@example.org; candidate: {phone}, {email}",
        "Руководитель проектов\n{phone}\n{email}",
        "Руководитель отдела, {phone}, {email}",
        "Мать двоих детей\n{phone}\n{email}",
        "配偶：无\n手机：{phone}\n邮箱：{email}",
        "部门主管 {phone} {email}",
    ],
)
def test_words_for_others_take_nothing_from_the_person(text):
    own = "+44 20 7946 0111", "j77@example.com"
    draft = draft_of("Jane Roe\n" + text.format(phone=own[0], email=own[1]))
    assert (draft.profile.basics.phone, draft.profile.basics.email) == own


def test_a_column_headed_by_a_word_for_others_is_theirs():
    cells = (("岗位", "证明人"), ("会计", "李四 13900139000"), ("出纳", "赵六 13700137000"))
    table = (Line((Word(text),), cell=Cell(0, row, at)) for row, texts in enumerate(cells) for at, text in enumerate(texts))
    assert draft_of(Page(1, (line_of("王小明"), *table))).profile.basics.phone is None


@pytest.mark.parametrize(
    "text",
    [
        "Line manager: Peter Miles, https://www.linkedin.com/in/peter-miles-77",
        "Руководитель: Петров Олег, https://github.com/oleg77",
        "推荐人：李四 https://github.com/lisi77",
    ],
)
def test_the_links_of_others_are_not_the_persons(text):
    assert links_of(draft_of(f"Jane Roe\n{text}")) == []
