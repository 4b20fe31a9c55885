"""Over REST: a paused intake says so and when to ask again; a resume says why it is not done."""

from __future__ import annotations

import pytest

from ingest import switches
from ingest.models import BatchEntry
from ingest.switches import INTAKE, Position
from resumes.models import IdempotencyKey, Resume
from tests.integration.people import sent, text_file, worked_off
from tests.texts import ADA

pytestmark = pytest.mark.django_db


def post(client, path: str, **fields):
    return client.post(f"/api/v1/{path}", fields, format="multipart")


def test_while_intake_is_paused_both_doors_answer_503_with_a_time_and_store_nothing(as_user, recruiter):
    client = as_user(recruiter)
    batch = client.post("/api/v1/batches/", {"name": "b"}, format="json").json()["id"]
    switches.turn(INTAKE, Position.OFF, why="the disk is moved")
    for answer in (
        post(client, "resumes/", file=text_file(ADA)),
        post(client, f"batches/{batch}/resumes/", files=[text_file(ADA)]),
    ):
        assert answer.status_code == 503
        assert answer["Content-Type"] == "application/problem+json"
        assert int(answer["Retry-After"]) == 300
        assert answer.json()["code"] == "intake_paused"
        assert "the disk" not in answer.content.decode(), "why is the operators' own"
    assert not Resume.objects.exists()
    assert not BatchEntry.objects.exists()


def test_looking_goes_on_while_intake_is_paused(as_user, recruiter):
    resume = sent(recruiter)
    switches.turn(INTAKE, Position.OFF, why="test")
    assert as_user(recruiter).get(f"/api/v1/resumes/{resume.pk}/").status_code == 200


def test_a_request_refused_by_the_pause_can_be_sent_again_with_its_key(as_user, recruiter):
    client = as_user(recruiter)
    switches.turn(INTAKE, Position.OFF, why="test")
    key = {"HTTP_IDEMPOTENCY_KEY": "one"}
    assert client.post("/api/v1/resumes/", {"file": text_file(ADA)}, format="multipart", **key).status_code == 503
    assert not IdempotencyKey.objects.exists()
    switches.turn(INTAKE, Position.AUTO, why="")
    assert client.post("/api/v1/resumes/", {"file": text_file(ADA)}, format="multipart", **key).status_code == 202


def test_the_upload_page_says_that_intake_is_paused(client, recruiter):
    client.force_login(recruiter)
    assert b"errornote" not in client.get("/admin/ingest/batch/upload/").content
    switches.turn(INTAKE, Position.OFF, why="test")
    assert b"errornote" in client.get("/admin/ingest/batch/upload/").content


def test_a_waiting_resume_says_what_it_waits_for_and_a_settled_one_has_nothing_to_say(as_user, recruiter, operator):
    sent(recruiter, "before it")
    resume = sent(recruiter, ADA)
    path = f"/api/v1/resumes/{resume.pk}/"
    for user in (recruiter, operator):
        progress = as_user(user).get(path).json()["progress"]
        assert (progress["stage"], progress["queue"], progress["ahead"], progress["working"]) == ("extract", "cpu", 1, False)
        assert (progress["attempt"], progress["attempts_most"], progress["breaker"]) == (1, 4, None)
    worked_off(resume)
    assert as_user(recruiter).get(path).json()["progress"] is None


def test_the_admin_page_says_it_in_words(client, operator):
    resume = sent(None, ADA)
    client.force_login(operator)
    page = client.get(f"/admin/resumes/resume/{resume.pk}/change/").content.decode()
    assert "It has waited for extract since" in page
    assert "0 are before it in the queue cpu." in page


@pytest.mark.parametrize(("role", "told"), [("recruiter", False), ("operator", True)])
def test_only_operators_get_the_operators_hint(client, request, role, told):
    user = request.getfixturevalue(role)
    resume = worked_off(sent(user if role == "recruiter" else None, "Shopping list\n\nflour\n"))
    assert resume.failure_code
    client.force_login(user)
    page = client.get(f"/admin/resumes/resume/{resume.pk}/change/").content.decode()
    assert ("field-for_operators" in page) is told


def test_a_failure_tells_programs_what_to_do(as_user, recruiter):
    resume = worked_off(sent(recruiter, "Shopping list\n\nflour\n"))
    failure = as_user(recruiter).get(f"/api/v1/resumes/{resume.pk}/").json()["failure"]
    assert {"class", "code", "message", "retryable"} < set(failure)
    assert failure["client_advice"].startswith("Send nothing")
