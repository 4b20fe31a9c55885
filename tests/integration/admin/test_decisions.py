from __future__ import annotations

import json

import pytest

from ingest import runner
from resumes.models import Candidate, Resume
from resumes.states import State
from review import cases, decisions
from review.models import Case, Correction
from tests.integration.people import POOR, sent, worked_off
from tests.texts import ADA

pytestmark = pytest.mark.django_db

FORM = {
    "basics": {"name": "Ada Quillfeather", "email": "ada@example.org", "phone": "+44 20 7946 0018", "city": "Leeds"},
    "work": [
        {"origin": None, "name": "Northwind", "position": "Engineer", "startDate": "2020-01", "endDate": "", "current": True}
    ],
    "education": [],
    "skills": ["Python"],
}


@pytest.fixture
def case(people):
    resume = worked_off(sent(people["recruiter"], POOR))
    assert resume.state == State.REVIEW_NEEDED
    return Case.objects.get(resume=resume)


def test_completing_settles_the_resume_stores_corrections_and_goes_on_to_the_pool(case, people):
    reviewer = people["reviewer"]
    changes = decisions.complete(case, FORM, reviewer, version=case.version)
    resume = Resume.objects.get(pk=case.resume_id)
    case.refresh_from_db()
    assert (resume.state, resume.level, resume.concluded_by) == (State.REVIEWED, "person", reviewer)
    assert (case.state, case.closed_by) == (Case.State.DONE, reviewer)
    assert Correction.objects.filter(case=case, reviewer=reviewer).count() == len(changes) > 0
    assert resume.candidate.name == "Ada Quillfeather"
    assert resume.next_stage == "summarise"
    runner.run_stages("summarise", resume.pk, resume.run)
    resume.refresh_from_db()
    assert resume.next_stage == ""
    assert "Northwind" in Candidate.objects.get().summary
    found = resume.extractions.get()
    assert found.evidence["basics.email"]["source"] == "person"
    assert found.quality["missing"] == ["education"]


def test_an_incomplete_form_must_be_confirmed(case, people):
    form = {"basics": {"name": "Ada Quillfeather"}}
    with pytest.raises(decisions.Incomplete) as missing:
        decisions.complete(case, form, people["reviewer"], version=case.version)
    assert "email" in missing.value.missing
    case.refresh_from_db()
    assert not Correction.objects.exists()
    decisions.complete(case, form, people["reviewer"], version=case.version, confirmed=True)
    assert Resume.objects.get().state == State.REVIEWED


def test_an_edit_from_an_older_page_is_refused(case, people):
    decisions.save_draft(case, FORM, people["reviewer"], version=0)
    with pytest.raises(decisions.Stale):
        decisions.complete(case, FORM, people["reviewer"], version=0)
    assert Resume.objects.get().state == State.REVIEW_NEEDED


def test_a_case_somebody_else_holds_is_not_touched(case, people):
    cases.claim(case, people["admin"])
    with pytest.raises(cases.Taken):
        decisions.complete(case, FORM, people["reviewer"], version=case.version)
    case.refresh_from_db()
    assert case.version == 0


@pytest.mark.parametrize(
    ("reason", "state", "code"),
    [("not_a_resume", State.REJECTED, "not_a_resume"), ("duplicate", State.SKIPPED, ""), ("other", State.REJECTED, None)],
)
def test_discarding_ends_it_with_the_reason_on_record_and_can_be_undone(case, people, reason, state, code):
    decisions.discard(case, decisions.Reason(reason), "seen before", people["reviewer"], version=case.version)
    resume = Resume.objects.get()
    case.refresh_from_db()
    assert (resume.state, case.state) == (state, Case.State.DISCARDED)
    assert resume.conclusion == f"{reason}: seen before"
    if code is not None:
        assert resume.failure_code == code
    decisions.take_up_again(case, people["reviewer"], "a mistake")
    resume.refresh_from_db()
    assert (resume.state, resume.run) == (State.REVIEW_NEEDED, 2)
    assert Case.objects.get(run=2).state == Case.State.PENDING


def test_running_again_closes_the_case_and_opens_the_next_run(case, people):
    decisions.run_again(case, "other rules", people["reviewer"], version=case.version)
    case.refresh_from_db()
    assert (Resume.objects.get().state, Resume.objects.get().run) == (State.PENDING, 2)
    assert case.state == Case.State.DONE


# -- through the pages --------------------------------------------------------------------------------------------


def post(client, case, verb, **body):
    return client.post(
        f"/admin/review/case/{case.pk}/{verb}/", json.dumps({"version": case.version, **body}), content_type="application/json"
    )


