"""What the pages of the review cost when there is a lot: 100,000 resumes, 20,000 of them with a case.

Rows are written straight into a database of its own (SQLite, or the one DATABASE_URL names), then each page is asked for
again and again through Django's own client, so what is timed is the server's part. `RESUMES`, `CASES` and `ROUNDS` change
the sizes.
"""

from __future__ import annotations

import datetime as dt
import os
import random
import uuid
from collections.abc import Callable
from statistics import quantiles
from typing import Any

from benchmarks.installation import database, timed

LIMIT_MS = 300
_CHUNK = 2_000
_CODES = ("low_completeness", "low_completeness", "ocr_low_confidence", "not_a_resume", "ambiguous", "flagged")
_FAMILIES = ("software", "finance", "sales", "design", "people", "logistics", "healthcare", "")
_CORE = ["name", "phone", "email", "work", "education", "skills"]


def main() -> int:
    with database(os.environ.get("DATABASE_URL", "")):
        resumes, cases = int(os.environ.get("RESUMES", "100000")), int(os.environ.get("CASES", "20000"))
        fill(resumes, cases)
        return report(int(os.environ.get("ROUNDS", "40")))


def fill(resumes: int, cases: int) -> None:
    """Write the rows: a tenth of the cases closed, some claimed, some late."""
    from django.contrib.auth.models import Group, User
    from django.db import connection
    from django.utils import timezone

    from ingest.models import Batch
    from resumes.models import Extraction, Resume
    from resumes.profile import Profile
    from resumes.states import State
    from review.models import Case

    chance, now = random.Random(1), timezone.now()
    reviewer = User.objects.create_user("reviewer", is_staff=True)
    reviewer.groups.add(Group.objects.get_or_create(name="reviewer")[0])
    batches = [
        Batch.objects.create(name=f"batch {number}", position=f"position {number % 20}", urgency="high") for number in range(50)
    ]
    profile = Profile().to_json()
    for start in range(0, resumes, _CHUNK):
        rows = [
            Resume(
                id=uuid.UUID(int=chance.getrandbits(128)),
                filename=f"resume {number}.pdf",
                state=State.REVIEW_NEEDED if number < cases * 0.9 else State.REVIEWED if number < cases else State.COMPLETED,
                state_since=now,
                language=chance.choice(("en", "zh", "ru")),
                layout=chance.choice(("plain", "columns", "table", "scan")),
                job_family=chance.choice(_FAMILIES),
                source=chance.choice(("applied", "imported", "headhunter")),
                failure_code="low_completeness",
            )
            for number in range(start, min(start + _CHUNK, resumes))
        ]
        Resume.objects.bulk_create(rows)
        Case.objects.bulk_create(
            _case(resume, chance, now, chance.choice(batches), reviewer) for resume in rows if resume.state != State.COMPLETED
        )
        Extraction.objects.bulk_create(
            Extraction(resume=resume, run=1, profile=profile) for resume in rows if resume.state != State.COMPLETED
        )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    print(f"{Resume.objects.count():,} resumes, {Case.objects.count():,} cases, {connection.vendor}")


def _case(resume: Any, chance: random.Random, now: dt.datetime, batch: Any, reviewer: Any) -> Any:
    from review.models import Case

    closed = resume.state == "REVIEWED"
    missing = chance.sample(_CORE, chance.randint(1, 6))
    return Case(
        resume=resume,
        run=1,
        code=chance.choice(_CODES),
        missing=missing,
        salvageable=1 - len(missing) / 6,
        priority=chance.random(),
        batch=batch,
        state=Case.State.DONE if closed else Case.State.PENDING,
        due_at=now + dt.timedelta(hours=chance.randint(-48, 24)),
        closed_at=now - dt.timedelta(hours=chance.randint(0, 200)) if closed else None,
        closed_by=reviewer if closed else None,
        folded=chance.random() < 0.1,
    )


def report(rounds: int) -> int:
    """Ask for each page `rounds` times; 1 where the p95 of the list or its counters is above the limit."""
    from django.contrib.auth.models import User
    from django.test import Client

    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(username="reviewer"))
    here = "/admin/review/case/"
    pages: dict[str, tuple[Callable[[], Any], bool]] = {
        "list with its counters": (lambda: client.get(f"{here}?state__exact=PENDING"), True),
        "list, tenth page": (lambda: client.get(f"{here}?state__exact=PENDING&p=10"), True),
        "list by reason": (lambda: client.get(f"{here}?state__exact=PENDING&code=not_a_resume"), True),
        "list by language and family": (
            lambda: client.get(f"{here}?state__exact=PENDING&resume__language=zh&resume__job_family=finance"),
            True,
        ),
        "list by position": (lambda: client.get(f"{here}?state__exact=PENDING&batch__position=position 3"), True),
        "list, done": (lambda: client.get(f"{here}?state__exact=DONE"), True),
        "next case and its page": (lambda: client.post(f"{here}next/", follow=True), True),
        "statistics": (lambda: client.get(f"{here}statistics/"), False),
    }
    worst = 0.0
    print(f"{'page':32} {'p50 ms':>8} {'p95 ms':>8} {'CPU p50':>8} {'CPU p95':>8}")
    for name, (ask, counts) in pages.items():
        ask()
        times = [timed(ask) for _ in range(rounds)]
        cuts, cpu = (quantiles([1000 * seconds for seconds in column], n=20) for column in zip(*times, strict=True))
        print(f"{name:32} {cuts[9]:8.0f} {cuts[18]:8.0f} {cpu[9]:8.0f} {cpu[18]:8.0f}")
        worst = max(worst, cuts[18]) if counts else worst
    print(f"worst p95 {worst:.0f} ms, limit {LIMIT_MS} ms")
    return int(worst > LIMIT_MS)
