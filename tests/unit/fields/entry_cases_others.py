"""Jobs with lines about other people and the company's own contact data under them. All invented."""

from __future__ import annotations

from tests.unit.fields.entry_pages import Case

CASES = (
    Case(
        "an English job with its manager and the company's address",
        """
Experience
2018 – 2020
Sales clerk
Line manager: Peter Miles
Company e-mail: info@northwind.example
""",
        ((None, "Sales clerk", "2018", "2020"),),
    ),
    Case(
        "an English job with its supervisor",
        """
Experience
2018 – 2020
Sales clerk
Supervisor: Peter Miles
""",
        ((None, "Sales clerk", "2018", "2020"),),
    ),
    Case(
        "a Russian job with its manager and the company's address",
        """
Опыт работы
2018 – 2020
Продавец
Непосредственный руководитель: Петров Олег
Почта компании: info@northwind.example
""",
        ((None, "Продавец", "2018", "2020"),),
    ),
    Case(
        "a Chinese job with its manager and the company's address",
        """
工作经历
2018.01 – 2020.03
会计
直属上级：李四
公司邮箱：info@northwind.example
""",
        ((None, "会计", "2018-01", "2020-03"),),
    ),
)
