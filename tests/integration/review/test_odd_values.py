"""What people type and paste, who may ask for what, and cases that moved on under an open page."""

from __future__ import annotations

import json

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from resumes import erasure, reruns
from resumes.models import Extraction, Resume
from resumes.states import State
from review import cases, decisions
from review.models import BulkJob, Case, Correction, Note
from review.verbs import VERBS
from tests.integration.people import POOR, sent, worked_off
from tests.texts import ADA

pytestmark = pytest.mark.django_db


@pytest.fixture
def case(people) -> Case:
    return Case.objects.get(resume=worked_off(sent(people["recruiter"], POOR)))


def post(client: Client, case: Case, verb: str, **body: object):
    where = reverse(f"admin:review_{verb}", args=[case.pk])
    return client.post(where, json.dumps({"version": case.version, **body}), content_type="application/json")


# -- values ---------------------------------------------------------------------------------------------------------

ODD = {
    "emoji": "Ada 🦊👩‍💻 Quillfeather",
    "right to left": "آدا \u202eQuillfeather",
    "markup": "<script>document.title = 'run'</script></script>&amp;",
    "very long": "Quillfeather " * 5_000,
    "null": "Ada\x00 Quillfeather",
    "half a pair": "Ada \ud83d Quillfeather",
    "terminal": "Ada \x1b[31m\x07Quillfeather",
}


