"""OCR that dies, as real processes see it: the breaker is one for all workers, and a page that kills its sandbox is buried."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.breaker import LIMITS
from tests.acceptance.fake_tesseract import Counting, install
from tests.acceptance.house import House, until
from tests.acceptance.test_chaos import scan
from tests.acceptance.test_main_job import ends
from tests.acceptance.test_recovery import text_file

pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def calls(house: House, tmp_path: Path) -> Iterator[Counting]:
    """OCR in this house is a fake that counts; what stands in `ocr-fault` says how it fails."""
    counting = Counting(tmp_path / "calls")
    folder = install(tmp_path / "bin", fault=house.home / "ocr-fault", counter=tmp_path / "calls")
    house.extra_env = {"OCR_CHANNELS": "tesseract", "PATH": f"{folder}:{os.environ['PATH']}"}
    yield counting
    house.stop()
    counting.close()


def scans(folder: Path, number: int) -> list[Path]:
    made = []
    for one in range(number):
        path = folder / f"scan{one}.png"
        path.write_bytes(scan("Alice", one))
        made.append(path)
    return made


def query(house: House, script: str) -> dict:
    found: dict = json.loads(house.manage("shell", "--verbosity", "0", "-c", script).strip().splitlines()[-1])
    return found


_CALLS = """
import json
from ingest.models import Attempt, BreakerFlip
ocr = Attempt.objects.filter(stage="ocr", outcome="failed")
made = ocr.exclude(failure_code="breaker_open")
flip = BreakerFlip.objects.filter(channel="tesseract", to_state="open").order_by("id").first()
print(json.dumps({
    "made": made.count(),
    "made_by": len(set(made.values_list("worker", flat=True))),
    "after": made.filter(started_at__gt=flip.at).count() if flip else 0,
    "refused": ocr.filter(failure_code="breaker_open").count(),
    "opened": BreakerFlip.objects.filter(channel="tesseract", to_state="open").count(),
    "probed": BreakerFlip.objects.filter(channel="tesseract", to_state="half_open").count(),
}))
"""


def test_a_dead_channel_gets_no_call_from_any_worker_once_its_breaker_is_open(house: House, calls: Counting, tmp_path: Path):
    (house.home / "ocr-fault").write_text("always")
    house.start_broker()
    house.start_web()
    house.start_relay()
    house.start_worker("cpu", "cpu,io,llm,default,notify")
    for number in range(3):
        house.start_worker(f"ocr{number}", "ocr")
    sent = [house.upload(path) for path in scans(tmp_path, 24)]
    # Those that find the breaker open go on without a picture read.
    found = until("a dozen refused calls", lambda: (now := query(house, _CALLS))["refused"] >= 12 and now, 120, every_s=1.0)
    print(found, "calls counted by the engine:", calls.count)
    assert found["made_by"] > 1, "one worker alone would prove little"
    # On a slow machine its rest may be over before a dozen have come; then a few probes are let through each time.
    probes = LIMITS.probes * found["probed"]
    assert found["after"] <= probes
    assert 1 <= found["opened"] <= 1 + found["probed"]
    assert LIMITS.min_calls <= found["made"]
    assert calls.count <= LIMITS.min_calls + 2 + probes, "ten open it; two more may have been under way in other workers"
    assert {house.resume(one)["state"] for one in sent} <= {
        "REVIEW_NEEDED",
        "RETRY_WAITING",
        "OCR_PROCESSING",
        "PARSING",
        "PENDING",
    }


def test_a_page_that_kills_its_sandbox_runs_once_alone_and_is_then_a_dead_letter(house: House, calls: Counting, tmp_path: Path):
    """Trap 5: nothing else suffers, and nothing runs it again."""
    (house.home / "ocr-fault").write_text("kill")
    house.start_broker()
    house.start_web()
    house.start_relay()
    house.start_worker("all", "cpu,io,ocr,llm,default,notify")
    poison = house.upload(scans(tmp_path, 1)[0])
    other = house.upload(text_file(tmp_path, 1))
    assert ends(house.settled(other)) == ["COMPLETED"]
    resume = house.settled(poison, timeout_s=120)
    assert (resume["state"], resume["failure"]["code"]) == ("DEAD_LETTER", "worker_lost")
    tries = [(one["outcome"], one["failure_code"]) for one in house.attempts(poison) if one["stage"] == "ocr"]
    assert tries == [("failed", "worker_lost")] * 3
    assert calls.count == 3
    known = resume["timeline"][-1]["reason"]
    assert known.startswith("worker_lost in ocr tesseract: page 1: the sandbox ended by itself with SIGKILL, seen at ")
    assert int(known.split("seen at ")[1].split()[0]) > 10, "MiB"
    house.kill("all")
    house.start_worker("again", "cpu,io,ocr,llm,default,notify")
    (house.home / "ocr-fault").unlink()
    third = house.upload(text_file(tmp_path, 2))
    assert ends(house.settled(third)) == ["COMPLETED"]
    assert house.resume(poison)["state"] == "DEAD_LETTER"
    house.manage("replay", "--dead-letters", "worker_lost")
    assert house.settled(poison)["state"] == "COMPLETED"
