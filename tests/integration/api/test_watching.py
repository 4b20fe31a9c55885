from __future__ import annotations

import datetime as dt

import pytest
import redis
from django.core.cache import cache
from django.db import DatabaseError, OperationalError, connection
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from ingest import batches, disks, health, heartbeats, metrics, reconcile, switches
from ingest.models import Heartbeat, Outcome
from ingest.ocr import Ability, Script
from resumes.models import Resume
from resumes.states import State
from tests.integration.people import POOR, sent, text_file, worked_off
from tests.texts import ADA

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _broker_and_engines_answer(monkeypatch):
    cache.clear()
    monkeypatch.setattr("ingest.broker.queue_depths", lambda queues: dict.fromkeys(queues, 0))
    every = {"rapidocr": Ability(frozenset(Script), available=True)}
    monkeypatch.setattr("ingest.health._abilities", lambda: every)


def all_alive():
    heartbeats.beat(Heartbeat.Kind.WORKER, "all@here", ["io", "cpu", "ocr", "llm", "default", "notify"])
    heartbeats.beat(Heartbeat.Kind.RELAY, "relay")
    heartbeats.beat(Heartbeat.Kind.BEAT, "beat")


def test_a_living_process_says_so_to_anybody(client):
    assert client.get("/healthz").json() == {"status": "ok"}


def test_everything_there_is_ok(client):
    all_alive()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (
        200,
        {"status": "ok", "checks": {"database": "ok", "storage": "ok", "broker": "ok"}, "degraded": []},
    )


def test_a_missing_broker_worker_or_engine_only_degrades(client, monkeypatch):
    all_alive()
    Heartbeat.objects.filter(name="all@here").update(queues=["io", "cpu"])
    monkeypatch.setattr("ingest.broker.queue_depths", lambda _queues: None)
    gone = {"rapidocr": Ability(frozenset({Script.LATIN, Script.CYRILLIC}), available=True)}
    monkeypatch.setattr("ingest.health._abilities", lambda: gone)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    named = " ".join(answer.json()["degraded"])
    for missing in ("no broker", "queue ocr", "queue default", "han"):
        assert missing in named
    assert "queue cpu" not in named


def test_a_worker_silent_for_a_while_is_taken_for_dead(client):
    all_alive()
    Heartbeat.objects.filter(kind="worker").update(at=timezone.now() - dt.timedelta(seconds=60))
    assert "no worker for queue cpu" in client.get("/readyz").json()["degraded"]


def test_a_model_queue_needs_no_worker_while_no_model_is_configured(settings):
    settings.LLM_BASE_URL = ""
    assert "llm" in settings.CELERY_TASK_QUEUES
    all_alive()
    Heartbeat.objects.filter(kind="worker").update(queues=["io", "cpu", "ocr", "default", "notify"])
    from ingest.health import needed_queues

    assert heartbeats.missing(needed_queues()) == []


def test_a_storage_that_refuses_makes_it_unready(client, settings, tmp_path):
    (tmp_path / "no-folder").write_text("a file where a folder should be")
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": str(tmp_path / "no-folder")},
        },
    }
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (503, "unavailable")
    assert answer.json()["checks"]["storage"] == "failed"


def test_a_database_that_fails_makes_it_unready(client, monkeypatch):
    def fail():
        raise DatabaseError

    monkeypatch.setattr("ingest.health.connection.cursor", fail)
    assert client.get("/readyz").status_code == 503


def test_a_database_that_answers_and_takes_no_writes_makes_it_unready(client, monkeypatch):
    """Locked, full, a standby: questions are answered all the same. With a real lock: tests/acceptance/test_health.py."""
    all_alive()
    assert Heartbeat.objects.filter(kind="web").count() == 0

    def refuse(*_args, **_kwargs):
        raise OperationalError("database is locked")

    monkeypatch.setattr("django.db.models.query.QuerySet.update_or_create", refuse)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["checks"]["database"]) == (503, "failed")


