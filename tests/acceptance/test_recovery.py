"""Recovery with real processes: what dies, hangs, doubles or denies on the way, and what is left of it afterwards.

The numbers name the traps of the list this project was given; each is a fault others have met in the open.
"""

from __future__ import annotations

import base64
import contextlib
import http.server
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from PIL import Image, ImageDraw, ImageFont

from tests.acceptance.house import House, until
from tests.acceptance.test_main_job import ends, states
from tests.texts import ALICE

pytestmark = pytest.mark.timeout(400)

ALL = "cpu,io,ocr,llm,default,notify"


def text_file(folder: Path, number: int) -> Path:
    path = folder / f"cv{number}.txt"
    path.write_text(ALICE.replace("alice.archer", f"alice.archer{number}"))
    return path


@pytest.fixture
def long_scan(tmp_path: Path) -> Path:
    """Some pages as pictures: reading them takes an OCR engine long enough for things to happen meanwhile."""
    page = Image.new("L", (1240, 1754), 255)
    draw = ImageDraw.Draw(page)
    for column in (80, 640):
        draw.text((column, 80), ALICE + ALICE, fill=0, font=ImageFont.load_default(26), spacing=14)
    path = tmp_path / "scan.pdf"
    page.save(path, "PDF", save_all=True, append_images=[page] * 3)
    return path


def stages_done(house: House, resume_id: str) -> Counter[str]:
    return Counter(attempt["stage"] for attempt in house.attempts(resume_id) if attempt["outcome"] == "ok")


def test_after_a_sigkill_the_resume_is_taken_up_again_within_a_minute(house: House, long_scan: Path):
    """Traps 4, 5, 32: nobody tells of a killed worker; its row must not stay in process."""
    house.extra_env = {"GLEANER_RELAY_S": "5", "GLEANER_RESEND_AFTER_S": "30"}  # as installed
    house.start_broker()
    house.start_web()
    house.start_worker("cpu", "cpu,io,llm,default,notify")
    house.start_worker("first", "ocr")
    house.start_relay()
    resume_id = house.upload(long_scan)
    until("OCR at work", lambda: house.resume(resume_id)["state"] == "OCR_PROCESSING", timeout_s=90)
    house.start_worker("second", "ocr")
    before = house.resume(resume_id)
    if before["state"] != "OCR_PROCESSING":
        pytest.skip("this machine reads four pages faster than it starts a worker")
    house.kill("first")
    killed = time.monotonic()
    until("the next attempt", lambda: house.resume(resume_id)["attempts"] > before["attempts"], timeout_s=60)
    print(f"taken up again after {time.monotonic() - killed:.1f} s")
    resume = house.settled(resume_id, timeout_s=180)
    assert resume["state"] in ("COMPLETED", "REVIEW_NEEDED")
    assert [one["outcome"] for one in house.attempts(resume_id) if one["stage"] == "ocr"][:2] == ["lost", "ok"]


def test_a_worker_that_held_its_claim_past_its_lease_cannot_write(house: House, long_scan: Path):
    """Frozen in mid-stage, replaced, woken: it finds its token gone."""
    house.start_broker()
    house.start_web()
    house.start_worker("cpu", "cpu,io,llm,default,notify")
    house.start_worker("sleeper", "ocr")
    house.start_relay()
    resume_id = house.upload(long_scan)
    until("OCR at work", lambda: house.resume(resume_id)["state"] == "OCR_PROCESSING", timeout_s=90)
    house.freeze("sleeper")
    house.start_worker("other", "ocr")
    resume = house.settled(resume_id, timeout_s=180)
    at_the_end = house.attempts(resume_id)
    house.thaw("sleeper")
    log = house.home / "sleeper.log"
    until("the sleeper to notice", lambda: "claim_lost" in log.read_text(), timeout_s=120)
    after = house.resume(resume_id)
    assert (after["state"], after["timeline"]) == (resume["state"], resume["timeline"])
    assert house.attempts(resume_id)[: len(at_the_end)] == at_the_end
    assert [one["outcome"] for one in at_the_end if one["stage"] == "ocr"] == ["lost", "ok"]
    assert len(ends(after)) <= 1


