"""A batch of files nobody has tidied up, brought in over REST and read by real workers: the report accounts for every one.

`BATCH_FILES` says how many (40; `make test-corpus` takes 500, with the OCR engines). Where there are fewer files than that
they come again: the same bytes twice in a batch are part of the job.
"""

from __future__ import annotations

import itertools
import os
from collections import Counter
from pathlib import Path

import pytest

from tests.acceptance.house import House, until
from tests.corpus.shelf import BENCH, needs

pytestmark = [needs(BENCH), pytest.mark.timeout(3600)]

FILES = int(os.environ.get("BATCH_FILES", "40"))
WITH_OCR = FILES > 100
AT_ONCE = 50
NEVER_COMES = "the one that never comes.pdf"


@pytest.fixture
def house(tmp_path: Path):
    house = House(tmp_path)
    house.extra_env |= {"GLEANER_THROTTLE": "1000000/min"} | ({} if WITH_OCR else {"OCR_CHANNELS": ""})
    try:
        house.set_up()
        house.start_broker()
        house.start_web()
        house.start_relay()
        house.start_worker("cpu", "cpu,io,default,notify,llm", concurrency=2)
        if WITH_OCR:
            house.start_worker("ocr", "ocr", concurrency=2)
        yield house
    finally:
        house.stop()


def chosen() -> list[Path]:
    """The sound and the hostile in turn, evenly over all there are, and again from the start where there are too few."""
    sound = sorted(path for path in (BENCH / "files").rglob("*") if path.is_file())
    hostile = sorted(path for path in (BENCH / "hostile").rglob("*") if path.is_file() and path.suffix != ".json")
    half = FILES // 3
    picked = [*hostile[:: max(1, len(hostile) // half)], *sound[:: max(1, len(sound) // (FILES - half))]]
    return list(itertools.islice(itertools.cycle(picked), FILES))


def test_the_report_accounts_for_every_file_of_the_batch(house):
    paths = chosen()
    assert len(paths) == FILES
    declared = [{"filename": f"{number:03}-{path.name}"[-255:]} for number, path in enumerate(paths)]
    expected = [*declared, {"filename": NEVER_COMES}]
    batch = house.call("POST", "batches/", json={"name": "All of it", "expected": expected}).json()["id"]
    sent = []
    for start in range(0, FILES, AT_ONCE):
        files = [
            ("files", (told["filename"], path.read_bytes()))
            for told, path in zip(declared[start : start + AT_ONCE], paths[start : start + AT_ONCE], strict=True)
        ]
        answer = house.call("POST", f"batches/{batch}/resumes/", files=files)
        assert answer.status_code == 202, answer.text
        sent += answer.json()["items"]
    assert [item["filename"] for item in sent] == [told["filename"] for told in declared], "one item a file, in order"
    house.call("POST", f"batches/{batch}/seal/")

    def drained():
        found = house.get(f"batches/{batch}/")
        return found if found["phase"] in ("awaiting_people", "finished") else None

    state = until("the batch drained", drained, timeout_s=60 + FILES * (6 if WITH_OCR else 2), every_s=1)
    report = house.call("POST", f"batches/{batch}/reconciliation/").json()
    missing = report["anomalies"].pop("missing")
    assert [item["filename"] for item in missing] == [NEVER_COMES]
    assert report["anomalies"] == {"duplicate": [], "orphan": [], "multiple_terminal": []}
    assert report["ok"] is False
    assert report["declared"] == FILES + 1 == report["files"] + len(missing)
    groups = {name: report[name] for name in ("succeeded", "reviewed", "rejected", "skipped", "open")}
    assert report["received"] == sum(groups.values()) == sum(state["counts"].values())
    assert state["counts"].get("DEAD_LETTER", 0) == 0
    assert groups["succeeded"] > 0
    assert groups["rejected"] > 0

    house.call("POST", f"batches/{batch}/withdraw/", json={"filenames": [NEVER_COMES], "reason": "it never came"})
    assert house.call("POST", f"batches/{batch}/reconciliation/").json()["ok"] is True
    items = [*pages(house, f"batches/{batch}/items/")]
    ends = Counter(item["state"] for item in items)
    assert all(item["failure"] for item in items if item["state"] in ("REJECTED", "REVIEW_NEEDED"))
    assert house.get(f"batches/{batch}/")["received"] == len(items) == report["received"] + 1
    archives = {archive["id"] for archive in house.get(f"batches/{batch}/")["archives"]}
    assert {item["id"] for item in sent} <= {item["id"] for item in items} | archives, "no file without a place"
    print(f"\n{FILES} files, {len(items)} items: {dict(ends)}")


def pages(house: House, path: str):
    answer = house.call("GET", path).json()
    while True:
        yield from answer["results"]
        if not answer["next"]:
            return
        answer = house.call("GET", answer["next"].partition("/api/v1/")[2]).json()