def test_asking_leaves_a_sign_and_the_database_as_patient_as_it_was(client):
    client.get("/readyz")
    assert Heartbeat.objects.get(kind="web").name == "web"
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            assert cursor.execute("PRAGMA busy_timeout").fetchone() == (20_000,)


@pytest.mark.parametrize(
    ("name", "words"),
    [("intake", "paused the intake"), ("queue:ocr", "paused queue ocr"), ("storage", "switched the file store off")],
)
def test_what_operators_have_stopped_is_said_where_health_is_asked(client, name, words):
    all_alive()
    switches.turn(name, switches.Position.OFF, why="moving house")
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert words in " ".join(answer.json()["degraded"])
    assert "moving house" not in answer.content.decode()


def test_a_disk_without_room_is_said_before_uploads_fail(client, monkeypatch, tmp_path):
    all_alive()
    monkeypatch.setattr(disks, "rooms", lambda: iter([disks.Room("files", tmp_path, 100 << 20, 10 << 30)]))
    assert "0.1 GB left for files" in " ".join(client.get("/readyz").json()["degraded"])


@pytest.mark.parametrize(("language", "words"), [("zh-hans", "没有"), ("ru", "нет")])
def test_health_speaks_the_language_of_whoever_asks(client, language, words):
    degraded = client.get("/readyz", headers={"accept-language": language}).json()["degraded"]
    assert [line for line in degraded if words in line]
    assert not [line for line in degraded if "no " in line]


def test_a_redis_that_hangs_is_asked_for_one_breaker_only(client, monkeypatch, settings):
    """Each answer that does not come costs a second, and a scrape has ten. What is forced is known without it."""
    settings.OCR_CHANNELS = ("rapidocr", "tesseract", "easyocr", "null")
    switches.turn("easyocr", switches.Position.FORCED_OPEN, why="test")
    asked = []

    class Hanging:
        def hget(self, key, _field):
            asked.append(key)
            raise redis.TimeoutError

    monkeypatch.setattr("ingest.breaker._client", Hanging)
    found, _ = scraped(client)
    assert len(asked) == 1
    assert found["gleaner_breaker_state", ("channel", "easyocr")] == 2
    assert ("gleaner_breaker_state", ("channel", "rapidocr")) not in found


def test_each_disk_is_told_once(client, settings, tmp_path):
    settings.GLEANER_HOME, settings.GLEANER_STORAGE = tmp_path, str(tmp_path)
    found, _ = scraped(client)
    disks_told = [key for key in found if key[0] == "gleaner_disk_free_ratio"]
    assert ("gleaner_disk_free_ratio", ("disk", "data")) in disks_told
    assert ("gleaner_disk_free_ratio", ("disk", "files")) not in disks_told


def scraped(client):
    metrics.forget()
    text = client.get("/metrics").content.decode()
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }, text


def test_the_numbers_agree_with_the_records(client, recruiter):
    batch = batches.open_batch(recruiter, "Autumn")
    for number, text in enumerate((ADA, "", POOR)):
        batches.add_file(batch, text_file(text), f"Ada Quillfeather {number}.txt")
    batches.seal(batch)
    before, _ = scraped(client)
    assert before["gleaner_resumes", ("state", "PENDING")] == 2
    for resume in Resume.objects.exclude(next_stage=""):
        worked_off(resume)
    Outcome.objects.create(batch_id=batch.pk, entry_id=recruiter_uuid(), resume_id=None, run=1, result="COMPLETED")
    reconcile.reconcile(batch.pk)
    found, text = scraped(client)
    for state in State:
        assert found["gleaner_resumes", ("state", state.value)] == Resume.objects.filter(state=state).count()
    assert found["gleaner_transitions_total", ("to", "PENDING")] == 3
    assert found["gleaner_received_total", ("source", "imported")] == 3
    assert found["gleaner_completed_by_level_total", ("level", "text")] == 1
    assert found["gleaner_stage_seconds_count", ("stage", "extract")] == 2
    assert found["gleaner_stage_seconds_bucket", ("le", "+Inf"), ("stage", "extract")] == 2
    assert found["gleaner_review_cases", ("state", "PENDING")] == 1
    assert found["gleaner_batches", ("state", "RECONCILIATION_ERROR")] == 1
    assert found["gleaner_reconciliation_anomalies", ("kind", "orphan")] == 1
    assert found["gleaner_queue_depth", ("queue", "cpu")] == 0
    assert found["gleaner_outbox_unsent",] >= 1
    assert "Quillfeather" not in text
    assert str(batch.pk) not in text


