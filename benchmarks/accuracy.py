"""Field accuracy on a benchmark folder (`BENCH`, default ../shared/bench) and throughput of the same run."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import accuracy_page, calibration

ROOT = Path(__file__).resolve().parents[1]
AS_OF = "2026-11-30"
"""The benchmark's "now" (see its README)."""


def main() -> int:
    bench = Path(os.environ.get("BENCH") or ROOT.parent / "shared" / "bench").resolve()
    if not (bench / "files").is_dir():
        sys.stderr.write(f"No benchmark at {bench}: set BENCH to a folder with files/, truth/ and score.py.\n")
        return 2
    jobs = os.environ.get("JOBS") or str(os.cpu_count() or 1)
    started = time.monotonic()
    documents = parse([bench / "files"], jobs)
    seconds = time.monotonic() - started
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as predictions:
        predictions.writelines(json.dumps(document, ensure_ascii=False) + "\n" for document in documents)
        predictions.flush()
        score = [sys.executable, str(bench / "score.py"), predictions.name, "--truth", str(bench / "truth")]
        subprocess.run([*score, "--worst", "10"], check=True)
        whole = _report(score)
        for language in ("en", "zh", "ru"):
            print(f"overall {language}: {_report([*score, '--only', f'{language}-'])['overall']:.4f}")
    throughput(documents, seconds, jobs)
    print_calibration(documents, bench)
    if page := os.environ.get("PAGE"):
        bands = calibration.table(judged(documents, bench))
        accuracy_page.write(ROOT / page, whole, bands, as_of=AS_OF, engines=_engines())
    return 0


def _report(score: list[str]) -> dict[str, Any]:
    done = subprocess.run([*score, "--json"], check=True, capture_output=True, text=True)
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def _engines() -> str:
    from ingest.ocr import ENGINES, engine

    return ", ".join(name for name in ENGINES if name != "null" and engine(name).ability().available) or "none"


def parse(paths: list[Path], jobs: str, *, patient: bool = False) -> list[dict[str, Any]]:
    """What `manage.py parse` says of the files, without a language model; without deadlines where `patient`."""
    manage = ["-m", "benchmarks.patient"] if patient else ["manage.py"]
    command = [sys.executable, *manage, "parse", "--jsonl", "--no-llm", "--jobs", jobs, "--as-of", AS_OF, *map(str, paths)]
    environment = os.environ | {"LOG_LEVEL": "ERROR"}
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE)
    return [json.loads(line) for line in done.stdout.splitlines()]


def print_calibration(documents: list[dict[str, Any]], bench: Path) -> None:
    """Print the reliability table: confidence said against share right."""
    print(f"\n{'confidence':<14} {'values':>7} {'said':>7} {'right':>7}")
    for band, count, said, right in calibration.table(judged(documents, bench)):
        print(f"{band:<14} {count:>7} {said:>7.3f} {right:>7.3f}")


def judged(documents: list[dict[str, Any]], bench: Path) -> Iterator[calibration.Judged]:
    """Every value of the documents that has a truth; archives, whose truth is a list, are left out."""
    for document in documents:
        truth = bench / "truth" / f"{Path(document['file']).name}.json"
        if document["resume"] and truth.is_file():
            known = json.loads(truth.read_text(encoding="utf-8"))
            if isinstance(known, dict):
                yield from calibration.judge(document, known)


def throughput(documents: list[dict[str, Any]], seconds: float, jobs: str) -> None:
    """Print seconds per stage and what became of the files."""
    print(f"\n{len(documents)} resumes in {seconds:.1f} s with {jobs} jobs: {len(documents) / seconds:.2f} a second")
    stages: dict[str, list[float]] = defaultdict(list)
    for document in documents:
        for stage, taken in document["timings"].items():
            stages[stage].append(taken)
    print(f"{'stage':<10} {'runs':>5} {'median s':>9} {'p95 s':>8}")
    for stage, values in stages.items():
        high = statistics.quantiles(values, n=20)[-1] if len(values) > 1 else values[0]
        print(f"{stage:<10} {len(values):>5} {statistics.median(values):>9.4f} {high:>8.4f}")
    outcomes = Counter(document["outcome"] for document in documents)
    codes = Counter(document["failure"]["code"] for document in documents if document["failure"])
    print("outcomes", dict(outcomes), "failures", dict(codes))
