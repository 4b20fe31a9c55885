"""The processes of an installation: what each runs, when it starts and stops. Starting them is `watch`."""

from __future__ import annotations

import enum
import os
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.conf import settings

_CELERY = (sys.executable, "-m", "celery", "-A", "settings.celery")
_WEB_THREADS = 8


class Rank(enum.IntEnum):
    """Programs stop rank by rank, the lowest first: no new uploads, then the work, then what serves the work."""

    WEB = 1
    WORKER = 2
    SERVICE = 3
    BROKER = 4


@dataclass(frozen=True, slots=True)
class Program:
    """One process to keep running."""

    name: str
    argv: tuple[str, ...]
    rank: Rank
    grace_s: float = 5.0
    """From the polite signal to the end of its whole process group by force."""
    env: Mapping[str, str] = field(default_factory=dict)
    """On top of the supervisor's own environment."""
    ready_when: bytes = b""
    """What it prints once it works; empty where it prints nothing."""
    queues: tuple[str, ...] = ()
    """What a worker is there for, whatever it has made of that since."""


def web() -> Program:
    """One process with threads: requests wait for the database and for files, and one process keeps one set of caches."""
    return Program(
        "web",
        (
            *(sys.executable, "-m", "gunicorn", "settings.wsgi:application"),
            *("--bind", f"127.0.0.1:{settings.GLEANER_PORT}"),
            *("--worker-class", "gthread", "--workers", "1", "--threads", str(_WEB_THREADS)),
            *("--timeout", "60", "--graceful-timeout", "4"),
            "--no-control-socket",  # it would lie in the home folder and be shared by every installation of this user
            *("--log-level", "warning"),  # no access log: addresses carry search words, and those are people's names
        ),
        Rank.WEB,
    )


def workers(cores: int | None = None) -> list[Program]:
    """A worker per group of queues. Every queue has a consumer, and together they burn no more cores than there are."""
    cores = cores or os.cpu_count() or 1
    parsing = max(1, cores // 2)
    return [
        _worker("cpu", ("cpu", "io", "default"), parsing),
        _worker("ocr", ("ocr",), max(1, cores - parsing)),
        _worker("net", ("llm", "notify"), 4 if settings.LLM_BASE_URL else 1),  # these wait for others, they burn nothing
    ]


def worker_node(program: str) -> str:
    """The name a worker program goes by among the workers."""
    return f"{program.removeprefix('worker-')}@{socket.gethostname()}"


def _worker(name: str, queues: tuple[str, ...], processes: int) -> Program:
    return Program(
        f"worker-{name}",
        (
            *_CELERY,
            "--quiet",  # no banner
            *("worker", "--hostname", f"{name}@%h", "--queues", ",".join(queues), "--pool", "prefork"),
            *("--concurrency", str(processes), "-O", "fair", "--without-gossip", "--without-mingle", "--loglevel", "INFO"),
        ),
        Rank.WORKER,
        grace_s=10.0,
        # Its eight lines about root say less than the supervisor's one.
        env={"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges"},
        ready_when=b" ready.",
        queues=queues,
    )


def services(flower_password: str) -> list[Program]:
    """Relay, clock and the view on the queues."""
    return [
        Program("relay", (sys.executable, "manage.py", "relay"), Rank.SERVICE),
        # No pid file: one left behind by a killed run would forbid the next start.
        Program("beat", (*_CELERY, "--quiet", "beat", "--pidfile=", "--loglevel", "WARNING"), Rank.SERVICE),
        Program(
            "flower",
            (*_CELERY, "flower"),
            Rank.SERVICE,
            env={
                "FLOWER_ADDRESS": "127.0.0.1",
                "FLOWER_PORT": str(settings.GLEANER_FLOWER_PORT),
                "FLOWER_BASIC_AUTH": os.environ.get("FLOWER_BASIC_AUTH")
                or f"operator:{flower_password}",  # argv is for all to see
                "FLOWER_READ_ONLY": "true",
                "FLOWER_PERSISTENT": "true",
                "FLOWER_DB": str(settings.GLEANER_HOME / "flower"),
                "FLOWER_STATE_SAVE_INTERVAL": "60000",
                "FLOWER_MAX_TASKS": "20000",
            },
        ),
    ]