def recruiter_uuid():
    import uuid

    return uuid.uuid4()


def test_retries_and_failures_are_counted_by_stage_and_code(client, recruiter):
    resume = sent(recruiter)
    resume.stage_attempts.create(
        run=1, stage="extract", token=resume.pk, outcome="failed", failure_class="resource", failure_code="timeout", seconds=10.0
    )
    resume.transitions.create(
        run=1, from_state="PARSING", to_state="RETRY_WAITING", node="extract", actor="system", reason="timeout: again in 2.1 s"
    )
    found, _ = scraped(client)
    assert found["gleaner_stage_failures_total", ("class", "resource"), ("code", "timeout"), ("stage", "extract")] == 1
    assert found["gleaner_retries_total", ("code", "timeout"), ("stage", "extract")] == 1
    assert found["gleaner_stage_seconds_bucket", ("le", "5.0"), ("stage", "extract")] == 0
    assert found["gleaner_stage_seconds_bucket", ("le", "10.0"), ("stage", "extract")] == 1


def test_a_scrape_costs_the_same_for_one_resume_and_for_many(client, recruiter, django_assert_max_num_queries):
    for number in range(6):
        sent(recruiter, f"{POOR}{number}")
    metrics.forget()
    health.writable()  # tried every ten seconds, whoever asks
    with django_assert_max_num_queries(25):
        client.get("/metrics")
    with django_assert_max_num_queries(0):
        client.get("/metrics")


def test_ages_are_those_of_the_oldest(client, recruiter):
    resume = sent(recruiter)
    hour = timezone.now() - dt.timedelta(hours=1)
    Resume.objects.filter(pk=resume.pk).update(state_since=hour)
    dead = sent(recruiter, POOR)
    Resume.objects.filter(pk=dead.pk).update(state=State.DEAD_LETTER, state_since=hour, next_stage="")
    found, _ = scraped(client)
    assert found["gleaner_oldest_pending_seconds", ("queue", "cpu")] == pytest.approx(3600, abs=60)
    assert found["gleaner_dead_letter_oldest_seconds",] == pytest.approx(3600, abs=60)


def test_breakers_show_where_they_stand(client, monkeypatch, settings):
    from ingest.breaker import BreakerState

    settings.OCR_CHANNELS = ("rapidocr", "tesseract", "null")
    states = {"rapidocr": BreakerState.OPEN, "tesseract": BreakerState.HALF_OPEN, "null": None}
    monkeypatch.setattr("ingest.breaker.state", states.get)
    found, _ = scraped(client)
    assert found["gleaner_breaker_state", ("channel", "rapidocr")] == 2
    assert found["gleaner_breaker_state", ("channel", "tesseract")] == 1
    assert ("gleaner_breaker_state", ("channel", "null")) not in found


def test_a_broker_that_takes_no_message_degrades_and_is_named(client, monkeypatch):
    all_alive()
    monkeypatch.setattr("ingest.broker.takes_messages", lambda: False)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"], answer.json()["checks"]["broker"]) == (200, "degraded", "failed")
    assert "takes no messages" in " ".join(answer.json()["degraded"])
