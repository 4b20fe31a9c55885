"""The hostile set through `manage.py parse`, as anyone would run it: outcomes, codes, time, memory. Without OCR."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ingest.sandbox import confine
from ingest.sandbox.pool import sandbox_for
from ingest.sandbox.processes import resident_bytes
from resumes.sniff import HTML
from tests.corpus import shelf

pytestmark = shelf.needs(shelf.BENCH / "hostile")
ROOT = Path(__file__).resolve().parents[2]
SCORE = shelf.BENCH / "score.py"
EXPECTED = shelf.BENCH / "hostile" / "expected.tsv"
MOST_SECONDS = 180
MOST_BYTES = 1 << 30
LEAST_CODES = 0.95
LOOK_S = 0.02


@dataclass(frozen=True)
class Run:
    documents: list[dict[str, Any]]
    rows: list[dict[str, Any]]
    """The scorer's verdict on each file."""
    seconds: float
    peak_bytes: int


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    shutil.copytree(shelf.BENCH / "hostile" / "files", folder, dirs_exist_ok=True, copy_function=shutil.copyfile)
    folder.chmod(0o755)
    _score("--hostile", str(EXPECTED), "--make-odd-names", str(folder))
    _score("--make-too-large", str(folder), "--megabytes", "25")
    predictions = tmp_path_factory.mktemp("out") / "predictions.jsonl"
    started = time.monotonic()
    with predictions.open("wb") as out:
        command = [sys.executable, "manage.py", "parse", "--jsonl", "--no-llm", "--jobs", str(shelf.JOBS)]
        environment = {**os.environ, "OCR_CHANNELS": "", "LOG_LEVEL": "ERROR"}
        with subprocess.Popen([*command, str(folder)], cwd=ROOT, env=environment, stdout=out) as process:
            peak = _peak(process)
    seconds = time.monotonic() - started
    assert process.returncode == 0
    rows = json.loads(_score(str(predictions), "--hostile", str(EXPECTED), "--json"))["hostile"]["rows"]
    documents = [json.loads(line) for line in predictions.read_text(encoding="utf-8", errors="surrogateescape").splitlines()]
    print(f"\n{sum(row['ok'] for row in rows)} of {len(rows)} as expected, {seconds:.1f} s, at most {peak >> 20} MiB")
    return Run(documents, rows, seconds, peak)


def test_every_file_comes_to_what_is_expected_of_it(run):
    assert len(run.rows) > 40
    assert not [row for row in run.rows if not row["ok"] and not row["why"].startswith("code")]


def test_the_codes_say_what_is_wrong(run):
    coded = [row for row in run.rows if row["outcome"] == "rejected" and row["expected_code"]]
    right = [row for row in coded if not row["why"].startswith("code")]
    assert len(right) >= LEAST_CODES * len(coded), [row for row in coded if row not in right]


def test_every_failure_is_one_clear_sentence_without_the_name_of_the_file(run):
    for document in run.documents:
        if document["failure"]:
            message = document["failure"]["message"]
            assert message.endswith("."), message
            assert Path(document["file"]).name not in message


def test_the_whole_set_takes_little_time_and_memory(run):
    assert run.seconds <= MOST_SECONDS
    assert run.peak_bytes <= MOST_BYTES


def test_a_page_that_wants_to_load_things_is_read_where_there_is_no_network():
    page = shelf.BENCH / "hostile" / "files" / "remote-and-script.html"
    assert shelf.read(page, HTML).text
    assert confine.NETWORK in sandbox_for("reader").isolation


def _score(*arguments: str) -> str:
    return subprocess.run([sys.executable, str(SCORE), *arguments], check=True, capture_output=True, text=True).stdout


def _peak(process: subprocess.Popen[bytes]) -> int:
    """The most resident memory of the process and all below it, looked at until it ends."""
    ended = threading.Event()
    waiting = threading.Thread(target=lambda: (process.wait(), ended.set()))
    waiting.start()
    peak = 0
    while not ended.wait(LOOK_S):
        peak = max(peak, resident_bytes(process.pid))
    waiting.join()
    return peak
