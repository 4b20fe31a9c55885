"""Every page of the admin, with every role: it opens or it is refused, and it costs the same for one row and for many."""

from __future__ import annotations

import pytest

from ingest import batches, reconcile
from ingest.models import Batch
from resumes import pool_matches
from resumes.models import Candidate, Resume, Vacancy
from resumes.states import State
from review import bulk
from review.models import BulkJob, Case
from tests.integration.people import POOR, sent, text_file, worked_off
from tests.texts import ADA

pytestmark = pytest.mark.django_db

ROLES = ("recruiter", "reviewer", "operator", "admin")
PAGES = {
    "/admin/": (200, 200, 200, 200),
    "/admin/resumes/resume/": (200, 200, 200, 200),
    "/admin/resumes/resume/{resume}/change/": (200, 200, 200, 200),
    "/admin/resumes/candidate/": (200, 403, 403, 200),
    "/admin/resumes/candidate/{candidate}/change/": (200, 403, 403, 200),
    "/admin/resumes/vacancy/": (200, 403, 403, 200),
    "/admin/resumes/vacancy/{vacancy}/change/": (200, 403, 403, 200),
    "/admin/resumes/vacancy/add/": (200, 403, 403, 200),
    "/admin/resumes/transition/": (403, 403, 200, 200),
    "/admin/ingest/batch/": (200, 200, 200, 200),
    "/admin/ingest/batch/{batch}/change/": (200, 200, 200, 200),
    "/admin/ingest/batch/{batch}/report.json": (200, 200, 200, 200),
    "/admin/ingest/batch/{batch}/report.csv": (200, 200, 200, 200),
    "/admin/ingest/batch/upload/": (200, 403, 403, 200),
    "/admin/ingest/attempt/": (403, 403, 200, 200),
    "/admin/ingest/outcome/": (403, 403, 200, 200),
    "/admin/ingest/reconciliationreport/": (403, 403, 200, 200),
    "/admin/ingest/heartbeat/": (403, 403, 200, 200),
    "/admin/review/case/?state__exact=PENDING": (403, 200, 403, 200),
    "/admin/review/case/statistics/": (403, 200, 403, 200),
    "/admin/review/correction/": (403, 200, 403, 200),
    "/admin/review/team/": (403, 200, 403, 200),
    "/admin/review/team/add/": (403, 403, 403, 200),
    "/admin/review/bulkjob/": (403, 200, 403, 200),
}


@pytest.fixture
def things(people, monkeypatch):
    monkeypatch.setattr("ingest.broker.queue_depths", lambda queues: dict.fromkeys(queues, 0))
    owner = people["recruiter"]
    batch = batches.open_batch(owner, "Autumn")
    for number, text in enumerate((ADA, "", POOR)):
        batches.add_file(batch, text_file(text), f"{number}.txt")
    batches.seal(batch)
    for resume in Resume.objects.exclude(next_stage=""):
        worked_off(resume)
    reconcile.reconcile(batch.pk)
    vacancy = Vacancy.objects.create(title="Engineer", skills=["Python"], owner=owner)
    pool_matches.match_vacancy(vacancy.pk)
    return {
        "batch": batch.pk,
        "resume": Resume.objects.get(state=State.COMPLETED).pk,
        "candidate": Candidate.objects.get().pk,
        "vacancy": vacancy.pk,
    }


@pytest.mark.parametrize("language", ["en", "zh-hans", "ru"])
@pytest.mark.parametrize("role", ROLES)
def test_every_page_opens_for_whom_it_is_meant(things, signed_in, role, language):
    client = signed_in(role)
    client.cookies["django_language"] = language
    for page, codes in PAGES.items():
        answer = client.get(page.format(**things))
        assert answer.status_code == codes[ROLES.index(role)], page
        if answer.status_code == 200 and page.endswith("/"):
            assert b"<script>" not in answer.content, page
            assert b'style="' not in answer.content, page


def test_operators_see_no_content_and_no_file_names(things, signed_in):
    client = signed_in("operator")
    for page in ("/admin/resumes/resume/", "/admin/resumes/resume/{resume}/change/", "/admin/ingest/batch/{batch}/change/"):
        content = client.get(page.format(**things)).content.decode()
        assert "Quillfeather" not in content
        assert ".txt" not in content
    assert client.get("/admin/resumes/resume/{resume}/original/".format(**things)).status_code == 404


def test_recruiters_see_only_what_they_sent(things, people, signed_in):
    other = sent(people["admin"], POOR + "eggs", "other.txt")
    client = signed_in("recruiter")
    assert "other.txt" not in client.get("/admin/resumes/resume/").content.decode()
    assert client.get(f"/admin/resumes/resume/{other.pk}/change/").status_code == 302
    assert client.get(f"/admin/resumes/resume/{other.pk}/original/").status_code == 404


