"""What all tests share: no network but this machine, and the marks by folder."""

from __future__ import annotations

from pathlib import Path

import pytest
import pytest_socket

_RINGS = ("unit", "integration", "acceptance", "browser", "corpus")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test by the ring its folder names."""
    root = Path(__file__).parent
    for item in items:
        ring = item.path.relative_to(root).parts[0]
        if ring in _RINGS:
            item.add_marker(ring)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """No bytes in the names of tests: an archive made for a test holds the time, and xdist wants the same names everywhere."""
    return argname if isinstance(val, bytes) else None


@pytest.fixture(autouse=True)
def _only_this_machine() -> None:
    pytest_socket.socket_allow_hosts(["127.0.0.1", "::1", "localhost"], allow_unix_socket=True)
