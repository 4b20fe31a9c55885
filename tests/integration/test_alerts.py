"""Alerts: found in the records, told in groups, never one for each resume and never with a person's data."""

from __future__ import annotations

import datetime as dt
import http.server
import json
import threading

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.utils import timezone

from ingest import alerts, batches, disks, heartbeats, reconcile, switches
from ingest.models import Alert, Attempt, Batch, BreakerFlip, Heartbeat, Outcome, Switch, Watch
from resumes.models import Resume
from resumes.states import State
from resumes.transitions import move

from .people import text_file

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _all_alive(settings, monkeypatch):
    monkeypatch.setattr("ingest.broker.queue_depths", lambda queues, *_: dict.fromkeys(queues, 0))
    settings.GLEANER_ALERT_WAIT_S = 0
    settings.LLM_BASE_URL = ""
    queues = list(settings.CELERY_TASK_QUEUES)
    heartbeats.beat(Heartbeat.Kind.WORKER, "w1", queues)
    heartbeats.beat(Heartbeat.Kind.RELAY, "relay")
    heartbeats.beat(Heartbeat.Kind.BEAT, "beat")
    Watch.objects.create(pk=1, seen_to=timezone.now() - dt.timedelta(minutes=5))


@pytest.fixture(autouse=True)
def _no_lag(monkeypatch):
    """What has just happened is looked at now, not in ten seconds."""
    monkeypatch.setattr(alerts, "_LAG", dt.timedelta(0))


