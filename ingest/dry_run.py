"""Dry run: how the latest failed attempts would go under another routing table, before it is saved.

Nothing is run and nothing is written. Each attempt's resume is looked at as far as it is still on record.
"""

from __future__ import annotations

import random
import uuid
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ingest import routing
from ingest.dossier import Dossier, Options
from ingest.failures import Failure
from ingest.models import Attempt
from ingest.options import configured_options
from ingest.quality import Quality
from ingest.route_table import STAGES, Table
from resumes.models import Extraction

MOST = 500


@dataclass(frozen=True, slots=True)
class Compared:
    """One failed attempt and where it leads by either table."""

    attempt: Attempt
    present: str
    edited: str

    @property
    def differs(self) -> bool:
        return self.present != self.edited


@dataclass(frozen=True, slots=True)
class DryRun:
    """All attempts looked at; `ways` counts them by (stage, code, way now, way then), changed ones first."""

    compared: tuple[Compared, ...]

    @property
    def changed(self) -> tuple[Compared, ...]:
        return tuple(one for one in self.compared if one.differs)

    @property
    def ways(self) -> list[tuple[str, str, str, str, int]]:
        counted = Counter((one.attempt.stage, one.attempt.failure_code, one.present, one.edited) for one in self.compared)
        rows = [(*way, number) for way, number in counted.items()]
        return sorted(rows, key=lambda row: (row[2] == row[3], -row[4], row))


def dry_run(edited: Table, present: Table, *, latest: int = 200) -> DryRun:
    """Compare two tables over the latest failed attempts (at most `MOST`)."""
    attempts = list(
        Attempt.objects.exclude(failure_code="").select_related("resume__document").order_by("-id")[: min(latest, MOST)]
    )
    options = configured_options()
    tries = _tries(attempts)
    compared = []
    for attempt in attempts:
        dossier = _as_it_was(attempt)
        ways = [_way(table, attempt, dossier, options, tries[attempt.pk]) for table in (present, edited)]
        compared.append(Compared(attempt, *ways))
    return DryRun(tuple(compared))


def _way(table: Table, attempt: Attempt, dossier: Dossier, options: Options, tries: int) -> str:
    failure = Failure.of(attempt.failure_code)
    step = routing.on_failure(
        attempt.stage,
        failure,
        dossier,
        options,
        tries=tries,
        table=_even(table),
        chance=random.Random(0),  # noqa: S311 - no secret
    )
    match step:
        case routing.Again(alone=True):
            return "quarantine"
        case routing.Park():
            return "park"
        case routing.Again():
            return f"retry {tries} after {step.delay_s:g} s"
        case routing.Go():
            return f"go:{step.stage}" + (f" {step.channel}" if step.channel else "")
        case routing.Review():
            return "review"
        case routing.Reject():
            return "reject"
        case routing.Dead():
            return "dead_letter"
    return "rest"


def _even(table: Table) -> Table:
    """The table without chance in its delays: two runs of it must agree."""
    return replace(table, retry=replace(table.retry, spread=0.0))


def _tries(attempts: Iterable[Attempt]) -> dict[int, int]:
    """Which failed try of its stage and channel each attempt was, from 1."""
    shown = list(attempts)
    numbers: Counter[tuple[uuid.UUID, int, str, str]] = Counter()
    tries: dict[int, int] = {}
    rows = Attempt.objects.filter(resume__in={one.resume_id for one in shown}).exclude(failure_code="").order_by("id")
    for pk, *key in rows.values_list("pk", "resume_id", "run", "stage", "channel"):
        numbers[tuple(key)] += 1  # type: ignore[index]  # the four columns
        tries[pk] = numbers[tuple(key)]  # type: ignore[index]
    return tries


def _as_it_was(attempt: Attempt) -> Dossier:
    """The dossier as the attempt found it, from what is kept: the route up to its stage, the reading and the quality."""
    resume = attempt.resume
    until = STAGES.index(attempt.stage) if attempt.stage in STAGES else len(STAGES)
    extraction = Extraction.objects.filter(resume=resume, run=attempt.run).first()
    earlier = Attempt.objects.filter(resume=resume, run=attempt.run, pk__lte=attempt.pk).exclude(channel="")
    return Dossier(
        media_type=resume.document.media_type if resume.document else "",
        path=None,
        filename="",
        as_of=resume.received_at.date(),
        reading=extraction.reading if extraction else None,
        quality=Quality.from_data(extraction.quality) if extraction and extraction.quality else None,
        route=tuple(stage for stage in resume.route if stage in STAGES and STAGES.index(stage) <= until),
        channels=tuple(dict.fromkeys(earlier.order_by("id").values_list("channel", flat=True))),
    )
