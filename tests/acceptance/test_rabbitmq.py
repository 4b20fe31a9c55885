"""The main job once more with RabbitMQ as the broker, where one answers on this machine."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
from kombu import Connection

from tests.acceptance.house import House, until
from tests.acceptance.test_main_job import ends, states
from tests.acceptance.test_recovery import ALL, stages_done, text_file

URL = os.environ.get("RABBITMQ_URL", "amqp://guest:guest@127.0.0.1:5672//")
QUEUES = ALL.split(",")

pytestmark = pytest.mark.timeout(300)


def _answers() -> bool:
    try:
        with Connection(URL, connect_timeout=2) as connection:
            connection.ensure_connection(max_retries=1, timeout=2)
    except OSError:
        return False
    return True


@pytest.fixture
def rabbit_house(house: House) -> Iterator[House]:
    if not _answers():
        pytest.skip("no RabbitMQ answers at RABBITMQ_URL")
    _purge()
    house.extra_env = {"CELERY_BROKER_URL": URL}
    house.start_broker()  # Valkey, for the breakers
    yield house
    house.stop()
    _purge()


def _purge() -> None:
    """Empty the queues; what an earlier run has left would be taken for this one's."""
    with Connection(URL) as connection:
        for queue in QUEUES:
            channel = connection.channel()
            try:
                channel.queue_purge(queue)
            except connection.channel_errors:
                continue  # it has never been made
            channel.close()


def test_a_resume_is_completed_over_rabbitmq(rabbit_house: House, tmp_path: Path):
    house = rabbit_house
    house.start_web()
    house.start_worker(f"w{secrets.token_hex(2)}", ALL)
    house.start_relay()
    resume_id = house.upload(text_file(tmp_path, 1))
    assert states(house.settled(resume_id)) == ["PENDING", "PARSING", "COMPLETED"]


def test_messages_rabbitmq_has_lost_are_sent_again_and_a_killed_worker_loses_nothing(rabbit_house: House, tmp_path: Path):
    house = rabbit_house
    house.start_web()
    sent = [house.upload(text_file(tmp_path, number)) for number in range(4)]
    _purge()
    house.start_relay()
    house.start_worker("first", ALL)
    until("a first resume is through", lambda: any(house.resume(one)["state"] == "COMPLETED" for one in sent), timeout_s=90)
    house.kill("first")
    house.start_worker("second", ALL)
    for resume_id in sent:
        assert ends(house.settled(resume_id, timeout_s=120)) == ["COMPLETED"]
    assert set(stages_done(house, sent[0]).values()) == {1}
