"""Reconciliation: entries and ledger compared set-wise; every missing, duplicate, orphan and doubly ended item is named.

The ledger is the witness: what the resume's own row says is believed only where it says that work is still going on.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from typing import Any

import structlog
from django.db import transaction
from django.utils import timezone

from ingest.batches import BatchState, Phase, standing
from ingest.models import Batch, BatchEntry, Outcome, ReconciliationReport
from ingest.webhooks import events
from resumes.states import ACTIVE, SUCCEEDED, TERMINAL, State

log = structlog.get_logger(__name__)


def reconcile(batch_id: uuid.UUID) -> ReconciliationReport:
    """Compare, store the report and return it. Raises Batch.DoesNotExist."""
    batch = Batch.objects.get(pk=batch_id)
    data = compare(batch)
    with transaction.atomic():
        report = ReconciliationReport.objects.create(batch=batch, ok=data["ok"], data=data)
        now = standing(batch)
        data["state"] = now.state.value
        ReconciliationReport.objects.filter(pk=report.pk).update(data=data)
        finished = batch.finished_at or timezone.now()
        done = now.phase is Phase.FINISHED
        Batch.objects.filter(pk=batch.pk).update(finished_at=finished if done else None, ended_as=now.state.value if done else "")
        events.announce_report(batch, now, report)
    if not data["ok"]:
        log.error(
            "reconciliation_anomalies", batch=str(batch_id), **{kind: len(found) for kind, found in data["anomalies"].items()}
        )
    elif now.state is BatchState.FAILED:
        log.error("batch_failed", batch=str(batch_id), items=now.received)
    return report


def compare(batch: Batch) -> dict[str, Any]:
    """The report in the contract's shape, without storing it. A fixed number of queries whatever the size."""
    entries = {
        row["pk"]: row
        for row in BatchEntry.objects.filter(batch=batch, unpacked_at=None).values(
            "pk", "archive_id", "filename", "received_at", "withdrawn_at", "resume_id", "resume__state", "resume__run"
        )
    }
    ends: dict[uuid.UUID, list[tuple[int, str]]] = defaultdict(list)
    orphans: list[dict[str, Any]] = []
    for entry_id, resume_id, run, result in Outcome.objects.filter(batch_id=batch.pk).values_list(
        "entry_id", "resume_id", "run", "result"
    ):
        entry = entries.get(entry_id)
        if entry is None or (entry["resume_id"] is not None and resume_id != entry["resume_id"]):
            orphans.append({"id": str(entry_id), "resume": str(resume_id) if resume_id else None, "result": result})
        else:
            ends[entry_id].append((run, result))
    missing, duplicate, multiple = [], [], []
    tally: dict[str, int] = defaultdict(int)
    for key, entry in entries.items():
        results = _latest(ends.get(key, ()), entry["resume__run"])
        kinds = {"succeeded" if State(result) in SUCCEEDED else result for result in results}
        named = {"id": str(key), "filename": entry["filename"], "resume": str(entry["resume_id"]) if entry["resume_id"] else None}
        if sum(State(result) in SUCCEEDED for result in results) > 1:
            duplicate.append(named)
        if len(kinds) > 1:
            multiple.append(named)
        if results:
            tally[_group(results[0])] += 1
        elif entry["resume__state"] is not None and State(entry["resume__state"]) not in TERMINAL:
            tally["open"] += 1
        elif batch.sealed_at is not None:
            missing.append(named)
    anomalies = {"missing": missing, "duplicate": duplicate, "orphan": orphans, "multiple_terminal": multiple}
    now = standing(batch)
    return {
        "batch": str(batch.pk),
        "state": now.state.value,
        "declared": now.declared,
        "files": now.files,
        "received": now.received,
        **{group: tally[group] for group in ("succeeded", "reviewed", "rejected", "skipped", "open")},
        "ok": not any(anomalies.values()),
        "anomalies": anomalies,
        "created_at": timezone.now().isoformat(),
    }


def reconcile_open() -> int:
    """Reconcile what is sealed and not finished, and what has drained without a report; how many."""
    waiting = Batch.objects.exclude(sealed_at=None).filter(finished_at=None)
    count = 0
    for batch in list(waiting):
        if not BatchEntry.objects.filter(batch=batch, unpacked_at=None, resume__state__in=ACTIVE).exists():
            reconcile(batch.pk)
            count += 1
    return count


def _latest(ends: Any, run: int | None) -> list[str]:
    """The results of the resume's present run; of the last run in the ledger where the resume is gone."""
    known = list(ends)
    wanted = run if run is not None else max((number for number, _ in known), default=0)
    return [result for number, result in known if number == wanted]


def _group(result: str) -> str:
    return {
        State.COMPLETED: "succeeded",
        State.REVIEWED: "reviewed",
        State.REJECTED: "rejected",
        State.SKIPPED: "skipped",
    }[State(result)]
