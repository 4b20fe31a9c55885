"""Whether two OCR children on two cores read nearly twice as many pages as one.

The same scans, read by one child and by two side by side in turns, five times; each child has one thread. Ends with 1 where the
median of the ratios is below 1.6.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks import damage
from ingest.sandbox import Sandbox
from resumes.sniff import PDF

LEAST = 1.6
_DEADLINE_S = 900.0
_ROUNDS = 5


def main() -> int:
    bench = Path(os.environ.get("BENCH") or damage.ROOT.parent / "shared" / "bench").resolve()
    if not (bench / "files").is_dir():
        sys.stderr.write(f"No benchmark at {bench}: set BENCH to a folder with files/, truth/ and score.py.\n")
        return 2
    with tempfile.TemporaryDirectory(prefix="gleaner-bench-") as folder, _child() as first, _child() as second:
        out = Path(os.environ.get("OCR_OUT") or folder).resolve()
        scans = damage.make(damage.Source(bench), out, ["scan"], ["en", "zh"], 2)
        for child in (first, second):
            _read(child, scans[0])  # loads the models
        ratios = []
        print(f"{'round':<7}{'one, pages/s':>13}{'two, pages/s':>13}{'ratio':>7}{'load':>7}")
        for number in range(1, _ROUNDS + 1):
            one, two = _rate([first], scans), _rate([first, second], scans)
            ratios.append(two / one)
            print(f"{number:<7}{one:>13.3f}{two:>13.3f}{two / one:>7.2f}{os.getloadavg()[0]:>7.1f}", flush=True)
    median = statistics.median(ratios)
    print(f"median ratio {median:.2f}, wanted {LEAST}")
    return int(median < LEAST)


def _child() -> Sandbox:
    return Sandbox(memory_bytes=3 << 30, name="ocr")


def _rate(children: list[Sandbox], scans: list[Path]) -> float:
    """Pages a second, each child reading all the scans."""
    started = time.perf_counter()
    with ThreadPoolExecutor(len(children)) as pool:
        for done in [pool.submit(_read_all, child, scans) for child in children]:
            done.result()
    return len(children) * len(scans) / (time.perf_counter() - started)


def _read_all(child: Sandbox, scans: list[Path]) -> None:
    for scan in scans:
        _read(child, scan)


def _read(child: Sandbox, scan: Path) -> None:
    payload = {"path": str(scan), "media_type": PDF, "pages": [1], "channel": "rapidocr", "scripts": ["latin", "han"]}
    child.call("ocr_pages", payload, deadline_s=_DEADLINE_S)
