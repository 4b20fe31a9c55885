"""Installations to measure on: an empty database, with its broker where something is sent; and how long an answer takes."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.acceptance.house import House


@contextmanager
def installation() -> Iterator[House]:
    """Migrated, its broker running, Django set up on it; on `DATABASE_URL` where that is set, else on SQLite."""
    from tests.acceptance.house import House

    with tempfile.TemporaryDirectory(prefix="gleaner-bench-") as folder:
        home = Path(folder)
        os.environ |= {"GLEANER_HOME": str(home), "DJANGO_SETTINGS_MODULE": "settings.development", "LOG_LEVEL": "ERROR"}
        os.environ.setdefault("DATABASE_URL", f"sqlite:///{home / 'bench.sqlite3'}")
        house = House(home, os.environ["DATABASE_URL"])
        os.environ["REDIS_URL"] = house.env["REDIS_URL"]
        import django

        django.setup()
        house.manage("migrate", "--verbosity", "0")
        house.start_broker()
        try:
            yield house
        finally:
            house.stop()


@contextmanager
def database(url: str = "") -> Iterator[None]:
    """Migrated, without a broker, Django set up on it with the settings of the tests; on SQLite where no `url` is given."""
    with tempfile.TemporaryDirectory(prefix="gleaner-bench-") as folder:
        os.environ |= {
            "GLEANER_HOME": folder,
            "DATABASE_URL": url or f"sqlite:///{Path(folder) / 'bench.sqlite3'}",
            "DJANGO_SETTINGS_MODULE": "settings.test",
            "LOG_LEVEL": "CRITICAL",
        }
        import django
        from django.core.management import call_command
        from django.db import connections

        django.setup()
        call_command("migrate", verbosity=0)
        try:
            yield
        finally:
            connections.close_all()


def timed(ask: Callable[[], Any]) -> tuple[float, float]:
    """How long an answer takes, and how much of that this process computes, in seconds. Raises unless it is a 200."""
    began, worked = time.perf_counter(), time.process_time()
    answer = ask()
    took = time.perf_counter() - began, time.process_time() - worked
    answer.close()
    if answer.status_code != 200:
        raise RuntimeError(f"answered {answer.status_code}")
    return took
