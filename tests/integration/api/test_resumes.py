from __future__ import annotations

import pytest

from resumes import intake
from resumes.models import Document, Resume
from resumes.reruns import UNPACKED
from resumes.states import State
from resumes.transitions import move
from tests.integration.people import POOR, sent, text_file, worked_off
from tests.texts import ADA

pytestmark = pytest.mark.django_db


def test_a_sent_file_is_accepted_before_it_is_parsed(as_user, recruiter):
    answer = as_user(recruiter).post("/api/v1/resumes/", {"file": text_file(ADA), "external_id": "a-1"})
    assert answer.status_code == 202
    assert answer["Retry-After"] == "3"
    assert answer["Location"].endswith(f"/api/v1/resumes/{answer.data['id']}/")
    assert answer.data["state"] == "PENDING"
    assert answer.data["timeline"][0]["from"] == ""
    assert answer.data["timeline"][0]["to"] == "PENDING"
    assert Resume.objects.get().external_id == "a-1"


@pytest.mark.parametrize(
    ("content", "name", "status", "code"),
    [
        (b"", "cv.pdf", 400, "empty_file"),
        (b"MZ\x90\x00" + b"\0" * 200, "cv.pdf", 415, "extension_mismatch"),
        (b"PK\x03\x04 broken", "cv.docx", 422, "corrupt"),
    ],
)
def test_an_impossible_file_is_refused_with_its_code_and_leaves_no_trace(as_user, recruiter, content, name, status, code):
    file = text_file("", name)
    file.write(content)
    file.seek(0)
    answer = as_user(recruiter).post("/api/v1/resumes/", {"file": file})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer["Content-Type"] == "application/problem+json"
    assert not Resume.objects.exists()
    assert not Document.objects.exists()


def test_a_file_over_the_limit_is_refused_naming_the_limit(as_user, recruiter, settings):
    settings.GLEANER_MAX_FILE_MB = settings.GLEANER_MAX_ARCHIVE_MB = 1
    answer = as_user(recruiter).post("/api/v1/resumes/", {"file": text_file("word " * 300_000)})
    assert answer.status_code == 413
    assert answer.json()["code"] == "too_large"
    assert "1 MB" in answer.json()["detail"]


def test_an_external_id_is_taken_once(as_user, recruiter, other_recruiter):
    for user, status in ((recruiter, 202), (recruiter, 409), (other_recruiter, 202)):
        answer = as_user(user).post("/api/v1/resumes/", {"file": text_file(ADA), "external_id": "same"})
        assert answer.status_code == status
    assert Resume.objects.count() == 2


def test_nobody_gets_in_without_signing_in(client):
    for path in ("resumes/", "batches/", "candidates/", "vacancies/"):
        answer = client.get(f"/api/v1/{path}")
        assert answer.status_code == 401
        assert answer.json()["code"] == "not_authenticated"


def test_a_parsed_resume_gives_its_document_text_and_original(as_user, recruiter):
    resume = worked_off(sent(recruiter))
    client = as_user(recruiter)
    assert resume.state == State.COMPLETED
    assert client.get(f"/api/v1/resumes/{resume.pk}/json-resume/").data["basics"]["email"] == "ada.quillfeather@example.org"
    assert "Northwind Instruments" in client.get(f"/api/v1/resumes/{resume.pk}/text/").content.decode()
    original = client.get(f"/api/v1/resumes/{resume.pk}/file/")
    assert b"".join(original.streaming_content) == ADA.encode()


def test_originals_are_served_so_that_nothing_in_them_runs(as_user, recruiter):
    page = "<html><body><script>alert(1)</script><p>Ada Quillfeather</p></body></html>"
    resume = sent(recruiter, page, "cv.html")
    answer = as_user(recruiter).get(f"/api/v1/resumes/{resume.pk}/file/")
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in answer["Content-Security-Policy"]
    answer.close()


def test_opening_an_original_is_on_record_without_its_name(as_user, recruiter, caplog):
    resume = sent(recruiter, ADA, "Ada Quillfeather.txt")
    with caplog.at_level("INFO"):
        as_user(recruiter).get(f"/api/v1/resumes/{resume.pk}/file/").close()
    records = [str(record.msg) for record in caplog.records if "original_opened" in str(record.msg)]
    assert len(records) == 1
    assert str(resume.pk) in records[0]
    assert "Quillfeather" not in caplog.text


def test_there_is_no_document_before_a_resume_has_settled(as_user, recruiter):
    resume = sent(recruiter)
    for part in ("json-resume", "text"):
        answer = as_user(recruiter).get(f"/api/v1/resumes/{resume.pk}/{part}/")
        assert answer.status_code == 409


def test_a_draft_is_given_only_where_it_is_asked_for(as_user, recruiter):
    resume = worked_off(sent(recruiter, POOR))
    client = as_user(recruiter)
    assert resume.state == State.REVIEW_NEEDED
    assert client.get(f"/api/v1/resumes/{resume.pk}/json-resume/").status_code == 409
    assert client.get(f"/api/v1/resumes/{resume.pk}/json-resume/?draft=true").status_code == 200


def test_retry_opens_the_next_run(as_user, recruiter):
    resume = worked_off(sent(recruiter, POOR))
    answer = as_user(recruiter).post(f"/api/v1/resumes/{resume.pk}/retry/", {"reason": "better rules"}, format="json")
    assert answer.status_code == 202
    assert (answer.data["state"], answer.data["run"]) == ("PENDING", 2)
    assert answer.data["timeline"][-1]["reason"] == "better rules"
    assert as_user(recruiter).post(f"/api/v1/resumes/{resume.pk}/retry/").status_code == 409


