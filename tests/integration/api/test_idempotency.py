from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from ingest.models import Batch
from resumes.models import IdempotencyKey, Resume
from tests.integration.people import POOR, text_file
from tests.texts import ADA

pytestmark = pytest.mark.django_db


def send(client, text=ADA, key="k-1", name="cv.txt", **fields):
    return client.post("/api/v1/resumes/", {"file": text_file(text, name), **fields}, headers={"Idempotency-Key": key})


def test_the_same_request_is_done_once_and_answered_twice(as_user, recruiter):
    client = as_user(recruiter)
    first, second = send(client), send(client)
    assert (first.status_code, second.status_code) == (202, 202)
    assert second.json() == first.json()
    assert second["Location"] == first["Location"]
    assert second["Idempotency-Replayed"] == "true"
    assert not first.has_header("Idempotency-Replayed")
    assert Resume.objects.count() == 1


@pytest.mark.parametrize("changed", [{"text": POOR}, {"name": "other.txt"}, {"external_id": "x"}])
def test_another_request_under_the_same_key_is_refused(as_user, recruiter, changed):
    client = as_user(recruiter)
    send(client)
    answer = send(client, **changed)
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_reused")
    assert Resume.objects.count() == 1


def test_a_key_of_a_request_in_flight_is_a_conflict_until_it_is_taken_for_dead(as_user, recruiter):
    client = as_user(recruiter)
    send(client)
    IdempotencyKey.objects.update(status=None)
    answer = send(client)
    assert (answer.status_code, answer.json()["code"]) == (409, "idempotency_in_flight")
    IdempotencyKey.objects.update(created_at=timezone.now() - dt.timedelta(minutes=6))
    assert send(client).status_code == 202


def test_keys_belong_to_a_user_and_last_a_day(as_user, recruiter, other_recruiter):
    send(as_user(recruiter))
    send(as_user(other_recruiter))
    assert Resume.objects.count() == 2
    IdempotencyKey.objects.update(created_at=timezone.now() - dt.timedelta(hours=25))
    send(as_user(recruiter))
    assert Resume.objects.count() == 3


def test_a_refusal_is_answered_again_as_the_problem_it_was(as_user, recruiter):
    client = as_user(recruiter)
    first, second = send(client, text=""), send(client, text="")
    assert (first.status_code, second.status_code) == (400, 400)
    assert second.json()["code"] == "empty_file"
    assert second["Content-Type"] == "application/problem+json"


def test_every_post_takes_a_key(as_user, recruiter):
    client = as_user(recruiter)
    for _ in range(2):
        batch = client.post("/api/v1/batches/", {"name": "x"}, format="json", headers={"Idempotency-Key": "b"}).json()
        files = {"files": [text_file(ADA), text_file(POOR, "b.txt")]}
        added = client.post(f"/api/v1/batches/{batch['id']}/resumes/", files, headers={"Idempotency-Key": "f"})
        assert len(added.json()["items"]) == 2
    assert Batch.objects.count() == 1
    assert Resume.objects.count() == 2


def test_what_was_not_allowed_is_not_remembered(as_user, operator):
    assert send(as_user(operator)).status_code == 403
    assert not IdempotencyKey.objects.exists()


def test_erasing_a_resume_forgets_the_answers_that_name_its_file(as_user, recruiter):
    client = as_user(recruiter)
    sent = send(client, name="Ada Quillfeather.txt")
    client.delete(f"/api/v1/resumes/{sent.json()['id']}/")
    assert not IdempotencyKey.objects.exists()


def test_a_key_that_is_too_long_is_refused(as_user, recruiter):
    assert send(as_user(recruiter), key="k" * 256).status_code == 400
