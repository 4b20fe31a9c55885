"""What operators see on their page, and what they can do there."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest
from django.urls import reverse
from django.utils import timezone

from ingest import heartbeats, housekeeping, switches
from ingest.models import Alert, Attempt, DeadLetter, Heartbeat
from ingest.pace import paces, rank
from ingest.stuck import stuck
from resumes.models import Resume
from resumes.states import State
from tests.integration.people import person, sent

pytestmark = pytest.mark.django_db
PAGE = "/admin/ingest/heartbeat/"


@pytest.fixture
def operator():
    return person("olga", "operator")


@pytest.fixture
def page(client, operator, monkeypatch):
    monkeypatch.setattr("ingest.broker.queue_depths", lambda queues: dict.fromkeys(queues, 4))
    monkeypatch.setattr("ingest.health._engines_missing", list)
    monkeypatch.setattr("ingest.breaker.state", lambda _channel: None)
    client.force_login(operator)

    def load() -> str:
        answer = client.get(PAGE)
        assert answer.status_code == 200
        return answer.content.decode()

    return load


def stuck_resume(owner) -> Resume:
    """One whose worker died and whom nobody freed."""
    resume = sent(owner)
    hour = timezone.now() - dt.timedelta(hours=1)
    Resume.objects.filter(pk=resume.pk).update(state=State.PARSING, token=uuid.uuid4(), lease_until=hour, state_since=hour)
    return resume


def test_stages_show_what_they_did_and_how_long_it_took(page, operator):
    resume = sent(operator)
    for number, seconds in enumerate((0.1, 0.2, 0.3, 9.0)):
        failed = {"outcome": "failed", "failure_code": "timeout"} if number == 3 else {"outcome": "ok"}
        Attempt.objects.create(resume=resume, run=1, stage="extract", token=uuid.uuid4(), seconds=seconds, **failed)
    (extract,) = [pace for pace in paces() if pace.stage == "extract"]
    assert (extract.tries, extract.failed, extract.median_s, extract.p95_s) == (4, 1, 0.2, 9.0)
    text = page()
    assert "9.00 s" in text
    assert "0.20 s" in text


@pytest.mark.parametrize(("values", "share", "found"), [([], 0.5, None), ([3.0], 0.95, 3.0), ([1.0, 2.0, 3.0, 4.0], 0.5, 2.0)])
def test_ranks(values, share, found):
    assert rank(values, share) == found


def test_queues_show_who_takes_from_them_and_when_last(page):
    now = timezone.now().timestamp()
    heartbeats.beat(Heartbeat.Kind.WORKER, "cpu@here", ["cpu"], took={"cpu": now - 42}, busy=True)
    text = page()
    assert "cpu@here" in text
    assert "busy" in text
    assert "42 seconds ago" in text or "43 seconds ago" in text


def test_switches_alerts_and_flower_are_there(page, settings):
    settings.GLEANER_FLOWER_URL = "https://flower.example.com/"
    switches.turn("ocr", switches.Position.OFF, why="engine is being replaced")
    Alert.objects.create(
        kind=Alert.Kind.RETRY_STORM,
        subject="structure timeout",
        count=77,
        first_at=timezone.now(),
        last_at=timezone.now(),
        due_at=timezone.now(),
    )
    text = page()
    for shown in ("engine is being replaced", "structure timeout", "https://flower.example.com/"):
        assert shown in text


def test_a_stuck_resume_is_woken_by_itself_or_with_all_others(page, client, operator):
    one, other = stuck_resume(operator), stuck_resume(operator)
    assert str(one.pk) in page()
    client.post(reverse("admin:ingest_wake"), {"resume": str(one.pk)})
    one.refresh_from_db()
    assert (one.token, one.next_stage, one.dispatched_at) == (None, "extract", None)
    assert list(stuck()) == [other]
    client.post(reverse("admin:ingest_wake"))
    assert not stuck().exists()


@pytest.fixture
def letters(operator):
    """Three dead letters and a resume that is done."""
    found = [sent(operator) for _ in range(4)]
    for resume, state in zip(found, [State.DEAD_LETTER] * 3 + [State.COMPLETED], strict=True):
        Resume.objects.filter(pk=resume.pk).update(state=state, failure_code="worker_lost", token=None)
        if state == State.DEAD_LETTER:
            DeadLetter.objects.create(resume=resume, since=timezone.now())
    return found


def states(found):
    return [Resume.objects.get(pk=resume.pk).state for resume in found]


def test_a_dead_letter_is_run_again_by_itself(page, client, letters):
    assert str(letters[0].pk) in page()
    client.post(reverse("admin:ingest_replay"), {"one": str(letters[0].pk), "resume": str(letters[1].pk)})
    assert states(letters) == [State.PENDING, State.DEAD_LETTER, State.DEAD_LETTER, State.COMPLETED]


def test_chosen_dead_letters_are_run_again_together_and_nothing_else_is(page, client, letters):
    chosen = [str(resume.pk) for resume in (letters[0], letters[2], letters[3])]
    answer = client.post(reverse("admin:ingest_replay"), {"resume": chosen}, follow=True)
    assert states(letters) == [State.PENDING, State.DEAD_LETTER, State.PENDING, State.COMPLETED]
    assert "2 run again, 1 left as they are." in answer.content.decode()


def test_nothing_chosen_runs_nothing_and_what_is_no_resume_is_refused(client, operator, page, letters):
    assert client.post(reverse("admin:ingest_replay")).status_code == 302
    assert client.post(reverse("admin:ingest_replay"), {"one": "7"}).status_code == 400
    assert states(letters)[:3] == [State.DEAD_LETTER] * 3


def test_only_operators_replay(client, letters):
    for role in ("reviewer", "recruiter"):
        client.force_login(person(f"a-{role}", role))
        assert client.post(reverse("admin:ingest_replay"), {"one": str(letters[0].pk)}).status_code == 403
    assert states(letters)[0] == State.DEAD_LETTER


def test_what_is_at_work_is_not_woken(operator):
    from ingest.stuck import wake

    resume = sent(operator)
    Resume.objects.filter(pk=resume.pk).update(
        state=State.PARSING, token=uuid.uuid4(), lease_until=timezone.now() + dt.timedelta(seconds=20)
    )
    assert wake(Resume.objects.all()) == 0
    resume.refresh_from_db()
    assert resume.token is not None


def test_only_operators_wake(client):
    client.force_login(person("rita", "reviewer"))
    assert client.post(reverse("admin:ingest_wake")).status_code == 403


def test_results_of_tasks_are_pruned(operator):
    from django_celery_results.models import TaskResult

    old, new = (TaskResult.objects.create(task_id=name) for name in ("old", "new"))
    TaskResult.objects.filter(pk=old.pk).update(date_done=timezone.now() - dt.timedelta(days=8))
    housekeeping.prune()
    assert list(TaskResult.objects.all()) == [new]
