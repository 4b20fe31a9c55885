"""The relay: what is due is sent, what is stuck is freed. A process of its own, so that recovery needs no broker.

Every pass is a handful of bounded queries and safe to repeat: messages are wake-up calls, claims decide.
"""

from __future__ import annotations

import datetime as dt
import signal
import threading
from collections import Counter
from dataclasses import asdict, dataclass
from types import FrameType

import structlog
from django.conf import settings
from django.db import close_old_connections, connection, transaction
from django.db.models import Count, F, Q
from django.db.models.functions import Now
from django.db.utils import InterfaceError, OperationalError

from ingest import alerts, breaker, broker, canary, figures, heartbeats, outbox, parking, switches
from ingest.models import Attempt, Heartbeat
from ingest.pipeline import STAGES
from resumes import transitions
from resumes.models import OutboxMessage, Resume
from resumes.states import ACTIVE, SUCCEEDED, State

log = structlog.get_logger(__name__)

_BATCH = 500
_LOST_BEFORE_ALONE = 2
"""After so many deaths of workers or sandboxes a resume runs alone."""
_MOST_LOST = 8
"""Deaths of workers alone say little of the file they held; so many of them are no chance any more."""
_ADVISORY_LOCK = 0x676C65616E  # "glean"


@dataclass(frozen=True, slots=True)
class Pass:
    """What one pass did."""

    sent: int = 0
    freed: int = 0
    woken: int = 0
    released: int = 0
    """Parked resumes that go on."""


def run_forever(stop: threading.Event) -> None:
    """Pass after pass until `stop` is set. A database that does not answer is waited for."""
    while not stop.is_set():
        try:
            done = relay_once()
            if done != Pass():
                log.info("relayed", **asdict(done))
            alerts.step_in()
            canary.release()
        except (OperationalError, InterfaceError) as exc:
            log.warning("database_unreachable", error=type(exc).__name__)
        heartbeats.beat(Heartbeat.Kind.RELAY, "relay")
        close_old_connections()
        stop.wait(settings.GLEANER_RELAY_S)


