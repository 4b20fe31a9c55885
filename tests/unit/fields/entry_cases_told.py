"""Resumes written as English prose: what each tells and what stands in it. All invented."""

from __future__ import annotations

from tests.unit.fields.entry_pages import Case

CASES = (
    Case(
        "a life without headings",
        """
My name is Jane Roe and I live in Leeds.

From October 2020 to June 2025 I worked as a Claims Handler at Quilner Assurance, where I settled claims.
Before that I was a Customer Adviser at Mavrid Bank from March 2017 to September 2020.

I studied Finance and Insurance at Northmoor University from 2012 to 2017 and hold a Master's degree.
""",
        (
            ("Quilner Assurance", "Claims Handler", "2020-10", "2025-06"),
            ("Mavrid Bank", "Customer Adviser", "2017-03", "2020-09"),
        ),
        (("Northmoor University", "Master's degree", "Finance and Insurance", "2012", "2017"),),
    ),
    Case(
        "several jobs in a sentence",
        """
About me

I worked as a line cook at The Copper Kettle from 2015 to 2019. In 2019 I joined Madder Catering as sous chef, and since
January 2022 I have been head chef at Harrow House in Leeds.

I graduated from Northmoor College in 2014 with a diploma in culinary arts.
""",
        (
            ("The Copper Kettle", "line cook", "2015", "2019"),
            ("Madder Catering", "sous chef", "2019", None),
            ("Harrow House", "head chef", "2022-01", None),
        ),
        (("Northmoor College", "diploma", "culinary arts", None, "2014"),),
    ),
    Case(
        "sentences under headings",
        """
Experience
I worked as a warehouse operative for Saffron Foods Ltd between 2016 and 2018. Then, from 2018 until 2021, I was employed by
Madder Mills Ltd as a shift leader. Currently I am working as a depot manager with Nettle Logistics (since May 2021).

Education
I completed my BSc in Logistics at the University of Northmoor in 2016.
""",
        (
            ("Saffron Foods Ltd", "warehouse operative", "2016", "2018"),
            ("Madder Mills Ltd", "shift leader", "2018", "2021"),
            ("Nettle Logistics", "depot manager", "2021-05", None),
        ),
        (("University of Northmoor", "BSc", "Logistics", None, "2016"),),
    ),
    Case(
        "started, moved, work for",
        """
Experience
I started my career at Saffron Foods in 2012 as a packer. Since 2019 I work for Nettle Ltd as a plant manager.
I read History at the University of Northmoor from 2010 to 2013.
""",
        (("Saffron Foods", "packer", "2012", None), ("Nettle Ltd", "plant manager", "2019", None)),
    ),
    Case(
        "a sentence below a job is no job",
        """
Experience
Madder Mills Ltd⇥2016 – 2020
Packer
- I worked as a mentor at the Copper Kettle from 2017 to 2018.
""",
        (("Madder Mills Ltd", "Packer", "2016", "2020"),),
    ),
    Case(
        "in Russian, places of work with a number or two words before their name",
        """
Меня зовут Надежда Козак. Я учитель из Краснодара.

С сентября 2013 года по настоящее время работаю учителем начальных классов в школе № 44.
До этого, с августа 2010 по август 2013 года, работала воспитателем в детском саду «Ромашка».
""",
        (
            ("школе No 44", "учителем начальных классов", "2013-09", None),
            ("«Ромашка»", "воспитателем", "2010-08", "2013-08"),
        ),
    ),
)
