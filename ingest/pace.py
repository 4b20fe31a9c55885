"""Pace: how much each stage did lately, how long it took and how often it failed."""

from __future__ import annotations

import datetime as dt
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from ingest.models import Attempt
from ingest.pipeline import STAGES

WINDOW = dt.timedelta(hours=1)
_MOST = 20_000
"""Tries looked at; a busier hour is judged by its latest."""


@dataclass(frozen=True, slots=True)
class Pace:
    """One stage over the window."""

    stage: str
    queue: str
    tries: int
    failed: int
    a_minute: float
    median_s: float | None
    p95_s: float | None


def paces() -> list[Pace]:
    """The pace of every stage within the last hour, in the pipeline's order."""
    since = timezone.now() - WINDOW
    ended = Attempt.objects.filter(started_at__gte=since).exclude(outcome=Attempt.Outcome.RUNNING)
    rows = list(ended.order_by("-id").values_list("stage", "seconds", "failure_code", "started_at")[:_MOST])
    span = WINDOW if len(rows) < _MOST else timezone.now() - min(row[3] for row in rows)
    minutes = max(span.total_seconds() / 60, 1 / 60)
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    tries: defaultdict[str, int] = defaultdict(int)
    failed: defaultdict[str, int] = defaultdict(int)
    for stage, taken, code, _ in rows:
        tries[stage] += 1
        failed[stage] += bool(code)
        if taken is not None:
            seconds[stage].append(taken)
    return [
        Pace(
            name,
            stage.queue,
            tries[name],
            failed[name],
            round(tries[name] / minutes, 2),
            rank(seconds[name], 0.5),
            rank(seconds[name], 0.95),
        )
        for name, stage in STAGES.items()
    ]


def rank(values: Sequence[float], share: float) -> float | None:
    """The value that `share` of them do not exceed (nearest rank); None of nothing."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)] if values else None
