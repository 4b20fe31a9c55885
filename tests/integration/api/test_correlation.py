"""One id from the request to the last stage; the log names routes and nobody."""

from __future__ import annotations

import pytest
import structlog
from structlog.testing import capture_logs

from ingest import runner
from resumes import reruns
from resumes.models import Resume
from tests.integration.people import text_file, worked_off
from tests.texts import ADA

pytestmark = pytest.mark.django_db
GIVEN = "0c0ffee0-1234-4321-8888-000000000001"


@pytest.fixture
def lines():
    """What is logged, with what is bound to it."""
    with capture_logs(processors=[structlog.contextvars.merge_contextvars]) as found:
        yield found


def upload(client, **headers):
    return client.post("/api/v1/resumes/?search=Quillfeather", {"file": text_file(ADA, "Ada Quillfeather.txt")}, headers=headers)


def test_the_callers_id_comes_back_and_goes_on_to_the_last_stage(as_user, recruiter, lines):
    answer = upload(as_user(recruiter), **{"X-Request-ID": GIVEN})
    assert answer["X-Request-ID"] == GIVEN
    resume = Resume.objects.get()
    assert resume.correlation == GIVEN
    worked_off(resume)
    stages = [line for line in lines if line["event"] == "stage_ended"]
    assert {line["stage"] for line in stages} >= {"extract", "match"}
    assert {line["correlation"] for line in stages} == {GIVEN}
    assert all(line["resume"] == str(resume.pk) and line["attempt"] for line in stages)


@pytest.mark.parametrize("given", ["Ada Quillfeather", "x" * 40, "", "\n"])
def test_an_id_that_is_none_is_replaced(as_user, recruiter, lines, given):
    answer = upload(as_user(recruiter), **{"X-Request-ID": given})
    assert len(answer["X-Request-ID"]) == 36
    assert "Quillfeather" not in str(lines)


def test_a_request_is_one_line_with_its_route_and_without_its_search_words(as_user, recruiter, lines):
    upload(as_user(recruiter))
    (line,) = [line for line in lines if line["event"] == "request"]
    assert (line["method"], line["status"], line["user"]) == ("POST", 202, recruiter.pk)
    assert line["route"].rstrip("$") == "api/v1/resumes/"
    assert "Quillfeather" not in str(lines)


def test_a_new_run_goes_by_the_request_that_asked_for_it(as_user, recruiter):
    upload(as_user(recruiter), **{"X-Request-ID": GIVEN})
    resume = worked_off(Resume.objects.get())
    other = GIVEN.replace("1234", "5678")
    answer = as_user(recruiter).post(f"/api/v1/resumes/{resume.pk}/retry/", headers={"X-Request-ID": other})
    assert answer.status_code < 300
    resume.refresh_from_db()
    assert (resume.run, resume.correlation) == (2, other)


def test_a_retry_is_one_line_with_time_and_reason_and_the_stack_for_who_asks(recruiter, lines, monkeypatch):
    from resumes import intake
    from resumes.taxonomy import ResumeError

    def fail(*_args):
        raise ResumeError("dependency_unavailable")

    resume = intake.receive(text_file(ADA), "cv.txt", intake.Sender(owner=recruiter))
    monkeypatch.setattr("ingest.records.load", fail)
    runner.run_stages("extract", resume.pk, 1)
    (retry,) = [line for line in lines if line["event"] == "retry"]
    assert retry["code"] == "dependency_unavailable"
    assert retry["at"]
    assert retry["stage"] == "extract"
    (stack,) = [line for line in lines if line["event"] == "stage_failed_at"]
    assert stack["log_level"] == "debug"
    assert stack["trace"]


def test_a_replay_outside_of_a_request_has_no_request(recruiter, receive):
    resume = worked_off(receive(ADA, owner=recruiter))
    reruns.retry(resume, recruiter, "once more", node="replay")
    assert Resume.objects.get().correlation == ""