def stop_on_signals() -> threading.Event:
    """An event that SIGTERM and SIGINT set."""
    stop = threading.Event()

    def handler(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - the signal module's signature
        stop.set()

    signal.signal(signal.SIGTERM, handler)
    signal.signal(signal.SIGINT, handler)
    return stop


def relay_once() -> Pass:
    """One pass. Does nothing where another relay is at it (PostgreSQL: advisory lock; SQLite serialises writers anyway)."""
    if not _alone():
        return Pass()
    try:
        freed = free_expired()
        woken = wake_overdue()
        breaker.end_expired()
        released = parking.release(_drain())
        done = Pass(sent=send_due(), freed=freed, woken=woken, released=released)
        figures.fold()
    finally:
        _leave()
    return done


def send_due() -> int:
    """Send the outbox rows whose time has come, oldest first."""
    return outbox.send_all(OutboxMessage.objects.filter(due_at__lte=Now()).order_by("due_at")[:_BATCH])


def free_expired() -> int:
    """End the claims whose lease ran out: the worker is dead or cut off. The stage is due again at once."""
    freed = 0
    expired = Resume.objects.filter(lease_until__lt=Now()).exclude(token=None)
    for resume in expired.order_by("lease_until")[:_BATCH]:
        if resume.token is None:
            continue  # the filter has said so already; for the type checker
        with transaction.atomic():
            won = Resume.objects.filter(pk=resume.pk, token=resume.token, lease_until__lt=Now()).update(
                token=None, lease_until=None, dispatched_at=None
            )
            if not won:
                continue
            Attempt.objects.filter(token=resume.token).update(
                outcome=Attempt.Outcome.LOST, failure_class="resource", failure_code="worker_lost"
            )
            _consider_deaths(resume)
        log.warning("claim_expired", resume=str(resume.pk), stage=resume.next_stage)
        freed += 1
    return freed


def _consider_deaths(resume: Resume) -> None:
    """After two deaths a resume runs alone; after many that chance does not explain it is buried.

    Parsing happens in sandboxes, whose own deaths are failures with a way of their own and the only ones that count against
    a file (`ingest.route_table`). A worker's death says nothing about what it held, until it happens again and again.
    """
    died = Attempt.objects.filter(resume=resume, run=resume.run, failure_code="worker_lost")
    workers = died.filter(stage=resume.next_stage, outcome=Attempt.Outcome.LOST).count()
    if workers >= _MOST_LOST:
        _bury(resume)
    elif not resume.alone and died.count() >= _LOST_BEFORE_ALONE:
        Resume.objects.filter(pk=resume.pk).update(alone=True)


def _bury(resume: Resume) -> None:
    stage = resume.next_stage
    resume.refresh_from_db()
    if resume.state not in ACTIVE:
        Resume.objects.filter(pk=resume.pk).update(next_stage="")  # settled already: only what follows is given up
        return
    transitions.move(
        resume,
        State.DEAD_LETTER,
        node="relay",
        reason=f"worker_lost in {stage}: {_MOST_LOST} workers died on it",
        failure_class="resource",
        failure_code="worker_lost",
    )


def wake_overdue() -> int:
    """Send again what should be running and is not: freed claims, retries whose message was lost, lost messages.

    A message that was sent some time ago may still be waiting in a long queue. So no queue is given more messages than
    it has resumes waiting: what the broker holds counts. Retries that wait in the database alone come back in a measured
    stream, and nothing is sent to a queue that operators have paused.
    """
    now = Now()
    patience = now - dt.timedelta(seconds=settings.GLEANER_RESEND_AFTER_S)
    free = Q(token=None) & ~Q(next_stage="")
    alive = Q(state__in=ACTIVE) | Q(state__in=SUCCEEDED)
    paused = [name for name, stage in STAGES.items() if switches.is_paused(stage.queue)]
    waiting = Resume.objects.filter(free & alive).exclude(next_stage__in=paused)
    due = waiting.filter(Q(next_attempt_at=None) | Q(next_attempt_at__lte=now - dt.timedelta(seconds=2)))
    unsent = due.filter(Q(dispatched_at=None) | Q(dispatched_at__lt=patience) | Q(next_attempt_at__gt=F("dispatched_at")))
    candidates = list(unsent.order_by(F("dispatched_at").asc(nulls_first=True))[:_BATCH])
    if not candidates:
        return 0
    depths = broker.queue_depths({stage.queue for stage in STAGES.values()})
    if depths is None:
        return 0  # no broker: nothing can be sent, and nothing is lost by waiting
    backlog: Counter[str] = Counter()
    for stage_name, count in waiting.order_by().values_list("next_stage").annotate(count=Count("pk")):
        backlog[STAGES[stage_name].queue] += count
    woken = 0
    retries: Counter[str] = Counter()
    for resume in candidates:
        queue = STAGES[resume.next_stage].queue
        if resume.next_attempt_at is not None:
            retries[queue] += 1
            if retries[queue] > _drain():
                continue
        if resume.dispatched_at is not None and depths[queue] >= backlog[queue]:
            continue
        depths[queue] += 1
        with transaction.atomic():
            # What made it a candidate must still hold. Never by comparing the time read with the column: SQLite keeps
            # its own clock's times in milliseconds as text, which equal no time that has been through Python.
            if not unsent.filter(pk=resume.pk, run=resume.run, next_stage=resume.next_stage).update(dispatched_at=Now()):
                continue
            wake = transitions.stage_wake(resume.next_stage, resume.pk, resume.run)
            # Due by the clock `send_due` asks: SQLite's has milliseconds, ours would be ahead of it by a part of one.
            OutboxMessage.objects.create(topic=wake.topic, payload=wake.payload, due_at=Now())
        woken += 1
    return woken


def _drain() -> int:
    """How many resumes one pass may let go on after an outage, for each queue."""
    return max(1, settings.GLEANER_DRAIN_PER_S * settings.GLEANER_RELAY_S)


def _alone() -> bool:
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [_ADVISORY_LOCK])
        return bool(cursor.fetchone()[0])


def _leave() -> None:
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_unlock(%s)", [_ADVISORY_LOCK])
