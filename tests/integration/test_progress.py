"""One call says why a resume hangs."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest
from django.utils import timezone

from ingest import parking, runner, switches
from ingest.models import Attempt
from resumes import transitions
from resumes.models import Resume
from resumes.progress import in_words, progress_of
from resumes.states import ACTIVE, State
from resumes.transitions import move

from .people import worked_off

pytestmark = pytest.mark.django_db


def tried(resume: Resume, outcome: str, seconds: float | None = None, stage: str = "extract", channel: str = "") -> Attempt:
    return Attempt.objects.create(
        resume=resume, run=1, stage=stage, channel=channel, token=uuid.uuid4(), outcome=outcome, seconds=seconds
    )


def test_a_waiting_resume_tells_its_stage_its_place_and_how_long_it_usually_takes(receive):
    ahead = [receive(f"ahead {number}") for number in range(3)]
    resume = receive("the one")
    receive("behind")
    for seconds in (1.0, 2.0, 30.0):
        tried(ahead[0], "ok", seconds)
    tried(ahead[0], "failed", 99.0)
    found = progress_of(resume)
    assert (found.stage, found.queue, found.working, found.ahead) == ("extract", "cpu", False, 3)
    assert found.usual_s == 2.0
    assert (found.attempt, found.attempts_most) == (1, 4)
    assert found.since == resume.state_since


def test_one_that_is_worked_on_tells_since_when(receive):
    resume = receive()
    held = transitions.claim(resume.pk, 1, "extract", state_from=lambda _: State.PARSING, allowed=ACTIVE)
    row = Attempt.objects.create(resume=resume, run=1, stage="extract", token=held.token)
    found = progress_of(Resume.objects.get(pk=resume.pk))
    assert (found.working, found.since, found.ahead) == (True, row.started_at, None)


def test_one_that_waits_for_its_next_attempt_tells_which_and_when(receive):
    resume = receive()
    move(resume, State.PARSING, node="extract", reason="claimed", next_stage="extract")
    for _ in range(2):
        tried(resume, "failed", 1.0)
    due = timezone.now() + dt.timedelta(seconds=30)
    move(resume, State.RETRY_WAITING, node="extract", reason="timeout", next_stage="extract", next_attempt_at=due)
    found = progress_of(resume)
    assert (found.attempt, found.next_attempt_at, found.ahead) == (3, due, None)


def test_an_open_breaker_is_named(receive):
    resume = receive()
    switches.turn("rapidocr", switches.Position.FORCED_OPEN, why="test")
    Resume.objects.filter(pk=resume.pk).update(next_stage="ocr", next_channel="rapidocr")
    found = progress_of(Resume.objects.get(pk=resume.pk))
    assert (found.stage, found.channel, found.queue, found.breaker) == ("ocr", "rapidocr", "ocr", "open")
    assert any("open" in text for text in in_words(found))


def test_a_settled_resume_has_no_progress(receive):
    assert progress_of(worked_off(receive())) is None


def test_it_costs_a_handful_of_statements_however_many_wait(receive, django_assert_max_num_queries):
    for number in range(30):
        receive(f"{number}")
    resume = receive()
    with django_assert_max_num_queries(6):
        progress_of(resume)


@pytest.mark.parametrize("language", ["en", "zh-hans", "ru"])
def test_it_is_said_in_the_readers_language(receive, language):
    from django.utils import translation

    with translation.override(language):
        words = in_words(progress_of(receive()))
    assert len(words) >= 2
    assert all("%(" not in text for text in words)


@pytest.mark.parametrize("minutes", [None, 30])
def test_a_queue_that_operators_have_paused_is_named_with_its_end(receive, minutes):
    until = timezone.now() + dt.timedelta(minutes=minutes) if minutes else None
    switches.turn("queue:cpu", switches.Position.OFF, why="maintenance", until=until)
    found = progress_of(receive())
    assert (found.held_by, found.held_until, found.next_attempt_at) == ("queue:cpu", until, until)
    assert any("queue:cpu" in text for text in in_words(found))
    assert not any("maintenance" in text for text in in_words(found)), "why is the operators' own"
    switches.turn("queue:cpu", switches.Position.AUTO, why="")
    assert progress_of(receive()).held_by == ""


@pytest.mark.parametrize("minutes", [None, 1, 30])
def test_a_file_store_that_operators_hold_is_named_and_the_next_try_is_not_before_its_end(receive, minutes):
    until = timezone.now() + dt.timedelta(minutes=minutes) if minutes else None
    switches.turn("storage", switches.Position.FORCED_OPEN, why="moving the files", until=until)
    resume = receive()
    runner.run_stages("extract", resume.pk, 1)
    resume.refresh_from_db()
    found = progress_of(resume)
    assert (found.parked_for, found.held_by, found.breaker_of, found.breaker) == ("storage", "storage", "storage", "open")
    assert found.next_attempt_at == (max(until, resume.next_attempt_at) if until else None)


def test_a_store_that_is_held_matters_only_to_what_needs_a_file(receive):
    switches.turn("storage", switches.Position.OFF, why="moving the files")
    resume = receive()
    Resume.objects.filter(pk=resume.pk).update(next_stage="rules")
    found = progress_of(Resume.objects.get(pk=resume.pk))
    assert (found.held_by, found.breaker) == ("", None)


@pytest.mark.parametrize(("code", "most"), [("timeout", 2), ("internal_error", 2), ("dependency_unavailable", 4)])
def test_how_many_tries_there_are_depends_on_what_failed(receive, code, most):
    resume = receive()
    row = tried(resume, "failed")
    Attempt.objects.filter(pk=row.pk).update(failure_code=code)
    assert (progress_of(resume).attempt, progress_of(resume).attempts_most) == (2, most)


@pytest.mark.parametrize("code", sorted(parking.CLOSED_DOORS))
def test_a_try_that_found_a_closed_door_is_none(receive, code):
    resume = receive()
    row = tried(resume, "failed")
    Attempt.objects.filter(pk=row.pk).update(failure_code=code)
    assert (progress_of(resume).attempt, progress_of(resume).attempts_most) == (1, 4)


def test_being_sent_again_changes_nobodys_place(receive):
    resumes = [receive(f"{number}") for number in range(4)]
    Resume.objects.filter(pk__in=[resumes[0].pk, resumes[2].pk]).update(dispatched_at=timezone.now() + dt.timedelta(minutes=1))
    Resume.objects.filter(pk=resumes[1].pk).update(dispatched_at=None)
    assert [progress_of(Resume.objects.get(pk=resume.pk)).ahead for resume in resumes] == [0, 1, 2, 3]
