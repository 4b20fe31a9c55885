"""Retries as a decision, not as a sleep: given a failure and the tries so far, whether and when to try again."""

from __future__ import annotations

import random
from dataclasses import dataclass

from ingest.failures import Failure

_MOST = {"timeout": 1, "out_of_memory": 1, "worker_lost": 2, "breaker_open": 0}


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """1 + `len(delays_s)` attempts per stage and channel, each delay spread uniformly by ± `spread`."""

    delays_s: tuple[float, ...] = (2.0, 8.0, 30.0)
    spread: float = 0.3

    def delay_s(self, failure: Failure, tries: int, chance: random.Random) -> float | None:
        """Seconds to wait after `tries` failed tries, None where it must not be tried again.

        What a service asked for (`Retry-After`) is a lower bound.
        """
        if not failure.retryable or tries > self._most(failure):
            return None
        delay = self.delays_s[tries - 1] * chance.uniform(1 - self.spread, 1 + self.spread)
        return max(delay, failure.retry_after_s or 0.0)

    def _most(self, failure: Failure) -> int:
        """How many retries a failure may have: a timeout costs a whole deadline, so one; a breaker speaks for itself."""
        return min(len(self.delays_s), _MOST.get(failure.code, len(self.delays_s)))


STANDARD = RetryPolicy()
NEVER = RetryPolicy(delays_s=())
