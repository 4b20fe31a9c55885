"""Resumes whose entries are built in ways of their own: what each prints and what stands in it. All names are invented."""

from __future__ import annotations

from tests.unit.fields.entry_pages import Case

CASES = (
    Case(
        "positions under an employer with its whole period",
        """
Experience
**Fernhollow⇥2017 – present
Lift Supervisor⇥2021 – present
- Ran the night crew
Lift Operator⇥2017 – 2021
- Greased the winches
**Pikestone Quarry
Loader⇥2014 – 2017
- Loaded stone
""",
        (
            ("Fernhollow", "Lift Supervisor", "2021", None),
            ("Fernhollow", "Lift Operator", "2017", "2021"),
            ("Pikestone Quarry", "Loader", "2014", "2017"),
        ),
    ),
    Case(
        "overlapping jobs in one line each are no group",
        """
Experience
Night Porter, Gull Hotel⇥2012 – 2020
Ferryman, Tidewell Ferries Ltd⇥2014 – 2016
""",
        (("Gull Hotel", "Night Porter", "2012", "2020"), ("Tidewell Ferries Ltd", "Ferryman", "2014", "2016")),
    ),
    Case(
        "a separator that only one entry has is part of its value",
        """
Experience
Ropewalk — Team Lead / Architect (2020 – 2023)
- Drew plans
Tallow Works — Ward Sister – Burns Unit (2016 – 2020)
- Kept charts
Kelp House — Warden (2012 – 2016)
""",
        (
            ("Ropewalk", "Team Lead / Architect", "2020", "2023"),
            ("Tallow Works", "Ward Sister – Burns Unit", "2016", "2020"),
            ("Kelp House", "Warden", "2012", "2016"),
        ),
    ),
    Case(
        "lines that read like prose",
        """
Career History
2021 to date: Warehouse Supervisor at Ostler Cold Store Ltd, running a night shift of twenty.
2017–2021: Driver, Larkrise Timber Ltd, Norwich.
""",
        (("Ostler Cold Store Ltd", "Warehouse Supervisor", "2021", None), ("Larkrise Timber Ltd", "Driver", "2017", "2021")),
    ),
    Case(
        "numbered labels",
        """
Professional Experience
1. Organisation : Madder Polymers Pvt Ltd
Designation : Quality Engineer
Duration : Apr 2021 to till date
Job Profile :
- Inspection
2. Organisation : Saffron Castings Pvt Ltd
Designation : Trainee Engineer
Duration : Jul 2017 to Mar 2021
Job Profile :
- Reports
""",
        (
            ("Madder Polymers Pvt Ltd", "Quality Engineer", "2021-04", None),
            ("Saffron Castings Pvt Ltd", "Trainee Engineer", "2017-07", "2021-03"),
        ),
    ),
    Case(
        "a table with headings and values over several lines",
        """
Трудовая деятельность
||Дата//приема||Дата//увольнения||Организация, адрес||Должность||
||08.2016||наст. время||ГБУ «Поликлиника//на Садовой»||Врач-//терапевт||
||09.2011||07.2016||ООО «Центр//здоровья»||Участковый//терапевт||
""",
        (
            ("ГБУ «Поликлиника на Садовой»", "Врач-терапевт", "2016-08", None),
            ("ООО «Центр здоровья»", "Участковый терапевт", "2011-09", "2016-07"),
        ),
    ),
    Case(
        "an employer and its title without a space",
        """
工作经历
2022.05-至今⇥青松医院护士长
- 排班
2019.07-2022.04⇥白桦酒店管理有限公司前台主管
- 接待
""",
        (("青松医院", "护士长", "2022-05", None), ("白桦酒店管理有限公司", "前台主管", "2019-07", "2022-04")),
    ),
    Case(
        "what is said of the firm on the line with the date",
        """
工作经历
2018/3-至今⇥青山精密机械有限公司 机械/设备/重工 500-1000人
生产部⇥车间主任
- 排产
""",
        (("青山精密机械有限公司", "车间主任", "2018-03", None),),
    ),
    Case(
        "degrees behind the area, in brackets and with a level",
        """
Education
Accounting, Audit and Tax (BSc)⇥2011 – 2014
University of Marlowe
NVQ Level 3, Professional Cookery⇥2009
Whitstone College
""",
        (),
        (
            ("University of Marlowe", "BSc", "Accounting, Audit and Tax", "2011", "2014"),
            ("Whitstone College", "NVQ Level 3", "Professional Cookery", None, "2009"),
        ),
    ),
    Case(
        "degree behind a labelled area",
        """
Образование
Озёрский педагогический институт⇥2010 – 2015
Специальность: Педагогика и психология; специалист
""",
        (),
        (("Озёрский педагогический институт", "специалист", "Педагогика и психология", "2010", "2015"),),
    ),
    Case(
        "schools without dates whose lines hold labels",
        """
教育背景
白桦大学 — 学历：硕士 专业：软件工程
青松学院 — 学历：本科 专业：数学
""",
        (),
        (("白桦大学", "硕士", "软件工程", None, None), ("青松学院", "本科", "数学", None, None)),
    ),
    Case(
        "a school of unknown name beside a degree and its area",
        """
Education
**Diploma, Pastry Arts
La Corte Dolce
2016 – 2017
""",
        (),
        (("La Corte Dolce", "Diploma", "Pastry Arts", "2016", "2017"),),
    ),
    Case(
        "a high school and its diploma",
        """
Education
Kestrel Bay High School — High School Diploma⇥2012
""",
        (),
        (("Kestrel Bay High School", "High School Diploma", None, None, "2012"),),
    ),
    Case(
        "periods that fill the employer's are its positions, whatever their names",
        """
Experience
**Zorvane⇥2015 – 2023
Quilner⇥2019 – 2023
- Quilned
Mavrid⇥2015 – 2019
- Mavrided
**Brask
Tolner⇥2012 – 2015
- Tolned
""",
        (("Zorvane", "Quilner", "2019", "2023"), ("Zorvane", "Mavrid", "2015", "2019"), ("Brask", "Tolner", "2012", "2015")),
    ),
    Case(
        "names with their translation",
        """
工作经历 Work Experience
宁远港通物流有限公司 Gangtong Logistics⇥2017/07 – 2020/05
单证员 Document Clerk
- 制作提单
""",
        (("宁远港通物流有限公司", "单证员", "2017-07", "2020-05"),),
    ),
    Case(
        "an area that is a list, and a state that is no degree",
        """
Education
2011 – 2015: Bachelor of Science in Food, Nutrition and Dietetics
Egerby Valley University, Cambridge, MA
""",
        (),
        (("Egerby Valley University", "Bachelor of Science", "Food, Nutrition and Dietetics", "2011", "2015"),),
    ),
    Case(
        "a numbered list of jobs that begin with their dates",
        """
Опыт работы
1. 02.2021 – н.в. ООО «Рубикон», охранник. Обязанности: пропускной режим, обход.
2. 06.2017 – 01.2021 ПАО «Прокатный стан», слесарь. Обязанности: ремонт.
3. 2014 – 2017 ИП Кузьмин, грузчик.
""",
        (
            ("ООО «Рубикон»", "охранник", "2021-02", None),
            ("ПАО «Прокатный стан»", "слесарь", "2017-06", "2021-01"),
            ("ИП Кузьмин", "грузчик", "2014", "2017"),
        ),
    ),
)
