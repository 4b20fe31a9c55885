"""The quality gate: what counts, what passes, and what is no resume."""

from __future__ import annotations

import pytest

from ingest import quality
from ingest.quality import assess

FULL = {
    "basics": {"name": "Jane Roe", "email": "jane@example.com", "phone": "+44 20 7946 0000"},
    "work": [{"name": "Acme Ltd", "position": "Engineer"}],
    "education": [{"institution": "A school"}],
    "skills": [{"name": "Python"}],
}
RESUME = "Jane Roe\njane@example.com\nExperience\nAcme Ltd 2019 - 2021\nEducation\nA school 2010 - 2014\nSkills\nPython"


def evidence(profile, confidence=0.9):
    paths = [f"basics.{key}" for key in profile.get("basics", {})]
    paths += [f"{key}[0].{name}" for key in ("work", "education", "skills") if profile.get(key) for name in profile[key][0]]
    return {path: {"source": "rules", "confidence": confidence, "quote": "…"} for path in paths}


def judged(profile, text=RESUME, **options):
    return assess(profile, evidence(profile), text=text, **options)


def without(*names):
    kept = {key: value for key, value in FULL.items() if key not in names}
    return kept | {"basics": {key: value for key, value in FULL["basics"].items() if key not in names}}


def test_a_full_resume_passes():
    found = judged(FULL)
    assert (found.completeness, found.missing, found.code, found.passed) == (1.0, (), "", True)


@pytest.mark.parametrize("names", [(name,) for name in quality.CORE] + [("name", "skills"), ("work", "phone")])
def test_what_is_missing_is_named(names):
    found = judged(without(*names))
    assert set(found.missing) == set(names)
    assert found.completeness == round((6 - len(names)) / 6, 3)


@pytest.mark.parametrize(
    ("missing", "passes"),
    [
        (("work", "phone"), True),
        (("work", "phone", "skills"), False),
        (("name",), False),
        (("email", "phone"), False),
        (("email",), True),
    ],
)
def test_the_gate_wants_three_fifths_and_a_name_with_a_way_to_reach_it(missing, passes):
    found = judged(without(*missing))
    assert found.passed is passes
    assert found.code == ("" if passes else "low_completeness")


def test_the_threshold_is_the_installations():
    assert judged(without("work", "phone", "skills"), threshold=0.5).passed
    assert not judged(without("work"), threshold=0.9).passed


def test_a_value_without_evidence_does_not_count():
    found = assess(FULL, {}, text=RESUME)
    assert found.completeness == 0.0


@pytest.mark.parametrize(("field", "value"), [("name", "Roe 1990"), ("email", "jane@example"), ("phone", "12-34")])
def test_a_value_that_cannot_be_one_does_not_count(field, value):
    profile = FULL | {"basics": FULL["basics"] | {field: value}}
    assert judged(profile).missing == (field,)


def test_nothing_on_the_pages_is_a_blank_document():
    assert judged({"basics": {}}, text=" \n ").code == "blank_document"


LETTER = """Jane Roe
jane@example.com | +44 20 7946 0000
Dear Hiring Manager,
I am writing to apply for the position of engineer. I worked at Acme Ltd from 2019 to 2021 and bring skills in Python.
I look forward to hearing from you.
Yours sincerely,
Jane Roe"""
INVOICE = """INVOICE No. 17
Example Supplies Ltd, billing@example.com, +44 20 7946 0111
Bill to: Another Ltd
Item Qty Unit price
Chair 4 120.00
Total due 480.00"""
CONTRACT = "采购合同\n甲方：示例商贸 乙方：示例食品\n签订日期：2026年3月1日\n本合同一式两份。\n电话：010-62345678"
VACANCY = "Engineer\nWe are looking for an engineer.\nRequirements\nWhat we offer\nEducation\nSkills\njobs@example.com"
NOVEL = "The rain had not stopped since Tuesday, and the lane behind the mill had turned to a brown stream.\n" * 20
MAIL = "Hello,\nis your office open on Saturday?\nThanks"


@pytest.mark.parametrize("text", [LETTER, INVOICE, CONTRACT, VACANCY, NOVEL, MAIL])
@pytest.mark.parametrize("basics", [{}, FULL["basics"]])
def test_other_documents_are_no_resumes_whatever_was_found_in_them(text, basics):
    found = judged({"basics": basics}, text=text)
    assert found.code == "not_a_resume"
    assert not found.passed


def test_a_resume_that_mentions_invoices_is_one():
    text = RESUME + "\nChecked the quantity and unit price of each invoice\nLanguages\nEnglish"
    assert judged(FULL, text=text).passed
