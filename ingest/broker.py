"""What the broker holds: whether it answers and how long its queues are. Works with every transport kombu knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from celery import current_app
from kombu.exceptions import OperationalError

_TIMEOUT_S = 2
_PROBE = "gleaner.probe"
"""A queue nobody reads: what is left there is taken away at once."""


def prompt(connection: Any) -> Any:
    """The connection for whoever cannot wait: a server that hangs is given up as fast as one that is gone.

    The workers' own waits longer: losing it ends what they are at.
    """
    if "socket_timeout" in connection.transport_options:
        connection.transport_options = {**connection.transport_options, "socket_timeout": _TIMEOUT_S}
    return connection


def takes_messages(url: str | None = None) -> bool:
    """Whether a message can be left with the broker; one that is out of memory answers and takes none."""
    connection: Any = prompt(current_app.connection_for_write(url))
    refused: tuple[type[Exception], ...] = (OperationalError, OSError, *connection.connection_errors, *connection.channel_errors)
    try:
        with connection:
            connection.ensure_connection(max_retries=1, timeout=_TIMEOUT_S)
            with connection.SimpleQueue(_PROBE) as queue:
                queue.put("")
                queue.clear()
    except refused:
        return False
    return True


def queue_depths(queues: Iterable[str], url: str | None = None) -> dict[str, int] | None:
    """Messages waiting in each queue, not counting those a worker holds; None where the broker does not answer.

    `url` is for who starts a broker and read the settings before.
    """
    connection: Any = prompt(current_app.connection_for_read(url))
    lost: tuple[type[Exception], ...] = (OperationalError, OSError, *connection.connection_errors)
    depths: dict[str, int] = {}
    try:
        with connection:
            connection.ensure_connection(max_retries=1, timeout=_TIMEOUT_S)
            for queue in sorted(queues):
                try:
                    depths[queue] = connection.default_channel.queue_declare(queue, passive=True).message_count
                except connection.channel_errors:  # the queue does not exist yet: no worker and no message has been there
                    depths[queue] = 0
    except lost:
        return None
    return depths
