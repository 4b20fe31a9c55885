"""Chaos: workers and relay killed at random moments, the broker restarted and emptied, messages doubled, storage, OCR, model and
database failing for a while, all while a batch runs. Nothing may be lost, counted twice, ended twice or left hanging.

`CHAOS_RESUMES` and `CHAOS_KILLS` make it bigger, `CHAOS_MODEL` adds a language model that stalls (`make chaos`).
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psycopg
import pytest
import redis
from PIL import Image, ImageDraw, ImageFont

from ingest.llm.answer import Answer
from tests.acceptance import agreement
from tests.acceptance.fake_tesseract import install
from tests.acceptance.house import House, until
from tests.texts import ALICE
from tests.unit.llm.scripted import Reply, model_server, says

RESUMES = int(os.environ.get("CHAOS_RESUMES", "100"))
KILLS = int(os.environ.get("CHAOS_KILLS", "5"))
PAUSE_S = float(os.environ.get("CHAOS_PAUSE_S", "3"))
"""Longest pause between two kills."""
MODEL = bool(os.environ.get("CHAOS_MODEL"))
SETTLE_S = 120.0
"""Time to end after the faults stop: two minutes, or half as much again as what is left would have taken undisturbed."""

pytestmark = pytest.mark.timeout(900 + 4 * RESUMES)

_GIVEN = ("Alice", "Helen", "Maria", "Peter", "Oscar", "Nina")
_QUEUES = ("cpu", "ocr", "llm", "default")


@dataclass
class Sent:
    """What was sent, by kind."""

    files: list[tuple[str, bytes]] = field(default_factory=list)
    kinds: dict[str, str] = field(default_factory=dict)
    """File name → `text`, `scan` or `hostile`."""


def made(chance: random.Random) -> Sent:
    """Text resumes, one in twenty a scan, three in a hundred hostile."""
    sent = Sent()
    for number in range(RESUMES):
        given = _GIVEN[number % len(_GIVEN)]
        draw = chance.random()
        kind = "hostile" if draw < 0.03 else "scan" if draw < 0.08 else "text"
        match kind:
            case "hostile":
                broken = b"%PDF-1.7\n" + chance.randbytes(3000)
                name, content = (f"{number}.zip", escaping(number)) if number % 2 else (f"{number}.pdf", broken)
            case "scan":
                name, content = f"{number}.png", scan(given, number)
            case _:
                name, content = f"{number}.txt", resume_of(given, number).encode()
        sent.files.append((name, content))
        sent.kinds[name] = kind
    return sent


def resume_of(given: str, number: int) -> str:
    return ALICE.replace("Alice", given).replace("alice.archer@", f"{given}.{number}@")


def scan(given: str, number: int) -> bytes:
    page = Image.new("L", (800, 1100), 255)
    text = resume_of(given, number)
    ImageDraw.Draw(page).text((60, 60), text, fill=0, font=ImageFont.load_default(22), spacing=10)
    content = io.BytesIO()
    page.save(content, "PNG")
    return content.getvalue()


def escaping(number: int) -> bytes:
    """An archive that would write outside the folder it is unpacked in."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"../../cv{number}.txt", ALICE)
    return content.getvalue()


def send(house: House, sent: Sent) -> str:
    answer = house.call("POST", "batches/", json={"name": "chaos", "source": "imported", "expected": len(sent.files)})
    assert answer.status_code == 201, answer.text
    batch = answer.json()["id"]
    for start in range(0, len(sent.files), 50):
        part = [("files", (name, content)) for name, content in sent.files[start : start + 50]]
        answer = house.call("POST", f"batches/{batch}/resumes/", files=part)
        assert answer.status_code == 202, answer.text
    return str(batch)