def test_the_next_case_is_claimed_and_saved_from_its_page(case, signed_in):
    client = signed_in("reviewer")
    answer = client.post("/admin/review/case/next/")
    assert answer["Location"] == f"/admin/review/case/{case.pk}/work/"
    page = client.get(answer["Location"])
    assert page.status_code == 200
    assert page["Content-Security-Policy"].startswith("default-src 'self'")
    assert b"<script>" not in page.content
    assert b"style=" not in page.content
    saved = post(client, case, "save", form=FORM)
    assert saved.status_code == 200
    assert saved.json()["next"] == "/admin/review/case/"
    assert Resume.objects.get().state == State.REVIEWED


def test_a_second_reviewer_may_look_but_not_save(case, signed_in):
    signed_in("reviewer").get(f"/admin/review/case/{case.pk}/work/")
    other = signed_in("admin")
    page = other.get(f"/admin/review/case/{case.pk}/work/")
    assert page.context["editable"] is False
    answer = post(other, case, "save", form=FORM)
    assert (answer.status_code, answer.json()["code"]) == (409, "taken")


@pytest.mark.parametrize(
    ("form", "status", "code"),
    [
        ({"work": [{"name": "Northwind", "startDate": "some day"}]}, 422, "invalid"),
        ({"basics": {}}, 422, "incomplete"),
        ({"work": "none"}, 400, "invalid"),
        ({"work": ["none"]}, 400, "invalid"),
        ("none", 400, "invalid"),
    ],
)
def test_a_form_that_cannot_be_saved_says_why(case, signed_in, form, status, code):
    answer = post(signed_in("reviewer"), case, "save", form=form)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert Resume.objects.get().state == State.REVIEW_NEEDED


def test_a_draft_is_there_again_when_the_page_is_loaded_again(case, signed_in):
    client = signed_in("reviewer")
    assert post(client, case, "draft", form=FORM).json() == {"version": 1}
    page = client.get(f"/admin/review/case/{case.pk}/work/")
    assert page.context["data"]["draft"]["basics"]["name"] == "Ada Quillfeather"
    assert page.context["data"]["version"] == 1


def test_released_cases_are_free_again(case, signed_in):
    client = signed_in("reviewer")
    client.get(f"/admin/review/case/{case.pk}/work/")
    post(client, case, "release")
    case.refresh_from_db()
    assert (case.state, case.claimed_by) == (Case.State.PENDING, None)


def test_the_page_of_a_text_shows_its_lines_and_makes_no_picture(case, signed_in):
    client = signed_in("reviewer")
    (page,) = client.get(f"/admin/review/case/{case.pk}/work/").context["data"]["pages"]
    assert page["picture"] is False
    assert page["lines"][0]["words"][0][0] == "Shopping"
    assert client.get(f"/admin/review/case/{case.pk}/pages/1.png").status_code == 404


def test_only_reviewers_come_near_the_workbench(case, signed_in):
    for role in ("recruiter", "operator"):
        client = signed_in(role)
        assert client.get(f"/admin/review/case/{case.pk}/work/").status_code == 403
        assert client.get(f"/admin/review/case/{case.pk}/pages/1.png").status_code == 403
        assert post(client, case, "save", form=FORM).status_code == 403
        assert client.post("/admin/review/case/next/").status_code == 403
    assert Resume.objects.get().state == State.REVIEW_NEEDED


def test_flagged_fields_come_first_in_the_next_case(people, signed_in):
    from resumes import reruns

    resume = worked_off(sent(people["recruiter"], ADA))
    reruns.flag(resume, people["recruiter"], ["basics.phone"], "moved", node="test")
    case = Case.objects.get(resume=resume)
    page = signed_in("reviewer").get(f"/admin/review/case/{case.pk}/work/")
    assert page.context["data"]["flagged"] == ["basics.phone"]
    assert page.context["data"]["profile"]["basics"]["email"] == "ada.quillfeather@example.org"
    assert b"moved" in page.content


def test_an_empty_list_says_so_and_tells_done_from_filtered(signed_in):
    client = signed_in("reviewer")
    shown = {
        path: client.get(f"/admin/review/case/?{path}").content.decode()
        for path in ("state__exact=PENDING", "state__exact=PENDING&code=flagged", "state__exact=DISCARDED")
    }
    assert {path: "Well done" in page for path, page in shown.items()} == dict(zip(shown, (True, False, False), strict=True))
    assert all('class="empty"' in page for page in shown.values())


def test_the_history_is_told_in_the_readers_language(case, signed_in):
    client = signed_in("reviewer")
    client.cookies["django_language"] = "ru"
    page = client.get(f"/admin/review/case/{case.pk}/work/").content.decode()
    history = page[page.index('id="history"') : page.index("</section>")]
    assert not [word for word in ("claimed", "received", "extract", "not_a_resume", "finish") if word in history]
    assert "проверка качества" in history
