"""A file store that does not answer parks what needs it; a file it does not have is that file's own trouble."""

from __future__ import annotations

import datetime as dt
import errno
import io
import zipfile

import pytest
from django.core.files import File
from django.core.files.storage import FileSystemStorage, default_storage
from django.utils import timezone, translation

from ingest import parking, relay, runner, switches
from ingest.models import Attempt
from resumes import files, intake
from resumes.models import OutboxMessage, Resume
from resumes.stage_text import stage_text
from resumes.states import State
from tests.texts import ALICE

pytestmark = pytest.mark.django_db


class Closed(FileSystemStorage):
    """A store that fails every access while `fault` is set, and every file but the first few while it is `full`."""

    fault: type[OSError] | None = None
    full = 0
    """The number of the error, 0 for none."""
    full_after = 0
    """Files that it still takes."""
    fault_then: type[OSError] | None = None
    """What it fails with altogether from then on."""

    def path(self, name: str) -> str:
        if Closed.fault:
            raise Closed.fault("the test says so")
        return super().path(name)

    def _save(self, name: str, content: File) -> str:
        if Closed.full and not name.startswith("probe") and Closed.full_after <= 0:
            Closed.fault = Closed.fault_then
            raise OSError(Closed.full, "the test says so")
        Closed.full_after -= 1
        return super()._save(name, content)


@pytest.fixture
def store(settings, tmp_path):
    where = {"location": str(tmp_path / "files")}
    settings.STORAGES = {**settings.STORAGES, "default": {"BACKEND": f"{__name__}.Closed", "OPTIONS": where}}
    Closed.fault = Closed.fault_then = None
    Closed.full = Closed.full_after = 0
    yield Closed
    Closed.fault = None


@pytest.fixture(autouse=True)
def _fresh():
    switches.forget()
    yield
    switches.forget()


def run(resume: Resume, *, now: bool = False) -> Resume:
    if now:
        Resume.objects.filter(pk=resume.pk).update(next_attempt_at=None)
    runner.run_stages("extract", resume.pk, resume.run)
    resume.refresh_from_db()
    return resume


def crowd(receive, number: int) -> list[Resume]:
    resumes = [receive(f"{ALICE}{one}") for one in range(number)]
    OutboxMessage.objects.all().delete()
    return resumes


@pytest.mark.parametrize("fault", [PermissionError, FileNotFoundError])
def test_a_store_that_denies_everything_parks_and_loses_nobody_an_attempt(receive, store, fault):
    resumes = crowd(receive, 3)
    store.fault = fault
    for resume in resumes:
        assert (run(resume).state, resume.parked_for) == (State.RETRY_WAITING, "storage")
        assert resume.next_attempt_at > timezone.now() + dt.timedelta(minutes=10)
    assert not OutboxMessage.objects.exists(), "what is parked has no message"
    assert run(resumes[0]).attempts == 1, "and is not begun"
    assert relay.parking.release(10) == 0
    store.fault = None
    assert relay.parking.release(10) == 3
    for resume in resumes:
        assert (run(resume).state, resume.parked_for) == (State.COMPLETED, "")


def test_what_was_parked_goes_on_in_a_measured_stream_the_longest_waiting_first(receive, store):
    resumes = crowd(receive, 5)
    store.fault = PermissionError
    for resume in resumes:
        run(resume)
    store.fault = None
    assert parking.release(2) == 2
    woken = {message.payload["resume_id"] for message in OutboxMessage.objects.all()}
    assert woken == {str(resume.pk) for resume in resumes[:2]}
    assert (parking.release(2), parking.release(2), parking.release(2)) == (2, 1, 0)


@pytest.mark.parametrize("fault", ["missing", "denied"])
def test_one_file_that_a_working_store_does_not_give_goes_to_operators(receive, store, tmp_path, fault):
    resume, *_others = crowd(receive, 4)
    path = tmp_path / "files" / resume.document.stored_as
    path.unlink()
    if fault == "denied":
        path.mkdir()
    assert (run(resume).state, resume.failure_code) == (State.DEAD_LETTER, "storage_denied")