@dataclass
class Trouble:
    """Everything that can go wrong in a house, by its verb."""

    house: House
    chance: random.Random
    workers: int = 0
    log: Counter[str] = field(default_factory=Counter)

    def new_worker(self, kind: str) -> None:
        self.workers += 1
        if kind == "model":
            self.house.start_worker(f"model-worker{self.workers}", "llm,notify", concurrency=4)
        else:
            self.house.start_worker(f"worker{self.workers}", "cpu,io,ocr,default" + ("" if MODEL else ",llm,notify"))

    def kill(self) -> None:
        """SIGKILL a worker or the relay with all it started; another takes its place, as a supervisor would see to."""
        victim = self.chance.choice([name for name in self.house.processes if "worker" in name or name == "relay"])
        self.house.kill(victim)
        self.log["relay killed" if victim == "relay" else "worker killed"] += 1
        if victim == "relay":
            self.house.start_relay()
        else:
            self.new_worker(victim.split("-")[0])

    def empty_and_restart_broker(self) -> None:
        with redis.Redis(port=self.house.broker_port) as broker:
            broker.flushall()
        self.house.stop_broker()
        self.house.start_broker()
        self.log["broker emptied and restarted"] += 1

    def restart_broker(self) -> None:
        self.house.stop_broker()
        self.house.start_broker()
        self.log["broker restarted"] += 1

    def double_messages(self) -> None:
        with redis.Redis(port=self.house.broker_port) as broker:
            for queue in _QUEUES:
                waiting = broker.lrange(queue, 0, 9)
                if waiting:
                    broker.lpush(queue, *waiting)
                    self.log["messages doubled"] += len(waiting)

    def cut_connections(self) -> None:
        """Cut every connection to the database, as a restarted proxy does. SQLite has none."""
        if not self.house.database_url:
            return
        with psycopg.connect(self.house.database_url, autocommit=True) as connection:
            done = connection.execute(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database()"
                " AND pid <> pg_backend_pid()"
            ).fetchone()
        self.log["connections cut"] += int(done[0]) if done else 0

    def order(self, fault: str, text: str | None) -> None:
        """Begin a fault that lasts, or end it with None."""
        path = self.house.home / fault
        if text is None:
            path.unlink(missing_ok=True)
        else:
            path.write_text(text)
            self.log[fault] += 1


def plan(trouble: Trouble) -> dict[int, list]:
    """What happens besides at which kill: each fault lasts for a third of the whole, some at the same time."""

    def at(share: float) -> int:
        return int(KILLS * share)

    happenings: dict[int, list] = {}
    for share, what in (
        (0.0, lambda: trouble.order("storage-fault", "every 5")),
        (0.2, trouble.restart_broker),
        (0.3, lambda: trouble.order("ocr-fault", "half")),
        (0.4, lambda: trouble.order("storage-fault", None)),
        (0.4, lambda: trouble.order("model-fault", "stall")),
        (0.5, trouble.empty_and_restart_broker),
        (0.7, lambda: trouble.order("storage-fault", "deny")),
        (0.8, lambda: trouble.order("storage-fault", None)),
        (0.9, lambda: trouble.order("ocr-fault", None)),
        (0.9, lambda: trouble.order("model-fault", None)),
    ):
        happenings.setdefault(at(share), []).append(what)
    return happenings


_ADDS_NOTHING = Answer().model_dump()


@contextlib.contextmanager
def model_that_stalls(house: House) -> Iterator[dict[str, str]]:
    """A model server that adds nothing, and says nothing at all while the house is told so."""

    def reply(_body: dict) -> Reply:
        if (house.home / "model-fault").exists():
            return Reply((b" ", b" "), headers={"content-type": "application/json"}, pause_s=60)
        return says(_ADDS_NOTHING)

    with model_server(reply) as served:
        yield {"LLM_BASE_URL": served.endpoint.base_url, "LLM_MODEL": "test"}


def open_items(house: House, batch: str) -> int:
    """How many of the batch automation still has to end; asked again where the web process has just lost its database."""
    while True:
        with contextlib.suppress(AssertionError, httpx.TransportError):
            found = house.get(f"batches/{batch}/")
            if found["phase"] == "receiving":
                return RESUMES
            counts = found["counts"]
            return sum(counts.get(state, 0) for state in _IN_PROCESS)
        time.sleep(0.5)


_IN_PROCESS = ("PENDING", "PARSING", "OCR_PROCESSING", "RULE_FALLBACK", "STRUCTURING", "RETRY_WAITING")


def records(house: House) -> dict:
    """What the database says in the end."""
    answer: dict = json.loads(house.manage("shell", "--verbosity", "0", "-c", _RECORDS).strip().splitlines()[-1])
    return answer


_RECORDS = """
import json
from django.db.models import Count, Q
from ingest.models import Attempt, BatchEntry, Outcome
from resumes.models import Extraction, OutboxMessage, Resume, Transition
from resumes.states import ACTIVE, SUCCEEDED, TERMINAL
ends = Transition.objects.filter(to_state__in=TERMINAL)
ok = Attempt.objects.filter(outcome="ok").values("resume", "run", "stage", "channel").annotate(n=Count("pk"))
counted = Attempt.objects.filter(outcome="failed").exclude(failure_code__in=["breaker_open", "storage_denied"])
tries = counted.values("resume", "run", "stage", "channel").annotate(n=Count("pk"))
print(json.dumps({
    "resumes": Resume.objects.count(),
    "entries": BatchEntry.objects.count(),
    "stuck": Resume.objects.filter(Q(state__in=ACTIVE) | ~Q(token=None)).count(),
    "following": Resume.objects.filter(state__in=SUCCEEDED).exclude(next_stage="").count(),
    "two_ends": ends.values("resume", "run").annotate(n=Count("pk")).filter(n__gt=1).count(),
    "two_outcomes": Outcome.objects.values("resume_id", "run").annotate(n=Count("pk")).filter(n__gt=1).count(),
    "two_extractions": Extraction.objects.values("resume", "run").annotate(n=Count("pk")).filter(n__gt=1).count(),
    "stages_done_twice": ok.filter(n__gt=1).count(),
    "most_tries": max([row["n"] for row in tries] or [0]),
    "outbox": OutboxMessage.objects.count(),
    "runs": max(Resume.objects.values_list("run", flat=True)),
    "failed": dict(Attempt.objects.exclude(failure_code="").values_list("failure_code").annotate(n=Count("pk"))),
    "alone": Resume.objects.filter(alone=True).count(),
    "attempts": Attempt.objects.count(),
}))
"""


