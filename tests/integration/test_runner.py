"""Stages on the database with real sandboxes; failures come in through the doors they use in life: files and storage."""

import datetime as dt
import io

import pytest
from django.core.files.storage import FileSystemStorage
from django.utils import timezone

from ingest import relay
from ingest.models import Attempt
from ingest.runner import run_stages
from resumes import erasure, intake
from resumes.models import Candidate, Extraction, Match, OutboxMessage, Resume, Transition, Vacancy
from resumes.states import TERMINAL, State
from resumes.transitions import reopen
from tests.texts import ALICE

pytestmark = pytest.mark.django_db


class FlakyStorage(FileSystemStorage):
    """A storage that fails to read as often as it is told to."""

    failures: list[type[OSError]] = []

    def path(self, name: str) -> str:
        if self.failures:
            raise self.failures.pop()("the test says so")
        return super().path(name)


@pytest.fixture
def flaky(settings, tmp_path):
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {
            "BACKEND": "tests.integration.test_runner.FlakyStorage",
            "OPTIONS": {"location": str(tmp_path / "files")},
        },
    }
    FlakyStorage.failures = []
    return FlakyStorage.failures


def run(resume: Resume, stage: str = "extract"):
    wake_up = run_stages(stage, resume.pk, resume.run)
    resume.refresh_from_db()
    return wake_up


def stages(resume: Resume) -> list[tuple[str, str]]:
    return list(Attempt.objects.filter(resume=resume).order_by("id").values_list("stage", "outcome"))


def test_a_text_resume_runs_through_to_its_match(receive):
    vacancy = Vacancy.objects.create(title="Editor", skills=["Proofreading"])
    resume = receive()
    assert run(resume) is None
    assert (resume.state, resume.level, resume.next_stage) == (State.COMPLETED, "text", "")
    assert stages(resume) == [(name, "ok") for name in ("extract", "rules", "finish", "summarise", "match")]
    assert list(resume.transitions.values_list("to_state", flat=True)) == ["PENDING", "PARSING", "COMPLETED"]
    extraction = Extraction.objects.get(resume=resume)
    assert extraction.profile["basics"]["email"] == "alice.archer@example.com"
    assert extraction.evidence["basics.email"]["quote"]
    assert "Editor" in extraction.summary
    assert Match.objects.get(vacancy=vacancy).candidate == resume.candidate


def test_an_unfit_text_goes_to_review_with_what_was_found(receive):
    resume = receive("Alice Archer\nalice.archer@example.com\nSkills\nProofreading, InDesign\n")
    run(resume)
    assert resume.state == State.REVIEW_NEEDED
    assert resume.failure_class == "structuring"
    assert Extraction.objects.get(resume=resume).profile["basics"]["email"] == "alice.archer@example.com"
    case = resume.cases.get()
    assert {"phone", "work", "education"} <= set(case.missing)


def test_a_file_nobody_can_read_is_refused_by_rule(receive):
    resume = intake.receive(io.BytesIO(b"%PDF-1.7\n" + bytes(range(256)) * 20), "a.pdf", intake.Sender())
    run(resume)
    assert (resume.state, resume.failure_code) == (State.REJECTED, "corrupt")
    assert stages(resume) == [("extract", "failed")]


def test_a_passing_fault_of_the_storage_waits_and_is_tried_again(receive, flaky):
    resume = receive()
    flaky.append(OSError)
    wake_up = run(resume)
    assert resume.state == State.RETRY_WAITING
    assert 1.4 <= wake_up.delay_s <= 2.6
    assert (resume.token, resume.lease_until) == (None, None), "nothing is held while it waits"
    assert resume.next_attempt_at > timezone.now()
    assert run(resume) is None, "too early: the claim goes by the database's clock"
    assert resume.state == State.RETRY_WAITING
    Resume.objects.filter(pk=resume.pk).update(next_attempt_at=timezone.now() - dt.timedelta(seconds=1))
    run(resume)
    assert resume.state == State.COMPLETED
    assert stages(resume)[:2] == [("extract", "failed"), ("extract", "ok")]


def test_a_fault_that_does_not_pass_is_tried_four_times_in_all(receive, flaky):
    resume = receive()
    delays = []
    for _ in range(4):
        flaky.append(OSError)  # this file's alone: whatever else the storage is asked for, it gives
        Resume.objects.filter(pk=resume.pk).update(next_attempt_at=None)
        wake_up = run(resume)
        delays.append(wake_up and round(wake_up.delay_s))
    assert resume.state == State.REVIEW_NEEDED
    assert delays[-1] is None
    assert len(stages(resume)) == 4


