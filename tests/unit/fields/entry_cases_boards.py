"""Resumes as job boards, forms and public offices print them: what each prints and what stands in it. All invented."""

from __future__ import annotations

from tests.unit.fields.entry_pages import Case

CASES = (
    Case(
        "still going on, in traditional characters",
        """
工作經驗
白樺數位股份有限公司⇥行銷專員⇥2020/03 – 現在
- 操作廣告
遠山書店⇥活動企劃⇥2017年7月 至 2020年2月
- 講座
學歷
國立白樺大學⇥廣告學⇥學士⇥2013/09 – 2017/06
""",
        (
            ("白樺數位股份有限公司", "行銷專員", "2020-03", None),
            ("遠山書店", "活動企劃", "2017-07", "2020-02"),
        ),
    ),
    Case(
        "facts about a firm in brackets behind its name, apart from it",
        """
工作经历
远山制冷设备有限公司⇥（10000人以上 | 家电 | 上市公司）
2018/03 - 2025/09 [7年7个月]
生产主管 | 总装一车间
工作职责：
- 负责两条总装线
白桦电器⇥（1000人以上 | 家电 | 上市公司）
2013/07 - 2018/02 [4年8个月]
工艺工程师 | 工艺部
""",
        (
            ("远山制冷设备有限公司", "生产主管", "2018-03", "2025-09"),
            ("白桦电器", "工艺工程师", "2013-07", "2018-02"),
        ),
    ),
    Case(
        "the trades of a firm between its place and the position",
        """
Опыт работы — 16 лет 6 месяцев
Май 2016 — настоящее время⇥ОАО «Клюквотранс»
Гомель
Перевозки, логистика, склад, ВЭД
• Автомобильные перевозки
• Складские услуги
**Водитель-международник
Рейсы в соседние страны. Тягачи DAF, MAN.
Сентябрь 2011 — Апрель 2016⇥ИП Морошкин
Гомель
**Водитель-экспедитор
Доставка продуктов по области
""",
        (
            ("ОАО «Клюквотранс»", "Водитель-международник", "2016-05", None),
            ("ИП Морошкин", "Водитель-экспедитор", "2011-09", "2016-04"),
        ),
    ),
    Case(
        "a form that names the employer below the duties",
        """
Work experience
||Dates||05/2019 → present||
||Occupation or position held||Mine Planner||
||Main activities and responsibilities||Plans, blast design review||
||Name and address of employer||Cerro Quilner||
||Type of business or sector||Mining||
||Dates||02/2016 → 04/2019||
||Occupation or position held||Site Engineer||
||Main activities and responsibilities||Earthworks||
||Name and address of employer||Consorcio Mavrid||
||Type of business or sector||Construction||
""",
        (
            ("Cerro Quilner", "Mine Planner", "2019-05", None),
            ("Consorcio Mavrid", "Site Engineer", "2016-02", "2019-04"),
        ),
    ),
    Case(
        "jobs under numbered headings, each end of the period with a label of its own",
        """
Место работы 1
Компания: KLUKVA
Должность: Инженер по охране труда
Начало: 11.2017
Окончание: по настоящее время
Место работы 2
Компания: Морошка Стил
Должность: Инспектор
Начало: 02.2012
Окончание: 10.2017
Образование 1
ВУЗ: Морошковский государственный университет
Степень: магистр
Годы: 2009-2011
""",
        (
            ("KLUKVA", "Инженер по охране труда", "2017-11", None),
            ("Морошка Стил", "Инспектор", "2012-02", "2017-10"),
        ),
        (("Морошковский государственный университет", "магистр", None, "2009", "2011"),),
    ),
    Case(
        "start and end on lines of their own",
        """
Work Experience
Company: Madder Mills
Position: Night Clerk
Start date: March 2019
End date: Present
Company: Saffron Foods
Position: Packer
Start date: June 2016
End date: February 2019
""",
        (("Madder Mills", "Night Clerk", "2019-03", None), ("Saffron Foods", "Packer", "2016-06", "2019-02")),
    ),
    Case(
        "how somebody was employed, in brackets behind the title",
        """
Experience
Quilner Animation — Lead Painter
January 2020 – Present
Mavrid House — Visual Development Artist (freelance)
2017 – 2019
""",
        (
            ("Quilner Animation", "Lead Painter", "2020-01", None),
            ("Mavrid House", "Visual Development Artist (freelance)", "2017", "2019"),
        ),
    ),
    Case(
        "titles right behind offices and institutes",
        """
工作经历
2021.08–至今 白桦科学院水生生物研究所，副研究员
2013.08–2021.07 青松市远山区人民政府办公室副主任科员
2008.09–2013.07 远山区白桦街道办事处科员
""",
        (
            ("白桦科学院水生生物研究所", "副研究员", "2021-08", None),
            ("青松市远山区人民政府办公室", "副主任科员", "2013-08", "2021-07"),
            ("远山区白桦街道办事处", "科员", "2008-09", "2013-07"),
        ),
    ),
    Case(
        "positions under a firm with facts about it below its name",
        """
Experience
**QUILNER FOODS, INC.⇥2012 – 2025
$900M private label food company, 2,400 employees
VP, Operations⇥January 2017 – September 2025
- Closed two plants
Director of Manufacturing⇥May 2012 – December 2016
- Rolled out daily management
""",
        (
            ("QUILNER FOODS, INC.", "VP, Operations", "2017-01", "2025-09"),
            ("QUILNER FOODS, INC.", "Director of Manufacturing", "2012-05", "2016-12"),
        ),
    ),
    Case(
        "deeds behind an angle bracket",
        """
Work Experience:
Banque Quilner
  Compliance Officer (11/2019 - Present)
    > Transaction monitoring
    > Trained 120 branch staff
  Teller (02/2016 - 10/2019)
""",
        (("Banque Quilner", "Compliance Officer", "2019-11", None), ("Banque Quilner", "Teller", "2016-02", "2019-10")),
    ),
    Case(
        "schools in letters, in one word, and before a degree with a comma",
        """
Образование
МГТУЗ, Программная инженерия, магистр⇥2014 — 2016
Лесная школа (сентябрь 2018 — декабрь 2020)
Лётная эксплуатация воздушных судов
ВСГУТ (2010 — 2015)
Самолётостроение
Education
University of Manitoba, Bachelor of Respiratory Therapy, 2014
Granskolan, Upper Secondary Diploma, 2010
""",
        (),
        (
            ("МГТУЗ", "магистр", "Программная инженерия", "2014", "2016"),
            ("Лесная школа", None, "Лётная эксплуатация воздушных судов", "2018-09", "2020-12"),
            ("ВСГУТ", None, "Самолётостроение", "2010", "2015"),
            ("University of Manitoba", "Bachelor of Respiratory Therapy", None, None, "2014"),
            ("Granskolan", "Upper Secondary Diploma", None, None, "2010"),
        ),
    ),
    Case(
        "positions in turn at one employer, each with its place below the period",
        """
Experience
Quilner Pixel
3 years 11 months
Engineering Manager
January 2023 - Present (3 years 11 months)
Porto, Portugal
Two squads, payments and ledger.
Senior Software Engineer
April 2019 - December 2022 (3 years 9 months)
Porto, Portugal

Mavrid
Software Engineer
September 2016 - March 2019 (2 years 7 months)
Lisbon, Portugal
""",
        (
            ("Quilner Pixel", "Engineering Manager", "2023-01", None),
            ("Quilner Pixel", "Senior Software Engineer", "2019-04", "2022-12"),
            ("Mavrid", "Software Engineer", "2016-09", "2019-03"),
        ),
    ),
)
