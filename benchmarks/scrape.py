"""How long a scrape of /metrics takes while the database grows: `SIZES` resumes (default 1000,10000,100000).

Resumes are written as rows, each with its moves, tries, batch entry and now and then a review case, as a year of work
leaves them; then the page is put together `SCRAPES` times (default 40) without its cache. Exit code 1 where the 95th
percentile at the largest size is 200 ms or more.
"""

from __future__ import annotations

import datetime as dt
import os
import random
import statistics
import time
import uuid

from benchmarks.installation import installation

LIMIT_S = 0.2
_FAMILIES = ("software", "sales", "nursing", "logistics", "")
_BATCH = 500
_CHUNK = 2_000


def main() -> int:
    sizes = [int(size) for size in os.environ.get("SIZES", "1000,10000,100000").split(",")]
    with installation():
        return report(sizes)


def report(sizes: list[int]) -> int:
    from django.test import Client

    from ingest import figures, metrics

    chance, written, p95 = random.Random(7), 0, 0.0
    client = Client()
    print(f"{'resumes':>9} {'median ms':>10} {'p95 ms':>8} {'most ms':>8}")
    for size in sizes:
        for start in range(written, size, _CHUNK):
            write(start, min(start + _CHUNK, size), chance)
        written = max(written, size)
        while figures.fold():
            pass  # what the relay does beside the work
        took = []
        for _ in range(int(os.environ.get("SCRAPES", "40"))):
            metrics.forget()
            began = time.perf_counter()
            if client.get("/metrics", headers={"host": "localhost"}).status_code != 200:
                raise SystemExit("the scrape fails")
            took.append(time.perf_counter() - began)
        p95 = statistics.quantiles(took, n=20)[-1]
        print(f"{size:>9} {statistics.median(took) * 1000:>10.1f} {p95 * 1000:>8.1f} {max(took) * 1000:>8.1f}")
    return int(p95 >= LIMIT_S)


def write(start: int, end: int, chance: random.Random) -> None:
    """Rows of resumes number `start` up to `end`; a hundredth is in process, a tenth waits for people."""
    from django.db import transaction
    from django.utils import timezone

    from ingest.models import Attempt, Batch, BatchEntry, Outcome
    from resumes.models import Resume, Transition
    from review.models import Case, Correction

    now = timezone.now()
    resumes, moves, tries, entries, ends, cases, corrections = [], [], [], [], [], [], []
    batch: Batch | None = None
    with transaction.atomic():
        for number in range(start, end):
            if number % _BATCH == 0 or batch is None:
                batch = Batch.objects.create(name=f"batch {number}", sealed_at=now, finished_at=now, ended_as="SUCCEEDED")
            state = chance.choices(("COMPLETED", "REVIEW_NEEDED", "REVIEWED", "REJECTED", "PENDING"), (78, 10, 7, 4, 1))[0]
            since = now - dt.timedelta(seconds=chance.randrange(30_000_000))
            resume = Resume(
                state=state,
                state_since=since,
                source="imported",
                job_family=chance.choice(_FAMILIES),
                level="person" if state == "REVIEWED" else "text",
                next_stage="extract" if state == "PENDING" else "",
            )
            resumes.append(resume)
            for origin, to in (("", "PENDING"), ("PENDING", "PARSING"), ("PARSING", state)):
                if to != "PENDING" or not origin:
                    moves.append(
                        Transition(
                            resume=resume,
                            run=1,
                            from_state=origin,
                            to_state=to,
                            at=since,
                            node="extract",
                            actor="system",
                            reason="-",
                        )
                    )
            tries += [
                Attempt(
                    resume=resume, run=1, stage=stage, token=uuid.uuid4(), started_at=since, seconds=chance.random(), outcome="ok"
                )
                for stage in ("extract", "rules", "finish")
            ]
            entry = BatchEntry(batch=batch, number=number, resume=resume, received_at=since)
            entries.append(entry)
            if state in ("COMPLETED", "REVIEWED", "REJECTED"):
                ends.append(Outcome(batch_id=batch.pk, entry_id=entry.pk, resume_id=resume.pk, run=1, result=state))
            if state in ("REVIEW_NEEDED", "REVIEWED"):
                case = Case(
                    resume=resume, run=1, state="DONE" if state == "REVIEWED" else "PENDING", code="ambiguous", due_at=now
                )
                cases.append(case)
                if state == "REVIEWED":
                    corrections.append(Correction(case=case, field=f"work[{number % 4}].name"))
        for model, rows in (
            (Resume, resumes),
            (Transition, moves),
            (Attempt, tries),
            (BatchEntry, entries),
            (Outcome, ends),
            (Case, cases),
            (Correction, corrections),
        ):
            model.objects.bulk_create(rows, batch_size=500)


if __name__ == "__main__":
    raise SystemExit(main())
