"""The name: labelled or set apart, in three scripts, and never something else."""

from __future__ import annotations

import pytest

from ingest.fields.persons import read_person, shows_in
from ingest.page import Box, Line, Word
from tests.unit.fields.pages import draft_of, printed, printed_page

BODY = (
    printed("EXPERIENCE", 0.1, 0.3, size=13, bold=True),
    printed("Senior Engineer, Acme Widgets Ltd 2019 - 2022", 0.1, 0.33),
    printed("Built a thing that works well in production", 0.1, 0.35),
    printed("EDUCATION", 0.1, 0.4, size=13, bold=True),
    printed("BSc Physics, University of Nowhere 2014", 0.1, 0.43),
)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("John Smith", "John Smith"),
        ("JOHN SMITH, MBA", "JOHN SMITH"),
        ("Dr. Anna-Maria O'Connor, Ph.D.", "Anna-Maria O'Connor"),
        ("Mr. Arun Kumar Singh", "Arun Kumar Singh"),
        ("Ludwig van der Berg", "Ludwig van der Berg"),
        ("Abdul-Rahman bin Yusuf al-Farsi", "Abdul-Rahman bin Yusuf al-Farsi"),
        ("J. R. Smith", "J. R. Smith"),
        ("John Smith Jr.", "John Smith Jr."),
        ("Resume of Jane Roe", "Jane Roe"),
        ("Jane Roe — Curriculum Vitae", "Jane Roe"),
        ("Jane Roe (she/her)", "Jane Roe"),
        ("Emily Baker", "Emily Baker"),
        ("Иванов Иван Иванович", "Иванов Иван Иванович"),
        ("ИВАНОВ И. И.", "ИВАНОВ И. И."),
        ("Мамедов Али Гасан оглы", "Мамедов Али Гасан оглы"),
        ("Мария Петрова-Водкина", "Мария Петрова-Водкина"),
        ("张伟", "张伟"),
        ("张 伟", "张伟"),
        ("欧阳 修文", "欧阳修文"),
        ("阿卜杜拉·买买提", "阿卜杜拉·买买提"),
        ("张伟的个人简历", "张伟"),
        ("个人简历——王小明", "王小明"),
        ("王伟 男", "王伟"),
        ("Jane Mary Roe RGN", "Jane Mary Roe"),
        ("Dr.-Ing. Hanna Weiß", "Hanna Weiß"),
        ("Prof. Dr. med. Karl Ruf", "Karl Ruf"),
        ("Lic. oec. Urs Keller", "Urs Keller"),
        ("Dipl.-Ing. (FH) Jan Busch", "Jan Busch"),
        ("Каримов Одил Бахром ўғли", "Каримов Одил Бахром ўғли"),
        ("陳大文先生", "陳大文"),
        ("# 王小明", "王小明"),
    ],
)
def test_a_person_is_read_without_what_is_no_part_of_the_name(text, name):
    person = read_person(text)
    assert person is not None
    assert person.name == name


