"""The failure queue: what stands in it, whose move is next, and what one can do about one or many."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from ingest import batches, failure_queue, reconcile
from ingest.batches import BatchState
from ingest.failure_queue import Action
from ingest.models import Attempt, Batch
from resumes.models import Candidate, Resume
from resumes.states import State
from resumes.transitions import move
from review.models import Case
from tests.integration.people import sent, text_file, worked_off
from tests.texts import ADA

pytestmark = pytest.mark.django_db

PATH = "/api/v1/failures/"


def in_state(owner, state: State, text: str = "flour", code: str = "low_completeness", **columns) -> Resume:
    resume = sent(owner, f"{text} {Resume.objects.count()}")
    move(resume, State.PARSING, node="test", reason="test")
    known = {"failure_class": "structuring", "failure_code": code} if code else {}
    move(resume, state, node="test", reason="test", **(known | columns))
    return resume


def act(client, action: str, *resumes: Resume, **more):
    body = {"action": action, "resumes": [str(resume.pk) for resume in resumes], **more}
    return client.post(f"{PATH}act/", body, format="json")


def test_all_that_failed_stands_in_it_with_who_has_the_next_move(as_user, recruiter):
    batch = batches.open_batch(recruiter, "May")
    refused = batches.add_file(batch, text_file(""), "empty.pdf").resume
    review, dead = in_state(recruiter, State.REVIEW_NEEDED), in_state(recruiter, State.DEAD_LETTER)
    waiting = in_state(recruiter, State.RETRY_WAITING, code="", next_attempt_at=timezone.now())
    in_state(recruiter, State.COMPLETED, code="")
    rows = {row["id"]: row for row in as_user(recruiter).get(PATH).data["results"]}
    who = {resume: rows[str(resume.pk)]["who"] for resume in (refused, review, dead, waiting)}
    assert who == {refused: "sender", review: "reviewer", dead: "operator", waiting: "nobody"}
    assert len(rows) == 4
    row = rows[str(refused.pk)]
    assert (row["batch"], row["class"], row["code"]) == (str(batch.pk), "preprocess", "empty_file")
    assert all((row["message"], row["advice"], row["next"]))
    assert row["actions"] == ["skip"]
    assert rows[str(review.pk)]["actions"] == ["retry", "reject", "skip"]


def test_it_is_filtered(as_user, recruiter):
    review, dead = in_state(recruiter, State.REVIEW_NEEDED), in_state(recruiter, State.DEAD_LETTER, code="blank_document")
    client = as_user(recruiter)
    ids = {
        query: [row["id"] for row in client.get(f"{PATH}?{query}").data["results"]]
        for query in ("state=DEAD_LETTER", "code=low_completeness", "failure_class=structuring&code=blank_document")
    }
    assert ids == {
        "state=DEAD_LETTER": [str(dead.pk)],
        "code=low_completeness": [str(review.pk)],
        "failure_class=structuring&code=blank_document": [str(dead.pk)],
    }
    assert client.get(f"{PATH}?state=COMPLETED").status_code == 400


def test_refused_access_is_shown_to_operators_and_not_to_those_who_hire(as_user, recruiter, operator, reviewer):
    waiting = in_state(recruiter, State.RETRY_WAITING, code="")
    Attempt.objects.create(
        resume=waiting, run=1, stage="extract", token=waiting.pk, failure_class="permission", failure_code="storage_denied"
    )
    buried = in_state(recruiter, State.DEAD_LETTER, code="")
    Resume.objects.filter(pk=buried.pk).update(failure_class="permission", failure_code="credentials_rejected")
    batch = batches.open_batch(recruiter, "May")
    batch.entries.create(number=1, resume=waiting, received_at=timezone.now())
    for path in (PATH, f"/api/v1/batches/{batch.pk}/failures/"):
        assert as_user(recruiter).get(path).data["results"] == []
        assert as_user(reviewer).get(path).data["results"] == []
    assert len(as_user(operator).get(PATH).data["results"]) == 2
    assert len(as_user(operator).get(f"/api/v1/batches/{batch.pk}/failures/").data["results"]) == 1


def test_many_are_run_again_at_once_and_never_make_a_second_candidate(as_user, recruiter):
    whole = worked_off(sent(recruiter, ADA))
    assert Candidate.objects.count() == 1
    poor = [in_state(recruiter, State.REVIEW_NEEDED) for _ in range(3)]
    answer = act(as_user(recruiter), "retry", *poor, whole, reason="new engine")
    assert [row["done"] for row in answer.data["results"]] == [True, True, True, False]
    assert answer.data["results"][3]["code"] == "wrong_state"
    assert {(row["state"], row["code"]) for row in answer.data["results"][:3]} == {("PENDING", "")}
    for resume in poor:
        resume.refresh_from_db()
        assert (resume.run, resume.next_stage) == (2, "extract")
        worked_off(resume)
    assert Candidate.objects.count() == 1


def test_a_retry_by_one_channel_leaves_the_others_out(as_user, recruiter, settings):
    settings.OCR_CHANNELS = ("rapidocr", "tesseract")
    resume = in_state(recruiter, State.REVIEW_NEEDED, code="ocr_low_confidence")
    assert act(as_user(recruiter), "retry", resume, channel="tesseract").data["results"][0]["done"]
    resume.refresh_from_db()
    assert (resume.state, resume.channels) == (State.PENDING, ["rapidocr"])
    other = in_state(recruiter, State.REVIEW_NEEDED)
    assert act(as_user(recruiter), "retry", other, channel="abacus").data["results"][0]["code"] == "unknown_channel"


def test_a_refused_file_is_sent_to_review_with_its_reason(as_user, recruiter):
    resume = in_state(recruiter, State.REJECTED, code="corrupt")
    assert act(as_user(recruiter), "review", resume).data["results"][0]["state"] == "REVIEW_NEEDED"
    resume.refresh_from_db()
    assert (resume.run, resume.failure_code) == (2, "corrupt")
    assert Case.objects.get(resume=resume, run=2).code == "corrupt"


@pytest.mark.parametrize("state", [State.REVIEW_NEEDED, State.DEAD_LETTER, State.RETRY_WAITING])
def test_a_failure_is_confirmed_on_record(as_user, recruiter, state):
    resume = in_state(recruiter, state, code="" if state is State.RETRY_WAITING else "not_a_resume")
    assert act(as_user(recruiter), "reject", resume, reason="a shopping list").data["results"][0]["done"]
    resume.refresh_from_db()
    assert (resume.state, resume.concluded_by, resume.conclusion) == (State.REJECTED, recruiter, "a shopping list")
    assert resume.failure_code
    assert resume.transitions.last().actor == f"user:{recruiter.pk}"


@pytest.mark.parametrize("state", [State.REVIEW_NEEDED, State.DEAD_LETTER, State.RETRY_WAITING, State.REJECTED])
def test_leaving_out_is_approved_on_record_and_makes_the_batch_whole(as_user, recruiter, state):
    batch = batches.open_batch(recruiter, "May")
    entry = batches.add_file(batch, text_file("flour"), "a.txt")
    move(entry.resume, State.PARSING, node="test", reason="test")
    move(entry.resume, state, node="test", reason="test", failure_class="structuring", failure_code="not_a_resume")
    batches.seal(batch)
    assert act(as_user(recruiter), "skip", entry.resume, reason="not for us").data["results"][0]["done"]
    resume = Resume.objects.get()
    assert (resume.state, resume.conclusion, resume.failure_code) == (State.SKIPPED, "not for us", "")
    report = reconcile.reconcile(batch.pk)
    assert (report.ok, report.data["skipped"]) == (True, 1)
    assert batches.standing(Batch.objects.get()).state is BatchState.SUCCEEDED


def test_what_was_refused_at_the_door_can_be_left_out_though_there_is_no_file(as_user, recruiter):
    batch = batches.open_batch(recruiter, "May")
    resume = batches.add_file(batch, text_file(""), "empty.pdf").resume
    client = as_user(recruiter)
    assert act(client, "retry", resume).data["results"][0]["code"] == "no_file"
    assert act(client, "review", resume).data["results"][0]["code"] == "no_file"
    assert act(client, "skip", resume).data["results"][0]["done"]


def test_what_a_reviewer_has_in_hand_is_left_alone(as_user, recruiter, reviewer):
    resume = in_state(recruiter, State.REVIEW_NEEDED)
    until = timezone.now() + dt.timedelta(minutes=5)
    Case.objects.filter(resume=resume).update(state=Case.State.IN_PROGRESS, claimed_by=reviewer, claimed_until=until)
    assert act(as_user(recruiter), "reject", resume).data["results"][0]["code"] == "held"
    assert act(as_user(reviewer), "reject", resume).data["results"][0]["done"]


def test_one_acts_on_what_one_may_see(as_user, recruiter, other_recruiter, operator):
    resume = in_state(recruiter, State.DEAD_LETTER)
    assert act(as_user(other_recruiter), "retry", resume).data["results"] == [
        {"resume": str(resume.pk), "done": False, "code": "not_found", "state": None}
    ]
    assert act(as_user(operator), "review", resume).data["results"][0]["done"]


@pytest.mark.parametrize(
    "body", [{}, {"action": "explode", "resumes": []}, {"action": "retry", "resumes": ["x"]}, {"action": "retry", "resumes": []}]
)
def test_what_makes_no_sense_is_refused(as_user, recruiter, body):
    assert as_user(recruiter).post(f"{PATH}act/", body, format="json").status_code == 400


@pytest.mark.parametrize(
    ("language", "code", "words"),
    [
        ("en", "encrypted", "without a password"),
        ("zh", "encrypted", "密码"),
        ("ru", "corrupt", "файл"),
        ("de", "too_large", "smaller"),
        ("en", "blank_document", "scan"),
    ],
)
def test_the_letter_to_the_sender_is_in_the_language_of_the_resume(as_user, recruiter, language, code, words):
    resume = in_state(recruiter, State.REJECTED, code=code, language=language)
    letter = as_user(recruiter).get(f"{PATH}{resume.pk}/letter/", headers={"accept-language": "ru"}).data
    assert words in letter["body"]
    assert letter["subject"]
    assert resume.filename not in letter["body"]


def test_the_list_costs_the_same_for_one_and_for_many(as_user, recruiter, django_assert_num_queries):
    client = as_user(recruiter)
    in_state(recruiter, State.REVIEW_NEEDED)
    client.get(PATH)
    with django_assert_num_queries(2):
        client.get(PATH)
    for _ in range(5):
        in_state(recruiter, State.DEAD_LETTER)
    with django_assert_num_queries(2):
        assert len(client.get(PATH).data["results"]) == 6


def test_every_state_of_the_queue_has_its_actions():
    assert set(failure_queue._POSSIBLE) == set(failure_queue.STATES)
    assert {action for actions in failure_queue._POSSIBLE.values() for action in actions} == set(Action)
