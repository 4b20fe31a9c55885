"""The headline or desired position, as printed."""

from __future__ import annotations

import pytest

from tests.unit.fields.pages import draft_of, printed, printed_page


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Jane Roe\nProduct Designer\njane@example.com", "Product Designer"),
        ("Jane Roe | UX Researcher | Remote\njane@example.com", "UX Researcher"),
        ("Emma Berg — Frontend Developer\nemma@example.se", "Frontend Developer"),
        ("Name: Kwame Boateng\nPosition Applied For : Site Engineer", "Site Engineer"),
        ("Jane Roe\nOpen Source Contributor\njane@example.com", "Open Source Contributor"),
        ("张伟\n13800138000\n求职意向：Java开发工程师", "Java开发工程师"),
        ("王小明\n电话 13800138000\n求职意向：产品经理 | 期望城市：上海 | 期望薪资：20-30K", "产品经理"),
        ("王丽\n会计 | 3年经验 | 女\n13800138000", "会计"),
        ("Иванов Иван\nЖелаемая должность: инженер-технолог\nОпыт работы", "инженер-технолог"),
        (
            "Ким Алина\n+7 999 000-66-77\nЖелаемая должность и зарплата\nPython-разработчик\nОпыт работы\n2019",
            "Python-разработчик",
        ),
        ("Анна Смирнова\nDevOps-инженер\nКазань\nОпыт работы", "DevOps-инженер"),
        ("Анна Смирнова\nЮрист, з/п 90 000 руб./мес.\n+7 999 000-66-77\nОпыт работы", "Юрист"),
        ("Анна Смирнова\nстаршина запаса\n+7 999 000-66-77\nЦЕЛЬ\nПолучение должности: начальник смены", "начальник смены"),
        ("Jane Roe\nBackend Developer (remote only)\njane@example.com", "Backend Developer"),
        ("Jane Roe\nPREFERRED JOB: Site Engineer\njane@example.com", "Site Engineer"),
        ("王丽\n13800138000\n当前职位：会计主管 当前公司：北辰集团", "会计主管"),
        ("王丽\n13800138000\n当前职位：会计主管当前公司：北辰集团目前年薪：10万", "会计主管"),
        ("Jane Roe\nSite Engineer · Oslo, Norway · jane@example.com", "Site Engineer"),
        ("王丽\n会计 · 深圳 · 5年经验 · 硕士\n13800138000", "会计"),
        ("王丽\n13800138000\n报考职位：行政文员", "行政文员"),
    ],
)
def test_the_headline_is_found(text, label):
    assert draft_of(text).profile.basics.label == label


@pytest.mark.parametrize(
    "text",
    [
        "Jane Roe\njane@example.com\nObjective\nI am looking for a quiet position as a night nurse in a small town.",
        "Jane Roe\nLeeds, UK\njane@example.com",
        "Jane Roe\njane@example.com\nEXPERIENCE\nSenior Engineer\nAcme Ltd 2019 - 2021",
        "Jane Roe\nSummary\nI enjoy work.",
    ],
)
def test_sentences_places_and_jobs_held_are_no_headline(text):
    assert draft_of(text).profile.basics.label is None


def test_a_headline_in_smaller_type_may_stand_over_the_name():
    page = printed_page(
        printed("Payroll Specialist", 0.1, 0.03, size=12),
        printed("Jane Whitlow", 0.1, 0.05, size=22),
        printed("jane.whitlow@example.com", 0.1, 0.09),
    )
    assert draft_of(page).profile.basics.label == "Payroll Specialist"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Jane Roe\nShift Supervisor – Packaging\njane@example.com", "Shift Supervisor – Packaging"),
        ("Jane Roe\nProduct Manager – London\njane@example.com", "Product Manager"),
        ("Иванов Иван\nБариста\n+7 999 000-66-77", "Бариста"),
        ("Иванов Иван\nСлесарь\nЦель\nСпокойный и надёжный человек,\nценю порядок.\nОпыт работы\n2019", "Слесарь"),
    ],
)
def test_a_headline_is_whole_and_no_half_of_a_sentence(text, label):
    assert draft_of(text).profile.basics.label == label


def test_what_stands_beside_a_headline_is_no_part_of_it():
    page = printed_page(
        printed("Jane Whitlow", 0.1, 0.03, size=22),
        printed("Civil Engineer ~ ~ ~ Photo", 0.1, 0.07, size=11),
        printed("jane.whitlow@example.com", 0.1, 0.09),
    )
    assert draft_of(page).profile.basics.label == "Civil Engineer"


def test_a_letter_spaced_headline_is_closed_up():
    page = printed_page(
        printed("Ирина Лосева", 0.1, 0.04, size=22),
        printed("P R - м е н е д ж е р", 0.1, 0.1, size=12),
        printed("irina@example.com", 0.1, 0.14),
        printed("Опыт работы", 0.1, 0.2, size=13, bold=True),
        printed("2019 — 2021 ООО «Ромашка», инженер", 0.1, 0.23),
    )
    assert draft_of(page).profile.basics.label == "PR-менеджер"


def test_a_wish_for_roles_is_not_put_before_the_headline_by_the_name():
    text = "Jane Roe\nHead of Controlling\njane@example.com\n\nOBJECTIVE\nFinance Director roles in family firms\n"
    assert draft_of(text).profile.basics.label == "Head of Controlling"


def test_a_headline_that_a_narrow_column_broke_is_whole():
    page = printed_page(
        printed("Анна Орлова", 0.1, 0.05, size=18),
        printed("Технолог пищевого", 0.1, 0.09),
        printed("производства", 0.1, 0.105),
        printed("8 900 000-11-22", 0.1, 0.13),
    )
    assert draft_of(page).profile.basics.label == "Технолог пищевого производства"


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("Цель: соискание должности старшей медицинской сестры", "старшей медицинской сестры"),
        ("Desired employment / Occupational field: Mine Planner", "Mine Planner"),
        ("Желаемая должность: Плановик / экономист", "Плановик / экономист"),
    ],
)
def test_what_is_asked_for_is_the_position_without_the_asking(line, label):
    page = printed_page(printed("Jane Roe", 0.1, 0.1), printed(line, 0.1, 0.13))
    assert draft_of(page).profile.basics.label == label


@pytest.mark.parametrize("line", ["12 Marsh Lane, Northmoor", "44 Mill Road", "此致", "Kind regards"])
def test_addresses_and_closing_words_are_no_position(line):
    page = printed_page(printed("Jane Roe", 0.1, 0.1), printed(line, 0.1, 0.13))
    assert draft_of(page).profile.basics.label is None