@pytest.mark.parametrize("value", ODD.values(), ids=list(ODD))
def test_odd_values_are_kept_as_far_as_a_database_takes_them(case, signed_in, value):
    client = signed_in("reviewer")
    form = {
        "basics": {"name": value, "email": "ada@example.org", "summary": value},
        "work": [{"name": value, "highlights": value}],
        "skills": [value],
        "sources": {"basics.name": {"page": 1, "bbox": [0, 0, 1, 1], "quote": value}},
    }
    answer = post(client, case, "draft", form=form)
    assert answer.status_code == 200
    case.refresh_from_db()
    kept = "".join(letter for letter in value if letter >= " " and not "\ud800" <= letter <= "\udfff")
    assert case.draft["basics"]["name"] == kept
    page = client.get(reverse("admin:review_work", args=[case.pk]))
    assert page.status_code == 200
    assert b"<script>document" not in page.content
    assert post(client, case, "note", text=value).status_code == 200
    assert Note.objects.get().text == kept.strip()[:1000]
    assert post(client, case, "save", form=form, confirmed=True).status_code == 200
    assert Extraction.objects.get().profile["basics"]["name"] == kept.strip()
    assert Correction.objects.filter(field="skills[0].name", after=kept.strip()).exists()


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b"\xff", b'{"version": true, "form": {}}', b'{"version": 0, "form": {"work": [1]}}']
)
@pytest.mark.parametrize("verb", ["save", "draft"])
def test_what_is_no_form_is_refused_as_that(case, signed_in, verb, body):
    where = reverse(f"admin:review_{verb}", args=[case.pk])
    answer = signed_in("reviewer").post(where, body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


@pytest.mark.parametrize(
    "asked",
    [
        "code=%00",
        "state__exact=%00",
        "batch=%00",
        "batch=x",
        "q=%00",
        "claimed_by=99999999999999999999",
        "claimed_by=%C2%B2",
        "p=-1",
        "p=999",
        "o=9.x",
    ],
)
def test_a_list_that_is_asked_for_nonsense_does_not_break(case, signed_in, asked):
    assert signed_in("reviewer").get(f"/admin/review/case/?{asked}").status_code in (200, 302)


# -- who ------------------------------------------------------------------------------------------------------------


def addresses(case: Case) -> dict[str, tuple[str, str]]:
    """Method and path of everything the review has, by name."""
    arguments = {"review_picture": [case.pk, 1], "review_quick": [case.pk, "other"]}
    found = {}
    for pattern in admin.site.get_model_admin(Case).get_urls():
        name = pattern.name or ""
        if name.startswith("review_") and not name.startswith("review_case"):
            method = "GET" if name in ("review_statistics", "review_work", "review_picture") else "POST"
            found[str(pattern.pattern)] = (
                method,
                reverse(f"admin:{name}", args=arguments.get(name, [case.pk]))
                if "<" in str(pattern.pattern)
                else reverse(f"admin:{name}"),
            )
    return found


@pytest.mark.parametrize("role", ["recruiter", "operator", "nobody"])
def test_every_address_of_the_review_is_closed_to_whoever_does_not_review(case, signed_in, role):
    client = Client() if role == "nobody" else signed_in(role)
    asked = addresses(case)
    assert len(asked) >= len(VERBS) + 7
    for name, (method, path) in asked.items():
        answer = client.generic(method, path, b"{}", content_type="application/json")
        expected = (401 if name in {f"<uuid:pk>/{verb}/" for verb in VERBS} else 302) if role == "nobody" else 403
        assert (name, answer.status_code) == (name, expected)
    lists = {model: reverse(f"admin:review_{model}_changelist") for model in ("case", "team", "bulkjob", "correction")}
    assert {client.get(path, {"e": "1"}).status_code for path in lists.values()} == {302 if role == "nobody" else 403}
    case.refresh_from_db()
    assert (case.state, case.claimed_by, case.version) == (Case.State.PENDING, None, 0)
    assert not BulkJob.objects.exists()


# -- cases that moved on --------------------------------------------------------------------------------------------


def test_a_page_of_a_case_that_was_decided_elsewhere_is_told_so(case, people, signed_in):
    client = signed_in("reviewer")
    decisions.discard(case, decisions.Reason.OTHER, "", people["reviewer"], version=case.version)
    for verb in ("save", "draft", "discard", "rerun", "renew"):
        answer = post(client, case, verb, form={}, reason="other")
        assert (verb, answer.status_code, answer.json()["code"]) == (verb, 409, "closed")


def test_an_undo_that_comes_too_late_changes_nothing(case, people, signed_in):
    """Somebody has taken the case up again and is at work on it; or the resume has been read again and is complete."""
    client = signed_in("reviewer")
    decisions.discard(case, decisions.Reason.NOT_A_RESUME, "", people["reviewer"], version=case.version)
    opened = decisions.take_up_again(Case.objects.get(), people["admin"], "")
    cases.claim(opened, people["admin"])
    client.post(reverse("admin:review_again", args=[case.pk]))
    opened.refresh_from_db()
    assert (opened.claimed_by, opened.state) == (people["admin"], Case.State.IN_PROGRESS)
    decisions.complete(opened, {"basics": {"name": "Ada"}}, people["admin"], version=opened.version, confirmed=True)
    client.post(reverse("admin:review_again", args=[case.pk]))
    resume = Resume.objects.get()
    assert (resume.state, resume.run) == (State.REVIEWED, 2)
    assert Case.objects.count() == 2


def test_a_closed_case_tells_how_it_ended(case, people, signed_in):
    decisions.discard(case, decisions.Reason.DUPLICATE, "sent twice", people["reviewer"], version=case.version)
    client = signed_in("admin")
    for path in ("/admin/review/case/?state__exact=DISCARDED", reverse("admin:review_work", args=[case.pk])):
        page = client.get(path).content.decode()
        assert "a duplicate: sent twice" in page
        assert people["reviewer"].get_username() in page
    done = decisions.take_up_again(Case.objects.get(), people["admin"], "")
    decisions.complete(done, {"basics": {"name": "Ada"}}, people["admin"], version=done.version, confirmed=True)
    assert "a duplicate" not in client.get(reverse("admin:review_work", args=[case.pk])).content.decode().split("history")[0]
    assert ">completed<" in client.get("/admin/review/case/?state__exact=DONE").content.decode()


def test_a_page_whose_case_was_taken_over_is_told_that_and_not_that_it_was_saved(case, people, signed_in):
    version = cases.claim(case, people["reviewer"]).version
    cases.take_over(Case.objects.get(), people["admin"])
    case.version = version
    answer = post(signed_in("reviewer"), case, "draft", form={})
    assert (answer.status_code, answer.json()["code"]) == (409, "taken")


def test_a_decision_from_a_page_of_an_earlier_run_is_refused(people, signed_in):
    resume = worked_off(sent(people["recruiter"], ADA))
    reruns.flag(resume, people["recruiter"], ["basics.phone"], "", node="test")
    old = Case.objects.get()
    Case.objects.filter(pk=old.pk).update(run=1)  # as a page has it that was loaded before the resume was read again
    old.refresh_from_db()
    answer = post(signed_in("reviewer"), old, "save", form={"basics": {"phone": "1"}})
    assert answer.status_code == 409
    assert not Correction.objects.exists()


def test_an_erased_resume_leaves_a_page_without_anything_of_it(people, signed_in):
    resume = worked_off(sent(people["recruiter"], ADA, "Quillfeather.txt"))
    reruns.flag(resume, people["recruiter"], ["basics.phone"], "Quillfeather has moved", node="test")
    case = Case.objects.get()
    client = signed_in("reviewer")
    post(client, case, "draft", form={"basics": {"name": "Ada Quillfeather"}})
    erasure.erase(Resume.objects.get(), actor=f"user:{people['admin'].pk}", reason="asked for")
    page = client.get(reverse("admin:review_work", args=[case.pk]))
    assert page.status_code == 200
    assert b"Quillfeather" not in page.content
    assert page.context["editable"] is False
    assert client.get(reverse("admin:review_picture", args=[case.pk, 1])).status_code == 404
    assert post(client, case, "save", form={}).status_code == 409
