"""How much of the fields survives a scanner, a camera or a broken text layer: field score relative to the clean twin.

Makes the files (`benchmarks.damage`) in `OCR_OUT` (default a temporary folder) and parses them without a language model,
each beside its clean twin. `EACH` files a kind and language (default 20), `KINDS` and `LANGUAGES` choose among them.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks import accuracy, damage

GOALS = {
    "scan": {"en": 0.95, "zh": 0.95, "ru": 0.90},
    "poor_scan": {"en": 0.80, "zh": 0.80, "ru": 0.65},
    "photo": {"en": 0.80, "zh": 0.80, "ru": 0.65},
}
USUAL_GOAL = 0.97


def main() -> int:
    bench = Path(os.environ.get("BENCH") or accuracy.ROOT.parent / "shared" / "bench").resolve()
    if not (bench / "files").is_dir():
        sys.stderr.write(f"No benchmark at {bench}: set BENCH to a folder with files/, truth/ and score.py.\n")
        return 2
    kinds = os.environ.get("KINDS", ",".join(damage.KINDS)).split(",")
    languages = os.environ.get("LANGUAGES", ",".join(damage.LANGUAGES)).split(",")
    each = int(os.environ.get("EACH", "20"))
    with tempfile.TemporaryDirectory(prefix="gleaner-bench-") as folder:
        out = Path(os.environ.get("OCR_OUT") or folder).resolve()
        source = damage.Source(bench)
        print(f"{'kind':<12} {'language':<9}{'files':>6}{'clean':>8}{'damaged':>9}{'share':>8}{'goal':>6}{'s each':>8}  outcomes")
        kept = True
        for kind in kinds:
            for language in languages:
                files = damage.make(source, out, [kind], [language], each)
                kept &= _row(bench, out, kind, language, files)
    return int(not kept)


def _row(bench: Path, out: Path, kind: str, language: str, files: list[Path]) -> bool:
    """Parse and print one kind in one language; whether its goal is reached."""
    documents = accuracy.parse(files, os.environ.get("JOBS", "1"), patient=True)
    twins = accuracy.parse([out / "twins" / f"{file.stem}.pdf" for file in files], os.environ.get("JOBS", "1"), patient=True)
    for file, twin in zip(files, twins, strict=True):
        twin["file"] = file.name
    name = f"{language}-{kind}"
    clean = _score(bench, out, twins, f"{name}-twins")
    damaged = _score(bench, out, documents, name)
    share = damaged / clean if clean else 0.0
    goal = GOALS.get(kind, {}).get(language, USUAL_GOAL)
    seconds = statistics.mean(sum(document["timings"].values()) for document in documents)
    outcomes = Counter(document["failure"]["code"] if document["failure"] else document["outcome"] for document in documents)
    mark = "" if share >= goal else " <"
    print(
        f"{kind:<12} {language:<9}{len(files):>6}{clean:>8.3f}{damaged:>9.3f}{share:>8.3f}{goal:>6.2f}{seconds:>8.1f}"
        f"  {dict(outcomes)}{mark}",
        flush=True,
    )
    return share >= goal


def _score(bench: Path, out: Path, documents: list[dict[str, Any]], name: str) -> float:
    """The scorer's overall figure over these documents alone. What was parsed is kept for a look."""
    truth = out / f"truth-{name}"
    shutil.rmtree(truth, ignore_errors=True)  # of an earlier run with more files
    truth.mkdir()
    predictions = out / f"{name}.jsonl"
    with predictions.open("w", encoding="utf-8") as file:
        for document in documents:
            stem = Path(document["file"]).name
            (truth / f"{stem}.json").write_bytes((out / "truth" / f"{stem}.json").read_bytes())
            file.write(json.dumps(document, ensure_ascii=False) + "\n")
    command = [sys.executable, str(bench / "score.py"), str(predictions), "--truth", str(truth), "--json"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout)["overall"])
