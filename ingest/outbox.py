"""Sending: a committed outbox row becomes a message, and the row goes.

A message is a wake-up call. One too many does nothing (the claim decides), one too few is found by the relay.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import structlog
from celery import current_app
from kombu.exceptions import OperationalError
from kombu.pools import producers

from ingest import broker
from resumes.models import OutboxMessage

log = structlog.get_logger(__name__)

_PAUSE_S = 5.0
_QUEUES = {"ingest.watch": "notify", "ingest.send_webhooks": "notify"}
"""Tasks besides the stages that do not go to the default queue."""
_down_until = 0.0


def send(message: OutboxMessage) -> bool:
    """Publish right after commit; False where the broker does not answer, and the relay will do it.

    Never blocks an upload: no retries, and after a failure this process does not even try for a few seconds.
    """
    global _down_until  # noqa: PLW0603 - one fact of this process: its broker did not answer a moment ago
    if time.monotonic() < _down_until:
        return False
    try:
        _publish(message)
    except (OperationalError, OSError) as exc:
        _down_until = time.monotonic() + _PAUSE_S
        log.warning("broker_unreachable", error=type(exc).__name__)
        return False
    return True


def send_all(messages: Iterable[OutboxMessage]) -> int:
    """Publish messages in order until the broker fails; how many went. The relay's way: it does not give up for a while."""
    sent = 0
    for message in messages:
        try:
            _publish(message)
        except (OperationalError, OSError) as exc:
            log.warning("broker_unreachable", error=type(exc).__name__)
            break
        sent += 1
    return sent


def _publish(message: OutboxMessage) -> None:
    connection = broker.prompt(current_app.connection_for_write())
    with producers[connection].acquire(block=True) as producer:
        current_app.send_task(
            message.topic, kwargs=message.arguments(), queue=queue_of(message.topic), retry=False, producer=producer
        )
    OutboxMessage.objects.filter(pk=message.pk).delete()


def route(name: str, *_args: Any, **_options: Any) -> dict[str, str]:
    """Celery's router: every task goes to its own queue, however it is sent."""
    return {"queue": queue_of(name)}


def queue_of(topic: str) -> str:
    """The queue of a task, by its explicit name."""
    from ingest.pipeline import STAGES  # the stages import sandboxes and readers; a web process sends without them

    stage = STAGES.get(topic.removeprefix("ingest."))
    return stage.queue if stage else _QUEUES.get(topic, "default")
