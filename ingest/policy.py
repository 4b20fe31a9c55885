"""The policy in force: the routing table of the database, read again every few seconds without a restart."""

from __future__ import annotations

import time

from ingest.models import RoutingTable
from ingest.route_table import DEFAULT, Table

_FRESH_S = 3.0
_known: tuple[float, Table] | None = None


def current_table() -> Table:
    """The latest version of the routing table, at most a few seconds old; the program's own where none was saved."""
    global _known  # noqa: PLW0603 - a short-lived copy of what the database says
    now = time.monotonic()
    if _known is None or now - _known[0] > _FRESH_S:
        latest = RoutingTable.objects.order_by("-id").first()
        _known = (now, latest.table() if latest else DEFAULT)
    return _known[1]


def forget() -> None:
    """Read the database again next time."""
    global _known  # noqa: PLW0603
    _known = None
