"""Faults others have met in the open, each with a test of its kind that needs no process of its own.

The numbers are those of the list of traps this project was given; the ones that need real processes are in
`tests/acceptance/test_recovery.py`.
"""

from __future__ import annotations

import ast
import contextlib
import datetime as dt
import io
from pathlib import Path

import pytest
from billiard.exceptions import SoftTimeLimitExceeded
from celery import current_app
from django.conf import settings as django_settings
from django.db import transaction
from django.utils import timezone

from ingest import batches, housekeeping, relay, runner, tasks
from ingest.failures import classify
from ingest.models import Attempt
from ingest.retry import LONGEST_COUNTDOWN_S
from resumes import erasure, transitions
from resumes.models import OutboxMessage, Resume
from resumes.states import ACTIVE, State
from resumes.taxonomy import CODES
from tests.texts import ALICE

from .people import worked_off

pytestmark = pytest.mark.django_db

ROOT = Path(django_settings.ROOT)


def lose(resume: Resume, stage: str = "extract") -> None:
    """A worker takes the stage and is never heard of again."""
    held = transitions.claim(resume.pk, resume.run, stage, state_from=lambda _: State.PARSING, allowed=ACTIVE)
    assert held is not None
    Attempt.objects.create(resume=resume, run=resume.run, stage=stage, token=held.token)
    Resume.objects.filter(pk=resume.pk).update(lease_until=timezone.now() - dt.timedelta(seconds=1))
    assert relay.free_expired() == 1
    resume.refresh_from_db()


# -- 1: the broker hands a message out again ---------------------------------------------------------------------------


def test_1_a_message_handed_out_again_while_the_first_is_at_it_begins_nothing(receive):
    resume = receive()
    held = transitions.claim(resume.pk, 1, "extract", state_from=lambda _: State.PARSING, allowed=ACTIVE)
    assert held is not None
    for _ in range(3):
        assert runner.run_stages("extract", resume.pk, 1) is None
    resume.refresh_from_db()
    assert (resume.token, resume.attempts) == (held.token, 1)
    assert not Attempt.objects.exists()


def test_1_a_message_older_than_the_stage_it_speaks_of_begins_nothing(receive):
    resume = worked_off(receive())
    before = Attempt.objects.count()
    for stage in tasks.STAGE_TASKS:
        assert runner.run_stages(stage, resume.pk, 1) is None
    assert Attempt.objects.count() == before


# -- 2: the message overtakes the commit -------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_2_no_message_leaves_before_the_row_it_speaks_of_is_committed(receive, sent):
    with transaction.atomic():  # as ATOMIC_REQUESTS would
        resume = receive()
        assert sent == []
    assert [message.payload["resume_id"] for message in sent] == [str(resume.pk)]


@pytest.mark.django_db(transaction=True)
def test_2_a_request_that_is_rolled_back_sends_nothing(receive, sent):
    with transaction.atomic():
        receive()
        transaction.set_rollback(True)
    assert sent == []
    assert not OutboxMessage.objects.exists()


def test_2_what_was_committed_and_never_sent_is_found_by_the_relay(receive, monkeypatch):
    resume = receive()
    went: list[str] = []
    monkeypatch.setattr(current_app, "send_task", lambda _topic, kwargs, **_: went.append(kwargs["resume_id"]))
    assert relay.send_due() == 1
    assert went == [str(resume.pk)]
    assert relay.send_due() == 0


# -- 4, 5, 32: a worker that dies says nothing -------------------------------------------------------------------------


def test_4_the_row_of_a_killed_worker_is_mended_from_outside_and_counted(receive):
    resume = receive()
    lose(resume)
    attempt = Attempt.objects.get(resume=resume)
    assert (attempt.outcome, attempt.failure_code) == ("lost", "worker_lost")
    assert (resume.token, resume.next_stage) == (None, "extract")
    assert worked_off(resume).state == State.COMPLETED


