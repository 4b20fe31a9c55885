"""Metrics: everything Prometheus is told comes from the database and the broker at the moment it asks.

No counter lives in a process, so workers may come and go and the numbers agree with the records. Counters are figures
(`ingest.figures`), each gauge is one grouped query that an index answers. Labels carry states, stages, codes and queues,
never an id, a name or a file name.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from django.conf import settings
from django.db.models import Count, Exists, F, Min, OuterRef
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.module_loading import import_string
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric

from ingest import breaker, broker, disks, figures, health, heartbeats, switches
from ingest.batches import BatchState, standings
from ingest.figures import BUCKETS
from ingest.models import Batch, Heartbeat, ReconciliationReport, Switch
from ingest.options import configured_channels
from ingest.pipeline import STAGES
from ingest.stuck import stuck
from resumes.models import OutboxMessage, Resume
from resumes.states import ACTIVE, State

ANOMALIES = ("missing", "duplicate", "orphan", "multiple_terminal")
_CACHED_S = 5.0
_CHUNK = 500

Totals = Mapping[figures.Key, float]


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """The scrape."""
    return HttpResponse(_page.text(), content_type=CONTENT_TYPE_LATEST)


class _Page:
    """The text of the last scrape, kept for a few seconds so that two Prometheus servers cost as much as one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made_at = float("-inf")
        self._text = b""

    def text(self) -> bytes:
        with self._lock:
            if time.monotonic() - self._made_at > _CACHED_S:
                registry = CollectorRegistry(auto_describe=False)
                registry.register(_Collected())
                self._text, self._made_at = generate_latest(registry), time.monotonic()
            return self._text

    def forget(self) -> None:
        with self._lock:
            self._made_at = float("-inf")


_page = _Page()
forget = _page.forget


class _Collected:
    """All collectors the settings name, as one of Prometheus's own."""

    def collect(self) -> Iterator[Metric]:
        began = time.monotonic()
        yield from _counters(figures.totals())
        for name in settings.GLEANER_METRICS:
            yield from import_string(name)()
        yield plain("collect_seconds", "What putting this page together took", time.monotonic() - began)


def collect() -> Iterator[Metric]:
    """What the records and the pipeline have to tell besides."""
    for gauges in _GAUGES:
        yield from gauges()


def gauge(name: str, text: str, label: str, values: Iterable[tuple[str, float]]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"gleaner_{name}", text, labels=[label])
    for key, value in values:
        family.add_metric([key], value)
    return family


def plain(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"gleaner_{name}", text, value=value)


def counter(name: str, text: str, labels: list[str], values: Iterable[tuple[list[str], float]]) -> CounterMetricFamily:
    family = CounterMetricFamily(f"gleaner_{name}", text, labels=labels)
    for keys, value in values:
        family.add_metric(keys, value)
    return family


def tally(rows: Any, *fields: str) -> dict[Any, int]:
    """How many rows there are for each value (or tuple of values) of the fields; one query."""
    counted = rows.order_by().values_list(*fields).annotate(number=Count("pk"))
    return {(keys[0] if len(keys) == 1 else tuple(keys)): number for *keys, number in counted}


def _counters(totals: Totals) -> Iterator[Metric]:
    """Everything the logs add up to. Known labels that have not come up yet are told as 0."""
    for one in itertools.chain.from_iterable(log.counters for log in figures.logs()):
        family = CounterMetricFamily(f"gleaner_{one.name}", one.text, labels=one.labels)
        values = dict.fromkeys(one.known, 0.0) | {labels: value for (name, labels), value in totals.items() if name == one.name}
        for labels, value in sorted(values.items()):
            family.add_metric(labels, value)
        yield family
    yield _stage_seconds(totals)


def _stage_seconds(totals: Totals) -> HistogramMetricFamily:
    histogram = HistogramMetricFamily("gleaner_stage_seconds", "Work of each try of a stage", labels=["stage"])
    bounds = [*map(str, BUCKETS), "+Inf"]
    for stage in STAGES:
        numbers = itertools.accumulate(totals.get(("stage_bucket", (stage, str(at))), 0.0) for at in range(len(bounds)))
        histogram.add_metric([stage], list(zip(bounds, numbers, strict=True)), totals.get(("stage_sum", (stage,)), 0.0))
    return histogram


def _resumes() -> Iterator[Metric]:
    states = tally(Resume.objects, "state")
    yield gauge("resumes", "Resumes in each state", "state", ((state.value, states.get(state, 0)) for state in State))
    dead = Resume.objects.filter(state=State.DEAD_LETTER).aggregate(since=Min("state_since"))["since"]
    yield plain("dead_letter_oldest_seconds", "Age of the oldest dead letter", _age_s(dead))
    yield plain("stuck", "Resumes that ought to be moving and are not", stuck().count())


