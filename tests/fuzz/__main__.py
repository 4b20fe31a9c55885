"""python -m tests.fuzz [--count 20000] [--minutes 10] [--jobs 2] [--seed 1] [--keep DIR] [--seeds DIR]

Damages sound files and has them sniffed and read in sandboxes, without OCR; of every tenth that can be read, the fields
are found too, since damage in a text is the rules' to survive. Ends with 1 where one of them gave an
exception that is no classified failure or made a sandbox die by itself, or where none was read at all.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ingest.readers import CONTAINERS, READERS, ReadLimits
from ingest.sandbox import SandboxCrash
from ingest.sandbox.pool import close_sandboxes, sandbox_for
from resumes.sniff import sniff
from resumes.taxonomy import ResumeError
from tests.fuzz.mutations import mutated
from tests.fuzz.seeds import seeds

DEADLINE_S = 10.0
SLOW_S = 2.0
RULES_EACH = 10
BAD = frozenset(("crash", "worker_lost", "dependency_unavailable", "internal_error"))


@dataclass
class Tally:
    """What came of the files, by format and outcome."""

    outcomes: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    found: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, suffix: str, outcome: str, number: int, name: str, seconds: float, detail: str) -> bool:
        """Count one; whether it is worth keeping."""
        with self.lock:
            self.outcomes[suffix][outcome] += 1
            if outcome in BAD:
                self.found.append(f"{outcome} file {number} from {name}: {detail}")
            elif seconds > SLOW_S:
                self.slow.append(f"{seconds:.1f} s, {outcome}: file {number} from {name}")
            return outcome in BAD or seconds > SLOW_S

    @property
    def count(self) -> int:
        return sum(sum(counter.values()) for counter in self.outcomes.values())


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=None, help="where files that broke something are put")
    parser.add_argument("--seeds", type=Path, default=None, help="a folder with more files to damage")
    options = parser.parse_args()
    keep: Path = options.keep or Path(tempfile.gettempdir()) / "gleaner-fuzz"
    keep.mkdir(parents=True, exist_ok=True)
    sound = list(seeds(options.seeds))
    tally, numbers = Tally(), iter(range(options.count))
    started = time.monotonic()
    until = started + options.minutes * 60

    def work() -> None:
        with tempfile.TemporaryDirectory(prefix="gleaner-fuzz-") as folder:
            for number in numbers:  # shared; taking the next is atomic
                if time.monotonic() > until:
                    break
                name, content = sound[number % len(sound)]
                damaged = mutated(content, random.Random(f"{options.seed}-{number}"))
                path = Path(folder) / "document"
                path.write_bytes(damaged)
                began = time.monotonic()
                outcome, detail = read(path, name, content, rules=number % RULES_EACH == 0)
                if tally.add(Path(name).suffix, outcome, number, name, time.monotonic() - began, detail):
                    (keep / f"{options.seed}-{number}-{name}").write_bytes(damaged)
        close_sandboxes()

    with ThreadPoolExecutor(options.jobs) as pool:
        for done in [pool.submit(work) for _ in range(options.jobs)]:
            done.result()
    return report(tally, options.count, time.monotonic() - started, keep)


def read(path: Path, name: str, sound: bytes, *, rules: bool = False) -> tuple[str, str]:
    """Outcome and detail: `read`, a failure code, or `crash`. A file that is refused at the door is read nevertheless, as
    what it was before the damage: the door is not the readers' only guard."""
    try:
        try:
            media_type = sniff(path, name).media_type
        except ResumeError:
            media_type = sniff(sound, name).media_type
    except Exception as error:  # noqa: BLE001 - what this run looks for
        return "crash", f"sniff: {type(error).__name__}"
    try:
        reading = _read(path, media_type)
        if rules and reading:
            hints = {"as_of": "2026-11-30", "filename": name}
            sandbox_for("reader").call("find_fields", {"reading": reading, "hints": hints}, deadline_s=DEADLINE_S)
    except ResumeError as error:
        return error.code, error.detail
    except SandboxCrash as error:
        return "crash", f"{error.error_type} {' < '.join(reversed(error.trace[-3:]))}"
    return "read", ""


def _read(path: Path, media_type: str) -> dict[str, Any]:
    """What the reader gives, empty for a mere container. Raises ResumeError, SandboxCrash."""
    reading: dict[str, Any] = {}
    sandbox = sandbox_for("reader")
    payload = {"path": str(path), "media_type": media_type, "limits": asdict(ReadLimits())}
    if media_type in CONTAINERS:
        with sandbox.folder() as folder:
            sandbox.call("list_members", {**payload, "folder": str(folder)}, deadline_s=DEADLINE_S)
    if media_type in READERS:
        reading = sandbox.call("read_document", payload, deadline_s=DEADLINE_S)
    if media_type.startswith("image/"):
        sandbox.call("page_image", {**payload, "page": 1, "dpi": 50}, deadline_s=DEADLINE_S)
    return reading


def report(tally: Tally, wanted: int, seconds: float, keep: Path) -> int:
    codes = sorted({code for counter in tally.outcomes.values() for code in counter})
    print(f"{'format':<8}" + "".join(f"{code[:14]:>15}" for code in codes))
    for suffix, counter in sorted(tally.outcomes.items()):
        print(f"{suffix:<8}" + "".join(f"{counter[code] or '':>15}" for code in codes))
    total = Counter(itertools.chain.from_iterable(counter.elements() for counter in tally.outcomes.values()))
    print(f"{'all':<8}" + "".join(f"{total[code]:>15}" for code in codes))
    print(
        f"{tally.count} of {wanted} files in {seconds:.0f} s; unclassified or dead: {len(tally.found)}; slow: {len(tally.slow)}"
    )
    for line in tally.found + tally.slow:
        print(" ", line)
    if tally.found or tally.slow:
        print(f"these files are in {keep}")
    return 1 if tally.found or not total["read"] else 0


if __name__ == "__main__":
    sys.exit(main())
