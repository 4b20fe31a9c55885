"""Figures: the counters Prometheus is told, kept as totals so that they outlive the rows they were counted from.

A log's row says in `counted` whether the totals hold it. `fold()` counts what is not counted yet and marks it, in one
transaction; `totals()` adds what is left to the totals. So the figures are exact at every moment, cost the same however long
the logs are, and never fall when rows are pruned. A single high-water mark would not do: ids become visible out of order,
and attempts end in another order than they began.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import models, transaction
from django.db.models import F, Q
from django.utils.module_loading import import_string

from ingest.models import Attempt, Figure
from ingest.pipeline import STAGES
from resumes.models import Source, Transition
from resumes.reruns import FLAGGED
from resumes.states import ACTIVE, REOPENS, SUCCEEDED, TERMINAL, State
from resumes.taxonomy import CODES

BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
"""Upper bounds of a stage's seconds; what is above all of them has the number after the last."""
LEVELS = ("text", "ocr", "rules", "model", "person")
"""What a resume may be completed by, the cheapest first."""
_CHUNK = 1000
_CHUNKS_A_PASS = 5
_TRIES = 5
_FOLDS = "folds"
_GIVEN_UP = frozenset({State.REVIEW_NEEDED, State.REJECTED, State.DEAD_LETTER})

Key = tuple[str, tuple[str, ...]]
"""A counter's name and the values of its labels."""
Counted = Iterator[tuple[Key, float]]


@dataclass(frozen=True, slots=True)
class CounterOf:
    """What Prometheus is told of one counter, without `gleaner_` and `_total`."""

    name: str
    text: str
    labels: tuple[str, ...]
    known: tuple[tuple[str, ...], ...] = ()
    """Values of the labels that are told as 0 before they come up: Prometheus sees no increase in a series that begins at 1."""


@dataclass(frozen=True, slots=True)
class Log:
    """A table whose rows are counted once each. It has a boolean `counted`, and an index of the rows where that is false."""

    model: type[models.Model]
    columns: tuple[str, ...]
    """What `figures_of` is given of a row, besides its id."""
    figures_of: Callable[..., Counted]
    final: Q = field(default_factory=Q)
    """Rows that do not change any more."""
    counters: tuple[CounterOf, ...] = ()

    def left(self) -> Any:
        """The rows the totals do not hold yet."""
        return self.model._default_manager.filter(self.final, counted=False).order_by("pk")  # noqa: SLF001 - Django's own name for it


def of_transition(origin: str, to: str, node: str, reason: str, level: str, source: str) -> Counted:
    """What one move adds."""
    yield ("transitions", (to,)), 1
    if not origin:
        yield ("received", (source,)), 1
    if to in SUCCEEDED:
        yield ("completed_by_level", (level or "text",)), 1
    if to == State.RETRY_WAITING:
        yield ("retries", (node, reason.partition(":")[0])), 1
    if to in _GIVEN_UP and (not origin or origin in ACTIVE):
        code = reason if reason in CODES else "worker_lost"
        yield ("given_up", (to, CODES[code].failure_class.value, code)), 1
    if origin in TERMINAL:
        yield ("reopened", (origin, "flagged" if reason.startswith(FLAGGED) else "replayed")), 1


def of_attempt(stage: str, seconds: float | None, failure_class: str, failure_code: str, prompt: int, completion: int) -> Counted:
    """What one try of a stage adds."""
    if seconds is not None:
        number = next((number for number, bound in enumerate(BUCKETS) if seconds <= bound), len(BUCKETS))
        yield ("stage_bucket", (stage, str(number))), 1
        yield ("stage_sum", (stage,)), seconds
    if failure_code:
        yield ("stage_failures", (stage, failure_class, failure_code)), 1
    if prompt:
        yield ("llm_tokens", ("prompt",)), prompt
    if completion:
        yield ("llm_tokens", ("completion",)), completion


