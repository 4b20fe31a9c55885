"""The operators' page in a browser: dead letters are run again from it, and it is whole on a telephone and in every language."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import expect

from ingest import heartbeats
from ingest.breaker import BreakerState
from ingest.models import DeadLetter, Heartbeat
from resumes.models import Resume
from resumes.states import State
from tests.integration.people import sent

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(600)]
PAGE = "/admin/ingest/heartbeat/"
LOOK = os.environ.get("OPERATIONS_PICTURES", "")


@pytest.fixture
def letters(desk, monkeypatch):
    """A house at work with three dead letters."""
    monkeypatch.setattr("ingest.broker.queue_depths", lambda queues: dict.fromkeys(queues, 4))
    monkeypatch.setattr("ingest.breaker.state", lambda _channel: BreakerState.CLOSED)
    now = timezone.now()
    for number, queue in enumerate(settings.CELERY_TASK_QUEUES):
        heartbeats.beat(Heartbeat.Kind.WORKER, f"{queue}@here", [queue], took={queue: now.timestamp() - number}, busy=number == 1)
    for kind in (Heartbeat.Kind.RELAY, Heartbeat.Kind.BEAT):
        heartbeats.beat(kind, kind.value, [])
    found = [sent(desk.people["recruiter"]) for _ in range(3)]
    for resume in found:
        Resume.objects.filter(pk=resume.pk).update(state=State.DEAD_LETTER, failure_code="worker_lost", token=None)
        DeadLetter.objects.create(resume=resume, since=now, detail="stage ocr, 3 tries")
    return found


def test_chosen_dead_letters_are_run_again_from_the_page(desk, letters):
    page = desk.goto(desk.window("operator"), PAGE)
    panel = page.locator(".panel", has_text="Dead letters")
    expect(panel.locator("tbody tr")).to_have_count(3)
    panel.get_by_role("checkbox").first.check()
    panel.get_by_role("checkbox").last.check()
    panel.get_by_role("button", name="Run the chosen again").click()
    expect(page.get_by_text("2 run again, 0 left as they are.")).to_be_visible()
    expect(page.locator(".panel", has_text="Dead letters").locator("tbody tr")).to_have_count(1)
    page.locator(".panel", has_text="Dead letters").get_by_role("button", name="Run again").click()
    expect(page.get_by_text("1 run again, 0 left as they are.")).to_be_visible()
    assert not Resume.objects.filter(state=State.DEAD_LETTER).exists()


@pytest.mark.parametrize("width", [400, 1440])
@pytest.mark.parametrize("language", ["en", "zh-hans", "ru"])
def test_nothing_sticks_out_on_a_narrow_screen_in_any_language(desk, letters, language, width):
    page = desk.window("operator", language)
    page.set_viewport_size({"width": width, "height": 900})
    desk.goto(page, PAGE)
    expect(page.locator(".panel").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if LOOK:
        page.screenshot(path=Path(LOOK) / f"operations-{language}-{width}.png", full_page=True)
