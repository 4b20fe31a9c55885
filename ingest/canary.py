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

from ingest import broker, health, heartbeats
from ingest.models import Heartbeat

TASK = "ingest.canary"
EVERY_S = 30.0
_FRESH_S = 3 * heartbeats.EVERY_S
"""Where nobody has given a sign for this long, nobody can."""
_last = 0.0


@dataclass(frozen=True, slots=True)
class Worker:
    """What is known of a worker at one moment."""

    name: str
    queues: tuple[str, ...]
    took: Mapping[str, float]
    busy: bool


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


def signs() -> dict[str, float]:
    """The last sign of life of every process on record, by the clock of whoever gave it."""
    return {name: at.timestamp() for name, at in Heartbeat.objects.values_list("name", "at")}


def workers() -> list[Worker]:
    """The workers on record."""
    return [
        Worker(row.name, tuple(row.queues), row.took, row.busy) for row in Heartbeat.objects.filter(kind=Heartbeat.Kind.WORKER)
    ]


@dataclass(slots=True)
class Ears:
    """Tells from samples, one every few seconds, which workers take nothing though they could.

    Time is counted between samples: the clock by which signs are given may jump. While nobody's sign changes the database
    is at fault, and nobody is to blame.
    """

    deaf_after_s: float
    silent_after_s: float
    _signs: dict[str, tuple[float, float]] = field(default_factory=dict)
    """By process: its last sign, and when that was first seen here."""
    _silent_since: dict[str, float] = field(default_factory=dict)
    """By process: when its silence began, as far as it is its own."""
    _waiting_since: dict[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    """By worker and queue: when a message was first seen to wait, and what the worker had last taken then."""

    def deaf(
        self, found: Iterable[Worker], signs: Mapping[str, float], depths: Mapping[str, int] | None, now: float
    ) -> dict[str, str]:
        """Workers to start again, each with the reason.

        `signs` is empty while the database cannot be asked, `depths` None while the broker does not answer.
        """
        self._note(signs, now)
        reasons: dict[str, str] = {}
        for worker in found:
            silent_s = now - self._silent_since.get(worker.name, now)
            if silent_s > self.silent_after_s:
                reasons[worker.name] = f"no sign of life for {silent_s:.0f} s"
                continue
            for queue in worker.queues:
                key, took = (worker.name, queue), worker.took.get(queue, 0.0)
                since, before = self._waiting_since.get(key, (now, took))
                if depths is None or not depths.get(queue) or worker.busy or took != before:
                    since, before = now, took
                self._waiting_since[key] = (since, before)
                # What it took is known as of its last sign.
                if self._signs.get(worker.name, (0.0, since))[1] - since > self.deaf_after_s:
                    reasons[worker.name] = f"takes nothing from queue {queue}"
        for name in reasons:
            self.forget(name)
        return reasons

    def forget(self, name: str) -> None:
        """Begin anew with a worker."""
        self._silent_since.pop(name, None)
        self._waiting_since = {key: seen for key, seen in self._waiting_since.items() if key[0] != name}

    def _note(self, signs: Mapping[str, float], now: float) -> None:
        if not signs:
            self._waiting_since.clear()
        kept = {name: seen for name, seen in self._signs.items() if seen[0] == signs.get(name)}
        self._signs = {name: kept.get(name, (at, now)) for name, at in signs.items()}
        newest = max((seen for _, seen in self._signs.values()), default=now)
        written = now - newest <= _FRESH_S
        self._silent_since = {
            name: self._silent_since.get(name, now) if written and name in kept else now for name in self._signs
        }
