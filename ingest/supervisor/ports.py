"""Ports of this machine: is one free, which one is."""

from __future__ import annotations

import socket

LOCALHOST = "127.0.0.1"


def is_free(port: int) -> bool:
    """Whether a server could listen on the port of localhost now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as servers do: connections that linger do not count
        try:
            probe.bind((LOCALHOST, port))
        except OSError:
            return False
    return True


def find_free() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind((LOCALHOST, 0))
        return int(probe.getsockname()[1])
