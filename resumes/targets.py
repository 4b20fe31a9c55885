"""Where messages to other systems may go: public addresses only, unless the settings open this network.

A name is resolved once for a message, and the message goes to the address that was checked: a name that answers
differently the second time leads nowhere.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from resumes.addresses import Address, carried, literal, url_at

_PORTS = {"http": 80, "https": 443}
_INNER_NAMES = ("localhost", "local", "internal", "localdomain", "lan", "home.arpa")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/32")
_MOST_ADDRESSES = 4
_UNPRINTABLE = re.compile(r"[\s\x00-\x1f\x7f]")


class Forbidden(Exception):
    """The address leads into a network of our own, or is none. The argument is a stable code."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Unknown(Exception):
    """The name does not resolve now."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where to connect, and what to ask for there."""

    address: Address
    url: str
    """The same URL with the address in the place of the name."""
    host: str
    """For the Host header."""
    name: str
    """For TLS: the name the certificate must have."""


def check(url: str) -> None:
    """Refuse what can be told without asking anybody: at the door, when an address is given. Raises `Forbidden`."""
    parts = _parts(url)
    if settings.GLEANER_WEBHOOK_PRIVATE:
        return
    name = (parts.hostname or "").rstrip(".").lower()
    address = literal(name)
    if address is not None:
        if not is_public(address):
            raise Forbidden("private_address")
    elif "." not in name or any(name == inner or name.endswith(f".{inner}") for inner in _INNER_NAMES):
        raise Forbidden("private_address")


def resolve(url: str) -> list[Target]:
    """The addresses to try in order. Raises `Forbidden` and `Unknown`."""
    check(url)
    parts = _parts(url)
    name = parts.hostname or ""
    port = parts.port or _PORTS[parts.scheme]
    try:
        found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as exc:
        raise Unknown from exc
    addresses = list(dict.fromkeys(ipaddress.ip_address(str(row[4][0]).partition("%")[0]) for row in found))
    if not settings.GLEANER_WEBHOOK_PRIVATE and not all(is_public(address) for address in addresses):
        raise Forbidden("private_address")
    host = parts.netloc.rpartition("@")[2]
    return [
        Target(address, url_at(parts._replace(fragment=""), str(address), port), host, name)
        for address in addresses[:_MOST_ADDRESSES]
    ]


def is_public(address: Address) -> bool:
    """Whether anybody on the internet may have this address. Forms of IPv6 that carry an IPv4 address count as that."""
    if isinstance(address, ipaddress.IPv6Address) and (address in _NAT64 or address.teredo is not None):
        return False
    inner = carried(address)
    if inner is not None:
        return is_public(inner)
    return address.is_global and not address.is_multicast


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        valid = not _UNPRINTABLE.search(url) and parts.scheme in _PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid or parts.username is not None:
        raise Forbidden("not_an_address")
    return parts