def test_quick_resumes_do_not_wait_behind_a_long_scan(house: House, long_scan: Path, tmp_path: Path):
    """Trap 18: nothing is prefetched behind a task that takes long, even where one worker serves every queue."""
    house.start_broker()
    house.start_web()
    house.start_worker("all", ALL, concurrency=2)
    house.start_relay()
    slow = house.upload(long_scan)
    until("OCR at work", lambda: house.resume(slow)["state"] == "OCR_PROCESSING", timeout_s=90)
    quick = [house.upload(text_file(tmp_path, number)) for number in range(6)]
    done = [house.settled(resume_id, timeout_s=120)["timeline"][-1]["at"] for resume_id in quick]
    left_ocr = next(step for step in house.settled(slow, timeout_s=180)["timeline"] if step["from"] == "OCR_PROCESSING")
    overtaken = sum(at < left_ocr["at"] for at in done)
    print(f"{overtaken} of {len(quick)} quick resumes were done before the scan was read")
    assert overtaken >= 3


def test_messages_hold_ids_only_and_workers_leave_nothing_in_redis(house: House, tmp_path: Path):
    """Traps 28, 29: no results, no replies, no chords; and no name of a person or a file in a message."""
    house.start_broker()
    house.start_web()
    resume_id = house.upload(text_file(tmp_path, 1))
    with redis.Redis(port=house.broker_port) as broker:
        message = json.loads(broker.lrange("cpu", 0, -1)[0])
        args, kwargs, embedded = json.loads(base64.b64decode(message["body"]))
        assert (args, kwargs) == ([], {"resume_id": resume_id, "run": 1})
        assert not any(embedded.get(name) for name in ("callbacks", "errbacks", "chain", "chord"))
        assert b"alice" not in broker.lrange("cpu", 0, -1)[0].lower()
        house.start_worker("all", ALL)
        house.start_relay()
        assert ends(house.settled(resume_id)) == ["COMPLETED"]
        until("the queues to drain", lambda: stages_done(house, resume_id)["match"] == 1, every_s=1.0)
        kept = {key.decode() for key in broker.scan_iter("*")}
    assert not [key for key in kept if key.startswith("celery-task-meta") or "reply" in key]


def test_a_message_delivered_many_times_runs_each_stage_once(house: House, tmp_path: Path):
    """Trap 1: the broker may hand a message out again; the claim in the database decides."""
    house.start_broker()
    house.start_web()
    resume_id = house.upload(text_file(tmp_path, 1))
    with redis.Redis(port=house.broker_port) as broker:
        raw = broker.lrange("cpu", 0, -1)[0]
        for _ in range(7):
            broker.lpush("cpu", raw)
    house.start_worker("one", ALL)
    house.start_worker("two", ALL)
    assert ends(house.settled(resume_id)) == ["COMPLETED"]
    with redis.Redis(port=house.broker_port) as broker:
        until("the copies to be taken", lambda: broker.llen("cpu") == 0)
    time.sleep(2)  # a copy that does harm would do it now
    assert set(stages_done(house, resume_id).values()) == {1}
    assert states(house.resume(resume_id)).count("COMPLETED") == 1


def test_a_worker_takes_work_again_after_the_broker_was_restarted(house: House, tmp_path: Path):
    """Trap 16: reconnected is not enough, it must consume. The canary is a resume."""
    house.start_broker()
    house.start_web()
    house.start_worker("all", ALL)
    house.start_relay()
    assert ends(house.settled(house.upload(text_file(tmp_path, 1)))) == ["COMPLETED"]
    for number in (2, 3):
        house.stop_broker()
        time.sleep(2)  # long enough for the worker to notice
        house.start_broker()
        restarted = time.monotonic()
        assert ends(house.settled(house.upload(text_file(tmp_path, number)), timeout_s=60)) == ["COMPLETED"]
        print(f"a resume was through {time.monotonic() - restarted:.1f} s after the restart")


