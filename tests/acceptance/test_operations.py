"""What operators rely on while everything runs: a log that is JSON and tells nothing of people, and workers that take work."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest

from tests.acceptance import personal
from tests.acceptance.house import ROOT, SETTLED, until
from tests.acceptance.test_make_run import TEXT, Installation

pytestmark = [
    pytest.mark.timeout(1200),
    pytest.mark.skipif("DATABASE_URL" in os.environ, reason="runs on the embedded servers: the first round has done so"),
]
_SENT = 12


@pytest.fixture(scope="module")
def installation(tmp_path_factory) -> Iterator[Installation]:
    quick = {"GLEANER_DEAF_S": "10", "GLEANER_SILENT_S": "30", "LOG_FORMAT": "json", "LOG_LEVEL": "DEBUG"}
    installation = Installation(tmp_path_factory.mktemp("operations") / "home", **quick)
    installation.start()
    yield installation
    installation.end()


@pytest.fixture
def recruiter(installation) -> Iterator[httpx.Client]:
    until("everything running", lambda: installation.logged('"event": "running"'), 400)
    token = json.loads((installation.home / "demo-users.json").read_text())["recruiter"]["token"]
    with httpx.Client(
        base_url=f"http://127.0.0.1:{installation.port}/api/v1/", headers={"Authorization": f"Token {token}"}, timeout=60
    ) as client:
        yield client


def unsettled(client: httpx.Client, sent: list[str]) -> list[str]:
    return [one for one in sent if client.get(f"resumes/{one}/").json()["state"] not in SETTLED]


def test_the_log_is_json_throughout_follows_a_request_to_its_last_stage_and_names_nobody(installation, recruiter):
    given = "0c0ffee0-1234-4321-8888-000000000001"
    answer = recruiter.post(
        "resumes/?note=Lindholm", files={"file": ("mara.lindholm.txt", TEXT.encode())}, headers={"X-Request-ID": given}
    )
    assert (answer.status_code, answer.headers["X-Request-ID"]) == (202, given)
    until("an end of it", lambda: not unsettled(recruiter, [answer.json()["id"]]), 240, every_s=1)
    states = httpx.get(f"http://127.0.0.1:{installation.port}/metrics", timeout=30)
    lines = [json.loads(line) for line in installation.log.read_text().splitlines()]
    assert all({"event", "level", "timestamp"} <= line.keys() for line in lines)
    ours = [line for line in lines if line.get("correlation") == given]
    assert {line["process"] for line in ours} >= {"web", "worker-cpu"}
    ended = [line for line in ours if line["event"] == "stage_ended"]
    assert {line["stage"] for line in ended} >= {"extract", "rules", "finish", "summarise", "match"}
    assert all({"resume", "run", "attempt", "code", "seconds", "outcome"} <= line.keys() for line in ended)
    assert len([line for line in ours if line["event"] == "request" and line["method"] == "POST"]) == 1
    told = installation.log.read_text() + states.text
    assert personal.found_in(told) == set()
    assert not {"Mara", "Lindholm", "mara.lindholm", "Northwind"} & set(told.replace('"', " ").split())
    assert "Lindholm" not in told


def test_flower_asks_who_one_is_changes_nothing_and_names_nobody(installation, recruiter):
    answer = recruiter.post("resumes/", files={"file": ("mara.lindholm.txt", f"{TEXT}For Flower\n".encode())})
    until("an end of it", lambda: not unsettled(recruiter, [answer.json()["id"]]), 240, every_s=1)
    password = json.loads((installation.home / "demo-users.json").read_text())["operator"]["password"]
    flower = f"http://127.0.0.1:{installation.flower_port}"
    assert httpx.get(f"{flower}/").status_code == 401
    assert httpx.get(f"{flower}/api/tasks").status_code == 401
    with httpx.Client(base_url=flower, auth=("operator", password), timeout=30) as client:
        until("tasks it has seen", lambda: client.get("/api/tasks").json(), 60, every_s=1)
        told = client.get("/api/tasks").text
        seen = json.loads(told).values()
        names, worker = {task["name"] for task in seen if task["name"]}, next(task["worker"] for task in seen if task["worker"])
        for changing in ("/api/worker/shutdown/", "/api/worker/pool/restart/"):
            assert client.post(f"{changing}{worker}").status_code in (403, 405)
        for changing in ("/api/task/async-apply/", "/api/task/send-task/"):
            assert client.post(f"{changing}{min(names)}", json={"args": []}).status_code in (403, 405)
    assert answer.json()["id"] in told
    assert personal.found_in(told) == set()
    assert "Lindholm" not in told
    assert all(name.startswith(("ingest.", "resumes.", "review.")) for name in names)


def test_a_worker_that_stopped_taking_work_after_a_broker_restart_is_started_again(installation, recruiter):
    sent = []

    def send(number: int) -> None:
        answer = recruiter.post("resumes/", files={"file": (f"{number}.txt", f"{TEXT}Item {number}\n".encode())})
        assert answer.status_code == 202, answer.text
        sent.append(answer.json()["id"])

    for number in range(_SENT // 2):
        send(number)
    broker = installation.head("valkey-server")
    os.kill(broker, signal.SIGKILL)  # under load
    until("the broker's return", lambda: installation.head("valkey-server") not in (0, broker), 20)
    deaf = installation.head("--queues cpu")
    leave_queue(installation)
    for number in range(_SENT // 2, _SENT):
        send(number)
    until("the finding", lambda: installation.logged("takes nothing from queue cpu and is started again"), 240, every_s=1)
    until("another worker", lambda: installation.head("--queues cpu") not in (0, deaf), 30)
    until("an end of every resume", lambda: not unsettled(recruiter, sent), 300, every_s=1)
    for one in sent:
        ends = [step["to"] for step in recruiter.get(f"resumes/{one}/").json()["timeline"] if step["to"] in SETTLED]
        assert len(ends) == 1


def leave_queue(installation: Installation) -> None:
    """Have the worker leave its queue while it goes on living: what a lost subscription looks like."""
    env = {**os.environ, "GLEANER_HOME": str(installation.home), "DJANGO_SETTINGS_MODULE": "settings.development"}
    for name in ("REDIS_URL", "CELERY_BROKER_URL"):
        env.pop(name, None)

    def left() -> bool:
        done = subprocess.run(
            [sys.executable, "-m", "celery", "-A", "settings.celery", "control", "--timeout", "5", "cancel_consumer", "cpu"],
            cwd=ROOT,
            env=env,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        return "cpu@" in done.stdout and "no longer consuming from cpu" in done.stdout

    until("the worker's leaving the queue", left, 60, every_s=1)
