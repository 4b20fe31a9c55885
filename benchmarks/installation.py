"""An empty installation with its broker, which this process and those it starts work on."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

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