def test_flagging_fields_sends_to_review_with_what_was_found(as_user, recruiter):
    resume = worked_off(sent(recruiter))
    assert resume.state == State.COMPLETED
    answer = as_user(recruiter).post(
        f"/api/v1/resumes/{resume.pk}/flag-inaccurate/", {"fields": ["basics.phone"], "note": "old number"}, format="json"
    )
    assert answer.status_code == 202
    assert (answer.data["state"], answer.data["run"]) == ("REVIEW_NEEDED", 2)
    assert resume.extractions.get(run=2).profile == resume.extractions.get(run=1).profile
    assert resume.cases.get().run == 2


def test_flagging_the_whole_sends_back_to_the_queue(as_user, recruiter):
    resume = worked_off(sent(recruiter, POOR))
    answer = as_user(recruiter).post(f"/api/v1/resumes/{resume.pk}/flag-inaccurate/", {}, format="json")
    assert (answer.status_code, answer.data["state"]) == (202, "PENDING")


def test_erasing_leaves_a_tombstone(as_user, recruiter):
    resume = worked_off(sent(recruiter))
    client = as_user(recruiter)
    assert client.delete(f"/api/v1/resumes/{resume.pk}/").status_code == 204
    answer = client.get(f"/api/v1/resumes/{resume.pk}/").data
    assert answer["filename"] == ""
    assert answer["erased_at"]
    assert client.get(f"/api/v1/resumes/{resume.pk}/file/").status_code == 409
    assert not Document.objects.exists()


def test_lists_are_filtered_and_cost_the_same_for_one_and_for_many(as_user, recruiter, django_assert_num_queries):
    client = as_user(recruiter)
    sent(recruiter)
    client.get("/api/v1/resumes/")
    with django_assert_num_queries(1):
        client.get("/api/v1/resumes/")
    for number in range(5):
        sent(recruiter, f"{ADA}{number}")
    with django_assert_num_queries(1):
        assert len(client.get("/api/v1/resumes/").data["results"]) == 6
    assert client.get("/api/v1/resumes/?state=COMPLETED").data["results"] == []
    assert len(client.get("/api/v1/resumes/?state=PENDING&page_size=2").data["results"]) == 2
    assert client.get("/api/v1/resumes/?state=LOST").status_code == 400


def test_a_waiting_resume_says_which_try_comes_next_in_the_readers_language(as_user, recruiter):
    resume = sent(recruiter)
    Resume.objects.filter(pk=resume.pk).update(state=State.RETRY_WAITING)
    resume.stage_attempts.create(run=1, stage="extract", token=resume.pk, outcome="failed")
    answer = as_user(recruiter).get(f"/api/v1/resumes/{resume.pk}/").data
    assert "try 2 of 4" in answer["stage_text"]


@pytest.mark.parametrize("path", ["resumes/0.5/", "resumes/none/", "batches/none/items/", "batches/none/failures/", "nowhere/"])
def test_what_is_not_there_is_a_problem_document(as_user, recruiter, path):
    answer = as_user(recruiter).get(f"/api/v1/{path}")
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "not_found"


def send_as(client, external_id: str, text: str, name: str = "cv.txt"):
    return client.post("/api/v1/resumes/", {"file": text_file(text, name), "external_id": external_id})


@pytest.mark.parametrize("end", [State.REJECTED, State.SKIPPED])
def test_a_better_file_may_come_under_the_id_of_one_that_came_to_nothing(as_user, recruiter, end):
    client = as_user(recruiter)
    first = Resume.objects.get(pk=send_as(client, "app-7", "flour").data["id"])
    assert send_as(client, "app-7", ADA).status_code == 409
    move(first, end, node="test", reason="test", failure_class="preprocess", failure_code="corrupt")
    second = send_as(client, "app-7", ADA)
    assert second.status_code == 202
    assert [row["id"] for row in client.get("/api/v1/resumes/?external_id=app-7").data["results"]] == [second.data["id"]]
    assert send_as(client, "app-7", "sugar").status_code == 409


def test_in_a_batch_too_also_after_a_refusal_at_the_door(as_user, recruiter):
    client = as_user(recruiter)
    path = f"/api/v1/batches/{client.post('/api/v1/batches/', {'name': 'x'}, format='json').data['id']}/resumes/"
    (refused,) = client.post(path, {"files": [text_file("")], "external_ids": ["app-7"]}).data["items"]
    assert refused["state"] == "REJECTED"
    (better,) = client.post(path, {"files": [text_file(ADA)], "external_ids": ["app-7"]}).data["items"]
    assert better["state"] == "PENDING"
    assert str(Resume.objects.get(external_id="app-7").pk) == str(better["resume"])


def test_an_archive_that_was_unpacked_keeps_its_id(as_user, recruiter):
    client = as_user(recruiter)
    archive = Resume.objects.get(pk=send_as(client, "app-7", "flour").data["id"])
    move(archive, State.SKIPPED, node="extract", reason=f"{UNPACKED} into 2 items")
    assert send_as(client, "app-7", ADA).status_code == 409


def test_of_two_files_sent_at_once_with_one_external_id_the_second_is_told(as_user, recruiter, monkeypatch):
    """The look before finds the id free; the transaction that enters the file knows better."""
    client = as_user(recruiter)
    assert send_as(client, "app-8", ADA).status_code == 202
    looks: list[intake.Sender] = []
    real = intake.holder_of

    def holder_of(sender):
        looks.append(sender)
        return None if len(looks) == 1 else real(sender)

    monkeypatch.setattr(intake, "holder_of", holder_of)
    answer = send_as(client, "app-8", POOR)
    assert (answer.status_code, answer.json()["code"]) == (409, "external_id_taken")
    assert Resume.objects.count() == 1
