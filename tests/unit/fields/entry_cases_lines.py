"""Resumes that put several entries, or an entry with all it says, in one line. All invented."""

from __future__ import annotations

from tests.unit.fields.entry_pages import Case

CASES = (
    Case(
        "two studies on a line",
        """
Education
LL.M., Stellan Law School, 2018; LL.B., University of Brackwater, 2016
""",
        (),
        (
            ("Stellan Law School", "LL.M.", None, None, "2018"),
            ("University of Brackwater", "LL.B.", None, None, "2016"),
        ),
    ),
    Case(
        "two Chinese studies on a line",
        """
教育经历
北麓理工大学 数学硕士 2019年；南泽师范大学 物理学学士 2016年
""",
        (),
        (("北麓理工大学", "硕士", "数学", None, "2019"), ("南泽师范大学", "学士", "物理学", None, "2016")),
    ),
    Case(
        "a semicolon inside one study does not part it",
        """
Образование
Северный университет, экономический факультет; бакалавр, 2012 – 2016
""",
        (),
        (("Северный университет", "бакалавр", None, "2012", "2016"),),
    ),
    Case(
        "two jobs on a line",
        """
Experience
Teacher, Brackwater School, 2015–2019; Librarian, Stellan City Library, 2012–2015
""",
        (
            ("Brackwater School", "Teacher", "2015", "2019"),
            ("Stellan City Library", "Librarian", "2012", "2015"),
        ),
    ),
    Case(
        "double slashes between degree, school and years",
        """
education
M.Sc. Optics // TU Ostermark // 2014 – 2016
B.Sc. Physics // Universität Ravenau // 2011 – 2014
""",
        (),
        (
            ("TU Ostermark", "M.Sc.", "Optics", "2014", "2016"),
            ("Universität Ravenau", "B.Sc.", "Physics", "2011", "2014"),
        ),
    ),
    Case(
        "a date right behind a Chinese comma",
        """
教育经历
南泽职业学院，酒店管理，大专，2014.09–2017.03
""",
        (),
        (("南泽职业学院", "大专", "酒店管理", "2014-09", "2017-03"),),
    ),
    Case(
        "a school that is letters and a name in quotation marks",
        """
Образование
СГТИ «Меридиан», Прикладная механика, бакалавр, 2015 – 2019
""",
        (),
        (("СГТИ «Меридиан»", "бакалавр", "Прикладная механика", "2015", "2019"),),
    ),
    Case(
        "start and end apart on a line, each with its label",
        """
Previous employment
Employer: Citadel Event Security Ltd
Position: Door Supervisor
From: 02/2022⇥To: present
Employer: Chalk Storage
Position: Night Watchman
From: 05/2017⇥To: 01/2022
""",
        (
            ("Citadel Event Security Ltd", "Door Supervisor", "2022-02", None),
            ("Chalk Storage", "Night Watchman", "2017-05", "2022-01"),
        ),
    ),
    Case(
        "a place below the date is where that job was",
        """
Experience
**Verde Studio
**Interior Designer
October 2022 - Present (4 years 2 months)
Miami, Florida
**Junior Designer
October 2021 - September 2022 (1 year)
**Flamingo Rugs
**Sales Associate
March 2019 - September 2021 (2 years 7 months)
""",
        (
            ("Verde Studio", "Interior Designer", "2022-10", None),
            ("Verde Studio", "Junior Designer", "2021-10", "2022-09"),
            ("Flamingo Rugs", "Sales Associate", "2019-03", "2021-09"),
        ),
    ),
    Case(
        "a life told in English sentences",
        """
I am Jane Roe, a joiner from Leeds.

From June 2021 to the present I have been working as a bench joiner for Estuary Boatworks. Before that, from
April 2015 until May 2021, I was a landscape gardener at Greenfold Nurseries. I like 2019 wines.
""",
        (
            ("Estuary Boatworks", "bench joiner", "2021-06", None),
            ("Greenfold Nurseries", "landscape gardener", "2015-04", "2021-05"),
        ),
    ),
    Case(
        "a life told in Chinese sentences",
        """
您好！我叫李明，现住在北京市。

我2018年6月毕业于北麓师范学院汉语言文学专业，获得学士学位。2018年8月至2021年7月在长河第四中学担任语文教师，2021年8月至今就职于南泽实验学校，担任班主任。
""",
        (("长河第四中学", "语文教师", "2018-08", "2021-07"), ("南泽实验学校", "班主任", "2021-08", None)),
        (("北麓师范学院", "学士", "汉语言文学", None, "2018-06"),),
    ),
    Case(
        "a life told in Russian sentences",
        """
Меня зовут Анна Орлова.

С марта 2020 года по настоящее время работаю кладовщиком в ООО «Северный склад».
До этого, с июня 2015 по февраль 2020, работала методистом в Речном музее.

В 2015 году окончила Северный торговый техникум по специальности «Товароведение».
""",
        (
            ("ООО «Северный склад»", "кладовщиком", "2020-03", None),
            ("Речном музее", "методистом", "2015-06", "2020-02"),
        ),
        (("Северный торговый техникум", None, "Товароведение", None, "2015"),),
    ),
    Case(
        "names with their translation in Russian",
        """
Опыт работы / Experience
АО «Балтрыба» / Baltryba JSC
Финансовый контролёр / Financial Controller
05.2019 – 04.2021
Образование / Education
Северный институт права / Northern Institute of Law, 2012 – 2014
""",
        (("АО «Балтрыба»", "Финансовый контролёр", "2019-05", "2021-04"),),
        (("Северный институт права", None, None, "2012", "2014"),),
    ),
    Case(
        "studies and posts told in one list of a form",
        """
||姓名||李明||
||简历||2000年9月至2004年7月  北麓大学土木工程专业学习//2004年8月至今  长河市水务局科员||
""",
        (("长河市水务局", "科员", "2004-08", None),),
        (("北麓大学", None, "土木工程", "2000-09", "2004-07"),),
    ),
)
