"""Retries as a decision, not as a sleep: given a failure and the tries so far, whether and when to try again."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ingest.failures import Failure

MOST: Mapping[str, int] = MappingProxyType(
    {"timeout": 1, "out_of_memory": 1, "worker_lost": 1, "breaker_open": 0, "internal_error": 1}
)
"""Retries a code may have where fewer than the usual are right: a timeout costs a whole deadline, a breaker speaks for itself,
a file that killed two sandboxes gets one more of its own (the table's `quarantine`)."""

UNTRIED = frozenset({"breaker_open"})
"""Codes that no table can have tried again: no call was made, and none would be."""

LONGEST_COUNTDOWN_S = 60.0
"""A retry further ahead has no message at all: it waits in the database, and the relay sends it when its time has come."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """1 + `len(delays_s)` attempts per stage and channel, each delay spread uniformly by ± `spread`."""

    delays_s: tuple[float, ...] = (2.0, 8.0, 30.0)
    spread: float = 0.3
    most: Mapping[str, int] = field(default_factory=lambda: MOST)
    """Retries of single codes, where fewer than there are delays; those of `MOST` where it names none."""

    def delay_s(self, failure: Failure, tries: int, chance: random.Random) -> float | None:
        """Seconds to wait after `tries` failed tries, None where it must not be tried again.

        What a service asked for (`Retry-After`) is a lower bound.
        """
        if not failure.retryable or tries > self.retries_of(failure.code):
            return None
        delay = self.delays_s[tries - 1] * chance.uniform(1 - self.spread, 1 + self.spread)
        return max(delay, failure.retry_after_s or 0.0)

    def quarantine_s(self, tries: int, chance: random.Random) -> float | None:
        """Seconds to wait before the one try alone that follows the granted ones; None where nothing is ever retried."""
        if not self.delays_s:
            return None
        return self.delays_s[min(tries, len(self.delays_s)) - 1] * chance.uniform(1 - self.spread, 1 + self.spread)

    def retries_of(self, code: str) -> int:
        """How often a retryable code is tried again."""
        most = len(self.delays_s)
        return 0 if code in UNTRIED else min(most, self.most.get(code, MOST.get(code, most)))


STANDARD = RetryPolicy()
NEVER = RetryPolicy(delays_s=())
