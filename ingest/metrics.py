"""Metrics: everything Prometheus is told comes from the database and the broker at the moment it asks.

No counter lives in a process, so workers may come and go and the numbers agree with the records. Each figure is one
grouped query. Labels carry states, stages, codes and queues, never an id, a name or a file name.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.conf import settings
from django.db.models import Count, F, Max, Min, Q, Sum, Value
from django.db.models.functions import Coalesce, Left, StrIndex
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.module_loading import import_string
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric

from ingest import breaker, broker, switches
from ingest.batches import BatchState, standings
from ingest.models import Attempt, Batch, ReconciliationReport
from ingest.pipeline import STAGES
from resumes.models import OutboxMessage, Resume, Source, Transition
from resumes.states import ACTIVE, SUCCEEDED, State

BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
LEVELS = ("text", "ocr", "rules", "model", "person")
ANOMALIES = ("missing", "duplicate", "orphan", "multiple_terminal")
_CACHED_S = 5.0
_CHUNK = 500


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
        for name in settings.GLEANER_METRICS:
            yield from import_string(name)()


def collect() -> Iterator[Metric]:
    """What the records and the pipeline have to tell."""
    for figure in _FIGURES:
        yield from figure()


def gauge(name: str, text: str, label: str, values: Iterable[tuple[str, float]]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"gleaner_{name}", text, labels=[label])
    for key, value in values:
        family.add_metric([key], value)
    return family


def counter(name: str, text: str, labels: list[str], values: Iterable[tuple[list[str], float]]) -> CounterMetricFamily:
    family = CounterMetricFamily(f"gleaner_{name}", text, labels=labels)
    for keys, value in values:
        family.add_metric(keys, value)
    return family


def plain(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"gleaner_{name}", text, value=value)


def tally(rows: Any, *fields: str) -> dict[Any, int]:
    """How many rows there are for each value (or tuple of values) of the fields; one query."""
    counted = rows.order_by().values_list(*fields).annotate(number=Count("pk"))
    return {(keys[0] if len(keys) == 1 else tuple(keys)): number for *keys, number in counted}


def _resumes() -> Iterator[Metric]:
    states = tally(Resume.objects, "state")
    yield gauge("resumes", "Resumes in each state", "state", ((state.value, states.get(state, 0)) for state in State))
    moves = tally(Transition.objects, "to_state")
    yield counter("transitions", "Moves into each state", ["to"], (([state.value], moves.get(state, 0)) for state in State))
    sources = tally(Resume.objects, "source")
    yield counter(
        "received", "Resumes received", ["source"], (([source.value], sources.get(source.value, 0)) for source in Source)
    )
    levels = tally(Resume.objects.filter(state__in=SUCCEEDED), "level")
    yield counter(
        "completed_by_level",
        "Resumes completed, by the costliest level that took part",
        ["level"],
        (([level], levels.get(level, 0)) for level in LEVELS),
    )
    dead = Resume.objects.filter(state=State.DEAD_LETTER).aggregate(since=Min("state_since"))["since"]
    yield plain("dead_letter_oldest_seconds", "Age of the oldest dead letter", _age_s(dead))


def _stages() -> Iterator[Metric]:
    done = Attempt.objects.exclude(seconds=None).order_by().values("stage")
    filters = {f"le_{number}": Count("pk", filter=Q(seconds__lte=bound)) for number, bound in enumerate(BUCKETS)}
    measured: dict[str, Any] = {row["stage"]: row for row in done.annotate(number=Count("pk"), total=Sum("seconds"), **filters)}
    histogram = HistogramMetricFamily("gleaner_stage_seconds", "Work of each try of a stage", labels=["stage"])
    for stage in STAGES:
        row: dict[str, Any] = measured.get(stage, {})
        buckets = [(str(bound), float(row.get(f"le_{number}", 0))) for number, bound in enumerate(BUCKETS)]
        histogram.add_metric([stage], [*buckets, ("+Inf", float(row.get("number", 0)))], row.get("total", 0.0))
    yield histogram
    failed = tally(Attempt.objects.exclude(failure_code=""), "stage", "failure_class", "failure_code")
    yield counter(
        "stage_failures",
        "Failed tries of a stage",
        ["stage", "class", "code"],
        ((list(keys), number) for keys, number in failed.items()),
    )
    waits = Transition.objects.filter(to_state=State.RETRY_WAITING).annotate(
        code=Left("reason", StrIndex("reason", Value(":")) - 1)
    )
    retried = tally(waits, "node", "code")
    yield counter("retries", "Retries", ["stage", "code"], ((list(keys), number) for keys, number in retried.items()))


def _queues() -> Iterator[Metric]:
    queues = list(settings.CELERY_TASK_QUEUES)
    depths = broker.queue_depths(queues)
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


def _breakers() -> Iterator[Metric]:
    values = {breaker.BreakerState.CLOSED: 0.0, breaker.BreakerState.HALF_OPEN: 1.0, breaker.BreakerState.OPEN: 2.0}
    channels = [*settings.OCR_CHANNELS, *([switches.MODEL] if settings.LLM_BASE_URL else [])]
    standing = {channel: state for channel in channels if (state := breaker.state(channel)) is not None}
    yield gauge(
        "breaker_state",
        "0 closed, 1 half open, 2 open; absent while Redis does not answer",
        "channel",
        ((channel, values[state]) for channel, state in standing.items()),
    )


def _batches() -> Iterator[Metric]:
    states: Counter[str] = Counter()
    batches = list(Batch.objects.only("id", "sealed_at", "declared", "created_at"))
    for start in range(0, len(batches), _CHUNK):
        states.update(standing.state.value for standing in standings(batches[start : start + _CHUNK]).values())
    yield gauge("batches", "Batches in each state", "state", ((state.value, states[state.value]) for state in BatchState))
    latest = ReconciliationReport.objects.order_by().values("batch").annotate(last=Max("pk")).values("last")
    found: Counter[str] = Counter()
    for report in ReconciliationReport.objects.filter(pk__in=latest, ok=False).values_list("data", flat=True):
        found.update({kind: len(report["anomalies"][kind]) for kind in ANOMALIES})
    yield gauge(
        "reconciliation_anomalies",
        "Items the last report of each batch names",
        "kind",
        ((kind, found[kind]) for kind in ANOMALIES),
    )


def _age_s(since: Any) -> float:
    return max(0.0, (timezone.now() - since).total_seconds()) if since else 0.0


_FIGURES: tuple[Callable[[], Iterator[Metric]], ...] = (_resumes, _stages, _queues, _breakers, _batches)