@pytest.mark.parametrize("error", [FileNotFoundError, PermissionError, IsADirectoryError])
def test_a_storage_that_denies_is_not_tried_again_and_goes_to_operators(receive, flaky, error):
    resume = receive()
    flaky.append(error)
    assert run(resume) is None
    assert (resume.state, resume.failure_code) == (State.DEAD_LETTER, "storage_denied")


def test_a_message_delivered_twice_does_nothing_the_second_time(receive):
    resume = receive()
    run(resume)
    before = (Attempt.objects.count(), Transition.objects.count())
    for stage in ("extract", "rules", "finish", "summarise", "match"):
        run(resume, stage)
    assert (Attempt.objects.count(), Transition.objects.count()) == before


def test_a_message_for_an_erased_resume_ends_quietly(receive):
    resume = receive()
    erasure.erase(resume, actor="user:1", reason="asked")
    assert run(resume) is None
    assert resume.state == State.SKIPPED
    assert not Attempt.objects.exists()


def test_a_claim_that_outlived_its_lease_is_freed_and_the_stage_sent_again(receive, sent, monkeypatch):
    from ingest.models import Attempt
    from resumes import transitions
    from resumes.states import ACTIVE

    resume = receive()
    held = transitions.claim(resume.pk, 1, "extract", state_from=lambda _: State.PARSING, allowed=ACTIVE)
    Attempt.objects.create(resume=resume, run=1, stage="extract", token=held.token)
    Resume.objects.filter(pk=resume.pk).update(lease_until=timezone.now() - dt.timedelta(seconds=1))
    assert relay.free_expired() == 1
    assert stages(resume) == [("extract", "lost")]
    run(resume)
    assert resume.state == State.COMPLETED


def test_retrying_a_resume_never_makes_a_second_candidate(receive):
    resume = receive()
    run(resume)
    reopen(resume, State.PENDING, node="api", reason="retry", actor="user:1")
    run(resume)
    assert resume.run == 2
    assert resume.state == State.COMPLETED
    assert Candidate.objects.count() == 1
    assert resume.transitions.filter(to_state__in=TERMINAL).count() == 2


def test_two_resumes_of_one_person_are_one_candidate(receive):
    for text in (ALICE, ALICE.replace("Editor", "Senior Editor")):
        run(receive(text))
    assert Candidate.objects.count() == 1
    assert Candidate.objects.get().resumes.count() == 2


def test_erasing_takes_file_text_fields_and_candidate_and_leaves_the_log(receive, tmp_path):
    resume = receive()
    run(resume)
    assert list((tmp_path / "files").rglob("*/*"))
    erasure.erase(resume, actor="user:1", reason="asked")
    assert resume.erased_at
    assert (resume.filename, resume.document, resume.candidate) == ("", None, None)
    assert not Extraction.objects.exists()
    assert not Candidate.objects.exists()
    assert not [path for path in (tmp_path / "files").rglob("*") if path.is_file()]
    assert resume.transitions.exists()


def test_a_file_two_resumes_share_outlives_the_erasure_of_one(receive, tmp_path):
    first, second = receive(), receive()
    erasure.erase(first, actor="user:1", reason="asked")
    run(second)
    assert second.state == State.COMPLETED


def test_an_archive_becomes_its_members(receive, sent):
    import zipfile

    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("a.txt", ALICE)
        archive.writestr("b.txt", ALICE.replace("alice.archer", "bob.barlow").replace("Alice Archer", "Bob Barlow"))
        archive.writestr("__MACOSX/._a.txt", b"litter")
    resume = intake.receive(io.BytesIO(content.getvalue()), "two.zip", intake.Sender())
    run(resume)
    assert resume.state == State.SKIPPED
    members = Resume.objects.exclude(pk=resume.pk)
    assert {member.filename for member in members} == {"a.txt", "b.txt"}
    for member in members:
        run(member)
        assert member.state == State.COMPLETED
    assert Candidate.objects.count() == 2


def test_nothing_is_left_in_the_outbox_once_all_is_done(receive):
    run(receive())
    assert not OutboxMessage.objects.exclude(topic="ingest.extract").exists()


def test_a_text_resume_costs_a_bounded_number_of_statements(receive, django_assert_max_num_queries):
    receive_one = receive()
    with django_assert_max_num_queries(66):
        run(receive_one)