def test_5_a_resume_that_kills_its_workers_is_buried_in_sight_and_the_others_go_on(receive):
    poison, other = receive("poison"), receive()
    for _ in range(relay._MOST_LOST):
        assert poison.state != State.DEAD_LETTER
        lose(poison)
    assert (poison.state, poison.failure_code, poison.next_stage) == (State.DEAD_LETTER, "worker_lost", "")
    assert relay.free_expired() == 0
    assert runner.run_stages("extract", poison.pk, 1) is None, "never again by itself"
    assert worked_off(other).state == State.COMPLETED


def test_5_killing_innocent_workers_dead_letters_nothing(receive):
    resumes = [receive(ALICE + f"\n{number}") for number in range(5)]
    for resume in resumes:
        lose(resume)
    assert {worked_off(resume).state for resume in resumes} == {State.COMPLETED}


@pytest.mark.parametrize("state", sorted(ACTIVE))
def test_32_no_row_stays_in_process_whatever_state_its_worker_died_in(receive, state):
    resume = receive()
    stage = {"OCR_PROCESSING": "ocr", "STRUCTURING": "structure", "RULE_FALLBACK": "rules"}.get(state, "extract")
    Resume.objects.filter(pk=resume.pk).update(state=state, next_stage=stage)
    held = transitions.claim(resume.pk, 1, stage, state_from=lambda _: None, allowed=ACTIVE)
    Attempt.objects.create(resume=resume, run=1, stage=stage, token=held.token)
    Resume.objects.filter(pk=resume.pk).update(lease_until=timezone.now() - dt.timedelta(seconds=1))
    assert relay.free_expired() == 1
    again = transitions.claim(resume.pk, 1, stage, state_from=lambda _: None, allowed=ACTIVE)
    assert again is not None
    assert again.token != held.token


# -- 17: countdowns in a worker's memory -------------------------------------------------------------------------------


def wait(delay_s: float) -> list[float]:
    """The countdowns a task asks the broker for when its stage wants to be woken after `delay_s`."""
    asked: list[float] = []

    class Retried(Exception):
        pass

    class Task:
        def retry(self, *, kwargs, countdown):
            asked.append(countdown)
            return Retried()

    wake_up = runner.WakeUp("extract", Resume().pk, 1, delay_s)
    run = tasks.STAGE_TASKS["extract"].run.__func__
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "run_stages", lambda *_: wake_up)
        with contextlib.suppress(Retried):
            run(Task(), str(wake_up.resume_id), 1)
    return asked


def test_17_a_short_wait_is_a_countdown_and_a_long_one_waits_in_the_database_alone():
    assert wait(30.0) == [30.0]
    assert wait(LONGEST_COUNTDOWN_S + 1) == []


def test_17_what_waits_in_the_database_alone_is_woken_when_its_time_has_come(receive, monkeypatch):
    resume = receive()
    OutboxMessage.objects.all().delete()
    monkeypatch.setattr("ingest.broker.queue_depths", lambda queues: dict.fromkeys(queues, 0))
    Resume.objects.filter(pk=resume.pk).update(
        state=State.RETRY_WAITING, next_attempt_at=timezone.now() + dt.timedelta(seconds=90), dispatched_at=timezone.now()
    )
    assert relay.wake_overdue() == 0
    now = timezone.now()
    Resume.objects.filter(pk=resume.pk).update(
        next_attempt_at=now - dt.timedelta(seconds=5), dispatched_at=now - dt.timedelta(seconds=95)
    )
    assert relay.wake_overdue() == 1
    assert OutboxMessage.objects.get().payload == {"resume_id": str(resume.pk), "run": 1}


# -- 19: a visibility timeout set where nobody reads it ----------------------------------------------------------------


