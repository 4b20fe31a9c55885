"""Everything on this machine, with one command."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import secrets
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.db.utils import Error as DatabaseError

from ingest import broker as queues
from ingest import canary
from ingest.supervisor import broker, demo, lines, ports, prepare, programs
from ingest.supervisor.banner import banner
from ingest.supervisor.demo import SignIn
from ingest.supervisor.programs import Program, Rank
from ingest.supervisor.watch import Supervisor

_FIRST_PAGE_S = 30.0
_ALL_READY_S = 60.0
_LOOK_S = 0.1
_LISTEN_S = 5.0


class Command(BaseCommand):
    help = "Bring everything up to date, start all processes on this machine and keep them running until stopped."
    requires_system_checks = []  # the web process and the workers check; here it would only delay them

    def handle(self, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        self._began = time.monotonic()
        self._broker_url: str | None = None  # as the settings have it
        os.umask(0o077)  # what it and its processes write are people's data
        home: Path = settings.GLEANER_HOME
        with _alone(home):
            _check_ports()
            env = dict(os.environ) | {
                "GLEANER_HOME": str(home),
                "PYTHONUNBUFFERED": "1",
                "TMPDIR": os.environ.get("TMPDIR") or str(prepare.empty_scratch(home)),
            }
            first: list[Program] = []
            if settings.GLEANER_EMBEDDED_BROKER:
                try:
                    valkey, env["REDIS_URL"] = broker.prepare(home / "valkey")
                    self._broker_url = os.environ.get("CELERY_BROKER_URL") or env["REDIS_URL"]
                except broker.NoEmbeddedBroker as exc:
                    raise CommandError(f"{exc} Set REDIS_URL to a Redis or Valkey server.") from exc
                first.append(valkey)
            users = _bring_up_to_date()
            asyncio.run(self._supervise([*first, programs.web()], env, users))

    async def _supervise(self, first: list[Program], env: Mapping[str, str], users: Mapping[str, SignIn]) -> None:
        people = partial(lines.for_people, width=max(len(program.name) for program in programs.workers()))
        supervisor = Supervisor(self._line, env, line=lines.as_json if settings.GLEANER_JSON_LOG else people)
        stopped = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, stopped.set)
        if os.geteuid() == 0:
            supervisor.say("running as root; a user of its own is safer")
        supervisor.keep(first)
        rest = asyncio.create_task(self._start_rest(supervisor, users))
        rest.add_done_callback(lambda task: stopped.set() if not task.cancelled() and task.exception() else None)
        await stopped.wait()
        supervisor.say("stopping")
        rest.cancel()
        await supervisor.stop()
        supervisor.say("stopped")
        with suppress(asyncio.CancelledError):
            await rest

    async def _start_rest(self, supervisor: Supervisor, users: Mapping[str, SignIn]) -> None:
        """The first page first: on a small machine the workers' start would slow it down."""
        if not await _answers(settings.GLEANER_PORT, _FIRST_PAGE_S):
            supervisor.say(f"the web process has not answered within {_FIRST_PAGE_S:g} s; starting the others all the same")
        else:
            supervisor.say(f"first page after {time.monotonic() - self._began:.1f} s")
        password = users["operator"].password if "operator" in users else secrets.token_urlsafe(12)
        supervisor.keep([*programs.workers(), *programs.services(password)])
        if settings.GLEANER_DEMO:
            code = await supervisor.once(Program("demo", (sys.executable, "manage.py", "demo"), Rank.WEB))
            if code:
                supervisor.say(f"the samples could not be imported (exit code {code}); the next start tries again")
        listening = self._listening = asyncio.create_task(self._listen(supervisor, self._broker_url))
        listening.add_done_callback(partial(_stopped_listening, supervisor))
        for name in await supervisor.until_ready(_ALL_READY_S):
            supervisor.say(f"{name} has not said that it is ready yet")
        text = banner(
            port=settings.GLEANER_PORT,
            flower_port=settings.GLEANER_FLOWER_PORT,
            users=users,
            users_file=settings.GLEANER_DEMO_USERS_FILE,
            home=settings.GLEANER_HOME,
            seconds=time.monotonic() - self._began,
        )
        if settings.GLEANER_JSON_LOG:  # passwords stay in their file
            supervisor.say(
                json.dumps({"event": "running", "port": settings.GLEANER_PORT, "flower": settings.GLEANER_FLOWER_PORT})
            )
            return
        for line in text.splitlines():
            self._line(line)

    async def _listen(self, supervisor: Supervisor, broker_url: str | None) -> None:
        """Start workers again that take nothing though messages wait for them (`ingest.canary`)."""
        ours = {programs.worker_node(program.name): program for program in programs.workers()}
        ears = canary.Ears(settings.GLEANER_DEAF_S, settings.GLEANER_SILENT_S)
        while True:
            await asyncio.sleep(_LISTEN_S)
            found, signs, depths = await asyncio.to_thread(_sample, broker_url)
            settled = [
                replace(one, queues=ours[one.name].queues)
                for one in found
                if one.name in ours and supervisor.lived_s(ours[one.name].name) > settings.GLEANER_SILENT_S
            ]
            for node, why in ears.deaf(settled, signs, depths, time.monotonic()).items():
                supervisor.say(f"{ours[node].name} {why} and is started again")
                supervisor.end_now(ours[node].name)

    def _line(self, text: str) -> None:
        with suppress(OSError):  # whoever read the log has gone; the work goes on
            self.stdout.write(text)
            self.stdout.flush()


