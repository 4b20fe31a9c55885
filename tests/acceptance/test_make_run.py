"""`manage.py run` with its real processes: everything starts, what dies comes back, nothing is left behind."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import socket
import stat
import subprocess
import sys
import urllib.request
from collections.abc import Iterable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.acceptance import personal
from tests.acceptance.house import ROOT, SETTLED, free_port, postgres_database, until

_START_S = 150.0
TEXT = """Mara Lindholm
mara.lindholm@example.com
+1 202 555 0187

Work experience
Northwind Archive, Cataloguer, March 2017 - June 2021

Education
Brackwater College, BA History, 2013 - 2016

Skills
Cataloguing, palaeography
"""
pytestmark = pytest.mark.timeout(480)


class Installation:
    """A run of everything in a data folder of its own."""

    def __init__(self, home: Path, **servers: str) -> None:
        self.home = home
        self.servers = servers
        """DATABASE_URL and the like; the embedded ones where there is none."""
        self.port, self.flower_port = free_port(), free_port()
        self.log = home.parent / "run.log"
        self.run: subprocess.Popen[bytes] | None = None
        self.sent = ""
        """The resume sent."""

    def start(self) -> None:
        given = ("DATABASE_URL", "REDIS_URL", "CELERY_BROKER_URL", "DJANGO_SETTINGS_MODULE", "SECRET_KEY", "TMPDIR")
        env = {name: value for name, value in os.environ.items() if name not in given}
        env |= {"GLEANER_HOME": str(self.home), "PORT": str(self.port), "FLOWER_PORT": str(self.flower_port)}
        env |= self.servers
        with self.log.open("ab") as log:
            self.run = subprocess.Popen(
                [sys.executable, "manage.py", "run"], cwd=ROOT, env=env, stdout=log, stderr=log, stdin=subprocess.DEVNULL
            )

    def stop(self, number: int) -> int:
        self.run.send_signal(number)
        return self.run.wait(60)

    def end(self) -> None:
        """By force, for tests that failed half-way; their report shows the log."""
        sys.stderr.write(self.log.read_text()[-4000:])
        if self.run.poll() is None:
            self.stop(signal.SIGKILL)
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def answers(self) -> bool:
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=5).status == 200
        except OSError:
            return False

    def logged(self, text: str) -> bool:
        return text in self.log.read_text()

    def processes(self) -> dict[int, str]:
        """Everything that runs for this installation.

        Told by the environment, by the folder (Valkey wipes its environment), or by the scratch folder among the
        arguments (a sandbox is given neither).
        """
        mark = f"GLEANER_HOME={self.home}".encode()
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # it has ended meanwhile
                ours = mark in (folder / "environ").read_bytes().split(b"\0") or self.home in (folder / "cwd").readlink().parents
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                if command and (ours or str(self.home) in command):
                    found[int(folder.name)] = command
        return found

    def head(self, words: str) -> int:
        """The process of a program whose command has these words: the first of its group."""
        for pid, command in self.processes().items():
            with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
                if words in command and os.getpgid(pid) == pid:
                    return pid
        return 0


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    installation = Installation(tmp_path / "home")
    installation.start()
    yield installation
    installation.end()


def _answering(installation: Installation) -> None:
    until("an answer of the web process", installation.answers, _START_S)


def _started(installation: Installation) -> None:
    _answering(installation)
    until("everything running", lambda: installation.logged("Ctrl-C stops everything"), _START_S)


def test_it_starts_restarts_what_dies_and_stops_clean(installation):
    _answering(installation)
    users_file = installation.home / "demo-users.json"
    users = json.loads(users_file.read_text())
    assert set(users) == {"admin", "recruiter", "reviewer", "operator"}
    assert all(set(user) == {"password", "token"} and all(user.values()) for user in users.values())
    assert stat.S_IMODE(users_file.stat().st_mode) == 0o600
    _started(installation)

    queues = [command.split("--queues ")[1].split()[0] for command in installation.processes().values() if "--queues " in command]
    assert {queue for group in queues for queue in group.split(",")} == {"cpu", "io", "default", "ocr", "llm", "notify"}
    assert _listening(installation.processes()) == {"127.0.0.1"}

    for words in ("--queues ocr", "manage.py relay", "gunicorn", "valkey-server"):
        before = installation.head(words)
        assert before, words
        os.kill(before, signal.SIGKILL)
        until(f"another {words}", lambda words=words, before=before: installation.head(words) not in (0, before), 20)
    _answering(installation)
    # The others have noticed that the broker was away, and take work again.
    until("an end of a resume sent after that", lambda: _settled(installation, users["recruiter"]["token"]), 90, every_s=1)

    assert installation.stop(signal.SIGTERM) == 0
    assert not installation.processes()

    installation.start()  # a second start finds everything in place
    _answering(installation)
    assert json.loads(users_file.read_text()) == users
    assert installation.stop(signal.SIGINT) == 0
    assert not installation.processes()

    told = installation.log.read_text()
    assert personal.found_in(told) == set()
    assert not [word for word in ("Lindholm", "mara.", "555 0187", "Northwind") if word in told]


def _settled(installation: Installation, token: str) -> bool:
    """Whether the resume of this test has settled; sent with the first call."""
    with httpx.Client(
        base_url=f"http://127.0.0.1:{installation.port}/api/v1/", headers={"Authorization": f"Token {token}"}
    ) as client:
        if not installation.sent:
            answer = client.post("resumes/", files={"file": ("mara.txt", TEXT.encode())}, timeout=30)
            assert answer.status_code == 202, answer.text
            installation.sent = answer.json()["id"]
        return client.get(f"resumes/{installation.sent}/", timeout=30).json()["state"] in SETTLED


def test_nothing_outlives_a_supervisor_that_is_killed(installation):
    _started(installation)
    until("a sandbox at work", lambda: any("ingest.sandbox" in command for command in installation.processes().values()))
    installation.stop(signal.SIGKILL)
    until("the end of every process", lambda: not installation.processes(), 10)


def test_a_second_run_on_the_same_folder_is_refused(installation):
    _answering(installation)
    second = Installation(installation.home)
    second.log = installation.home.parent / "second.log"
    second.start()
    assert second.run.wait(30) == 1
    assert second.logged("runs already")
    assert installation.answers()


def test_a_port_in_use_is_named_with_its_variable(tmp_path):
    installation = Installation(tmp_path / "home")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", installation.port))
        taken.listen()
        installation.start()
        assert installation.run.wait(30) == 1
    assert installation.logged(f"Port {installation.port} is in use")
    assert installation.logged("PORT=")


@pytest.mark.skipif(
    not (os.environ.get("DATABASE_URL", "").startswith("postgres") and os.environ.get("REDIS_URL")),
    reason="DATABASE_URL and REDIS_URL name no PostgreSQL and Redis",
)
def test_the_same_command_runs_on_servers(tmp_path):
    with postgres_database(os.environ["DATABASE_URL"]) as url:
        prefix = f"gleaner-test-{secrets.token_hex(4)}:"
        installation = Installation(tmp_path / "home", DATABASE_URL=url, REDIS_URL=os.environ["REDIS_URL"], REDIS_PREFIX=prefix)
        installation.start()
        try:
            _started(installation)
            assert not installation.head("valkey-server")
            assert not list(installation.home.glob("*.sqlite3*"))
            assert installation.stop(signal.SIGTERM) == 0
        finally:
            installation.end()
        assert not installation.processes()


def _listening(pids: Iterable[int]) -> set[str]:
    """Addresses of this machine that TCP sockets of the processes listen on."""
    inodes = set()
    for pid in pids:
        with contextlib.suppress(OSError):  # it has ended meanwhile
            for link in Path(f"/proc/{pid}/fd").iterdir():
                with contextlib.suppress(OSError):  # closed meanwhile
                    target = str(link.readlink())
                    if target.startswith("socket:["):
                        inodes.add(target[8:-1])
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                address = bytes.fromhex(fields[1].split(":")[0])
                found.add(".".join(map(str, reversed(address))) if table == "tcp" else address.hex())
    return found