@pytest.mark.parametrize(
    "text",
    [
        "Senior Accountant",
        "Frontend Intern",
        "Curriculum Vitae",
        "Work Experience",
        "San Francisco",
        "Dallas, Texas",
        "Machine Learning",
        "Stanford University",
        "Microsoft Office",
        "jane@example.com",
        "Главный бухгалтер",
        "КАПИТАН ЗАПАСА",
        "ПОЛКОВНИК В ОТСТАВКЕ ИВАНОВ",
        "Ключевые навыки",
        "Нижний Новгород",
        "高级会计",
        "销售代表",
        "计算机",
        "上海",
        "个人简历",
        "北方大学",
    ],
)
def test_titles_headings_places_and_trades_are_no_persons(text):
    assert read_person(text) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("RESUME\nFull Name : Kwame Boateng\nCity : Kumasi", "Kwame Boateng"),
        ("个人简历\n姓 名：张 伟  性别：男", "张伟"),
        ("姓名 刘洋 性别 女 年龄 26\n电话 13500005555", "刘洋"),
        ("Ф.И.О.: Сидоров Пётр Алексеевич\nГород: Химки", "Сидоров Пётр Алексеевич"),
        ("Фамилия: Кузнецов\nИмя: Олег\nОтчество: Павлович\nТелефон: 89030005566", "Кузнецов Олег Павлович"),
        ("王小明\n28岁 | 男 | 本科", "王小明"),
        ("姓名：乜一鸣  性别：男", "乜一鸣"),
        ("Name: jane roe\nCity: Leeds", "jane roe"),
        ("Name: Baker Faith\nCity: Leeds", "Baker Faith"),
        ("PERSONAL INFORMATION Jane Roe\n+44 113 496 0123", "Jane Roe"),
        ("Marketing Manager\nLaura Becker\nlaura.becker@example.de", "Laura Becker"),
        ("Менеджер по продажам\nЕлена Васильевна Коваль\nМинск, Беларусь", "Елена Васильевна Коваль"),
        ("Emma Johansson — Frontend Developer\nGöteborg, Sweden", "Emma Johansson"),
        ("赵敏 Mia Zhao\n市场经理 Marketing Manager\n上海", "赵敏"),
        ("Zhang Wei (张伟)\nSoftware Engineer\nShanghai, China", "Zhang Wei"),
    ],
)
def test_the_name_is_found_in_plain_text(text, name):
    assert draft_of(text).profile.basics.name == name


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ([("RESUME", 28), ("Jane Roe", 16), ("jane@example.com", 10)], "Jane Roe"),
        ([("SENIOR ENGINEER", 24), ("Jane Roe", 14), ("jane@example.com", 10)], "Jane Roe"),
        ([("JANE", 30), ("ROE", 30), ("Engineer", 12), ("jane.roe@example.com", 10)], "JANE ROE"),
        ([("Jane Alexandra", 20), ("ROE-SMITH", 30), ("Engineer", 12), ("jane.roe@example.com", 10)], "Jane Alexandra ROE-SMITH"),
        ([("ИВАНОВА", 26), ("Мария Петровна", 26), ("Бухгалтер", 12), ("+7 927 000-11-22", 10)], "ИВАНОВА Мария Петровна"),
        ([("求 职 简 历", 26), ("王丽", 22), ("13800138000", 10)], "王丽"),
        ([("Jane Roe", 10), ("Leeds", 10), ("jane.roe@example.com", 10)], "Jane Roe"),
        ([("Senior Software Engineer", 22), ("jr@example.com", 10)], None),
        ([("Curriculum Vitae", 22), ("Personal Details", 14), ("jr@example.com", 10)], None),
    ],
)
def test_the_name_is_found_by_size_and_place(lines, name):
    head = [printed(text, 0.1, 0.03 + 0.04 * at, size=size) for at, (text, size) in enumerate(lines)]
    assert draft_of(printed_page(*head, *BODY)).profile.basics.name == name


def test_a_spaced_out_name_is_closed_up_at_its_wider_gap():
    words, at = [], 0.1
    for number, char in enumerate("JANEROE"):
        at += 0.03 if number == 4 else 0.0
        words.append(Word(char, Box(at, 0.05, at + 0.015, 0.08), size=22))
        at += 0.03
    head = (Line(tuple(words)), printed("jane.roe@example.com", 0.1, 0.1))
    assert draft_of(printed_page(*head, *BODY)).profile.basics.name == "JANE ROE"


def test_a_name_over_two_lines_is_joined_although_another_column_stands_between():
    page = printed_page(
        printed("Петрова Дарья", 0.37, 0.052, size=18, bold=True),
        printed("Город: Москва", 0.81, 0.06, size=9),
        printed("Александровна", 0.37, 0.077, size=18, bold=True),
        printed("+7 950 123-98-41", 0.1, 0.11, size=9),
        *BODY,
    )
    assert draft_of(page, language="ru").profile.basics.name == "Петрова Дарья Александровна"


def test_a_referee_or_the_files_name_gives_no_name():
    draft = draft_of("Engineer\njr@example.com\nREFERENCES\nName: Peter Miles", filename="Jane Roe CV.pdf")
    assert draft.profile.basics.name is None


@pytest.mark.parametrize(
    ("name", "address", "agrees"),
    [
        ("Jane Roe", "jane.roe77", True),
        ("Екатерина Морозова", "e.morozova88", True),
        ("Юлия Михайлова", "mihailova_j", True),
        ("欧阳磊", "lei.ouyang", True),
        ("Jane Roe", "blackbird", False),
    ],
)
def test_a_name_shows_in_an_address(name, address, agrees):
    assert (shows_in(name, address) > 0) is agrees


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Walter “Walt” Groves Jr.", "Walter “Walt” Groves Jr."),
        ("Zainab binti Osman", "Zainab binti Osman"),
        ("Mwangi wa Kariuki", "Mwangi wa Kariuki"),
        ("Anita K.Ramaswamy, FCCA", "Anita K. Ramaswamy"),
        ("Farmer, Emily J.", "Farmer, Emily J."),
        ("Столяр Пётр Андреевич", "Столяр Пётр Андреевич"),
        ("洛桑卓玛", "洛桑卓玛"),
        ("巴图其其格", "巴图其其格"),
        ("陳嘉明", "陳嘉明"),
    ],
)
def test_names_of_many_peoples_are_read(text, name):
    person = read_person(text)
    assert person is not None
    assert person.name == name