@contextmanager
def _alone(home: Path) -> Iterator[None]:
    """One supervisor for each data folder; the kernel drops the lock with the process."""
    with (home / "run.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CommandError(
                f"Gleaner runs already on {home}. Stop it first, or set GLEANER_HOME (and PORT, FLOWER_PORT) for a second one."
            ) from None
        yield


def _check_ports() -> None:
    if settings.GLEANER_PORT == settings.GLEANER_FLOWER_PORT:
        raise CommandError(f"PORT and FLOWER_PORT are both {settings.GLEANER_PORT}.")
    for name, port in (("PORT", settings.GLEANER_PORT), ("FLOWER_PORT", settings.GLEANER_FLOWER_PORT)):
        if not ports.is_free(port):
            raise CommandError(f"Port {port} is in use. Stop what uses it, or choose another: {name}={port + 1} make run")


def _bring_up_to_date() -> Mapping[str, SignIn]:
    """Database, static files, demo users; the demo users."""
    try:
        prepare.migrate()
        prepare.collect_static()
        return demo.make_users(settings.GLEANER_DEMO_USERS_FILE) if settings.GLEANER_DEMO else {}
    except DatabaseError as exc:
        told = str(exc).partition("\n")[0]
        raise CommandError(f"The database does not answer: {told.rstrip('.')}. Check DATABASE_URL.") from exc
    finally:
        connections.close_all()


def _stopped_listening(supervisor: Supervisor, task: asyncio.Task[None]) -> None:
    """Say so where nobody looks after deaf workers any more, which is not meant to happen."""
    if not task.cancelled() and (error := task.exception()) is not None:
        supervisor.say(f"deaf workers are no longer found: {type(error).__name__}")


def _sample(broker_url: str | None) -> tuple[list[canary.Worker], dict[str, float], dict[str, int] | None]:
    """The workers on record, everybody's signs and what waits; nothing while the database does not answer."""
    try:
        return canary.workers(), canary.signs(), queues.queue_depths(settings.CELERY_TASK_QUEUES, broker_url)
    except DatabaseError:
        return [], {}, None
    finally:
        connections.close_all()


async def _answers(port: int, timeout_s: float) -> bool:
    """Whether the web process answers a request in time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(timeout_s):
            while True:
                with suppress(OSError):
                    reader, writer = await asyncio.open_connection(ports.LOCALHOST, port)
                    writer.write(b"GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n")
                    line = await reader.readline()
                    writer.close()
                    if line:
                        return True
                await asyncio.sleep(_LOOK_S)
    return False
