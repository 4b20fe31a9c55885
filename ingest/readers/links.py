"""Where a link may lead: targets that are of use to people, none that run something."""

from __future__ import annotations

import re

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_HOST_AND_PORT = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+:\d", re.IGNORECASE)
_IGNORED = re.compile(r"[\x00-\x20\x7f-\xa0\u200b-\u200f\u2028\u2029\ufeff]+")
"""Characters browsers skip before or inside a scheme, which makes them a way to disguise one."""
_ALLOWED = frozenset(("http", "https", "mailto", "tel", "ftp"))


def followable(target: str | None) -> str | None:
    """The target as it stands in the file: a web or mail address, a telephone number, or one without a scheme; else None."""
    if not target:
        return None
    bare = _IGNORED.sub("", target)
    scheme = _SCHEME.match(bare)
    if scheme is None or scheme[1].lower() in _ALLOWED or _HOST_AND_PORT.match(bare):
        return target
    return None
