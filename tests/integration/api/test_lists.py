"""Lists: whatever has a page of its own is found in one, and lists are narrowed by what one knows."""

from __future__ import annotations

import re

import pytest

from ingest import batches
from resumes.models import Resume
from review.models import Case
from tests.integration.api.test_roles import READS
from tests.integration.people import POOR, sent, text_file, worked_off
from tests.texts import ADA

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("page", [path for path in READS if re.fullmatch(r"\w+/{\w+}/", path)])
def test_whatever_has_a_page_of_its_own_stands_in_a_list(page):
    assert f"{page.partition('/')[0]}/" in READS


def test_cases_are_told_without_content(as_user, reviewer, recruiter):
    resume = worked_off(sent(recruiter, POOR, "Ada Quillfeather.txt"))
    client = as_user(reviewer)
    (row,) = client.get("/api/v1/cases/").json()["results"]
    case = Case.objects.get()
    assert (row["id"], row["resume"], row["state"]) == (str(case.pk), str(resume.pk), "PENDING")
    assert (row["code"], row["missing"]) == (case.code, case.missing)
    assert row["message"]
    assert row["workbench"].endswith(f"/admin/review/case/{case.pk}/work/")
    assert "Quillfeather" not in str(row)
    assert client.get(f"/api/v1/cases/{case.pk}/").json() == row
    assert client.get("/api/v1/cases/?state=DONE").json()["results"] == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("source=imported", {"a", "b", "c"}),
        ("source=headhunter", set()),
        ("failure_class=preprocess", {"c"}),
        ("code=empty_file", {"c"}),
        ("language=en&state=COMPLETED", {"a"}),
        ("job_family=nothing", set()),
        ("received_after=2020-01-01T00:00:00Z", {"a", "b", "c"}),
        ("received_before=2020-01-01T00:00:00Z", set()),
    ],
)
def test_resumes_are_filtered(as_user, recruiter, query, found):
    for name, text in (("a", ADA), ("b", POOR), ("c", "spoilt")):
        worked_off(sent(recruiter, text, name))
    Resume.objects.filter(filename="c").update(state="REJECTED", failure_class="preprocess", failure_code="empty_file")
    rows = as_user(recruiter).get(f"/api/v1/resumes/?{query}").json()["results"]
    assert {row["filename"] for row in rows} == found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("source=imported", {"Autumn", "Spring"}),
        ("name=autu", {"Autumn"}),
        ("position=Baker", {"Spring"}),
        ("sealed=true", {"Spring"}),
        ("sealed=false", {"Autumn"}),
        ("created_before=2020-01-01T00:00:00Z", set()),
        ("created_after=2020-01-01T00:00:00Z", {"Autumn", "Spring"}),
    ],
)
def test_batches_are_filtered(as_user, recruiter, query, found):
    batches.open_batch(recruiter, "Autumn")
    spring = batches.open_batch(recruiter, "Spring", position="Baker")
    batches.add_file(spring, text_file(ADA), "cv.txt")
    batches.seal(spring)
    rows = as_user(recruiter).get(f"/api/v1/batches/?{query}").json()["results"]
    assert {row["name"] for row in rows} == found


@pytest.mark.parametrize("path", ["resumes/?received_after=", "batches/?created_before="])
@pytest.mark.parametrize("moment", ["yesterday", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_moment_nobody_can_mean_is_refused_or_finds_what_it_finds(as_user, recruiter, path, moment):
    answer = as_user(recruiter).get(f"/api/v1/{path}{moment.replace('+', '%2B')}")
    assert answer.status_code in (200, 400)
