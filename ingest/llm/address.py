"""Addresses: which servers are in the house, told by the address as it is written and again when it is connected to."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from resumes.addresses import Address, carried, literal, url_at

_LOCAL_ENDINGS = (".localhost", ".local", ".internal", ".lan", ".home.arpa")
_PORTS = {"http": 80, "https": 443}


class OutsideError(Exception):
    """A name of the house leads out of it."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where to connect, and what to ask for there."""

    base_url: str
    host: str = ""
    """For the Host header, where the URL holds an address in the place of its name."""
    name: str = ""
    """For TLS: the name the certificate must have."""


def is_local(base_url: str) -> bool:
    """Whether an address is of this machine or its own network, as far as the address itself says."""
    try:
        host = urlsplit(base_url).hostname or ""
    except ValueError:
        return False
    address = literal(host)
    if address is not None:
        return _is_inside(address)
    return bool(host) and ("." not in host or host.endswith(_LOCAL_ENDINGS))


async def inside(base_url: str) -> list[Target]:
    """Where a server of the house is, the addresses to try in order: names may lead anywhere, so they are looked up first.

    What is connected to is what was looked at. Raises OutsideError where any of the addresses is of another network, and OSError.
    """
    parts = urlsplit(base_url)
    port = parts.port or _PORTS.get(parts.scheme, 80)
    try:
        found = await asyncio.get_running_loop().getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except UnicodeError as exc:
        raise OSError from exc
    hosts = list(dict.fromkeys(str(row[4][0]) for row in found))
    if not all(_is_inside(ipaddress.ip_address(host.partition("%")[0])) for host in hosts):
        raise OutsideError
    host = parts.netloc.rpartition("@")[2]
    return [Target(url_at(parts, place, port), host, parts.hostname or "") for place in hosts]


def _is_inside(address: Address) -> bool:
    """Whether an address is of this machine or a private network; what carries an IPv4 address within counts as that."""
    inner = carried(address)
    return address.is_private if inner is None else _is_inside(inner)
