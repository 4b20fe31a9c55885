"""Deadlines are real and count work, not waiting."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from ingest import breaker, runner
from ingest.models import Attempt
from ingest.options import current_options
from ingest.pipeline import STAGES
from resumes.models import Resume
from resumes.states import State

from .people import worked_off

pytestmark = pytest.mark.django_db


def test_a_resume_whose_work_budget_is_spent_goes_to_a_person_whatever_retries_are_left(receive, settings):
    resume = receive()
    Resume.objects.filter(pk=resume.pk).update(worked_s=settings.GLEANER_WORK_BUDGET_S)
    assert runner.run_stages("extract", resume.pk, 1) is None
    resume.refresh_from_db()
    assert (resume.state, resume.failure_code) == (State.REVIEW_NEEDED, "timeout")
    assert Attempt.objects.get(resume=resume).detail == "work budget spent"


def test_waiting_in_queues_costs_no_budget(receive):
    resume = receive()
    Resume.objects.filter(pk=resume.pk).update(received_at=timezone.now() - dt.timedelta(days=30))
    assert worked_off(resume).state == State.COMPLETED
    assert 0 < resume.worked_s < 60


@pytest.mark.parametrize(("pages", "route", "expected"), [(None, [], 60), (2, ["ocr"], 60), (5, ["ocr"], 150), (5, [], 60)])
def test_each_page_of_a_scan_after_the_second_adds_to_the_budget(receive, settings, pages, route, expected):
    settings.LLM_BASE_URL = ""
    resume = receive()
    resume.pages, resume.route = pages, route
    assert runner._budget_left_s(resume, STAGES["rules"], current_options()) == expected


def test_a_switched_on_model_adds_to_the_budget_once(receive, settings):
    settings.LLM_BASE_URL = "http://127.0.0.1:1/v1"
    assert runner._budget_left_s(receive(), STAGES["rules"], current_options()) == 60 + 120


def test_what_follows_a_settled_resume_has_its_stages_own_deadline(receive):
    resume = receive()
    resume.worked_s = 1000.0
    assert runner._budget_left_s(resume, STAGES["match"], current_options()) == STAGES["match"].deadline_s


def test_every_stage_has_a_deadline_within_the_workers_own_limit(settings):
    for stage in STAGES.values():
        assert 0 < stage.deadline_s < settings.CELERY_TASK_SOFT_TIME_LIMIT


def test_a_channel_known_to_be_dead_costs_no_time(receive):
    from ingest import switches
    from resumes.taxonomy import ResumeError

    switches.turn("rapidocr", switches.Position.OFF, why="test")
    with pytest.raises(ResumeError, match="breaker_open"), breaker.guarded("rapidocr"):
        raise AssertionError("a call was made")