def test_whatever_fails_around_it_a_batch_loses_nothing_doubles_nothing_and_ends(house: House, tmp_path: Path):
    seed = int(os.environ.get("CHAOS_SEED", str(time.time_ns() % 1_000_000)))
    print(f"CHAOS_SEED={seed}")
    chance = random.Random(seed)
    trouble = Trouble(house, chance)
    sent = made(chance)
    with contextlib.ExitStack() as stack:
        house.extra_env = {
            "DJANGO_SETTINGS_MODULE": "tests.acceptance.faulty_settings",
            "OCR_CHANNELS": "tesseract",
            "PATH": f"{install(tmp_path / 'bin', fault=house.home / 'ocr-fault')}:{os.environ['PATH']}",
        }
        if MODEL:
            house.extra_env |= stack.enter_context(model_that_stalls(house))
        _run(house, trouble, sent, chance)


def _run(house: House, trouble: Trouble, sent: Sent, chance: random.Random) -> None:
    house.start_broker()
    house.start_web()
    house.start_relay()
    flower_port = agreement.start_flower(house)
    for kind in ("worker", "worker", *(("model",) if MODEL else ())):
        trouble.new_worker(kind)
    batch = send(house, sent)

    begun, before = time.monotonic(), open_items(house, batch)
    time.sleep(min(20.0, max(3.0, RESUMES / 50)))  # undisturbed, to know how fast this machine is
    rate = max((before - open_items(house, batch)) / (time.monotonic() - begun), 0.2)

    happenings = plan(trouble)
    for kill in range(KILLS):
        for happen in happenings.get(kill, ()):
            happen()
        time.sleep(chance.uniform(0.5, PAUSE_S))  # a random moment is the point
        trouble.double_messages()
        if kill % 4 == 1:
            trouble.cut_connections()
        trouble.kill()
    for fault in ("storage-fault", "ocr-fault", "model-fault"):
        trouble.order(fault, None)
    stopped, left = time.monotonic(), open_items(house, batch)
    limit = max(SETTLE_S, 1.5 * left / rate)
    print(f"{dict(trouble.log)}; undisturbed {rate:.1f} a second; {left} left when the faults stopped, limit {limit:.0f} s")
    until("the batch to drain", lambda: not open_items(house, batch), timeout_s=limit, every_s=1.0)
    print(f"drained {time.monotonic() - stopped:.0f} s after the faults stopped")
    until("what follows the end", lambda: records(house)["following"] == 0, timeout_s=SETTLE_S, every_s=2.0)
    _judge(house, batch, sent)
    agreement.numbers_agree(house, batch, flower_port)


def _judge(house: House, batch: str, sent: Sent) -> None:
    found = records(house)
    print(found)
    nothing = ("stuck", "two_ends", "two_outcomes", "two_extractions", "stages_done_twice")
    assert {name: found[name] for name in nothing} == dict.fromkeys(nothing, 0)
    assert found["resumes"] == found["entries"] == len(sent.files)
    assert found["runs"] == 1
    assert found["most_tries"] <= 4

    ends: dict[str, Counter[str]] = {"text": Counter(), "scan": Counter(), "hostile": Counter()}
    url, parameters = f"batches/{batch}/items/", {"page_size": 200}
    while url:
        page = house.get(url, **parameters)
        for item in page["results"]:
            ends[sent.kinds[item["filename"]]][item["state"]] += 1
        url, parameters = (page["next"] or "").partition("/api/v1/")[2], {}
    print({kind: dict(states) for kind, states in ends.items()})
    assert sum(states.total() for states in ends.values()) == len(sent.files)
    assert set(ends["text"]) <= {"COMPLETED", "REVIEW_NEEDED"}
    assert ends["text"]["REVIEW_NEEDED"] <= 0.05 * len(sent.files), "a passing fault is no reason for a person's work"
    assert set(ends["scan"]) <= {"COMPLETED", "REVIEW_NEEDED"}
    assert set(ends["hostile"]) <= {"REJECTED"}
    report = house.call("POST", f"batches/{batch}/reconciliation/").json()
    assert report["ok"], report["anomalies"]
    assert report["received"] == len(sent.files)
