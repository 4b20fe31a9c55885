"""Gaps between jobs: stated among the jobs, they are no jobs, and the years between them do not count."""

from __future__ import annotations

import pytest

from tests.unit.fields.entry_pages import jobs_of, read

JOBS = {
    "en": ("WORK EXPERIENCE", "Accountant, Hill & Sons Ltd, Mar 2020 – Present", "Clerk, Old Mill Ltd, Jan 2015 – Dec 2017"),
    "ru": ("Опыт работы", "03.2020 – н.в. ООО «Вектор», бухгалтер", "01.2015 – 12.2017 ООО «Луч», кассир"),
    "zh": ("工作经历", "2020.03-至今  成都云海科技有限公司  会计", "2015.01-2017.12  成都老磨有限公司  出纳"),
}


@pytest.mark.parametrize(
    ("language", "gap"),
    [
        ("en", "Maternity leave, Jan 2018 – Feb 2020"),
        ("en", "Career break (family reasons), Jan 2018 – Feb 2020"),
        ("en", "Jan 2018 – Feb 2020  Travelling in South America"),
        ("en", "Sabbatical, Jan 2018 – Feb 2020"),
        ("en", "Full-time carer for my father, Jan 2018 – Feb 2020"),
        ("ru", "01.2018 – 02.2020 отпуск по уходу за ребёнком"),
        ("ru", "01.2018 – 02.2020 Декретный отпуск"),
        ("ru", "01.2018 – 02.2020 не работала, уход за родственником"),
        ("zh", "2018.01-2020.02  产假"),
        ("zh", "2018.01-2020.02  待业"),
        ("zh", "2018.01-2020.02  在家照顾孩子"),
    ],
)
def test_a_gap_is_no_job(language, gap):
    heading, first, last = JOBS[language]
    jobs = jobs_of(read(f"{heading}\n{first}\n{gap}\n{last}"))
    assert [job[2] for job in jobs] == ["2020-03", "2015-01"]


@pytest.mark.parametrize(
    ("language", "job"),
    [
        ("en", "Travel Consultant, Blue Sky Tours Ltd, Jan 2018 – Feb 2020"),
        ("en", "Maternity Cover Teacher, Elm Grove School, Jan 2018 – Feb 2020"),
        ("ru", "01.2018 – 02.2020 ООО «Переезд», логист"),
        ("zh", "2018.01-2020.02  上海育儿教育有限公司  教师"),
    ],
)
def test_a_job_that_sounds_like_a_gap_is_one(language, job):
    heading, first, last = JOBS[language]
    jobs = jobs_of(read(f"{heading}\n{first}\n{job}\n{last}"))
    assert [found[2] for found in jobs] == ["2020-03", "2018-01", "2015-01"]