def test_nobody_changes_or_deletes_what_is_on_record(things, signed_in):
    client = signed_in("admin")
    resume = Resume.objects.get(pk=things["resume"])
    client.post(f"/admin/resumes/resume/{resume.pk}/change/", {"state": "REJECTED"})
    assert client.get(f"/admin/resumes/resume/{resume.pk}/delete/").status_code == 403
    assert client.get("/admin/resumes/resume/add/").status_code == 403
    resume.refresh_from_db()
    assert resume.state == State.COMPLETED


def test_selected_resumes_are_run_again(things, signed_in):
    failed = Resume.objects.get(state=State.REVIEW_NEEDED)
    answer = signed_in("operator").post(
        "/admin/resumes/resume/", {"action": "run_again", "_selected_action": [str(failed.pk)]}, follow=True
    )
    assert answer.status_code == 200
    failed.refresh_from_db()
    assert (failed.state, failed.run) == (State.PENDING, 2)


def test_selected_cases_are_discarded(things, signed_in):
    case = Case.objects.get()
    here, chosen = "/admin/review/case/?state__exact=PENDING", {"action": "discard_selected", "_selected_action": [str(case.pk)]}
    assert signed_in("reviewer").post(here, chosen).context["number"] == 1
    signed_in("reviewer").post(here, chosen | {"confirmed": "1", "reason": "not_a_resume"})
    bulk.work_off(BulkJob.objects.get().pk)
    case.refresh_from_db()
    assert case.state == Case.State.DISCARDED


def test_a_batch_is_reconciled_sealed_and_cancelled_by_button(things, people, signed_in):
    client = signed_in("recruiter")
    batch = batches.open_batch(people["recruiter"], "Winter")
    batches.add_file(batch, text_file(POOR + "milk"), "a.txt")
    for verb in ("seal", "cancel", "reconcile"):
        assert client.post(f"/admin/ingest/batch/{batch.pk}/do/{verb}/").status_code == 302
    batch = Batch.objects.get(pk=batch.pk)
    assert batch.sealed_at
    assert batch.cancelled_at
    assert batch.reports.exists()
    assert client.get(f"/admin/ingest/batch/{batch.pk}/do/seal/").status_code == 405
    assert signed_in("reviewer").post(f"/admin/ingest/batch/{batch.pk}/do/seal/").status_code == 403


def test_anomalies_are_named_on_the_page(things, people, signed_in):
    from ingest.models import Outcome

    Outcome.objects.all().delete()
    reconcile.reconcile(things["batch"])
    page = signed_in("recruiter").get("/admin/ingest/batch/{batch}/change/".format(**things)).content.decode()
    assert "Does not add up" in page
    assert "Missing" in page


def test_saving_a_vacancy_matches_the_pool_again(things, signed_in, people, sent, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        signed_in("recruiter").post(
            "/admin/resumes/vacancy/add/",
            {"title": "Tester", "skills": '["Python"]', "open": "on", "matches-TOTAL_FORMS": "0", "matches-INITIAL_FORMS": "0"},
        )
    assert Vacancy.objects.get(title="Tester").owner == people["recruiter"]
    assert [message.topic for message in sent] == ["ingest.match_vacancy"]


@pytest.mark.parametrize("page", ["/admin/resumes/resume/", "/admin/ingest/batch/", "/admin/review/case/?state__exact=PENDING"])
def test_lists_cost_the_same_for_one_and_for_many(things, people, signed_in, page, django_assert_num_queries):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client = signed_in("admin")
    client.get(page)
    with CaptureQueriesContext(
        connection,
    ) as few:
        client.get(page)
    for number in range(4):
        batches.add_file(batches.open_batch(people["recruiter"], str(number)), text_file(f"{POOR}{number}"), "x.txt")
    for resume in Resume.objects.exclude(next_stage=""):
        worked_off(resume)
    with CaptureQueriesContext(connection) as many:
        client.get(page)
    assert len(many) <= len(few) + (1 if "batch" in page else 0)


def test_an_api_session_needs_the_csrf_token_of_the_upload_page(things, people):
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(people["recruiter"])
    assert client.post("/api/v1/batches/", {"name": "x"}, content_type="application/json").status_code == 403
    client.get("/admin/ingest/batch/upload/")
    token = client.cookies["csrftoken"].value
    answer = client.post("/api/v1/batches/", {"name": "x"}, content_type="application/json", headers={"X-CSRFToken": token})
    assert answer.status_code == 201
    files = {"files": [text_file("a"), text_file("b")]}
    answer = client.post(f"/api/v1/batches/{answer.json()['id']}/resumes/", files, headers={"X-CSRFToken": token})
    assert answer.status_code == 202
