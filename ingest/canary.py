"""Canaries: a message a while into every queue, so that a worker which lives but takes nothing is noticed.

A worker may lose its place at the broker without knowing: its heart beats, its queue grows. A queue in which a message
waits serves as well; into an empty one the relay puts a task that does nothing. Who judges is `Ears`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from celery import current_app
from kombu.exceptions import OperationalError

from ingest import broker, health
from ingest.models import Heartbeat

TASK = "ingest.canary"
EVERY_S = 30.0
_last = 0.0


@dataclass(frozen=True, slots=True)
class Worker:
    """What is known of a worker at one moment."""

    name: str
    queues: tuple[str, ...]
    took: Mapping[str, float]
    busy: bool
    age_s: float
    """Time since its last sign of life."""


def release() -> None:
    """Put a canary into every queue that is empty, now and then. Called with each pass of the relay."""
    global _last  # noqa: PLW0603 - one fact of this process: when it last did
    if time.monotonic() - _last < EVERY_S:
        return
    _last = time.monotonic()
    for queue, depth in (broker.queue_depths(health.needed_queues()) or {}).items():
        if depth == 0:
            try:
                current_app.send_task(TASK, queue=queue, expires=EVERY_S, retry=False)
            except (OperationalError, OSError):
                return  # no broker: everybody sees that


def workers(now: float | None = None) -> list[Worker]:
    """The workers on record."""
    present = time.time() if now is None else now
    return [
        Worker(row.name, tuple(row.queues), row.took, row.busy, present - row.at.timestamp())
        for row in Heartbeat.objects.filter(kind=Heartbeat.Kind.WORKER)
    ]


@dataclass(slots=True)
class Ears:
    """Tells from samples, one every few seconds, which workers take nothing though they could."""

    deaf_after_s: float
    silent_after_s: float
    _waiting_since: dict[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    """By worker and queue: when a message was first seen to wait, and what the worker had last taken then."""

    def deaf(self, found: Iterable[Worker], depths: Mapping[str, int] | None, now: float) -> dict[str, str]:
        """Workers to start again, each with the reason. `depths` is None while the broker does not answer: nobody is to blame."""
        reasons: dict[str, str] = {}
        for worker in found:
            if worker.age_s > self.silent_after_s:
                reasons[worker.name] = f"no sign of life for {worker.age_s:.0f} s"
                continue
            for queue in worker.queues:
                key, took = (worker.name, queue), worker.took.get(queue, 0.0)
                since, before = self._waiting_since.get(key, (now, took))
                if depths is None or not depths.get(queue) or worker.busy or took != before:
                    since, before = now, took
                self._waiting_since[key] = (since, before)
                if now - since > self.deaf_after_s:
                    reasons[worker.name] = f"takes nothing from queue {queue}"
        for name in reasons:
            self.forget(name)
        return reasons

    def forget(self, name: str) -> None:
        """Begin anew with a worker."""
        self._waiting_since = {key: seen for key, seen in self._waiting_since.items() if key[0] != name}
