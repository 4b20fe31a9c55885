"""Reconciliation: entries and ledger compared set-wise; every missing, duplicate, orphan and doubly ended item is named.

The ledger is the witness: what the resume's own row says is believed only where it says that work is still going on.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections import defaultdict
from typing import Any

import structlog
from django.db import connection, transaction
from django.db.models import UUIDField
from django.utils import timezone

from ingest.batches import BatchState, Phase, standing
from ingest.models import Batch, ReconciliationReport
from ingest.webhooks import events
from resumes.states import TERMINAL, State

log = structlog.get_logger(__name__)

# Each item with its ends in the resume's present run, or in the last run of the ledger where the resume is gone. What the
# two databases share of SQL; that the columns are ordinary ones is what lets a batch of 100,000 be compared in seconds.
_FOUND = """
WITH found AS (
    SELECT entry.id, entry.number, entry.filename, entry.resume_id, entry.received_at, resume.state,
        count(outcome.id) AS ends,
        min(outcome.result) AS result,
        sum(CASE WHEN outcome.result IN ('COMPLETED', 'REVIEWED') THEN 1 ELSE 0 END) AS successes,
        max(CASE WHEN outcome.result IN ('COMPLETED', 'REVIEWED') THEN 1 ELSE 0 END)
            + max(CASE WHEN outcome.result = 'REJECTED' THEN 1 ELSE 0 END)
            + max(CASE WHEN outcome.result = 'SKIPPED' THEN 1 ELSE 0 END) AS kinds
    FROM ingest_batchentry AS entry
    LEFT JOIN resumes_resume AS resume ON resume.id = entry.resume_id
    LEFT JOIN ingest_outcome AS outcome ON outcome.batch_id = entry.batch_id AND outcome.entry_id = entry.id
        AND (entry.resume_id IS NULL OR outcome.resume_id = entry.resume_id)
        AND outcome.run = coalesce(resume.run, (
            SELECT max(last.run) FROM ingest_outcome AS last
            WHERE last.batch_id = entry.batch_id AND last.entry_id = entry.id
        ))
    WHERE entry.batch_id = %s AND entry.unpacked_at IS NULL
    GROUP BY entry.id, entry.number, entry.filename, entry.resume_id, entry.received_at, resume.state
)
"""
_TALLY = (
    _FOUND
    + """
SELECT result, CASE WHEN ends = 0 THEN state END, sum(CASE WHEN successes > 1 OR kinds > 1 THEN 1 ELSE 0 END), count(*)
FROM found GROUP BY 1, 2
"""
)
_ODD = (
    _FOUND
    + """
SELECT id, filename, resume_id, received_at, state, ends, successes, kinds FROM found
WHERE ends = 0 OR successes > 1 OR kinds > 1 ORDER BY number, id
"""
)
_ORPHANS = """
SELECT outcome.entry_id, outcome.resume_id, outcome.result
FROM ingest_outcome AS outcome
LEFT JOIN ingest_batchentry AS entry
    ON entry.id = outcome.entry_id AND entry.batch_id = outcome.batch_id AND entry.unpacked_at IS NULL
WHERE outcome.batch_id = %s
    AND (entry.id IS NULL
        OR (entry.resume_id IS NOT NULL AND (outcome.resume_id IS NULL OR outcome.resume_id <> entry.resume_id)))