def _queues() -> Iterator[Metric]:
    queues = list(settings.CELERY_TASK_QUEUES)
    depths = broker.queue_depths(queues)
    yield plain("broker_up", "Whether the broker answers", float(depths is not None))
    yield gauge(
        "queue_depth", "Messages waiting in the broker; absent while it does not answer", "queue", sorted((depths or {}).items())
    )
    waiting = (
        Resume.objects.filter(token=None, state__in=ACTIVE).exclude(next_stage="").exclude(next_attempt_at__gt=timezone.now())
    )
    since: dict[str, Any] = {}
    for stage, oldest in (
        waiting.order_by().values_list("next_stage").annotate(oldest=Min(Coalesce(F("next_attempt_at"), F("state_since"))))
    ):
        if stage in STAGES:
            queue = STAGES[stage].queue
            since[queue] = min(since.get(queue, oldest), oldest)
    yield gauge(
        "oldest_pending_seconds",
        "How long the longest waiting resume has waited for a worker",
        "queue",
        ((queue, _age_s(since.get(queue))) for queue in queues),
    )
    yield plain("outbox_unsent", "Messages committed and not yet sent", OutboxMessage.objects.count())


def _processes() -> Iterator[Metric]:
    yield gauge(
        "writable",
        "Whether database and storage take what is written; without either uploads fail",
        "part",
        ((part, float(good)) for part, good in health.writable().items()),
    )
    alive = heartbeats.alive()
    workers = Counter(queue for one in alive if one.kind == Heartbeat.Kind.WORKER for queue in one.queues)
    yield gauge(
        "queue_workers",
        "Workers that live and take from the queue; absent for a queue nothing goes to",
        "queue",
        ((queue, workers[queue]) for queue in health.needed_queues()),
    )
    took: dict[str, float] = {}
    for one in alive:
        took |= {queue: max(at, took.get(queue, 0.0)) for queue, at in one.took.items() if queue in one.queues}
    yield gauge(
        "queue_taken_age_seconds",
        "Time since a worker last took a message, canaries included; absent where none has yet",
        "queue",
        ((queue, max(0.0, time.time() - at)) for queue, at in sorted(took.items())),
    )
    singles = (Heartbeat.Kind.RELAY, Heartbeat.Kind.BEAT)
    last = dict(Heartbeat.objects.filter(kind__in=singles).order_by("at").values_list("kind", "at"))
    yield gauge(
        "heartbeat_age_seconds",
        "Time since the last sign of life; absent where there never was one",
        "process",
        ((kind.value, _age_s(last[kind])) for kind in singles if kind in last),
    )
    yield gauge(
        "disk_free_ratio",
        "Free share of the disks that data, files and temporary files lie on, each disk once",
        "disk",
        ((room.name, room.share) for room in disks.rooms()),
    )


def _breakers() -> Iterator[Metric]:
    values = {breaker.BreakerState.CLOSED: 0.0, breaker.BreakerState.HALF_OPEN: 1.0, breaker.BreakerState.OPEN: 2.0}
    standing = _standing()
    yield gauge(
        "breaker_state",
        "0 closed, 1 half open, 2 open; absent while Redis does not answer",
        "channel",
        ((channel, values[state]) for channel, state in standing.items()),
    )
    turned = dict(Switch.objects.values_list("name", "set_at"))
    yield gauge(
        "switch_seconds",
        "How long operators have had it off or forced; 0 where it is automatic",
        "switch",
        (
            (name, _age_s(turned.get(name)) if switches.position(name) is not switches.Position.AUTO else 0.0)
            for name in switches.names()
        ),
    )


def _standing() -> dict[str, breaker.BreakerState]:
    """How the breakers stand. A Redis that has given no answer once is not asked again: each time costs a second."""
    found: dict[str, breaker.BreakerState] = {}
    blind = False
    for channel in configured_channels():
        if blind and switches.position(channel) is switches.Position.AUTO:
            continue
        state = breaker.state(channel)
        if state is None:
            blind = True
        else:
            found[channel] = state
    return found


def _batches() -> Iterator[Metric]:
    states = Counter(tally(Batch.objects.exclude(ended_as=""), "ended_as"))
    under_way = list(Batch.objects.filter(ended_as="").only("id", "sealed_at", "declared", "created_at"))
    for start in range(0, len(under_way), _CHUNK):
        states.update(standing.state.value for standing in standings(under_way[start : start + _CHUNK]).values())
    yield gauge("batches", "Batches in each state", "state", ((state.value, states[state.value]) for state in BatchState))
    bad = ReconciliationReport.objects.filter(ok=False)
    newer = ReconciliationReport.objects.filter(batch=OuterRef("batch"), pk__gt=OuterRef("pk"))
    found: Counter[str] = Counter()
    for report in bad.exclude(Exists(newer)).values_list("data", flat=True):
        found.update({kind: len(report["anomalies"][kind]) for kind in ANOMALIES})
    yield gauge(
        "reconciliation_anomalies",
        "Items the last report of each batch names",
        "kind",
        ((kind, found[kind]) for kind in ANOMALIES),
    )


def _age_s(since: Any) -> float:
    return max(0.0, (timezone.now() - since).total_seconds()) if since else 0.0


_GAUGES: tuple[Callable[[], Iterator[Metric]], ...] = (_resumes, _queues, _processes, _breakers, _batches)