def test_a_passing_fault_of_the_whole_store_is_tried_as_usual_and_then_waited_out(receive, store):
    resume, *_others = crowd(receive, 2)
    store.fault = OSError
    seen = [(run(resume, now=True).state, resume.parked_for) for _ in range(4)]
    assert seen == [(State.RETRY_WAITING, "")] * 3 + [(State.RETRY_WAITING, "storage")]
    store.fault = None
    assert parking.release(10) == 1
    assert run(resume).state == State.COMPLETED


def test_being_parked_often_costs_no_retry(receive, store):
    resume, *_others = crowd(receive, 2)
    for _ in range(5):
        store.fault = PermissionError
        assert run(resume, now=True).parked_for == "storage"
    store.fault = OSError
    assert run(resume, now=True).parked_for == "", "the first failed try that counts"
    assert Attempt.objects.filter(resume=resume).count() == 6


def test_a_parked_resume_tries_by_itself_after_a_while(receive, store):
    resume, *_others = crowd(receive, 2)
    store.fault = PermissionError
    run(resume)
    store.fault = None
    assert run(resume, now=True).state == State.COMPLETED


def test_what_operators_have_closed_is_parked_without_a_call_until_they_open_it(receive, store):
    resume, *_others = crowd(receive, 2)
    switches.turn("storage", switches.Position.OFF, why="moving the files")
    store.fault = AssertionError  # type: ignore[assignment]  # a call would fail the test
    assert (run(resume).state, resume.parked_for) == (State.RETRY_WAITING, "storage")
    assert Attempt.objects.get().failure_code == "breaker_open"
    assert parking.release(10) == 0
    store.fault = None
    switches.turn("storage", switches.Position.AUTO, why="")
    assert parking.release(10) == 1


@pytest.mark.parametrize("language", ["en", "zh-hans", "ru"])
def test_people_are_told_what_it_waits_for(receive, store, language):
    resume, *_others = crowd(receive, 2)
    store.fault = PermissionError
    run(resume)
    with translation.override("en"):
        english = stage_text(resume)
    with translation.override(language):
        assert (stage_text(resume) == english) == (language == "en")


def test_a_store_with_no_other_file_is_asked_to_keep_one(receive, store):
    resume = receive()
    store.fault = PermissionError
    assert run(resume).parked_for == "storage"
    store.fault = None
    assert parking.answers(but=resume.document)
    assert not default_storage.exists("probe") or not default_storage.listdir("probe")[1]


# -- queues ------------------------------------------------------------------------------------------------------------


def test_a_paused_queue_begins_nothing_and_goes_on_where_it_stood(receive, monkeypatch):
    monkeypatch.setattr("ingest.broker.queue_depths", lambda queues: dict.fromkeys(queues, 0))
    resume, *_others = crowd(receive, 2)
    Resume.objects.update(dispatched_at=timezone.now() - dt.timedelta(minutes=5))
    switches.turn("queue:cpu", switches.Position.OFF, why="maintenance")
    assert (run(resume).state, resume.attempts) == (State.PENDING, 0)
    assert relay.wake_overdue() == 0
    switches.turn("queue:cpu", switches.Position.AUTO, why="")
    assert relay.wake_overdue() == 2
    assert run(resume).state == State.COMPLETED


def test_every_queue_on_which_stages_run_can_be_paused():
    from ingest.pipeline import PIPELINE

    assert {stage.queue for stage in PIPELINE} == set(switches.QUEUES)
    assert {f"queue:{queue}" for queue in switches.QUEUES} <= set(switches.names())


def test_retries_that_waited_in_the_database_come_back_in_a_measured_stream(receive, monkeypatch, settings):
    monkeypatch.setattr("ingest.broker.queue_depths", lambda queues: dict.fromkeys(queues, 0))
    settings.GLEANER_DRAIN_PER_S, settings.GLEANER_RELAY_S = 2, 1
    crowd(receive, 5)
    past = timezone.now() - dt.timedelta(minutes=3)
    Resume.objects.update(state=State.RETRY_WAITING, next_attempt_at=past, dispatched_at=past)
    assert relay.wake_overdue() == 2
    for expected in (2, 1, 0):
        Resume.objects.filter(dispatched_at__gt=past).delete()  # these have been taken by workers
        assert relay.wake_overdue() == expected


