"""Houses to test in: on SQLite, or where DATABASE_URL names a PostgreSQL server, on that; `make test` does both."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.acceptance import personal
from tests.acceptance.house import House, postgres_database

_DATABASES = ["postgresql"] if os.environ.get("DATABASE_URL", "").startswith("postgres") else ["sqlite"]


@pytest.fixture(scope="session", params=_DATABASES)
def show_house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A migrated installation nobody lives in, of which every test gets a copy: migrating takes longer than most tests."""
    home = tmp_path_factory.mktemp("show-house")
    with contextlib.ExitStack() as stack:
        url = stack.enter_context(postgres_database(os.environ["DATABASE_URL"])) if request.param == "postgresql" else ""
        house = House(home, url)
        house.set_up()
        yield house


@pytest.fixture
def house(show_house: House, tmp_path: Path) -> Iterator[House]:
    """An empty, migrated installation; the test starts the processes it needs."""
    if show_house.database_url:
        with postgres_database(os.environ["DATABASE_URL"], show_house.database_url) as url:
            yield from _living(House(tmp_path, url), show_house)
    else:
        yield from _living(House(tmp_path), show_house)


def _living(house: House, show_house: House) -> Iterator[House]:
    house.set_up_like(show_house)
    try:
        yield house
    finally:
        house.stop()
    for log in house.home.glob("*.log"):
        assert personal.found_in(log.read_text(errors="replace")) == set(), f"{log.name} tells of people"