def test_19_the_visibility_timeout_is_the_one_the_connection_uses():
    expected = django_settings.CELERY_VISIBILITY_TIMEOUT
    with current_app.connection_for_read() as connection:
        assert connection.transport_options["visibility_timeout"] == expected
        channel_class = connection.transport.Channel
        assert "visibility_timeout" in channel_class.from_transport_options
    hard = django_settings.CELERY_TASK_TIME_LIMIT
    assert expected > hard + LONGEST_COUNTDOWN_S


# -- 28, 29: chords and results ----------------------------------------------------------------------------------------


def test_28_nothing_waits_for_a_chord_a_group_or_a_result():
    used: set[str] = set()
    for app in ("resumes", "ingest", "review"):
        for path in (ROOT / app).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("celery"):
                    used |= {alias.name for alias in node.names}
    assert used
    assert not used & {"chord", "group", "chain", "AsyncResult", "GroupResult"}


def test_29_results_of_stages_are_not_kept_and_nobody_inspects_workers():
    for task in tasks.STAGE_TASKS.values():
        assert task.ignore_result
    assert django_settings.CELERY_RESULT_BACKEND == "django-db"
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "ingest").rglob("*.py"))
    assert ".control.inspect" not in source


# -- 33: giving up -----------------------------------------------------------------------------------------------------


def test_33_the_workers_own_time_limit_is_a_timeout_and_not_a_bug():
    failure = classify(SoftTimeLimitExceeded())
    assert (failure.code, failure.is_bug) == ("timeout", False)


def test_33_tries_are_counted_in_the_row_and_never_by_celery():
    for task in tasks.STAGE_TASKS.values():
        assert task.max_retries is None
        assert not getattr(task, "autoretry_for", ())


@pytest.mark.parametrize("code", ["corrupt", "encrypted", "unsupported_format", "archive_unsafe", "storage_denied"])
def test_33_what_does_not_pass_is_not_retried(code):
    assert not CODES[code].retryable


# -- 34: cancelling ----------------------------------------------------------------------------------------------------


def test_34_a_cancelled_resume_whose_message_is_under_way_is_not_begun(db):
    batch = batches.open_batch(None, "cancelled")
    entry = batches.add_file(batch, io.BytesIO(ALICE.encode()), "cv.txt")
    assert batches.cancel(batch, "user:1") == 1
    assert runner.run_stages("extract", entry.resume_id, 1) is None
    assert Resume.objects.get(pk=entry.resume_id).state == State.SKIPPED
    assert not Attempt.objects.exists()


def test_34_what_was_erased_between_two_stages_is_not_taken_up_again(receive):
    resume = receive()
    Resume.objects.filter(pk=resume.pk).update(state=State.PARSING, next_stage="rules")
    resume.refresh_from_db()
    erasure.erase(resume, actor="user:1", reason="asked")
    assert runner.run_stages("rules", resume.pk, 1) is None
    assert not Attempt.objects.exists()


# -- 35: sweeps that meet ----------------------------------------------------------------------------------------------


def test_35_a_sweep_that_meets_another_wakes_nothing_twice(receive, monkeypatch):
    """The second reads the rows before the first has written; its compare-and-set finds them changed."""
    resume = receive()
    OutboxMessage.objects.all().delete()
    Resume.objects.filter(pk=resume.pk).update(dispatched_at=None)
    nested = []

    def depths(queues):
        if not nested:
            nested.append(0)
            nested[0] = relay.wake_overdue()
        return dict.fromkeys(queues, 0)

    monkeypatch.setattr("ingest.broker.queue_depths", depths)
    assert relay.wake_overdue() == 0
    assert nested == [1]
    assert OutboxMessage.objects.count() == 1


def test_35_periodic_jobs_done_twice_are_done_once(db):
    batch = batches.open_batch(None, "idle")
    type(batch).objects.update(last_input_at=timezone.now() - dt.timedelta(days=2))
    assert (batches.seal_idle(), batches.seal_idle()) == (1, 0)
    assert housekeeping.prune() == housekeeping.prune() == 0
