"""Jobs that say they go on and not since when, and jobs whose dates cannot be right: kept as printed. All invented."""

from __future__ import annotations

from tests.unit.fields.entry_pages import Case

CASES = (
    Case(
        "present alone on a line above the job",
        """
Work Experience
Present
Shift Supervisor
Madder Mills
March 2016 – May 2020
Packer
Saffron Foods
""",
        (("Madder Mills", "Shift Supervisor", None, None), ("Saffron Foods", "Packer", "2016-03", "2020-05")),
    ),
    Case(
        "present alone at the margin",
        """
Experience
Shift Supervisor, Madder Mills Ltd⇥Present
- ran the line
Packer, Saffron Foods Ltd⇥2016 – 2020
- packed
""",
        (("Madder Mills Ltd", "Shift Supervisor", None, None), ("Saffron Foods Ltd", "Packer", "2016", "2020")),
    ),
    Case(
        "present alone below the job",
        """
工作经历
远山科技有限公司
工程师
至今
- 开发
白桦科技有限公司
技术员
2015.03-2019.06
- 测试
""",
        (("远山科技有限公司", "工程师", None, None), ("白桦科技有限公司", "技术员", "2015-03", "2019-06")),
    ),
    Case(
        "present at the beginning of the line",
        """
工作经历
至今 远山科技有限公司 工程师
2015.03-2019.06 白桦科技有限公司 技术员
""",
        (("远山科技有限公司", "工程师", None, None), ("白桦科技有限公司", "技术员", "2015-03", "2019-06")),
    ),
    Case(
        "present behind a comma",
        """
Опыт работы
ООО «Клюква», менеджер по продажам, по настоящее время
- договоры
ООО «Морошка», продавец, 2015 – 2019
""",
        (("ООО «Клюква»", "менеджер по продажам", None, None), ("ООО «Морошка»", "продавец", "2015", "2019")),
    ),
    Case(
        "an end on a line of its own belongs to the start above it",
        """
Experience
Madder Mills
Shift Supervisor
2021 –
Present
Saffron Foods
Packer
2016 – 2020
""",
        (("Madder Mills", "Shift Supervisor", "2021", None), ("Saffron Foods", "Packer", "2016", "2020")),
    ),
    Case(
        "ends before their starts",
        """
Experience
Shift Supervisor, Madder Mills Ltd
May 2021 – March 2019
- ran the line
Packer, Saffron Foods Ltd
2018 – 2016
- packed
""",
        (("Madder Mills Ltd", "Shift Supervisor", "2021-05", "2019-03"), ("Saffron Foods Ltd", "Packer", "2018", "2016")),
    ),
    Case(
        "an end before its start, in numbers",
        """
Опыт работы
05.2021 – 03.2019 ООО «Клюква», менеджер
2015 – 2018 ООО «Морошка», продавец
""",
        (("ООО «Клюква»", "менеджер", "2021-05", "2019-03"), ("ООО «Морошка»", "продавец", "2015", "2018")),
    ),
    Case(
        "days to come",
        """
Experience
Saffron Foods Ltd⇥Jan 2028 – Present
Packer
Nettle Ltd⇥Mar 2027 – Dec 2030
Porter
""",
        (("Saffron Foods Ltd", "Packer", "2028-01", None), ("Nettle Ltd", "Porter", "2027-03", "2030-12")),
    ),
)