ORDER BY outcome.id
"""
_GROUPS = {
    State.COMPLETED: "succeeded",
    State.REVIEWED: "reviewed",
    State.REJECTED: "rejected",
    State.SKIPPED: "skipped",
}


def reconcile(batch_id: uuid.UUID, *, only_news: bool = False) -> ReconciliationReport:
    """Compare, store the report and return it. Raises Batch.DoesNotExist.

    With `only_news` a report that says the same as the one before is not stored; that one is returned.
    """
    batch = Batch.objects.get(pk=batch_id)
    data = compare(batch)
    last = ReconciliationReport.objects.filter(batch=batch).order_by("-id").first() if only_news else None
    with transaction.atomic():
        if last is not None and _content(last.data) == _content(data):
            report, is_news = last, False
        else:
            report, is_news = ReconciliationReport.objects.create(batch=batch, ok=data["ok"], data=data), True
        now = standing(batch)
        if is_news:
            data["state"] = now.state.value
            ReconciliationReport.objects.filter(pk=report.pk).update(data=data)
        finished = batch.finished_at or timezone.now()
        done = now.phase is Phase.FINISHED
        Batch.objects.filter(pk=batch.pk).update(finished_at=finished if done else None, ended_as=now.state.value if done else "")
        events.announce_report(batch, now, report, is_news=is_news)
    if is_news and not data["ok"]:
        log.error(
            "reconciliation_anomalies", batch=str(batch_id), **{kind: len(found) for kind, found in data["anomalies"].items()}
        )
    elif is_news and now.state is BatchState.FAILED:
        log.error("batch_failed", batch=str(batch_id), items=now.received)
    return report


def reconcile_unless_done(batch_id: uuid.UUID, asked_at: dt.datetime) -> ReconciliationReport:
    """The last report where its comparison began after `asked_at`, else a new one.

    Who takes back or leaves out a thousand items asks a thousand times, and one answer will do. Clocks that differ can make
    that one too old: then the periodic job, which asks nobody, has the last word.
    """
    last = ReconciliationReport.objects.filter(batch=batch_id).order_by("-id").first()
    if last is not None and dt.datetime.fromisoformat(last.data["created_at"]) > asked_at:
        return last
    return reconcile(batch_id)


def _content(data: dict[str, Any]) -> dict[str, Any]:
    """What a report says, without when, and without the state that follows from it."""
    return {name: value for name, value in data.items() if name not in ("created_at", "state")}


def compare(batch: Batch) -> dict[str, Any]:
    """The report in the contract's shape, without storing it. A fixed number of queries whatever the size.

    The databases compare; only what is wrong, and would be named, is fetched. `created_at` is when it began.
    """
    began = timezone.now()
    tally: dict[str, int] = defaultdict(int)
    odd = 0
    for result, state, wrong, number in _rows(_TALLY, batch):
        if result is not None:
            tally[_GROUPS[State(result)]] += number
            odd += wrong
        elif state is not None and State(state) not in TERMINAL:
            tally["open"] += number
        else:
            odd += number
    anomalies: dict[str, list[dict[str, Any]]] = {"missing": [], "duplicate": [], "orphan": [], "multiple_terminal": []}
    for entry_id, filename, resume_id, received_at, state, ends, successes, kinds in _rows(_ODD, batch) if odd else ():
        named = {"id": _id(entry_id), "filename": filename, "resume": _id(resume_id)}
        if successes > 1:
            anomalies["duplicate"].append(named)
        if kinds > 1:
            anomalies["multiple_terminal"].append(named)
        if not ends and batch.sealed_at is not None and (state is None or State(state) in TERMINAL):
            anomalies["missing"].append(named | {"came": received_at is not None})
    for entry_id, resume_id, result in _rows(_ORPHANS, batch):
        anomalies["orphan"].append({"id": _id(entry_id), "resume": _id(resume_id), "result": result})
    now = standing(batch)
    return {
        "batch": str(batch.pk),
        "state": now.state.value,
        "declared": now.declared,
        "undeclared": _undeclared(batch),
        "files": now.files,
        "received": now.received,
        **{group: tally[group] for group in (*_GROUPS.values(), "open")},
        "ok": not any(anomalies.values()),
        "anomalies": anomalies,
        "created_at": began.isoformat(),
    }


def _undeclared(batch: Batch) -> int:
    """Files sent of which nothing was said: declared and undeclared are the files and those missing together."""
    return 0 if batch.declared is None else batch.entries.filter(archive=None, number__gt=batch.declared).count()


def _rows(statement: str, batch: Batch) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, [UUIDField().get_db_prep_value(batch.pk, connection)])
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _id(value: Any) -> str | None:
    """A UUID as the database gave it: SQLite has it as text without dashes."""
    return None if value is None else str(uuid.UUID(str(value)))


def reconcile_open() -> int:
    """Reconcile what is sealed and not finished, drained or not; how many."""
    waiting = list(Batch.objects.exclude(sealed_at=None).filter(finished_at=None).values_list("pk", flat=True))
    for batch_id in waiting:
        reconcile(batch_id, only_news=True)
    return len(waiting)