TRANSITIONS = Log(
    Transition,
    ("from_state", "to_state", "node", "reason", "level", "resume__source"),
    of_transition,
    counters=(
        CounterOf("transitions", "Moves into each state", ("to",), tuple((state.value,) for state in State)),
        CounterOf("received", "Resumes received", ("source",), tuple((source.value,) for source in Source)),
        CounterOf(
            "completed_by_level",
            "Resumes completed, by the costliest level that took part",
            ("level",),
            tuple((level,) for level in LEVELS),
        ),
        CounterOf(
            "retries",
            "Tries that were put off for a while",
            ("stage", "code"),
            tuple((stage, code) for stage in STAGES for code in CODES if CODES[code].retryable),
        ),
        CounterOf(
            "given_up",
            "Resumes automation gave up, and why",
            ("to", "class", "code"),
            tuple((state.value, CODES[code].failure_class.value, code) for state in sorted(_GIVEN_UP) for code in CODES),
        ),
        CounterOf(
            "reopened",
            "Ended resumes that a person opened again",
            ("from", "why"),
            tuple((state.value, why) for state in REOPENS if state in TERMINAL for why in ("flagged", "replayed")),
        ),
    ),
)
ATTEMPTS = Log(
    Attempt,
    ("stage", "seconds", "failure_class", "failure_code", "prompt_tokens", "completion_tokens"),
    of_attempt,
    final=~Q(outcome=Attempt.Outcome.RUNNING),
    counters=(
        CounterOf(
            "stage_failures",
            "Failed tries of a stage",
            ("stage", "class", "code"),
            tuple((stage, CODES[code].failure_class.value, code) for stage in STAGES for code in CODES),
        ),
        CounterOf(
            "llm_tokens",
            "Tokens spent on language models, as far as servers count them",
            ("kind",),
            (("prompt",), ("completion",)),
        ),
    ),
)


def logs() -> Iterator[Log]:
    """Every log the settings name."""
    for name in settings.GLEANER_COUNTED:
        yield import_string(name)


def fold() -> int:
    """Move what is not counted yet into the totals, a bounded number of rows; how many. Several at a time count nothing twice."""
    return sum(_fold(log) for log in logs())


def _fold(log: Log) -> int:
    folded = 0
    for _ in range(_CHUNKS_A_PASS):
        with transaction.atomic():
            rows = log.left().select_for_update(of=("self",), skip_locked=True).values_list("pk", *log.columns)[:_CHUNK]
            taken = list(rows)
            if not taken:
                break
            _add(_tally(log, (row[1:] for row in taken)))
            log.left().filter(pk__in=[row[0] for row in taken]).update(counted=True)
        folded += len(taken)
        if len(taken) < _CHUNK:
            break
    return folded


def totals() -> Mapping[Key, float]:
    """Every figure as of now. A fold in between is noticed, and the figures are read again."""
    for _ in range(_TRIES):
        found = {(name, tuple(labels.split("|"))): value for name, labels, value in _rows()}
        for log in logs():
            for key, value in _tally(log, log.left().values_list(*log.columns)).items():
                found[key] = found.get(key, 0.0) + value
        folds = Figure.objects.filter(name=_FOLDS).values_list("value", flat=True).first()
        if folds == found.get((_FOLDS, ("",))):
            break
    return found


def _rows() -> Iterable[tuple[str, str, float]]:
    return Figure.objects.values_list("name", "labels", "value")


def _tally(log: Log, rows: Iterable[tuple[Any, ...]]) -> dict[Key, float]:
    found: defaultdict[Key, float] = defaultdict(float)
    for row in rows:
        for key, value in log.figures_of(*row):
            found[key] += value
    return found


def _add(found: Mapping[Key, float]) -> None:
    """Add to the totals, in the same order always, so that two folds cannot wait for each other."""
    added = sorted({**found, (_FOLDS, ("",)): 1.0}.items())
    keys = [(name, "|".join(labels)) for (name, labels), _ in added]
    Figure.objects.bulk_create([Figure(name=name, labels=labels) for name, labels in keys], ignore_conflicts=True)
    for (name, labels), (_, amount) in zip(keys, added, strict=True):
        Figure.objects.filter(name=name, labels=labels).update(value=F("value") + amount)
