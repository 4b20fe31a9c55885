"""Resumes whose employers, titles and schools have something at their edges that is part of none. All invented."""

from __future__ import annotations

from tests.unit.fields.entry_pages import Case

CASES = (
    Case(
        "what brackets say of a firm",
        """
工作经历
2019.03-至今 白桦精密机械股份有限公司（上市公司，1000-5000人）[6年] 质量工程师
2015.07-2019.02 青松轴承厂（国企） 检验员
""",
        (
            ("白桦精密机械股份有限公司", "质量工程师", "2019-03", None),
            ("青松轴承厂", "检验员", "2015-07", "2019-02"),
        ),
    ),
    Case(
        "a town glued to the employer",
        """
Experience
HVAC Technician
Northwind Systems-Harrow, OH
May 2019 - Present
HVAC Helper
Copper Kettle Heating-Harrow, OH
June 2016 - April 2019
""",
        (
            ("Northwind Systems", "HVAC Technician", "2019-05", None),
            ("Copper Kettle Heating", "HVAC Helper", "2016-06", "2019-04"),
        ),
    ),
    Case(
        "what is done, behind a Chinese title",
        """
工作经历
2019.05-至今 白桦酒店 行政总厨，管理后厨三十人，成本下降
2016.03-2019.04 青松饭店 厨师长。带领十二人
""",
        (("白桦酒店", "行政总厨", "2019-05", None), ("青松饭店", "厨师长", "2016-03", "2019-04")),
    ),
    Case(
        "served at, in Chinese prose",
        """
工作经历
2012年7月至2016年5月，在青松水利设计院工作，任助理工程师；
2016年5月至今，在白桦水务有限公司工作，任总工程师。
""",
        (
            ("青松水利设计院", "助理工程师", "2012-07", "2016-05"),
            ("白桦水务有限公司", "总工程师", "2016-05", None),
        ),
    ),
    Case(
        "what stands before a legal form, and a town behind it",
        """
Опыт работы
2019.03 — 2022.05 Вахта, АО «Клюква», монтажник
2016.01 — 2019.02 ООО «Морошка», сварщик
""",
        (("АО «Клюква»", "монтажник", "2019-03", "2022-05"), ("ООО «Морошка»", "сварщик", "2016-01", "2019-02")),
    ),
    Case(
        "a list of jobs with a dated remark behind it",
        """
Опыт работы
- 11.2019 – по настоящее время. ООО «Клюква», водитель
- 04.2013 – 10.2019. ООО «Морошка», экспедитор
""",
        (("ООО «Клюква»", "водитель", "2019-11", None), ("ООО «Морошка»", "экспедитор", "2013-04", "2019-10")),
    ),
    Case(
        "a form whose cell holds a whole life",
        """
||姓名||王小明||
||简 历||2003.09—2007.07 白桦农业大学农学院农学专业学习//2007.07—2016.08 青松市农业局技术员//2016.08— 青松市财政局办公室副主任||
||电子邮箱||wang@example.com||
""",
        (
            ("青松市农业局", "技术员", "2007-07", "2016-08"),
            ("青松市财政局", "办公室副主任", "2016-08", None),
        ),
        (("白桦农业大学", None, "农学", "2003-09", "2007-07"),),
    ),
    Case(
        "schools with the subject right behind them",
        """
教育背景
2014.09-2016.06 白桦大学会计学硕士
2010.09-2014.06 青松大学法学院法律专业学习
2007.09-2010.06 云杉高级技工学校中式烹调
""",
        (),
        (
            ("白桦大学", "硕士", "会计学", "2014-09", "2016-06"),
            ("青松大学", None, "法律", "2010-09", "2014-06"),
            ("云杉高级技工学校", None, "中式烹调", "2007-09", "2010-06"),
        ),
    ),
    Case(
        "a department that says the subject",
        """
學歷
2014.09-2016.06 國立白樺大學 會計學系 碩士
""",
        (),
        (("國立白樺大學", "碩士", "會計學", "2014-09", "2016-06"),),
    ),
    Case(
        "notes on the way of studying",
        """
教育背景
2014.09-2019.06 白桦大学 环境科学 博士（硕博连读）
2010.09-2014.06 青松大学 法学（辅修经济学） 本科
""",
        (),
        (
            ("白桦大学", "博士", "环境科学", "2014-09", "2019-06"),
            ("青松大学", "本科", "法学", "2010-09", "2014-06"),
        ),
    ),
    Case(
        "what one may call oneself, and the level below the school",
        """
Образование
Лесной медицинский университет, лечебное дело, врач, 2005–2011
Лесной педагогический университет магистратура, 2012–2014
""",
        (),
        (
            ("Лесной медицинский университет", None, "лечебное дело", "2005", "2011"),
            ("Лесной педагогический университет", "магистратура", None, "2012", "2014"),
        ),
    ),
    Case(
        "a faculty behind its university",
        """
Education
University of Harrowfield, Faculty of Law, LLB, 2010 - 2014
""",
        (),
        (("University of Harrowfield", "LLB", None, "2010", "2014"),),
    ),
    Case(
        "a remark in brackets with years of its own",
        """
Education
BEng Mechanical Engineering, University of Harrowfield
2012 - 2018
(including a year of military service, 2015 - 2016)
""",
        (),
        (("University of Harrowfield", "BEng", "Mechanical Engineering", "2012", "2018"),),
    ),
    Case(
        "labels of the parts of a study",
        """
Образование
Высшее: Лесной институт управления (2006–2011), специальность – экономика
""",
        (),
        (("Лесной институт управления", "Высшее", "экономика", "2006", "2011"),),
    ),
)
