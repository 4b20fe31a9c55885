"""Network addresses: told from names, looked through, and put in the place of a name in a URL. Pure."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import SplitResult

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def literal(host: str) -> Address | None:
    """The host as an address in any spelling connect() would take (`127.1`, `0x7f000001`), None for a name."""
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except (OSError, UnicodeError):
        return None


def carried(address: Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address that some forms of IPv6 hold, and lead to."""
    return address.ipv4_mapped or address.sixtofour if isinstance(address, ipaddress.IPv6Address) else None


def url_at(parts: SplitResult, host: str, port: int) -> str:
    """The URL with an address in the place of its name."""
    return parts._replace(netloc=f"[{host}]:{port}" if ":" in host else f"{host}:{port}").geturl()
