"""The main job with real processes: sent over REST, read by separate workers, ended once, whatever dies on the way."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import redis
from PIL import Image, ImageDraw, ImageFont

from tests.acceptance.house import House, until
from tests.texts import ALICE

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def text_file(tmp_path: Path) -> Path:
    path = tmp_path / "alice.txt"
    path.write_text(ALICE)
    return path


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    """The same resume as a picture: reading it takes an OCR engine seconds, time enough to kill a worker."""
    page = Image.new("L", (1240, 1754), 255)
    ImageDraw.Draw(page).text((120, 120), ALICE, fill=0, font=ImageFont.load_default(34), spacing=22)
    content = io.BytesIO()
    page.save(content, "PNG")
    path = tmp_path / "scan.png"
    path.write_bytes(content.getvalue())
    return path


def states(resume: dict) -> list[str]:
    return [step["to"] for step in resume["timeline"]]


def ends(resume: dict) -> list[str]:
    return [state for state in states(resume) if state in ("COMPLETED", "REVIEWED", "REJECTED", "SKIPPED")]


def test_a_resume_sent_over_rest_is_completed_by_separate_workers_with_every_move_on_record(house: House, text_file: Path):
    house.start_broker()
    house.start_web()
    house.start_worker("cpu", "cpu")
    house.start_worker("rest", "io,ocr,llm,default,notify")
    house.start_relay()
    resume_id = house.upload(text_file)
    resume = house.settled(resume_id)
    assert states(resume) == ["PENDING", "PARSING", "COMPLETED"]
    assert resume["timeline"][0]["from"] in ("", None)
    assert all(step["at"] and step["node"] and step["actor"] and step["reason"] for step in resume["timeline"])
    document = house.get(f"resumes/{resume_id}/json-resume/")
    assert document["basics"]["email"] == "alice.archer@example.com"


def test_a_process_killed_in_mid_stage_loses_nothing_and_the_resume_ends_once(house: House, scan: Path):
    house.start_broker()
    house.start_web()
    house.start_worker("cpu", "cpu,io,llm,default,notify")
    house.start_worker("ocr", "ocr")
    house.start_relay()
    resume_id = house.upload(scan)
    until("OCR at work", lambda: house.resume(resume_id)["state"] == "OCR_PROCESSING")
    house.kill_pool("ocr")  # its head starts another; nobody tells the resume
    resume = house.settled(resume_id, timeout_s=120)
    assert len(ends(resume)) <= 1
    assert resume["state"] in ("COMPLETED", "REVIEW_NEEDED")
    ocr = [attempt for attempt in house.attempts(resume_id) if attempt["stage"] == "ocr"]
    assert [attempt["outcome"] for attempt in ocr] == ["lost", "ok"]
    assert ocr[0]["failure_code"] == "worker_lost"


def test_with_the_broker_stopped_uploads_are_accepted_and_parsed_once_it_is_back(house: House, text_file: Path):
    house.start_web()
    house.start_relay()
    accepted = []
    for number in range(3):
        text_file.write_text(ALICE.replace("alice.archer", f"alice.archer{number}"))
        accepted.append(house.upload(text_file))
    assert [house.resume(resume_id)["state"] for resume_id in accepted] == ["PENDING"] * 3
    house.start_broker()
    house.start_worker("all", "cpu,io,ocr,llm,default,notify")
    for resume_id in accepted:
        resume = house.settled(resume_id)
        assert ends(resume) == ["COMPLETED"]
        done = [attempt["stage"] for attempt in house.attempts(resume_id) if attempt["outcome"] == "ok"]
        assert len(done) == len(set(done)), "a stage ran twice to its end"


def test_messages_lost_with_the_broker_are_sent_again(house: House, text_file: Path):
    house.start_broker()
    house.start_web()
    resume_id = house.upload(text_file)
    with redis.Redis(port=house.broker_port) as broker:
        assert broker.llen("cpu") == 1
        broker.flushall()
    house.start_worker("all", "cpu,io,ocr,llm,default,notify")
    house.start_relay()
    assert ends(house.settled(resume_id)) == ["COMPLETED"]
