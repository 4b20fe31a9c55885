"""Chaos: workers and relay killed at random, the broker restarted and emptied, while a batch runs. Nothing may be lost,
counted twice, ended twice or left hanging.

`CHAOS_RESUMES` and `CHAOS_KILLS` make it bigger (`make chaos`).
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter

import pytest
import redis

from tests.acceptance.house import House, until

RESUMES = int(os.environ.get("CHAOS_RESUMES", "100"))
KILLS = int(os.environ.get("CHAOS_KILLS", "5"))
SETTLE_S = 120 + RESUMES * 0.2
"""Time to end after the faults stop: two minutes, and what the work that is left takes on a slow machine."""

pytestmark = pytest.mark.timeout(900 + RESUMES)

_TEXT = """{given} Archer
{given}.{number}@example.com
+1 202 555 0143

Work experience
Lantern Books Ltd
Editor
March 2019 - Present

Education
University of Northmoor
BA History
2012 - 2015

Skills
Proofreading, InDesign, Copy editing
"""
_GIVEN = ("Alice", "Helen", "Maria", "Peter", "Oscar", "Nina")


def files(chance: random.Random) -> list[tuple[str, bytes]]:
    """Text resumes, three in a hundred of them hostile."""
    made = []
    for number in range(RESUMES):
        text = _TEXT.format(given=_GIVEN[number % len(_GIVEN)], number=number).encode()
        if chance.random() < 0.03:
            made.append((f"{number}.pdf", b"%PDF-1.7\n" + chance.randbytes(3000)))
        else:
            made.append((f"{number}.txt", text))
    return made


def send(house: House, made: list[tuple[str, bytes]]) -> str:
    answer = house.call("POST", "batches/", json={"name": "chaos", "source": "imported", "expected": len(made)})
    assert answer.status_code == 201, answer.text
    batch = answer.json()["id"]
    for start in range(0, len(made), 50):
        part = [("files", (name, content)) for name, content in made[start : start + 50]]
        answer = house.call("POST", f"batches/{batch}/resumes/", files=part)
        assert answer.status_code == 202, answer.text
    return str(batch)


def test_killed_workers_a_lost_broker_and_doubled_messages_lose_and_double_nothing(house: House):
    seed = int(os.environ.get("CHAOS_SEED", str(time.time_ns() % 1_000_000)))
    print(f"CHAOS_SEED={seed}")
    chance = random.Random(seed)
    house.start_broker()
    house.start_web()
    house.start_relay()
    workers = 0

    def new_worker() -> None:
        nonlocal workers
        workers += 1
        house.start_worker(f"w{workers}", "cpu,io,ocr,llm,default,notify")

    new_worker()
    new_worker()
    made = files(chance)
    batch = send(house, made)

    def running() -> bool:
        return bool(house.get(f"batches/{batch}/")["phase"] in ("receiving", "running"))

    for kill in range(KILLS):
        time.sleep(chance.uniform(0.5, 3.0))  # a random moment is the point
        victim = chance.choice([name for name in house.processes if name.startswith("w") and name != "web"] + ["relay"])
        house.kill(victim)
        if victim == "relay":
            house.start_relay()
        else:
            new_worker()
        if kill == KILLS // 2:
            with redis.Redis(port=house.broker_port) as broker:
                broker.flushall()
            house.stop_broker()
            house.start_broker()
    until("the batch to drain", lambda: not running(), timeout_s=SETTLE_S, every_s=1.0)

    items, url = [], f"batches/{batch}/items/"
    page = house.get(url, page_size=200)
    while True:
        items += page["results"]
        if not page["next"]:
            break
        page = house.get(page["next"].split("/api/v1/")[1])
    states = Counter(item["state"] for item in items)
    broken = sum(name.endswith(".pdf") for name, _ in made)
    assert len(items) == len(made)
    assert states == Counter({"COMPLETED": len(made) - broken, "REJECTED": broken}) - Counter()
    report = house.call("POST", f"batches/{batch}/reconciliation/").json()
    assert report["ok"], report["anomalies"]
    assert report["received"] == len(made)
    for item in chance.sample(items, min(20, len(items))):
        ends = [step["to"] for step in house.resume(item["resume"])["timeline"] if step["to"] in ("COMPLETED", "REJECTED")]
        assert len(ends) == 1
