"""Signs of life: workers, the relay and beat say every few seconds that they are there.

A row's age is what counts. Nobody is asked over the broker, which would cost time and fail with the broker.
"""

from __future__ import annotations

import datetime as dt
import time
from dataclasses import dataclass
from typing import Any

import structlog
from celery import current_app
from celery.signals import beat_init, celeryd_init, heartbeat_sent, task_received, worker_shutting_down
from celery.worker import state as worker_state
from django.db import DatabaseError, connection
from django.utils import timezone
from django.utils.translation import gettext as _

from ingest.models import Heartbeat

log = structlog.get_logger(__name__)

EVERY_S = 10.0
ALIVE = dt.timedelta(seconds=40)
"""Without a sign for this long a process is taken for dead."""
BEAT_ALIVE = dt.timedelta(seconds=150)
"""Beat is seen through a task it sends each half minute, which may wait its turn behind work."""

_last = 0.0
_took: dict[str, float] = {}
"""When this worker's main process last took a message, by queue."""


@dataclass(frozen=True, slots=True)
class Gone:
    """Something that ought to be there and gives no sign of life: a process, or a queue's worker."""

    what: str
    queue: str = ""

    @property
    def subject(self) -> str:
        """How records call it, the same in every language."""
        return f"no {self.what} for queue {self.queue}" if self.queue else f"no {self.what}"

    def __str__(self) -> str:
        """In words for operators."""
        texts = {
            "worker": _("no worker for queue %(queue)s"),
            "relay": _("no relay: lost messages and dead workers' resumes stay where they are"),
            "beat": _("no beat: no reconciliation, no retention, no alerts by the minute"),
        }
        return texts[self.what] % {"queue": self.queue}


def beat(kind: Heartbeat.Kind, name: str, queues: list[str] | None = None, **more: Any) -> None:
    """Say that a process is alive. Never fails: a database that does not answer shows in the missing sign."""
    values = {"kind": kind, "queues": queues or [], "at": timezone.now(), **more}
    try:
        Heartbeat.objects.update_or_create(name=name[:150], defaults=values)
    except DatabaseError as exc:
        log.warning("heartbeat_unsaved", error=type(exc).__name__)


def alive() -> list[Heartbeat]:
    """The processes that have given a sign lately."""
    now = timezone.now()
    limits = {Heartbeat.Kind.BEAT: BEAT_ALIVE}
    seen = Heartbeat.objects.filter(at__gte=now - BEAT_ALIVE)
    return [one for one in seen if now - one.at <= limits.get(Heartbeat.Kind(one.kind), ALIVE)]


def missing(queues: list[str]) -> list[Gone]:
    """What is not there: queues without a worker, the relay, beat."""
    present = alive()
    served = {queue for one in present if one.kind == Heartbeat.Kind.WORKER for queue in one.queues}
    gone = [Gone("worker", queue) for queue in queues if queue not in served]
    kinds = {one.kind for one in present}
    return gone + [Gone(kind.value) for kind in (Heartbeat.Kind.RELAY, Heartbeat.Kind.BEAT) if kind not in kinds]


@heartbeat_sent.connect(dispatch_uid="gleaner.heartbeat")
def _worker_lives(sender: Any = None, **_kwargs: Any) -> None:
    """Celery's own heartbeat, every two seconds in a worker's main process; each fifth is written down."""
    global _last  # noqa: PLW0603 - one fact of this process: when it last wrote
    if time.monotonic() - _last < EVERY_S:
        return
    _last = time.monotonic()
    beat(
        Heartbeat.Kind.WORKER,
        sender.eventer.hostname,
        sorted(current_app.amqp.queues.consume_from),
        took=dict(_took),
        busy=len(worker_state.active_requests) >= _processes(),
    )
    connection.close()  # a worker forks children from this process; none must inherit a connection


def _processes() -> int:
    """How many tasks this worker can run at a time; set as its configuration when it starts."""
    return int(current_app.conf.worker_concurrency or 1)


@celeryd_init.connect(dispatch_uid="gleaner.heartbeat")
def _worker_starts(conf: Any = None, options: Any = None, **_kwargs: Any) -> None:
    """`--concurrency` is known here and not kept by Celery."""
    if (options or {}).get("concurrency"):
        conf.worker_concurrency = int(options["concurrency"])


@task_received.connect(dispatch_uid="gleaner.heartbeat")
def _worker_takes(request: Any = None, **_kwargs: Any) -> None:
    """A message has come out of a queue and into the worker's main process."""
    _took[request.delivery_info.get("routing_key") or ""] = time.time()


@beat_init.connect(dispatch_uid="gleaner.heartbeat")
def _beat_lives(sender: Any = None, **_kwargs: Any) -> None:  # noqa: ARG001 - a signal's signature
    """The first sign, before the first task comes back from a worker."""
    beat(Heartbeat.Kind.BEAT, "beat")


@worker_shutting_down.connect(dispatch_uid="gleaner.heartbeat")
def _worker_leaves(sender: Any = None, **_kwargs: Any) -> None:
    try:
        Heartbeat.objects.filter(name=str(sender)[:150]).delete()
    except DatabaseError as exc:
        log.warning("heartbeat_unsaved", error=type(exc).__name__)
    connection.close()
