"""Addresses: which servers are in the house."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

_LOCAL_ENDINGS = (".localhost", ".local", ".internal", ".lan", ".home.arpa")


def is_local(base_url: str) -> bool:
    """Whether an address is of this machine or its own network, as far as the address itself says."""
    try:
        host = urlsplit(base_url).hostname or ""
    except ValueError:
        return False
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return bool(host) and ("." not in host or host.endswith(_LOCAL_ENDINGS))
    return address.is_private or address.is_loopback
