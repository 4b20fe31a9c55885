"""What schemathesis may ask at most, read by its own process (SCHEMATHESIS_HOOKS)."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import schemathesis

LONGEST_QUERY = 3_500
"""The web server reads request lines of 4,094 bytes and answers longer ones itself, with a 414 that no schema describes."""


@schemathesis.hook
def filter_query(context: Any, query: dict[str, Any] | None) -> bool:
    return len(urlencode(query or {}, doseq=True, errors="replace")) <= LONGEST_QUERY
