"""Houses to test in: on SQLite, or where DATABASE_URL names a PostgreSQL server, on that; `make test` does both."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.acceptance import personal
from tests.acceptance.house import House, postgres_database

_DATABASES = ["postgresql"] if os.environ.get("DATABASE_URL", "").startswith("postgres") else ["sqlite"]


@pytest.fixture(params=_DATABASES)
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    """An empty, migrated installation; the test starts the processes it needs."""
    if request.param == "postgresql":
        with postgres_database(os.environ["DATABASE_URL"]) as url:
            yield from _living(House(tmp_path, url))
    else:
        yield from _living(House(tmp_path))


def _living(house: House) -> Iterator[House]:
    house.set_up()
    try:
        yield house
    finally:
        house.stop()
    for log in house.home.glob("*.log"):
        assert personal.found_in(log.read_text(errors="replace")) == set(), f"{log.name} tells of people"