@pytest.mark.parametrize("text", ["Senior Pastry Chef", "Junior Baker", "Baker, Boston", "软件开发", "市场营销"])
def test_a_rank_or_a_trade_makes_no_name(text):
    assert read_person(text) is None


@pytest.mark.parametrize(("address", "name"), [("chef.miller@example.com", "Chef Miller"), ("sunny77@example.com", None)])
def test_an_address_vouches_for_a_name_that_reads_like_a_trade(address, name):
    page = printed_page(printed("Chef Miller", 0.3, 0.04, size=22), printed(address, 0.3, 0.09), *BODY)
    assert draft_of(page).profile.basics.name == name


def test_a_name_beside_a_sidebar_is_found_though_the_sidebar_is_read_first():
    sidebar = [printed("CONTACT", 0.03, 0.05, size=13, bold=True), printed("jane.whitlow@example.com", 0.03, 0.08)]
    sidebar += [printed("SKILLS", 0.03, 0.12, size=13, bold=True)]
    sidebar += [printed(skill, 0.03, 0.15 + 0.02 * at) for at, skill in enumerate(("Welding", "Milling", "Turning", "Grinding"))]
    sidebar += [printed(f"Line {at}", 0.03, 0.3 + 0.02 * at) for at in range(12)]
    main = [printed("Jane Whitlow", 0.4, 0.05, size=24, block=1), printed("Machinist", 0.4, 0.09, size=12, block=1)]
    assert draft_of(printed_page(*sidebar, *main)).profile.basics.name == "Jane Whitlow"


def test_the_own_script_wins_on_a_line_with_a_name_in_two():
    page = printed_page(
        printed("Chan Ka Ming 陳嘉明", 0.1, 0.04, size=22),
        printed("chan@example.hk", 0.1, 0.09),
        printed("工作經驗", 0.1, 0.15, size=13, bold=True),
        printed("北辰倉儲有限公司 倉庫主管", 0.1, 0.18),
    )
    assert draft_of(page, language="zh").profile.basics.name == "陳嘉明"


@pytest.mark.parametrize(
    ("text", "name"),
    [("Hi, I’m Tobias Lindgren.", "Tobias Lindgren"), ("Меня зовут Анна Орлова", "Анна Орлова"), ("你好，我叫王小明", "王小明")],
)
def test_a_greeting_is_no_part_of_the_name(text, name):
    person = read_person(text)
    assert person is not None
    assert person.name == name


@pytest.mark.parametrize(("address", "name"), [("r.almqvist@example.com", "rosa almqvist"), ("studio@example.com", None)])
def test_a_name_in_small_letters_needs_an_address_that_shows_it(address, name):
    page = printed_page(printed("rosa almqvist", 0.1, 0.04, size=24), printed(address, 0.1, 0.09), *BODY)
    assert draft_of(page).profile.basics.name == name


def test_md_is_a_doctor_in_capitals_and_a_given_name_otherwise():
    assert [person.name for text in ("MD Jane Roe", "Md. Rafiq Islam") if (person := read_person(text))] == [
        "Jane Roe",
        "Md. Rafiq Islam",
    ]


@pytest.mark.parametrize(
    ("line", "name"),
    [("宁晓岚　药师", "宁晓岚"), ("尉迟明远　主治医师", "尉迟明远"), ("邝若水　律师", "邝若水"), ("侴雨桐　律师", "侴雨桐")],
)
def test_a_chinese_name_stands_before_a_profession_on_its_line(line, name):
    text = f"{line}\n电话：13900001111　邮箱：x@example.com\n\n执业经历\n2019.01-至今　北辰律师事务所　合伙人\n"
    assert draft_of(text, language="zh").profile.basics.name == name


def test_an_employer_before_a_position_is_no_name():
    text = "电话：13900001111\n工作经历\n金山云　架构师\n2019.01-至今\n"
    assert draft_of(text, language="zh").profile.basics.name is None


