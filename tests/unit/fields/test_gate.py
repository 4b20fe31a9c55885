"""The gate on resumes from which core fields were taken away: who is under it goes to a person, with the right list."""

import datetime as dt
from itertools import chain, combinations

import pytest

from ingest.fields import extract_fields
from ingest.fields.draft import Hints
from ingest.page import Page, line_of
from ingest.quality import CORE, assess

RESUMES = {
    "en": {
        "name": ["Alice Archer"],
        "email": ["alice.archer@example.com"],
        "phone": ["+1 202 555 0143"],
        "work": ["Work experience", "Lantern Books Ltd", "Editor", "March 2019 - Present", "Edited forty titles a year"],
        "education": ["Education", "University of Northmoor", "BA History", "2012 - 2015"],
        "skills": ["Skills", "Proofreading, InDesign, Copy editing"],
    },
    "zh": {
        "name": ["姓名：林知远"],
        "email": ["邮箱：lin.zhiyuan@example.org"],
        "phone": ["电话：13900007716"],
        "work": ["工作经历", "2019.03 - 至今  青屿云图科技有限公司  产品经理", "负责产品规划与需求分析"],
        "education": ["教育背景", "2012.09 - 2016.06  临江大学  信息管理  本科"],
        "skills": ["专业技能", "需求分析、原型设计、SQL"],
    },
    "ru": {
        "name": ["Соколова Анна Игоревна"],
        "email": ["E-mail: sokolova@example.org"],
        "phone": ["Телефон: +7 900 000-12-34"],
        "work": ["Опыт работы", "март 2019 — по настоящее время", "ООО «Светлый путь»", "Бухгалтер", "Ведение учёта"],
        "education": ["Образование", "Приреченский государственный университет", "Экономика, бакалавр", "2012 — 2016"],
        "skills": ["Ключевые навыки", "1С, Excel, налоговая отчётность"],
    },
}
SETS = list(chain.from_iterable(combinations(CORE, count) for count in range(len(CORE) + 1)))


def judged(language: str, removed: tuple[str, ...]):
    lines = [
        text
        for name in ("name", "email", "phone", "work", "education", "skills")
        if name not in removed
        for text in RESUMES[language][name]
    ]
    page = Page(1, tuple(line_of(text, gap=1.0) for text in lines))
    draft = extract_fields([page], Hints(as_of=dt.date(2026, 11, 30)))
    evidence = {path: found.to_json() for path, found in draft.evidence.items()}
    return assess(draft.profile.to_json(), evidence, text=page.text)


@pytest.mark.parametrize("language", RESUMES)
def test_a_whole_resume_passes(language):
    assert judged(language, ()).passed


@pytest.mark.parametrize("language", RESUMES)
def test_what_is_under_the_gate_is_held_back_with_the_right_list_of_what_is_missing(language):
    under, held, listed = 0, 0, 0
    for removed in SETS:
        kept = set(CORE) - set(removed)
        if len(kept) / len(CORE) >= 0.6 and "name" in kept and kept & {"email", "phone"}:
            continue
        quality = judged(language, removed)
        under += 1
        held += not quality.passed
        listed += set(quality.missing) == set(removed)
    print(f"{language}: {under} under the gate, {held} held back, {listed} with the right list")
    assert held == under
    assert listed / under >= 0.98
