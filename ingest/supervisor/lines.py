"""The lines of the one log: whose they are, for people or as JSON."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable

Line = Callable[[str, str], str]
"""A line of the log, of the name of the process that wrote it and what it wrote."""


def for_people(who: str, text: str, *, width: int) -> str:
    return f"{who:<{width}} | {text}"


def as_json(who: str, text: str) -> str:
    """One JSON object with an event, a level and a time. What a process wrote as one keeps its fields; anything else becomes
    the event.
    """
    try:
        fields = json.loads(text)
    except ValueError:
        fields = text
    at = dt.datetime.now(dt.UTC).isoformat().replace("+00:00", "Z")
    least = {"process": who, "event": text, "level": "info", "timestamp": at}
    if not isinstance(fields, dict):
        fields = {}
    elif "event" not in fields:
        least["event"] = "line"  # the text says what its fields say
    return json.dumps(least | fields, ensure_ascii=False)