def test_a_name_in_the_middle_of_a_header_goes_on_between_the_lines_of_the_columns_beside_it():
    first = Line(
        (*printed("Телефон: +7 900 000-12-34", 0.07, 0.06, size=9).words, *printed("Ветрова Мария", 0.37, 0.05, size=18).words)
    )
    between = Line((*printed("Почта:", 0.07, 0.08, size=9).words, *printed("Город: Тверь", 0.8, 0.08, size=9).words))
    draft = draft_of(
        printed_page(
            first,
            between,
            printed("Александровна", 0.36, 0.077, size=18),
            printed("vetrova@example.org", 0.07, 0.095, size=9),
            printed("Обо мне", 0.08, 0.14, size=11, gap=1.7),
            printed("Хорошо знаю свою область и люблю порядок в документах", 0.08, 0.17, size=10),
        )
    )
    assert draft.profile.basics.name == "Ветрова Мария Александровна"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("JANE ROE head of pastry", "JANE ROE"),
        ("ИВАН ПЕТРОВ ведущий инженер", "ИВАН ПЕТРОВ"),
        ("WONG Mei Ling, Carol 王美玲", "WONG Mei Ling, Carol"),
        ("王小明 女 | 31岁 | 9年工作经验", "王小明"),
        ("王小明 博士 副研究员", "王小明"),
        ("王小明女 | 31岁 | 9年工作经验", "王小明"),
    ],
)
def test_a_name_is_read_at_the_start_of_a_line_that_says_more(line, name):
    draft = draft_of(f"{line}\njane.roe@example.com\nSENIOR KITCHENS\n2019 - 2022 Acme Widgets Ltd")
    assert draft.profile.basics.name == name


def test_a_name_ends_where_the_type_of_its_line_changes():
    words = (
        Word("Jane", Box(0.1, 0.05, 0.2, 0.08), size=20),
        Word("Roe", Box(0.21, 0.05, 0.3, 0.08), size=20),
        Word("Nurse", Box(0.32, 0.06, 0.4, 0.08), size=11),
        Word("Practitioner", Box(0.41, 0.06, 0.55, 0.08), size=11),
    )
    assert draft_of(printed_page(Line(words), printed("jane.roe@example.com", 0.1, 0.1), *BODY)).profile.basics.name == "Jane Roe"


def test_a_heading_of_one_unknown_word_is_no_name():
    page = printed_page(printed("jane@example.com", 0.1, 0.05), printed("KITCHENS", 0.1, 0.1, size=16, bold=True), *BODY)
    assert draft_of(page).profile.basics.name is None


@pytest.mark.parametrize("name", ["丁一舟", "单文静", "耿长河", "辛采薇", "阙子昂", "简若水"])
def test_less_frequent_chinese_surnames_are_known(name):
    assert draft_of(f"{name}\n工程师 · 杭州 · 13800138000").profile.basics.name == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("您好！我叫李明，现住在北京市，手机13800138000。", "李明"),
        ("本人李明轩，男，1990年生，电话13800138000。", "李明轩"),
        ("Здравствуйте! Меня зовут Анна Орлова, живу в Перми. Мой телефон 8 900 000-11-22", "Анна Орлова"),
    ],
)
def test_people_introduce_themselves_in_sentences(text, name):
    assert draft_of(text).profile.basics.name == name


@pytest.mark.parametrize(
    "lines",
    [
        ("Имя: Эльдар", "Фамилия: Мамедов", "Отчество: Гусейнович"),
        ("Фамилия: Мамедов", "Имя: Эльдар", "Отчество: Гусейнович"),
        ("Отчество: Гусейнович", "Имя: Эльдар", "Фамилия: Мамедов"),
    ],
)
def test_surname_given_name_and_patronymic_may_be_labelled_in_any_order(lines):
    page = printed_page(*(printed(text, 0.1, 0.1 + 0.03 * at) for at, text in enumerate(lines)), printed("Город: Баку", 0.1, 0.3))
    assert draft_of(page).profile.basics.name == "Мамедов Эльдар Гусейнович"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("I live in Leeds. My name is Jane Roe and I am a nurse.", "Jane Roe"),
        ("Hello, I'm Jane Roe, a nurse from Leeds", "Jane Roe"),
        ("Меня зовут Надежда Козак. Я учитель.", "Надежда Козак"),
        ("我叫林知远,现住天津", "林知远"),
        ("I am a Senior Manager with ten years", None),
        ("I am Responsible, Punctual and kind", None),
    ],
)
def test_a_name_may_be_said_in_a_sentence(line, name):
    page = printed_page(
        *(printed(text, 0.1, 0.1 + 0.03 * at) for at, text in enumerate(["Tel. 07700 900123", line, *["Text of no use"] * 4]))
    )
    assert draft_of(page).profile.basics.name == name