@pytest.fixture
def hook(settings):
    """A webhook receiver: what was posted, and the answer it gives."""
    posted: list[dict] = []
    answer = [204]

    class Receiver(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            posted.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(answer[0])
            self.end_headers()

        def log_message(self, *args) -> None:
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    settings.GLEANER_ALERT_WEBHOOK = f"http://127.0.0.1:{server.server_port}/alerts"
    yield posted, answer
    server.shutdown()
    thread.join()
    server.server_close()


def told() -> list[tuple[str, str, int]]:
    return sorted(Alert.objects.values_list("kind", "subject", "count"))


def buried(receive, number: int = 1) -> list[Resume]:
    made = []
    for count in range(number):
        resume = receive(f"Alice Archer {count}\n", f"alice archer {count}.txt")
        move(resume, State.DEAD_LETTER, node="relay", reason="test", failure_class="permission", failure_code="storage_denied")
        made.append(resume)
    return made


def flip(channel: str = "rapidocr") -> None:
    BreakerFlip.objects.create(channel=channel, from_state="closed", to_state="open")


def test_nothing_happening_is_told_to_nobody(settings):
    settings.GLEANER_ALERT_EMAIL = "ops@example.org"
    alerts.watch()
    assert alerts.send_due() == 0
    assert not mail.outbox


def test_a_hundred_dead_letters_are_one_alert_in_one_mail_without_a_persons_data(receive, settings):
    settings.GLEANER_ALERT_EMAIL = "ops@example.org, night@example.org"
    made = buried(receive, 100)
    flip()
    alerts.watch()
    assert told() == [("breaker", "rapidocr", 1), ("dead_letter", "storage_denied", 100)]
    assert alerts.send_due() == 2
    (letter,) = mail.outbox
    assert letter.to == ["ops@example.org", "night@example.org"]
    assert "storage_denied" in letter.body
    assert "× 100" in letter.body
    for personal in ("archer", "Alice", ".txt", str(made[0].pk)):
        assert personal not in letter.subject + letter.body


def test_alerts_wait_for_their_like_and_keep_quiet_afterwards(settings):
    settings.GLEANER_ALERT_WAIT_S = 120
    settings.GLEANER_ALERT_QUIET_S = 1800
    flip()
    alerts.watch()
    flip()
    alerts.watch()
    assert told() == [("breaker", "rapidocr", 2)]
    assert alerts.send_due() == 0, "too early"
    Alert.objects.update(due_at=timezone.now())
    assert alerts.send_due() == 1
    flip()
    alerts.watch()
    new = Alert.objects.get(sent_at=None)
    assert new.due_at > timezone.now() + dt.timedelta(minutes=29)


def test_looking_twice_finds_nothing_twice():
    flip()
    assert alerts.watch() == 1
    assert alerts.watch() == 0
    assert told() == [("breaker", "rapidocr", 1)]


def test_two_looks_that_begin_together_count_once(monkeypatch):
    """The second has read the same mark; its compare-and-set fails."""
    flip()
    mark = Watch.objects.get()
    assert alerts.watch() == 1
    stale = Watch(pk=mark.pk, seen_to=mark.seen_to)
    monkeypatch.setattr(Watch.objects, "first", lambda: stale, raising=False)
    assert alerts.watch() == 0
    assert told() == [("breaker", "rapidocr", 1)]


def test_there_is_one_open_alert_for_each_kind_and_subject():
    now = timezone.now()
    same = {"kind": "breaker", "subject": "model", "first_at": now, "last_at": now, "due_at": now}
    Alert.objects.create(**same)
    with pytest.raises(IntegrityError), transaction.atomic():
        Alert.objects.create(**same)


def test_the_webhook_gets_one_post_with_all_of_them(hook):
    posted, _ = hook
    flip("rapidocr")
    flip("tesseract")
    alerts.watch()
    assert alerts.send_due() == 2
    (body,) = posted
    assert [(one["kind"], one["subject"], one["count"]) for one in body["alerts"]] == [
        ("breaker", "rapidocr", 1),
        ("breaker", "tesseract", 1),
    ]
    assert "tesseract" in body["text"]


def test_what_nobody_took_is_sent_again_later_and_what_was_taken_is_not(hook):
    posted, answer = hook
    answer[0] = 500
    flip()
    alerts.watch()
    assert alerts.send_due() == 0
    assert alerts.send_due() == 0, "put off for a while"
    assert len(posted) == 1
    answer[0] = 204
    Alert.objects.update(due_at=timezone.now())
    assert alerts.send_due() == 1
    assert alerts.send_due() == 0
    assert len(posted) == 2


def test_one_channel_that_fails_does_not_double_the_other(hook, settings):
    posted, answer = hook
    answer[0] = 500
    settings.GLEANER_ALERT_EMAIL = "ops@example.org"
    flip()
    alerts.watch()
    assert alerts.send_due() == 1
    Alert.objects.update(due_at=timezone.now())
    assert alerts.send_due() == 0
    assert (len(mail.outbox), len(posted)) == (1, 1)


def test_dead_letters_nobody_takes_care_of_are_told_again_and_again(receive):
    buried(receive)
    Resume.objects.update(state_since=timezone.now() - dt.timedelta(hours=5))
    alerts.watch()
    assert ("old_dead_letter", "nobody", 1) in told()
    alerts.send_due()
    alerts.watch()
    assert Alert.objects.filter(kind="old_dead_letter").count() == 1
    Alert.objects.update(sent_at=timezone.now() - dt.timedelta(hours=7))
    alerts.watch()
    assert Alert.objects.filter(kind="old_dead_letter").count() == 2


def test_a_batch_that_does_not_add_up_and_one_that_failed_are_told_by_id(db):
    failed = batches.open_batch(None, "all broken")
    batches.add_file(failed, text_file(""), "empty.txt")
    batches.seal(failed)
    reconcile.reconcile(failed.pk)
    odd = batches.open_batch(None, "an end too many")
    entry = batches.add_file(odd, text_file(""), "empty.txt")
    Outcome.objects.create(batch_id=odd.pk, entry_id=entry.pk, resume_id=entry.resume_id, run=1, result="COMPLETED")
    batches.seal(odd)
    reconcile.reconcile(odd.pk)
    alerts.watch()
    assert set(told()) == {("batch_failed", str(failed.pk), 1), ("reconciliation", str(odd.pk), 1)}
    alerts.send_due()
    reconcile.reconcile(odd.pk)
    alerts.watch()
    assert Alert.objects.count() == Batch.objects.count() == 2, "the same trouble is not told at each reconciliation"


def test_many_retries_for_one_reason_are_one_alert_and_few_are_none(receive, settings):
    settings.GLEANER_ALERT_RETRIES = 5
    for number in range(6):
        resume = receive(f"{number}")
        move(resume, State.PARSING, node="extract", reason="claimed")
        move(resume, State.RETRY_WAITING, node="extract", reason="dependency_unavailable: again in 2.1 s")
    alerts.watch()
    assert told() == [("retry_storm", "extract dependency_unavailable", 6)]
    Alert.objects.all().delete()
    settings.GLEANER_ALERT_RETRIES = 7
    alerts.watch()
    assert told() == []


def test_refused_access_is_one_alert_for_each_channel(receive):
    import uuid

    for channel in ("", "", "model"):
        Attempt.objects.create(
            resume=receive("x"),
            run=1,
            stage="structure" if channel else "extract",
            channel=channel,
            token=uuid.uuid4(),
            outcome="failed",
            failure_class="permission",
            failure_code="credentials_rejected" if channel else "storage_denied",
        )
    alerts.watch()
    assert told() == [("permission", "credentials_rejected structure model", 1), ("permission", "storage_denied extract", 2)]


def test_a_silent_process_is_told_unless_it_is_back_in_time(settings):
    settings.GLEANER_ALERT_WAIT_S = 60
    Heartbeat.objects.filter(kind="relay").delete()
    alerts.watch()
    assert told() == [("silence", "no relay", 1)]
    heartbeats.beat(Heartbeat.Kind.RELAY, "relay")
    alerts.watch()
    assert told() == []


def test_a_broker_that_is_away_is_told_and_taken_back_when_it_answers(settings, monkeypatch):
    settings.GLEANER_ALERT_WAIT_S = 60
    monkeypatch.setattr("ingest.broker.queue_depths", lambda *_: None)
    alerts.watch()
    assert told() == [("silence", "no broker", 1)]
    monkeypatch.setattr("ingest.broker.queue_depths", lambda queues, *_: dict.fromkeys(queues, 0))
    alerts.watch()
    assert told() == []


@pytest.mark.parametrize(
    ("name", "minutes", "minutes_left", "is_told"),
    [
        ("intake", 31, None, True),
        ("queue:cpu", 31, None, True),
        ("storage", 31, None, True),
        ("intake", 29, None, False),
        ("rapidocr", 200, None, False),
        ("rapidocr", 250, None, True),
        ("intake", 300, 60, False),
    ],
)
def test_a_switch_that_was_forgotten_is_told_and_one_with_an_end_is_not(name, minutes, minutes_left, is_told):
    until = None if minutes_left is None else timezone.now() + dt.timedelta(minutes=minutes_left)
    switches.turn(name, switches.Position.OFF, why="the shelf is moved", until=until)
    Switch.objects.update(set_at=timezone.now() - dt.timedelta(minutes=minutes))
    alerts.watch()
    assert told() == ([("switched", name, 1)] if is_told else [])
    assert not Alert.objects.filter(detail__contains="shelf").exists()


def test_a_disk_that_fills_up_is_told_while_there_is_still_room_to_write_it_down(monkeypatch, tmp_path):
    rooms = [disks.Room("data", tmp_path, 9 << 30, 100 << 30), disks.Room("files", tmp_path, 60 << 30, 100 << 30)]
    monkeypatch.setattr(disks, "rooms", lambda: iter(rooms))
    alerts.watch()
    alerts.watch()
    assert told() == [("disk", "data", 1)]
    assert Alert.objects.get().detail == "9.0 GB free"


def test_a_clock_that_was_set_back_does_not_stop_the_looking():
    """Looks made by the clock as it was lie hours ahead; what happens until then would go unseen."""
    Watch.objects.update(seen_to=timezone.now() + dt.timedelta(hours=3))
    alerts.watch()
    flip()
    alerts.watch()
    assert told() == [("breaker", "rapidocr", 1)]


def test_the_relay_steps_in_after_a_clock_was_set_back():
    Watch.objects.update(seen_to=timezone.now() + dt.timedelta(hours=3))
    alerts.step_in()
    assert Watch.objects.get().seen_to <= timezone.now()


def test_the_relay_steps_in_where_nobody_has_looked_for_minutes(settings):
    settings.GLEANER_ALERT_EMAIL = "ops@example.org"
    flip()
    alerts.step_in()
    assert len(mail.outbox) == 1
    flip("model")
    alerts.step_in()
    assert len(mail.outbox) == 1, "the look was made a moment ago"


def test_the_periodic_task_goes_to_the_queue_of_notifications(settings):
    from ingest import tasks
    from ingest.outbox import queue_of

    entry = settings.CELERY_BEAT_SCHEDULE["watch for alerts"]
    assert queue_of(entry["task"]) == "notify"
    assert tasks.watch.name == entry["task"]
