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
from pathlib import Path
from typing import Any

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
        for language in ("en", "zh", "ru"):
            report = json.loads(
                subprocess.run([*score, "--only", f"{language}-", "--json"], check=True, capture_output=True, text=True).stdout
            )
            print(f"overall {language}: {report['overall']:.4f}")
    throughput(documents, seconds, jobs)
    return 0


def parse(paths: list[Path], jobs: str) -> list[dict[str, Any]]:
    """What `manage.py parse` says of the files, without a language model."""
    command = [sys.executable, "manage.py", "parse", "--jsonl", "--no-llm", "--jobs", jobs, "--as-of", AS_OF, *map(str, paths)]
    environment = os.environ | {"LOG_LEVEL": "ERROR"}
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE)
    return [json.loads(line) for line in done.stdout.splitlines()]


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
