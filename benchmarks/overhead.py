"""What the pipeline itself costs for a resume: claims, moves and messages, against the same stages called in a loop.

Three ways over the same tiny text resumes, in one run and interleaved by size: the bare stages in a loop; the runner
on the database in this process; one real worker process fed by a real broker. `SIZES` (default 500,2000) shows
whether the cost per resume stays flat.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.installation import installation

_TEXT = """Alice Archer
alice{number}@example.com
+1 202 555 0143

Work experience
Lantern Books Ltd
Editor
March 2019 - Present

Education
University of Northmoor
BA History
2012 - 2015

Skills
Proofreading, InDesign, Copy editing
"""


def main() -> int:
    sizes = [int(size) for size in os.environ.get("SIZES", "500,2000").split(",")]
    with installation() as house:
        report(sizes, house)
    return 0


def report(sizes: list[int], house: Any) -> None:
    """Measure each size each way and print milliseconds a resume with ratios to the loop."""
    ways: dict[str, Callable[[int], float]] = {
        "stages in a loop": in_a_loop,
        "runner on the database": on_the_database,
        "worker and broker": lambda size: by_a_worker(size, house),
    }
    in_a_loop(20)  # starts the sandbox and warms its imports
    print(f"{'resumes':>8}  {'way':<24} {'ms a resume':>12} {'ratio':>7}")
    for size in sizes:
        base = None
        for name, way in ways.items():
            each = way(size) / size * 1000
            base = base or each
            print(f"{size:>8}  {name:<24} {each:>12.2f} {each / base:>7.2f}")


def in_a_loop(size: int) -> float:
    """The same stage functions one after the other: no database, no message."""
    from ingest.dossier import Dossier
    from ingest.inline import run_through
    from ingest.options import configured_options
    from ingest.stages.summarise import summary_of

    options = configured_options(model=False)
    with tempfile.TemporaryDirectory() as folder:
        paths = [_written(Path(folder), number) for number in range(size)]
        started = time.perf_counter()
        for path in paths:
            with contextlib.ExitStack() as scratch:
                dossier = Dossier("text/plain", path, path.name, dt.date(2026, 11, 30))
                ending = run_through(dossier, options, scratch)
                summary_of(ending.dossier.draft["profile"])  # type: ignore[index]
        return time.perf_counter() - started


def on_the_database(size: int) -> float:
    """Every claim, attempt row, move and save, in this process; no message."""
    from ingest.runner import run_stages

    resumes = _received(size)
    started = time.perf_counter()
    for resume in resumes:
        run_stages("extract", resume.pk, 1)
    taken = time.perf_counter() - started
    _check(resumes)
    return taken


def by_a_worker(size: int, house: Any) -> float:
    """One worker process with one child, woken by messages; from its first claim to the last end."""
    from celery import current_app
    from django.db.models import Max, Min

    from resumes.models import Transition
    from tests.acceptance.house import until

    current_app.control.purge()  # what the way before this one has sent and not used
    resumes = _received(size)
    house.start_worker(f"bench{size}", "cpu")
    since = min(resume.received_at for resume in resumes)
    mine = Transition.objects.filter(at__gte=since)
    until("the end of all", lambda: mine.filter(to_state="COMPLETED").count() >= size, timeout_s=3600, every_s=0.5)
    house.kill(f"bench{size}")
    first = mine.filter(from_state="PENDING").aggregate(at=Min("at"))["at"]
    last = mine.filter(to_state="COMPLETED").aggregate(at=Max("at"))["at"]
    taken: float = (last - first).total_seconds()
    return taken


def _received(size: int) -> list[Any]:
    import io

    from resumes import intake
    from resumes.models import OutboxMessage

    OutboxMessage.objects.all().delete()
    return [intake.receive(io.BytesIO(_text(number).encode()), f"{number}.txt", intake.Sender()) for number in range(size)]


def _check(resumes: list[Any]) -> None:
    from resumes.models import Resume

    done = Resume.objects.filter(pk=resumes[-1].pk, state="COMPLETED").exists()
    assert done, "the last resume did not complete: the figure would mean nothing"  # noqa: S101


def _written(folder: Path, number: int) -> Path:
    path = folder / f"{number}.txt"
    path.write_text(_text(number))
    return path


def _text(number: int) -> str:
    return _TEXT.format(number=number)
