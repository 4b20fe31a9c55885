"""One call says why a resume hangs."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest
from django.utils import timezone

from ingest import switches
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
