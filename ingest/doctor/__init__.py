"""What `manage.py doctor` looks at: one check per thing that can be wrong, each with what to do about it.

A check is a function without arguments that yields findings; a new one is one line in CHECKS. Checks look, they change
nothing but a probe file in the storage, which they remove.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass


class Level(enum.StrEnum):
    OK = "ok"
    WARN = "warn"
    """Resumes are taken and parsed, but something is missing or risky."""
    FAIL = "fail"
    """Resumes cannot be taken or parsed until this is mended."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one look at one thing showed."""

    subject: str
    level: Level
    says: str
    to_do: str = ""


Check = Callable[[], Iterable[Finding]]


def ok(subject: str, says: str) -> Finding:
    return Finding(subject, Level.OK, says)


def warn(subject: str, says: str, to_do: str) -> Finding:
    return Finding(subject, Level.WARN, says, to_do)


def fail(subject: str, says: str, to_do: str) -> Finding:
    return Finding(subject, Level.FAIL, says, to_do)


def examine(checks: Iterable[Check]) -> Iterator[Finding]:
    """The findings of all checks, as they come."""
    for check in checks:
        yield from check()
