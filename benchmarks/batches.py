"""Large batches: reconciliation of 10,000 and 100,000 items, and the pages of a batch that large, on PostgreSQL.

Makes a database of its own on the server of DATABASE_URL and drops it at the end. Targets: reconciliation below 1 s and
10 s with the same number of queries, pages and lists at the 95th percentile below 300 ms.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.installation import database, timed

SIZES = tuple(int(size) for size in os.environ.get("SIZES", "10000,100000").split(","))
PAGE_LIMIT_S = 0.3
ROUNDS = int(os.environ.get("ROUNDS", "40"))
_CHUNK = 5_000


def main() -> int:
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgres"):
        sys.stderr.write("DATABASE_URL must name a PostgreSQL server: postgres://user@host:5432/any\n")
        return 2
    from tests.acceptance.house import postgres_database

    with postgres_database(server) as url, database(url):
        return max(report(size) for size in SIZES)


def report(size: int) -> int:
    """Measure and print; 1 where a target was missed."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from ingest.reconcile import reconcile

    batch = filled(size)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    times = []
    for _ in range(3):
        with CaptureQueriesContext(connection) as queries:
            started = time.perf_counter()
            made = reconcile(batch.pk)
            times.append(time.perf_counter() - started)
        if not made.ok or made.data["received"] != size:
            raise RuntimeError(f"the batch does not add up: {made.data}")
    seconds = statistics.median(times)
    missed = seconds > _limit_s(size)
    print(f"{size:>7} items  reconciliation {seconds:6.2f} s  {len(queries)} queries")
    for name, ask in pages(batch):
        ask()
        took = sorted(timed(ask)[0] for _ in range(ROUNDS))
        p95 = took[int(0.95 * (len(took) - 1))]
        missed |= p95 > PAGE_LIMIT_S
        print(f"{size:>7} items  {name:<34} median {statistics.median(took) * 1000:6.0f} ms  p95 {p95 * 1000:6.0f} ms")
    return int(missed)


def _limit_s(size: int) -> float:
    """A second for 10,000 items, in proportion."""
    return size / 10_000


def filled(size: int) -> Any:
    """A sealed batch: most parsed, some refused, left out and waiting for people; written straight into the tables."""
    from django.contrib.auth.models import User
    from django.utils import timezone

    from ingest.models import Batch, BatchEntry, Outcome
    from resumes.models import Resume

    now = timezone.now()
    owner, _ = User.objects.get_or_create(username="bench", is_superuser=True, is_staff=True)
    batch = Batch.objects.create(name=f"{size}", owner=owner, sealed_at=now)
    for start in range(0, size, _CHUNK):
        resumes = []
        for number in range(start, min(start + _CHUNK, size)):
            state = ("REJECTED", "SKIPPED", "REVIEW_NEEDED")[number % 3] if number % 10 == 0 else "COMPLETED"
            failed = {"failure_class": "preprocess", "failure_code": "corrupt"} if state == "REJECTED" else {}
            resumes.append(Resume(filename=f"{number}.pdf", owner=owner, state=state, state_since=now, received_at=now, **failed))
        Resume.objects.bulk_create(resumes)
        entries = [
            BatchEntry(batch=batch, number=start + place, filename=resume.filename, received_at=now, resume=resume)
            for place, resume in enumerate(resumes, 1)
        ]
        BatchEntry.objects.bulk_create(entries)
        Outcome.objects.bulk_create(
            Outcome(batch_id=batch.pk, entry_id=entry.pk, resume_id=entry.resume_id, run=1, result=entry.resume.state)
            for entry in entries
            if entry.resume is not None and entry.resume.state != "REVIEW_NEEDED"
        )
    return batch


def pages(batch: Any) -> list[tuple[str, Callable[[], Any]]]:
    """What people and programs open, by name."""
    from django.test import Client

    client = Client(raise_request_exception=True, SERVER_NAME="localhost")
    client.force_login(batch.owner)
    api, admin = f"/api/v1/batches/{batch.pk}/", f"/admin/ingest/batch/{batch.pk}/change/"
    last = f"{uuid.UUID(int=2**128 - 1)}"
    asked = {
        "API list of batches": "/api/v1/batches/",
        "API batch": api,
        "API items, first page": f"{api}items/",
        "API items, refused": f"{api}items/?state=REJECTED",
        "API failures of the batch": f"{api}failures/",
        "API failure queue": "/api/v1/failures/",
        "API reconciliation": f"{api}reconciliation/",
        "API resumes of the batch": f"/api/v1/resumes/?batch={batch.pk}",
        "API resumes by external id": f"/api/v1/resumes/?external_id={last}",
        "admin list of batches": "/admin/ingest/batch/",
        "admin batch": admin,
        "admin list of resumes": "/admin/resumes/resume/",
    }
    return [(name, partial(client.get, path)) for name, path in asked.items()]