def test_two_relays_at_once_double_nothing(house: House, tmp_path: Path):
    """Trap 35: sweeps that run at the same time are as good as one."""
    house.start_web()
    sent = [house.upload(text_file(tmp_path, number)) for number in range(8)]
    house.start_broker()
    house.start_relay("relay")
    house.start_relay("relay-two")
    house.start_worker("one", ALL)
    house.start_worker("two", ALL)
    for resume_id in sent:
        assert ends(house.settled(resume_id)) == ["COMPLETED"]
    for resume_id in sent[:3]:
        assert set(stages_done(house, resume_id).values()) == {1}


def test_worker_processes_load_no_engine_that_does_not_survive_a_fork(house: House, long_scan: Path):
    """Trap 20: models and their thread pools live in sandboxes that are executed, not forked."""
    house.start_broker()
    house.start_web()
    house.start_worker("all", ALL)
    house.start_relay()
    resume_id = house.upload(long_scan)
    until("OCR at work", lambda: house.resume(resume_id)["state"] == "OCR_PROCESSING", timeout_s=90)
    family = _descendants(house.processes["all"].pid)
    workers = [pid for pid in family if b"celery" in _command(pid)]
    assert len(workers) >= 2
    for pid in workers:
        assert "onnxruntime" not in Path(f"/proc/{pid}/maps").read_text()


def _descendants(pid: int) -> list[int]:
    children: list[int] = []
    with contextlib.suppress(OSError):  # it has ended meanwhile
        children += [
            int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
        ]
    return [pid, *(one for child in children for one in _descendants(child))]


def _command(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


# -- storage -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def ears(house: House) -> Iterator[list[dict]]:
    """What the house posts to its alert webhook."""
    heard: list[dict] = []

    class Ear(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *args) -> None:
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Ear)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    house.extra_env = {
        "DJANGO_SETTINGS_MODULE": "tests.acceptance.faulty_settings",
        "GLEANER_ALERT_WEBHOOK": f"http://127.0.0.1:{server.server_port}/",
        "GLEANER_ALERT_WAIT_S": "0",
        "GLEANER_ALERT_RETRIES": "1",
    }
    yield heard
    server.shutdown()
    thread.join()
    server.server_close()


def watch(house: House) -> None:
    house.manage("shell", "--verbosity", "0", "-c", "from ingest import alerts; alerts.watch(); alerts.send_due()")


def test_a_storage_that_fails_a_fifth_of_its_reads_costs_retries_and_no_resume(house: House, ears: list, tmp_path: Path):
    house.start_broker()
    house.start_web()
    sent = [house.upload(text_file(tmp_path, number)) for number in range(15)]
    (house.home / "storage-fault").write_text("every 5")
    house.start_worker("all", ALL)
    house.start_relay()
    resumes = [house.settled(resume_id, timeout_s=120) for resume_id in sent]
    assert Counter(resume["state"] for resume in resumes) == {"COMPLETED": 15}
    assert sum(states(resume).count("RETRY_WAITING") for resume in resumes) >= 2
    assert all(resume["failure"] is None for resume in resumes)


def test_a_storage_that_denies_parks_the_resumes_in_sight_tells_it_once_and_lets_them_go_on(
    house: House, ears: list, tmp_path: Path
):
    house.start_broker()
    house.start_web()
    watch(house)
    sent = [house.upload(text_file(tmp_path, number)) for number in range(5)]
    (house.home / "storage-fault").write_text("deny")
    house.start_worker("all", ALL)
    house.start_relay()
    for resume_id in sent:
        until("it to be parked", lambda one=resume_id: "file store" in house.resume(one)["stage_text"])
    time.sleep(11)  # alerts look at what is settled for ten seconds
    for _ in range(3):
        watch(house)
    told = Counter((one["kind"], one["subject"]) for post in ears for one in post["alerts"] if one["kind"] != "silence")
    assert told[("permission", "storage_denied extract")] == told[("parked", "storage")] == 1
    assert max(one["count"] for post in ears for one in post["alerts"] if one["kind"] == "parked") == 5
    assert not any(resume_id in json.dumps(ears) for resume_id in sent)
    for resume_id in sent:
        resume = house.resume(resume_id)
        assert (resume["state"], resume["attempts"]) == ("RETRY_WAITING", 1)
    (house.home / "storage-fault").unlink()
    for resume_id in sent:
        resume = house.settled(resume_id)
        assert ends(resume) == ["COMPLETED"]
        assert resume["failure"] is None