# -- archives ----------------------------------------------------------------------------------------------------------


def archive_of(*texts: str) -> Resume:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for number, text in enumerate(texts):
            archive.writestr(f"{number}.txt", text)
    return intake.receive(io.BytesIO(content.getvalue()), "all.zip", intake.Sender())


def members_of(archive: Resume) -> list[tuple[str, str]]:
    return sorted(Resume.objects.exclude(pk=archive.pk).values_list("filename", "state"))


PENDING_MEMBERS = [("0.txt", State.PENDING), ("1.txt", State.PENDING)]


@pytest.mark.parametrize(("number", "code"), [(errno.ENOSPC, "dependency_unavailable"), (errno.EIO, "dependency_unavailable")])
def test_a_store_that_takes_no_member_fails_the_archives_try_and_refuses_nobody(receive, store, number, code):
    archive = archive_of(ALICE, ALICE + "again")
    receive("another file that the store gives out")
    store.full_after, store.full = 1, number
    for tries in (1, 2):
        assert (run(archive, now=True).state, archive.next_attempt_at is not None) == (State.RETRY_WAITING, True)
        assert members_of(archive)[1:] == [], "nobody is entered by a try that failed"
        assert Attempt.objects.filter(resume=archive, outcome="failed", failure_code=code).count() == tries
    store.full = 0
    assert run(archive, now=True).state == State.SKIPPED
    assert [member for member in members_of(archive) if member[0] != "alice.txt"] == PENDING_MEMBERS


def test_a_local_disk_that_is_full_fails_the_archives_try_with_its_true_code(receive, store, monkeypatch):
    archive = archive_of(ALICE, ALICE + "again")
    with monkeypatch.context() as patched:
        patched.setattr(files.tempfile, "NamedTemporaryFile", no_space)
        assert run(archive).state == State.RETRY_WAITING
    attempt = Attempt.objects.get(resume=archive)
    assert (attempt.outcome, attempt.failure_code, attempt.detail) == ("failed", "dependency_unavailable", "OSError")
    assert run(archive, now=True).state == State.SKIPPED
    assert members_of(archive) == PENDING_MEMBERS


def no_space(*_args: object, **_options: object) -> None:
    raise OSError(errno.ENOSPC, "the test says so")


def test_a_store_that_is_closed_while_members_are_kept_parks_the_archive(receive, store):
    archive = archive_of(ALICE, ALICE + "again")
    store.full_after, store.full, store.fault_then = 1, errno.EACCES, PermissionError
    assert (run(archive).state, archive.parked_for) == (State.RETRY_WAITING, "storage")
    store.full, store.fault = 0, None
    assert parking.release(10) == 1
    assert run(archive).state == State.SKIPPED
    assert members_of(archive) == PENDING_MEMBERS


def test_a_member_that_cannot_be_a_resume_is_refused_and_the_others_are_not():
    archive = archive_of(ALICE, "")
    assert run(archive).state == State.SKIPPED
    assert members_of(archive) == [("0.txt", State.PENDING), ("1.txt", State.REJECTED)]


def test_what_a_worker_left_because_its_queue_was_paused_is_sent_as_soon_as_that_goes_on(receive, monkeypatch):
    monkeypatch.setattr("ingest.broker.queue_depths", lambda queues: dict.fromkeys(queues, 0))
    taken, in_the_broker = crowd(receive, 2)
    Resume.objects.update(dispatched_at=timezone.now())
    switches.turn("queue:cpu", switches.Position.OFF, why="maintenance")
    run(taken)
    assert relay.wake_overdue() == 0
    switches.turn("queue:cpu", switches.Position.AUTO, why="")
    assert relay.wake_overdue() == 1
    woken = {message.payload["resume_id"] for message in OutboxMessage.objects.all()}
    assert woken == {str(taken.pk)}, f"not {in_the_broker.pk}, whose message is still there"
