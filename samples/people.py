"""The people of the sample resumes. All are invented, and so are their employers, schools, streets, numbers and addresses."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Job:
    position: str
    employer: str
    place: str
    dates: str
    points: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class School:
    institution: str
    award: str
    dates: str


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    label: str
    email: str
    phone: str
    city: str
    links: tuple[str, ...]
    summary: str
    jobs: tuple[Job, ...]
    schools: tuple[School, ...]
    skills: tuple[str, ...]
    tongues: tuple[str, ...]
    extra: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Headings:
    profile: str
    experience: str
    education: str
    skills: str
    languages: str
    contact: str
    extra: str
    list_mark: str = ", "
    place_mark: str = ", "
    """Between an employer and its city."""


ENGLISH = Headings("Profile", "Experience", "Education", "Skills", "Languages", "Contact", "Certificates")
CHINESE = Headings("个人简介", "工作经历", "教育背景", "专业技能", "语言能力", "联系方式", "证书", "、", " · ")
RUSSIAN = Headings("О себе", "Опыт работы", "Образование", "Ключевые навыки", "Знание языков", "Контакты", "Курсы")

HARRIET = Person(
    name="Harriet Lindqvist",
    label="Senior Product Manager",
    email="harriet.lindqvist@example.com",
    phone="+44 20 7946 0142",
    city="Bristol, UK",
    links=("linkedin.com/in/harriet-lindqvist-example",),
    summary=(
        "Product manager for tools that people use all day. Nine years between design and engineering, the last four "
        "leading a group of three teams. Happiest when a support queue gets shorter."
    ),
    jobs=(
        Job(
            "Senior Product Manager",
            "Quillhaven Software",
            "Bristol",
            "May 2021 – Present",
            (
                "Lead three teams of 17 people who build scheduling for hospitals and care homes",
                "Cut the time to plan a week's rota from four hours to forty minutes",
                "Introduced weekly interviews with users; 180 so far",
            ),
        ),
        Job(
            "Product Manager",
            "Tessellane Maps",
            "London",
            "Sep 2018 – Apr 2021",
            (
                "Owned the offline maps from first sketch to 400,000 monthly users",
                "Replaced quarterly releases by weekly ones together with engineering",
            ),
        ),
        Job(
            "Business Analyst",
            "Brindlecombe Retail Group",
            "Reading",
            "Jul 2015 – Aug 2018",
            ("Wrote the requirements of a stock system for 62 shops", "Trained 40 store managers to use it"),
        ),
    ),
    schools=(
        School("University of Westmarsh", "MSc Human-Computer Interaction", "2013 – 2015"),
        School("Caldergate College", "BA Economics", "2010 – 2013"),
    ),
    skills=("Product strategy", "User research", "SQL", "Figma", "Jira", "A/B testing", "Agile", "Data analysis"),
    tongues=("English (native)", "Swedish (fluent)", "German (basic)"),
    extra=("Certified Scrum Product Owner, 2019",),
)

TOMAS = Person(
    name="Tomas Okonjo",
    label="Backend Engineer",
    email="tomas.okonjo@example.org",
    phone="+1 (503) 555-0137",
    city="Portland, OR",
    links=("github.com/tokonjo-example", "tomas-okonjo.example"),
    summary=(
        "Backend engineer with eight years of experience in payment and logistics systems. I like small services, "
        "boring databases and logs that tell the truth."
    ),
    jobs=(
        Job(
            "Senior Backend Engineer",
            "Paperkite Payments",
            "Portland, OR",
            "03/2020 – Present",
            (
                "Designed the ledger that settles 2 million transfers a day",
                "Moved eleven services from virtual machines to Kubernetes without downtime",
                "Mentor for four junior engineers",
            ),
        ),
        Job(
            "Software Engineer",
            "Harbourlight Freight",
            "Seattle, WA",
            "06/2017 – 02/2020",
            ("Built route planning in Go; fuel use fell by 8%", "Wrote the public API and its documentation"),
        ),
        Job(
            "Junior Developer",
            "Mossgate Media",
            "Boise, ID",
            "01/2016 – 05/2017",
            ("Maintained a newsroom's editing system in Django",),
        ),
    ),
    schools=(School("Ridgefell State University", "BSc Computer Science", "2011 – 2015"),),
    skills=("Python", "Go", "PostgreSQL", "Kafka", "Redis", "Kubernetes", "Docker", "Terraform", "gRPC", "Linux"),
    tongues=("English", "Spanish", "Igbo"),
)

WANQING = Person(
    name="苏婉清",
    label="财务分析师",
    email="su.wanqing@example.com",
    phone="138 0000 5521",
    city="苏州",
    links=(),
    summary="七年制造业财务分析经验，熟悉成本核算、预算编制与经营分析，善于把复杂的数字讲清楚，工作细致，沟通顺畅。",
    jobs=(
        Job(
            "高级财务分析师",
            "云栖禾精密机械有限公司",
            "苏州",
            "2020.07 – 至今",
            ("负责三家工厂的年度预算与月度滚动预测，预算偏差由9%降至3%", "搭建成本分析看板，报表出具时间由五天缩短到一天"),
        ),
        Job(
            "财务分析专员",
            "澄湖里电子科技有限公司",
            "无锡",
            "2017.08 – 2020.06",
            ("编制产品成本报告，参与新品定价", "协助完成财务系统上线与历史数据迁移"),
        ),
    ),
    schools=(School("江岭财经大学", "会计学 本科", "2013.09 – 2017.06"),),
    skills=("财务分析", "成本核算", "预算管理", "Excel", "Power BI", "SAP", "SQL"),
    tongues=("普通话", "英语（CET-6）"),
    extra=("中级会计师", "初级会计专业技术资格"),
)

ZHIYUAN = Person(
    name="林知远",
    label="前端开发工程师",
    email="lin.zhiyuan@example.org",
    phone="139 0000 7716",
    city="杭州",
    links=(),
    summary="五年前端开发经验，主导过两个从零到一的产品，关注页面性能与可访问性，乐于分享。",
    jobs=(
        Job(
            "前端开发工程师",
            "青屿云图科技有限公司",
            "杭州",
            "2021.03 – 至今",
            ("负责数据可视化平台的架构与开发，首屏时间由4.2秒降至1.3秒", "建立组件库，供六个业务团队使用"),
        ),
        Job(
            "初级前端工程师",
            "半山信息技术有限公司",
            "南京",
            "2019.07 – 2021.02",
            ("开发在线教育平台的课程与作业模块", "编写单元测试，覆盖率由35%提升到80%"),
        ),
    ),
    schools=(School("临溪理工大学", "软件工程 本科", "2015.09 – 2019.06"),),
    skills=("JavaScript", "TypeScript", "Vue", "React", "Node.js", "Webpack", "CSS"),
    tongues=("普通话", "英语（CET-6）"),
)

MARGARET = Person(
    name="Margaret Oyelaran",
    label="Registered Nurse",
    email="m.oyelaran@example.com",
    phone="020 7946 0671",
    city="Leeds",
    links=(),
    summary=(
        "Registered nurse with twelve years on surgical and emergency wards. Calm on busy nights, careful with "
        "records, glad to teach."
    ),
    jobs=(
        Job(
            "Senior Staff Nurse",
            "Northmere Health Trust",
            "Leeds",
            "October 2017 – Present",
            (
                "Run the night shift of a 24-bed surgical ward",
                "Teach wound care to student nurses, two groups a year",
            ),
        ),
        Job(
            "Staff Nurse",
            "St Aldwyn Hospital",
            "York",
            "September 2013 – September 2017",
            ("Cared for patients in the emergency department", "Helped to introduce electronic drug charts"),
        ),
    ),
    schools=(School("University of Ellerby", "BSc Nursing", "2010 – 2013"),),
    skills=("Patient care", "Wound care", "Triage", "Medication administration", "Infection control", "Electronic records"),
    tongues=("English", "Yoruba"),
    extra=("Advanced Life Support, 2022",),
)

JOEL = Person(
    name="Joel Marsden",
    label="Electrician",
    email="joel.marsden@example.org",
    phone="(614) 555-0164",
    city="Columbus, OH",
    links=("joel-marsden.example",),
    summary="Licensed electrician for homes and small factories, eleven years on site and never a lost-time accident.",
    jobs=(
        Job(
            "Lead Electrician",
            "Copperline Works",
            "Columbus, OH",
            "April 2019 – Present",
            ("Plan and wire solar and storage for about 60 homes a year", "Lead a crew of five"),
        ),
        Job(
            "Electrician",
            "Fennel & Daughters Electric",
            "Dayton, OH",
            "June 2014 – March 2019",
            ("Rewired schools and a bakery during operation", "Found faults that others had given up on"),
        ),
    ),
    schools=(School("Dunmore Technical College", "Associate Degree, Electrical Technology", "2012 – 2014"),),
    skills=("Wiring", "Solar installation", "Fault finding", "PLC programming", "Blueprint reading", "AutoCAD"),
    tongues=("English", "Spanish"),
    extra=("Journeyman Electrician License, 2016",),
)

PAVEL = Person(
    name="Зимин Павел Андреевич",
    label="Инженер-логист",
    email="pavel.zimin@example.com",
    phone="+7 (900) 000-04-17",
    city="Казань",
    links=(),
    summary=(
        "Десять лет в складской и транспортной логистике. Умею считать запасы, договариваться с перевозчиками и "
        "наводить порядок на складе."
    ),
    jobs=(
        Job(
            "Ведущий логист",
            'ООО "Волжский Причал"',
            "Казань",
            "март 2019 - настоящее время",
            ("Управление складом площадью 8000 кв. м", "Сокращение сроков доставки с пяти дней до трёх"),
        ),
        Job(
            "Логист",
            'АО "Сосновый Берег"',
            "Самара",
            "июль 2014 - февраль 2019",
            ("Планирование маршрутов для 35 машин", "Ведение договоров с перевозчиками"),
        ),
    ),
    schools=(School("Приволжский институт транспорта и связи", "Логистика, специалист", "2009 - 2014"),),
    skills=("Управление запасами", "1С:Предприятие", "Excel", "Складской учет", "Планирование маршрутов", "SQL"),
    tongues=("Русский - родной", "Английский - B1"),
)

MARINA = Person(
    name="Ветрова Марина Игоревна",
    label="Главный бухгалтер",
    email="marina.vetrova@example.org",
    phone="+7 900 000-02-88",
    city="Нижний Новгород",
    links=(),
    summary="Главный бухгалтер с опытом работы более двенадцати лет в производстве и торговле. Закрываю год без авралов.",
    jobs=(
        Job(
            "Главный бухгалтер",
            "ООО «Льняная Мануфактура»",
            "Нижний Новгород",
            "Февраль 2018 – по настоящее время",
            (
                "Ведение бухгалтерского и налогового учёта предприятия на 140 человек",
                "Переход на электронный документооборот за полгода",
            ),
        ),
        Job(
            "Бухгалтер",
            "ООО «Торговый дом Ладья»",
            "Владимир",
            "Август 2012 – Январь 2018",
            ("Расчёт заработной платы, учёт основных средств", "Подготовка отчётности для банков"),
        ),
    ),
    schools=(School("Верхневолжский экономический университет", "Бухгалтерский учёт и аудит", "2007 – 2012"),),
    skills=("Бухгалтерский учёт", "Налоговый учёт", "1С:Бухгалтерия", "МСФО", "Excel", "Расчёт заработной платы"),
    tongues=("Русский — родной", "Английский — B2"),
    extra=("МСФО: практика применения, 2020",),
)

YIFAN = Person(
    name="沈一帆",
    label="人力资源主管",
    email="shen.yifan@example.com",
    phone="137 0000 3309",
    city="成都",
    links=(),
    summary="六年人力资源工作经验，熟悉招聘、培训与员工关系，搭建过两百人规模公司的绩效体系。",
    jobs=(
        Job(
            "人力资源主管",
            "蜀岚食品有限公司",
            "成都",
            "2021年5月 – 至今",
            ("负责全年招聘计划，平均到岗周期由45天缩短到28天", "搭建新员工培训体系，试用期留存率提升到92%"),
        ),
        Job(
            "招聘专员",
            "竹里馆文化传播有限公司",
            "重庆",
            "2018年7月 – 2021年4月",
            ("负责门店与总部岗位的招聘", "组织校园招聘十二场"),
        ),
    ),
    schools=(School("巴山师范学院", "人力资源管理 本科", "2014年9月 – 2018年6月"),),
    skills=("招聘管理", "绩效管理", "员工关系", "培训", "Excel", "PPT"),
    tongues=("普通话", "英语（CET-4）"),
)

GRACE = Person(
    name="Grace Abernethy",
    label="Marketing Coordinator",
    email="grace.abernethy@example.com",
    phone="020 7946 0915",
    city="Manchester",
    links=(),
    summary="Marketing coordinator for museums and festivals who can write, count and keep a budget.",
    jobs=(
        Job(
            "Marketing Coordinator",
            "Lanternfield Museum",
            "Manchester",
            "January 2020 – Present",
            ("Planned campaigns for nine exhibitions; visits grew by 22%", "Write the newsletter for 18,000 readers"),
        ),
        Job(
            "Marketing Assistant",
            "Riverstep Festival",
            "Chester",
            "August 2017 – December 2019",
            ("Ran social media and the press list", "Kept the budget of printed matter"),
        ),
    ),
    schools=(School("University of Thornbury", "BA English Literature", "2014 – 2017"),),
    skills=("Copywriting", "Social media", "Google Analytics", "Budgeting", "Adobe InDesign", "Email marketing"),
    tongues=("English", "French"),
)

PRIYA = Person(
    name="Priya Ramanathan",
    label="Mechanical Engineer",
    email="priya.ramanathan@example.org",
    phone="+1 734 555 0189",
    city="Ann Arbor, MI",
    links=(),
    summary="Mechanical engineer for pumps and compressors, from the first sketch to the test bench.",
    jobs=(
        Job(
            "Mechanical Engineer",
            "Ferrowick Pumps",
            "Ann Arbor, MI",
            "August 2018 – Present",
            ("Designed a seal that lasts three times as long", "Run the endurance test bench"),
        ),
    ),
    schools=(School("Lakemoor Institute of Technology", "MSc Mechanical Engineering", "2016 – 2018"),),
    skills=("SolidWorks", "ANSYS", "MATLAB", "GD&T", "Test planning"),
    tongues=("English", "Tamil"),
)

LEO = Person(
    name="Leo Fontaine",
    label="Barista",
    email="leo.fontaine@example.org",
    phone="",
    city="Brighton",
    links=(),
    summary="Friendly early riser looking for a full-time position in a small café. Available from next month.",
    jobs=(
        Job(
            "Barista",
            "The Copper Kettle Café",
            "Brighton",
            "June 2023 – September 2024",
            ("Served about 200 guests a day", "Opened the shop four mornings a week"),
        ),
    ),
    schools=(),
    skills=(),
    tongues=(),
)
