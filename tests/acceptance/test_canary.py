"""A worker that lives and takes nothing is found out and started again, and nothing is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.acceptance.house import ROOT, SETTLED, until
from tests.acceptance.test_make_run import TEXT, Installation, _started

pytestmark = pytest.mark.timeout(480)
_SENT = 12


@pytest.fixture
def installation(tmp_path: Path):
    quick = {"GLEANER_DEAF_S": "8", "GLEANER_SILENT_S": "20", "GLEANER_DEMO": "1"}
    installation = Installation(tmp_path / "home", **quick)
    installation.start()
    yield installation
    installation.end()


def test_a_worker_that_stopped_taking_work_after_a_broker_restart_is_started_again(installation):
    _started(installation)
    token = json.loads((installation.home / "demo-users.json").read_text())["recruiter"]["token"]
    with httpx.Client(
        base_url=f"http://127.0.0.1:{installation.port}/api/v1/", headers={"Authorization": f"Token {token}"}, timeout=30
    ) as client:
        sent = []

        def send(number: int) -> None:
            answer = client.post("resumes/", files={"file": (f"{number}.txt", f"{TEXT}Item {number}\n".encode())})
            assert answer.status_code == 202, answer.text
            sent.append(answer.json()["id"])

        for number in range(_SENT // 2):
            send(number)
        broker = installation.head("valkey-server")
        os.kill(broker, signal.SIGKILL)  # under load
        until("the broker's return", lambda: installation.head("valkey-server") not in (0, broker), 10)
        deaf = installation.head("--queues cpu")
        _cancel_consumer(installation)
        for number in range(_SENT // 2, _SENT):
            send(number)
        until("the finding", lambda: installation.logged("takes nothing from queue cpu and is started again"), 90, every_s=1)
        until("another worker", lambda: installation.head("--queues cpu") not in (0, deaf), 30)

        def open_ones() -> list[str]:
            return [one for one in sent if client.get(f"resumes/{one}/").json()["state"] not in SETTLED]

        until("an end of every resume", lambda: not open_ones(), 120, every_s=1)
        ends = [
            [step["to"] for step in client.get(f"resumes/{one}/").json()["timeline"] if step["to"] in SETTLED] for one in sent
        ]
        assert all(len(end) == 1 for end in ends)


def _cancel_consumer(installation: Installation) -> None:
    """Have the worker leave its queue while it goes on living: what a lost subscription looks like."""
    env = {**os.environ, "GLEANER_HOME": str(installation.home), "DJANGO_SETTINGS_MODULE": "settings.development"}
    for name in ("DATABASE_URL", "REDIS_URL", "CELERY_BROKER_URL"):
        env.pop(name, None)

    def asked() -> bool:
        done = subprocess.run(
            [sys.executable, "-m", "celery", "-A", "settings.celery", "control", "--timeout", "5", "cancel_consumer", "cpu"],
            cwd=ROOT,
            env=env,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        return "no longer consuming from cpu" in done.stdout

    until("the worker's leaving the queue", asked, 60, every_s=1)
