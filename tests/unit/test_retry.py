import random
import statistics

import pytest

from ingest.failures import Failure
from ingest.retry import MOST, NEVER, RetryPolicy

POLICY = RetryPolicy()
PASSING = Failure.of("dependency_unavailable")


@pytest.mark.parametrize(("tries", "base"), [(1, 2.0), (2, 8.0), (3, 30.0)])
def test_delays_spread_evenly_within_thirty_per_cent(tries, base):
    chance = random.Random(7)
    delays = [POLICY.delay_s(PASSING, tries, chance) for _ in range(10_000)]
    assert min(delays) >= 0.7 * base
    assert max(delays) <= 1.3 * base
    tenths = statistics.quantiles(delays, n=10)
    for number, border in enumerate(tenths, 1):
        assert border == pytest.approx(base * (0.7 + 0.06 * number), rel=0.03)


def test_there_are_at_most_three_retries():
    assert POLICY.delay_s(PASSING, 3, random.Random(1)) is not None
    assert POLICY.delay_s(PASSING, 4, random.Random(1)) is None


@pytest.mark.parametrize(
    ("code", "retries"), [("timeout", 1), ("breaker_open", 0), ("worker_lost", 1), ("internal_error", 1), ("rate_limited", 3)]
)
def test_the_code_bounds_the_number_of_retries(code, retries):
    failure = Failure.of(code)
    granted = [tries for tries in range(1, 6) if POLICY.delay_s(failure, tries, random.Random(1)) is not None]
    assert granted == list(range(1, retries + 1))


def test_a_permanent_failure_is_never_retried():
    assert POLICY.delay_s(Failure.of("corrupt"), 1, random.Random(1)) is None


def test_what_a_service_asks_for_is_waited_at_least():
    asked = Failure("rate_limited", retryable=True, retry_after_s=60.0)
    assert POLICY.delay_s(asked, 1, random.Random(1)) == 60.0


def test_the_policy_that_never_retries_never_does():
    assert NEVER.delay_s(PASSING, 1, random.Random(1)) is None


@pytest.mark.parametrize("most", [{}, {"breaker_open": 3}, {"breaker_open": 10, "timeout": 1}])
def test_no_table_makes_an_open_breaker_be_tried_again(most):
    assert RetryPolicy(most=most).delay_s(Failure.of("breaker_open"), 1, random.Random(1)) is None


@pytest.mark.parametrize("code", sorted(MOST))
def test_a_table_that_says_nothing_of_a_code_leaves_it_the_usual_cap(code):
    assert RetryPolicy(most={}).retries_of(code) == POLICY.retries_of(code)
