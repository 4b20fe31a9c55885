"""Resumes whose values are joined, broken and dated in less usual ways: what each prints and what stands in it. All invented."""

from __future__ import annotations

from tests.unit.fields.entry_pages import Case

CASES = (
    Case(
        "two hyphens between place and title",
        """
Experience
The Copper Kettle, Galway -- Head Cook
04.2021 to date
Chez Odette, Lyon -- Second Cook
01.2017 to 03.2021
""",
        (("The Copper Kettle", "Head Cook", "2021-04", None), ("Chez Odette", "Second Cook", "2017-01", "2021-03")),
    ),
    Case(
        "the wide comma of Chinese between title, firm and place",
        """
工作经历
2022.7–至今 图像算法工程师，远山智能，合肥
2020.6–2020.12 研究实习生，白桦研究院，北京
""",
        (("远山智能", "图像算法工程师", "2022-07", None), ("白桦研究院", "研究实习生", "2020-06", "2020-12")),
    ),
    Case(
        "a sentence about the work below the title is neither",
        """
工作经历
2020年10月至现时
青松会计师事务所
审计经理
带领九人小组完成上市公司的审计
2015年9月至2020年9月
白桦会计师事务所
审计员
""",
        (("青松会计师事务所", "审计经理", "2020-10", None), ("白桦会计师事务所", "审计员", "2015-09", "2020-09")),
    ),
    Case(
        "still working, in words",
        """
Опыт работы
сентябрь 2018 — работает сейчас
Менеджер по закупкам
ООО «Клюква»
август 2011 — август 2018
Инженер
ООО «Морошка»
""",
        (("ООО «Клюква»", "Менеджер по закупкам", "2018-09", None), ("ООО «Морошка»", "Инженер", "2011-08", "2018-08")),
    ),
    Case(
        "dots in place of the end",
        """
Опыт работы
01.2022 – … — ООО «Клюква», инженер связи
07.2019 – 12.2021 — Завод «Морошка», системный администратор
""",
        (
            ("ООО «Клюква»", "инженер связи", "2022-01", None),
            ("Завод «Морошка»", "системный администратор", "2019-07", "2021-12"),
        ),
    ),
    Case(
        "the trades of the firm below its place and page",
        """
Опыт работы
Февраль 2021 — настоящее время
Клюквица
Казань, klyukvitsa.example
Сельское хозяйство • Растениеводство
Финансовый аналитик
Построение модели урожая.
""",
        (("Клюквица", "Финансовый аналитик", "2021-02", None),),
    ),
    Case(
        "a comma inside the name of an institute",
        """
Опыт работы
10.2009 — 08.2014: Институт растениеводства, экологии и почвоведения СО РАН, лаборант

Образование
2005 — 2009
Смоленский государственный университет
Институт истории, экономики и финансов, Финансы и кредит
""",
        (("Институт растениеводства, экологии и почвоведения СО РАН", "лаборант", "2009-10", "2014-08"),),
        (("Смоленский государственный университет", None, "Финансы и кредит", "2005", "2009"),),
    ),
    Case(
        "a column of titles and duties",
        """
Трудовая деятельность
||Период||Организация||Должность, обязанности||
||06.2015 – по н.в.||ООО «Клюквамонтаж»||Сварщик шестого разряда//Сварка трубопроводов высокого давления и проверка швов||
||03.2006 – 05.2015||ОАО «Морошковский завод»||Сварщик//Сварка кранов||
""",
        (
            ("ООО «Клюквамонтаж»", "Сварщик шестого разряда", "2015-06", None),
            ("ОАО «Морошковский завод»", "Сварщик", "2006-03", "2015-05"),
        ),
    ),
    Case(
        "a dated signature below a table of jobs is none of its cells",
        """
Трудовая деятельность
||Организация||Должность||Дата приёма||Дата увольнения||
||ООО «Клюква»||Водитель||апрель 2017||по наст. время||
||ЗАО «Морошка»||Грузчик||август 2003||январь 2009||

27.07.2006. Дата 15.11.2026 Подпись
""",
        (("ООО «Клюква»", "Водитель", "2017-04", None), ("ЗАО «Морошка»", "Грузчик", "2003-08", "2009-01")),
    ),
    Case(
        "beginning and end of a study in one row of a form",
        """
教育经历
||学校||青山大学||专业||食品科学||学历||本科||
||入学时间||2022年9月||毕业时间||2026年6月||生源地||南疆||
""",
        (),
        (("青山大学", "本科", "食品科学", "2022-09", "2026-06"),),
    ),
    Case(
        "a title with a comma above an employer with its place",
        """
Experience
Team Leader, Residential Services
Wattlebird Living, Melbourne
July 2020 – Current

Disability Support Worker
Gumnut Co-operative, Melbourne
February 2016 – June 2020
""",
        (
            ("Wattlebird Living", "Team Leader, Residential Services", "2020-07", None),
            ("Gumnut Co-operative", "Disability Support Worker", "2016-02", "2020-06"),
        ),
    ),
    Case(
        "a dash in the name of the first employer only",
        """
Experience
Harrow Army – Royal Supply Corps⇥Jan 2012 to present
Squadron Second-in-Command

Thistledown Distribution⇥Sept 2009 to Dec 2011
Warehouse Shift Supervisor
""",
        (
            ("Harrow Army – Royal Supply Corps", "Squadron Second-in-Command", "2012-01", None),
            ("Thistledown Distribution", "Warehouse Shift Supervisor", "2009-09", "2011-12"),
        ),
    ),
    Case(
        "a diploma with what it is of",
        """
Образование
2008 г. – Клюквинский педагогический университет, специальность «Дошкольная педагогика», диплом о высшем образовании
""",
        (),
        (
            (
                "Клюквинский педагогический университет",
                "диплом о высшем образовании",
                "Дошкольная педагогика",
                None,
                "2008",
            ),
        ),
    ),
    Case(
        "degrees of the continent and of colleges",
        """
Education
Ing. in Cybernetics, Moravian Technical University⇥2014 – 2016
Bc. in Optics, Moravian Technical University⇥2011 – 2014
Diplom-Kaufmann, Business Administration, University of Elbmarsch⇥2001 – 2006
Westmere Institute of Technology: Higher Certificate in Cookery, 2011
""",
        (),
        (
            ("Moravian Technical University", "Ing.", "Cybernetics", "2014", "2016"),
            ("Moravian Technical University", "Bc.", "Optics", "2011", "2014"),
            ("University of Elbmarsch", "Diplom-Kaufmann", "Business Administration", "2001", "2006"),
            ("Westmere Institute of Technology", "Higher Certificate", "Cookery", None, "2011"),
        ),
    ),
    Case(
        "the tutor in brackets behind the degree",
        """
教育经历
2012.09-2017.06 华南医科大学
心血管内科　医学博士（导师：顾青 教授）
2007.09-2012.06 华南医科大学
临床医学　医学学士
""",
        (),
        (
            ("华南医科大学", "医学博士", "心血管内科", "2012-09", "2017-06"),
            ("华南医科大学", "医学学士", "临床医学", "2007-09", "2012-06"),
        ),
    ),
    Case(
        "a school, the speciality and the degree in one long paragraph",
        """
Образование
Смоленский государственный технический университет имени академика А. Б. Вымышленного, Информационные сети, бакалавр, 2015 – 2019
""",
        (),
        (
            (
                "Смоленский государственный технический университет имени академика А. Б. Вымышленного",
                "бакалавр",
                "Информационные сети",
                "2015",
                "2019",
            ),
        ),
    ),
)
