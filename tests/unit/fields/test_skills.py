"""Skills and spoken languages: lists of every shape, without groups, levels and sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ingest.page import Box, Cell, Page, line_of
from tests.unit.fields.pages import draft_of, printed, printed_page, skills_of

HEAD = {
    "en": "Jane Roe\nEngineer\njane@example.com\nEXPERIENCE\nAcme Ltd, Engineer, 2019 - 2021\n",
    "zh": "张伟\n工程师\n13800138000\n工作经历\n2019.03-2021.06 北方公司 工程师\n",
    "ru": "Иванов Иван\nИнженер\n+7 927 000-11-22\nОпыт работы\n2019 — 2021 ООО «Ромашка», инженер\n",
}


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        ("en", "SKILLS\nPython, SQL; Excel | Go\n", ["Python", "SQL", "Excel", "Go"]),
        (
            "en",
            "SKILLS\n- Languages: Java, Python\n- Tools: Git (advanced), Docker (3 years)",
            ["Java", "Python", "Git", "Docker"],
        ),
        ("en", "SKILLS\nPython ●●●●○\nTableau ★★★★☆\nExcel 90%\nR – intermediate", ["Python", "Tableau", "Excel", "R"]),
        ("en", "SKILLS\nProficient in Java, Python\nFamiliar with C, Elm", ["Java", "Python", "C", "Elm"]),
        ("en", "SKILLS\nBudgets • P&L\nRisk • Team Leadership", ["Budgets", "P&L", "Risk", "Team Leadership"]),
        ("en", "SKILLS\n1. Welding\n2. Forklift operation", ["Welding", "Forklift operation"]),
        ("en", "SKILLS\nCreative Suite (Photo, Draw), Figma, HTML/CSS", ["Creative Suite (Photo, Draw)", "Figma", "HTML/CSS"]),
        ("en", "SKILLS\nI am a quick learner who enjoys working in teams.\nPython, Go", ["Python", "Go"]),
        ("en", "SKILLS\nPython | 5 years\nJava | 3 years", ["Python", "Java"]),
        ("en", "Skills: Excel, SAP, Power BI", ["Excel", "SAP", "Power BI"]),
        (
            "en",
            "SKILLS\nMachine learning, natural language processing, computer vision, data\nengineering, time\nseries forecasting",
            ["Machine learning", "natural language processing", "computer vision", "data engineering", "time series forecasting"],
        ),
        (
            "zh",
            "专业技能\n1、熟练掌握Java、Go\n2、熟悉MySQL、Redis等数据库\n3、了解Docker",
            ["Java", "Go", "MySQL", "Redis", "Docker"],
        ),
        ("zh", "专业技能\n办公软件：Word、Excel\n编程语言：Python / Java / C", ["Word", "Excel", "Python", "Java", "C"]),
        ("zh", "专业技能\n能够独立完成项目开发，具有良好的沟通能力。\nPython，SQL", ["Python", "SQL"]),
        ("zh", "专业技能\nCAD制图 精通\nPhotoshop 80%", ["CAD制图", "Photoshop"]),
        ("zh", "技能特长：Office、驾驶", ["Office", "驾驶"]),
        ("ru", "Навыки\n• Python — продвинутый\n• 1С:Предприятие\n• Ведение дел", ["Python", "1С:Предприятие", "Ведение дел"]),
        ("ru", "Навыки: MS Office, AutoCAD (уверенный пользователь)", ["MS Office", "AutoCAD"]),
        (
            "ru",
            "Навыки\nFrontend: CSS3 (Sass/Less), Vue.js (базовый)\nБазы данных: MySQL",
            ["CSS3 (Sass/Less)", "Vue.js", "MySQL"],
        ),
    ],
)
def test_skills_are_the_items_of_their_lists(language, text, found):
    assert skills_of(draft_of(HEAD[language] + text)) == found


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        ("en", "LANGUAGES\nEnglish (native), German (B2)", [("English", "native"), ("German", "B2")]),
        ("en", "LANGUAGES\nEnglish - Native\nMandarin: HSK 4", [("English", "Native"), ("Mandarin", "HSK 4")]),
        ("en", "LANGUAGES\nEnglish\nnative\nFrench\nbasic", [("English", "native"), ("French", "basic")]),
        ("en", "Languages: English, Dutch (fluent)", [("English", None), ("Dutch", "fluent")]),
        ("en", "SKILLS\nPython, C++\nSpoken: English (C1), German", [("English", "C1"), ("German", None)]),
        ("zh", "语言能力\n英语：熟练\n普通话：母语\n德语 B1", [("英语", "熟练"), ("普通话", "母语"), ("德语", "B1")]),
        ("zh", "语言能力：英语（CET-6）、日语N2", [("英语", "CET-6"), ("日语", "N2")]),
        ("ru", "Знание языков\nРусский — Родной\nАнглийский — B1", [("Русский", "Родной"), ("Английский", "B1")]),
        ("ru", "Языки: английский (свободно), немецкий (базовый)", [("английский", "свободно"), ("немецкий", "базовый")]),
    ],
)
def test_spoken_languages_come_with_their_fluency(language, text, found):
    draft = draft_of(HEAD[language] + text)
    assert [(spoken.language, spoken.fluency) for spoken in draft.profile.languages] == found
    assert not {name for name, _ in found} & set(skills_of(draft))


def test_programming_languages_are_skills():
    draft = draft_of(HEAD["en"] + "SKILLS\nLanguages: Python, C#\n")
    assert (skills_of(draft), draft.profile.languages) == (["Python", "C#"], [])


def test_chips_and_grids_are_read_by_their_gaps():
    page = printed_page(
        printed("Jane Roe", 0.1, 0.05, size=20),
        printed("EXPERIENCE", 0.1, 0.2, size=13, bold=True),
        printed("Engineer, Acme Ltd 2019 - 2021", 0.1, 0.23),
        printed("SKILLS", 0.1, 0.3, size=13, bold=True),
        printed("Power BI ~ Forecasting ~ Internal Audit", 0.1, 0.33),
        printed("Tax Returns ~ Budgeting", 0.1, 0.35),
    )
    assert skills_of(draft_of(page)) == ["Power BI", "Forecasting", "Internal Audit", "Tax Returns", "Budgeting"]


def test_an_item_that_a_narrow_column_broke_is_one_skill():
    page = printed_page(
        printed("Анна Орлова", 0.1, 0.05, size=20),
        printed("Опыт работы", 0.1, 0.2, size=13, bold=True),
        printed("Инженер, ООО «Ромашка» 2019 — 2021", 0.1, 0.23),
        printed("Ключевые навыки", 0.7, 0.3, size=13, bold=True, block=1),
        printed("AutoCAD", 0.7, 0.33, block=1),
        printed("Бережливое", 0.7, 0.345, block=1),
        printed("производство", 0.7, 0.36, block=1),
    )
    assert skills_of(draft_of(page)) == ["AutoCAD", "Бережливое производство"]


def test_a_skill_in_the_words_of_a_heading_is_a_skill_among_others():
    assert skills_of(draft_of(HEAD["zh"] + "技能\n- 团队培训\n- 办公软件\n- 食品安全")) == ["团队培训", "办公软件", "食品安全"]
    assert skills_of(draft_of(HEAD["en"] + "SKILLS\nPlumbing\nSoftware\nWelding\nRigging")) == [
        "Plumbing",
        "Software",
        "Welding",
        "Rigging",
    ]
    assert skills_of(draft_of(HEAD["en"] + "SKILLS\nSoftware\nWord, Excel\nTools\nLathes, mills")) == [
        "Word",
        "Excel",
        "Lathes",
        "mills",
    ]


def test_items_in_small_letters_one_a_line_do_not_run_together():
    text = HEAD["ru"] + "НАВЫКИ\nкатегории B и C\nтахограф, тягачи\nмелкий ремонт\nскладской учёт"
    assert skills_of(draft_of(text)) == ["категории B и C", "тахограф", "тягачи", "мелкий ремонт", "складской учёт"]


def test_what_closes_a_letter_is_no_skill():
    assert skills_of(draft_of(HEAD["en"] + "SKILLS\n* Rostering\n* Stock\n\nKind regards,\nJane")) == ["Rostering", "Stock"]
    assert skills_of(draft_of(HEAD["ru"] + "Навыки:\nбанкеты, заготовки\n\nС уважением,\nИван")) == ["банкеты", "заготовки"]
    assert skills_of(draft_of(HEAD["zh"] + "技能\n钳工、焊接\n此致\n敬礼")) == ["钳工", "焊接"]


def test_a_heading_in_brackets_may_have_its_list_behind_it():
    text = "张伟\n13800138000\n【工作经历】\n2019.03-2021.06 北方公司 工程师\n【技能】钳工｜焊接｜电工"
    assert skills_of(draft_of(text)) == ["钳工", "焊接", "电工"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "Jane Roe\njane@example.com\n\nI am skilled in veneering, CAD and site measuring.",
            ["veneering", "CAD", "site measuring"],
        ),
        ("李明\n13800138000\n\n本人熟悉课堂管理、作文教学和家校沟通。", ["课堂管理", "作文教学", "家校沟通"]),
        ("Анна Орлова\n8 900 000-11-22\n\nВладею инвентаризацией, погрузчиком и 1С.", ["инвентаризацией", "погрузчиком", "1С"]),
        ("Jane Roe\njane@example.com\n\nI am experienced in leading teams that deliver, and I like it.", []),
    ],
)
def test_skills_told_in_a_sentence_are_read_where_nothing_lists_them(text, found):
    assert skills_of(draft_of(text)) == found


def test_spaces_alone_part_a_chinese_list():
    assert skills_of(draft_of(HEAD["zh"] + "技能\n钳工 焊接 叉车驾驶 AutoCAD")) == ["钳工", "焊接", "叉车驾驶", "AutoCAD"]


def test_a_length_of_time_below_a_year_is_no_part_of_a_skill():
    assert skills_of(draft_of(HEAD["en"] + "SKILLS\nForklift (5 years)\nSAP (Less than 1 year)")) == ["Forklift", "SAP"]


def test_a_group_in_words_nobody_knows_between_others_holds_skills_too():
    page = printed_page(
        printed("Jane Roe", 0.1, 0.05, size=20),
        printed("EXPERIENCE", 0.1, 0.15, size=13, bold=True),
        printed("Engineer, Acme Ltd 2019 - 2021", 0.1, 0.18),
        printed("SKILLS", 0.1, 0.25, size=13, bold=True, gap=1.0),
        printed("Technical strengths", 0.1, 0.3, size=12, bold=True, block=1, gap=1.0),
        printed("Lathes", 0.1, 0.32, block=1),
        printed("Talking to folk", 0.4, 0.3, size=12, bold=True, block=2, gap=1.0),
        printed("Rosters", 0.4, 0.32, block=2),
        printed("Tools", 0.7, 0.3, size=12, bold=True, block=3, gap=1.0),
        printed("AutoCAD", 0.7, 0.32, block=3),
    )
    assert skills_of(draft_of(page)) == ["Lathes", "Rosters", "AutoCAD"]


def test_the_first_cells_of_a_table_of_lists_name_groups():
    cells = [("Databases", 0, 0), ("MySQL, Redis", 0, 1), ("Tools", 1, 0), ("Git, Docker", 1, 1)]
    lines = [line_of(text) for text in (HEAD["en"] + "SKILLS").splitlines()]
    table = [line_of(text, cell=Cell(0, row, column)) for text, row, column in cells]
    assert skills_of(draft_of(Page(1, (*lines, *table)))) == ["MySQL", "Redis", "Git", "Docker"]


def test_the_same_pages_give_the_same_draft():
    text = HEAD["en"] + "SKILLS\nPython, SQL, Excel\nLANGUAGES\nEnglish (native), German"
    first = draft_of(text)
    for _ in range(20):
        again = draft_of(text)
        assert again.profile.to_json() == first.profile.to_json()
        assert [*again.evidence.items()] == [*first.evidence.items()]


@pytest.mark.parametrize(
    "text", ["", "   ", "\ufffd\ufffd\ufffd \ufffd\ufffd", "口口口 口口\n\ue000\ue001 \ue002", "@@@@ //// ----"]
)
def test_nothing_comes_of_nothing(text):
    draft = draft_of(text)
    assert draft.evidence == {}
    assert set(draft.profile.to_json()) <= {"basics", "meta"}
    assert not draft.profile.to_json().get("basics")


@pytest.mark.parametrize(
    "text", ["1 " * 4000, "a." * 3000, "-(" * 3000, "@a" * 3000, "张 " * 3000, "http://" * 1500, "A B " * 2000]
)
def test_hostile_lines_cost_little_time(text):
    # The timeout of the suite is the check: a pattern that backtracks would take minutes.
    draft_of(f"Jane Roe\n{text}\nSKILLS\n{text}")


def test_a_line_that_only_announces_a_text_in_a_language_lists_none():
    draft = draft_of("Some loose notes\nAnd some normal French text:\nL'avare\n")
    assert draft.profile.languages == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Android, Ansible, etc.", ["Android", "Ansible"]),
        ("Инкотермс, Ифрейм, и другое", ["Инкотермс", "Ифрейм", "другое"]),
        ("操作系统、应用统计、掌握Python", ["操作系统", "应用统计", "Python"]),
        ("普通话一级乙等、Excel等", ["普通话一级乙等", "Excel"]),
        ("Good knowledge of Excel, Pastel and Sage. Familiar with SAP WM.", ["Excel", "Pastel", "Sage", "SAP WM"]),
        ("Навыки работы с Компас, SolidWorks", ["Компас", "SolidWorks"]),
        ("Project work, Mentoring, Excel", ["Project work", "Mentoring", "Excel"]),
        ("Proficient in Word, Excel and Outlook", ["Word", "Excel", "Outlook"]),
        ("Budgeting, Research and development", ["Budgeting", "Research and development"]),
        ("Cloud - AWS, Azure", ["AWS", "Azure"]),
        ("Excel - advanced, Word - basic", ["Excel", "Word"]),
        (".NET, C#, Node.js", [".NET", "C#", "Node.js"]),
        ("Python (expert) SQL (good) Tableau (basic)", ["Python", "SQL", "Tableau"]),
    ],
)
def test_words_are_not_cut_and_sentences_are(line, expected):
    head = {"zh": "张伟\n13800138000\n技能\n", "en": HEAD["en"] + "SKILLS\n"}
    assert skills_of(draft_of(head["zh" if "、" in line else "en"] + line)) == expected


@pytest.mark.parametrize("heading", ["Up my sleeve", "Off the shelf", "Всего понемногу"])
def test_a_plain_list_under_a_heading_nobody_knows_is_skills(heading):
    page = printed_page(
        printed("Jane Whitlow", 0.1, 0.03, size=22),
        printed("jane.whitlow@example.com", 0.1, 0.07),
        printed("Experience", 0.1, 0.12, size=13, bold=True, gap=1.2),
        printed("Fitter, Acme Ltd 2019 - 2021", 0.1, 0.13),
        printed("Education", 0.1, 0.15, size=13, bold=True, gap=1.2),
        printed("BA History, Eastmoor University 2014 - 2017", 0.1, 0.17),
        printed(heading, 0.1, 0.2, size=13, bold=True, gap=1.2),
        printed("Welding, Milling, Turning, Blueprint reading", 0.1, 0.23),
    )
    draft = draft_of(page)
    assert skills_of(draft) == ["Welding", "Milling", "Turning", "Blueprint reading"]
    assert draft.evidence["skills[0].name"].confidence < 0.8


def test_a_list_set_apart_is_skills_where_nothing_has_a_heading():
    lines = [
        printed("Jane Whitlow", 0.1, 0.03, size=22),
        printed("jane.whitlow@example.com", 0.1, 0.07),
        printed("Fitter, Acme Ltd ~ 2019 - 2021", 0.1, 0.12, gap=1.2),
        printed("Built three presses that still run.", 0.1, 0.14),
        printed("Welding · Milling · Turning · Grinding", 0.1, 0.2, gap=1.2),
        printed("English – native", 0.1, 0.25, gap=1.2),
        printed("German – B1", 0.1, 0.27),
    ]
    draft = draft_of(printed_page(*lines))
    assert skills_of(draft) == ["Welding", "Milling", "Turning", "Grinding"]
    assert [spoken.language for spoken in draft.profile.languages] == ["English", "German"]


def test_sentences_and_dates_make_no_list_of_skills():
    text = "Jane Whitlow\njane@example.com\nThings\nBuilt a press.\nRan a shift.\nLed a team.\nWon a prize.\n"
    assert skills_of(draft_of(text)) == []
    assert skills_of(draft_of(text.replace("Built a press.", "Reader, Chess club, Hiker, Traveller 2019"))) == []


def test_the_header_of_a_resume_is_no_list_of_skills():
    text = "Jane Whitlow, RN, BSN, CCRN, ACLS\njane.whitlow@example.com\n\nEXPERIENCE\nNurse, Harrow Hospital 2019 - 2021"
    assert skills_of(draft_of(text)) == []


def test_a_number_names_no_group():
    head = "Иванов Иван\n+7 999 000-66-77\nНАВЫКИ\n"
    assert skills_of(draft_of(head + "1С: Склад, Excel")) == ["1С: Склад", "Excel"]


def test_a_level_behind_a_colon_is_no_skill_of_a_group_with_that_name():
    rows = "技能\n电焊：熟练 | 60个月\n6S管理：精通 | 12个月\n叉车：熟练、持证\n"
    assert skills_of(draft_of(HEAD["zh"] + rows, language="zh"))[:2] == ["电焊", "6S管理"]
    assert skills_of(draft_of(HEAD["en"] + "SKILLS\nWelding: expert | 5 years\nTools: Git, Docker\n")) == [
        "Welding",
        "Git",
        "Docker",
    ]


def test_names_of_groups_in_a_gutter_are_no_skills():
    lines = (
        printed("Jane Roe", 0.1, 0.04, size=20),
        printed("jane@example.com", 0.1, 0.08),
        printed("SKILLS", 0.1, 0.2, size=13, bold=True),
        printed("Fieldwork ~ Coring, Pollen counts", 0.1, 0.24),
        printed("Computing ~ Julia, Maxima", 0.1, 0.26),
    )
    assert skills_of(draft_of(printed_page(*lines))) == ["Coring", "Pollen counts", "Julia", "Maxima"]


def test_two_columns_of_skills_are_no_gutter():
    lines = (
        printed("Jane Roe", 0.1, 0.04, size=20),
        printed("jane@example.com", 0.1, 0.08),
        printed("SKILLS", 0.1, 0.2, size=13, bold=True),
        printed("Coringpits ~ Pollen", 0.1, 0.24),
        printed("Surveying1 ~ Maxima", 0.1, 0.26),
    )
    assert skills_of(draft_of(printed_page(*lines))) == ["Coringpits", "Pollen", "Surveying1", "Maxima"]


def test_languages_certificates_and_opinions_among_skills_are_none():
    rows = "技能特长\n技能语言\n德语良好\n金蝶K3 精通\n证书\n2015/12 注册税务师\n班主任意见\n"
    draft = draft_of(HEAD["zh"] + rows, language="zh")
    assert skills_of(draft) == ["金蝶K3"]
    assert [spoken.language for spoken in draft.profile.languages] == ["德语"]


def test_two_sentences_in_a_line_are_no_skill():
    assert skills_of(draft_of(HEAD["ru"] + "НАВЫКИ\nВодительские права имеются. Зарплата договорная\nExcel\n")) == ["Excel"]


def test_a_gutter_may_be_narrower_than_a_gap_between_segments():
    lines = [
        printed("张伟", 0.1, 0.04, size=20),
        printed("13800138000", 0.1, 0.08),
        printed("技能", 0.1, 0.2, size=13, bold=True),
        printed("工具 金蝶K3、用友U8", 0.1, 0.24),
        printed("体系 内控、税筹", 0.1, 0.26),
    ]
    edge = 0.1 + 2 * 10 / 595 + 10.5 / 595
    for at in (3, 4):
        first, second = lines[at].words
        moved = replace(second, box=Box(edge, second.box.y0, edge + second.box.width, second.box.y1))
        lines[at] = replace(lines[at], words=(first, moved))
    assert skills_of(draft_of(printed_page(*lines), language="zh")) == ["金蝶K3", "用友U8", "内控", "税筹"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Python Django PostgreSQL Docker Git Linux", ["Python", "Django", "PostgreSQL", "Docker", "Git", "Linux"]),
        ("Java SQL Spring Boot Maven", ["Java", "SQL", "Spring Boot", "Maven"]),
        ("Excel AutoCAD Revit 3ds Max", ["Excel", "AutoCAD", "Revit", "3ds Max"]),
        ("Wound Care Triage Phlebotomy Patients", ["Wound Care Triage Phlebotomy Patients"]),
        ("Certified Project Management Office Professional", ["Certified Project Management Office Professional"]),
        ("I am confident with SAP, Excel and forklift driving.", ["SAP", "Excel", "forklift driving"]),
        ("My main skills are welding, grinding and reading drawings", ["welding", "grinding", "reading drawings"]),
    ],
)
def test_names_with_spaces_between_them_and_lists_in_sentences_are_parted(text, found):
    assert skills_of(draft_of(f"{HEAD['en']}SKILLS\n{text}")) == found


def test_spaces_part_names_of_programs_in_a_chinese_list():
    assert skills_of(draft_of(HEAD["zh"] + "专业技能\n需求分析 SQL Axure 用户访谈")) == ["需求分析", "SQL", "Axure", "用户访谈"]


def test_languages_among_the_groups_of_a_list_are_those_of_programs():
    text = "TECH SKILLS\nLanguages\nPython, Scala, SQL\nData:\nSpark, Kafka"
    assert skills_of(draft_of(HEAD["en"] + text)) == ["Python", "Scala", "SQL", "Spark", "Kafka"]


@pytest.mark.parametrize(
    "line", ["References available on request", "References: available upon request", "Рекомендации по запросу"]
)
def test_that_references_are_to_be_had_is_no_skill(line):
    assert skills_of(draft_of(f"{HEAD['en']}SKILLS\nWelding, Grinding, Turning\n\n{line}")) == ["Welding", "Grinding", "Turning"]


def test_a_plain_list_of_strengths_is_one_of_skills_where_there_is_no_other():
    assert skills_of(draft_of(HEAD["zh"] + "个人优势\n学术推广、客户拜访、会议组织、市场分析")) == [
        "学术推广", "客户拜访", "会议组织", "市场分析",
    ]  # fmt: skip
