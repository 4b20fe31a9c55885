"""Who is deaf: a worker that could take what waits for it and does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ingest.canary import Ears, Worker

pytestmark = pytest.mark.unit
IDLE = Worker("cpu@here", ("cpu", "io"), {"cpu": 100.0}, busy=False, age_s=3.0)
WAITING, EMPTY = {"cpu": 1, "io": 0}, {"cpu": 0, "io": 0}


def heard(*samples, deaf_after_s=30.0):
    """What is said of a worker over samples taken every 10 s."""
    ears = Ears(deaf_after_s, silent_after_s=90.0)
    return [ears.deaf([worker], depths, number * 10.0) for number, (worker, depths) in enumerate(samples)]


def test_a_worker_that_takes_nothing_while_messages_wait_is_deaf_once():
    said = heard(*[(IDLE, WAITING)] * 5)
    assert said == [{}, {}, {}, {}, {"cpu@here": "takes nothing from queue cpu"}]


def test_after_it_was_told_of_the_count_begins_anew():
    assert [bool(one) for one in heard(*[(IDLE, WAITING)] * 9)] == [False] * 4 + [True] + [False] * 4


@pytest.mark.parametrize(
    "meanwhile",
    [
        (IDLE, EMPTY),
        (IDLE, None),
        (replace(IDLE, busy=True), WAITING),
        (replace(IDLE, took={"cpu": 120.0}), WAITING),
    ],
    ids=["the queue was empty", "the broker was away", "it was busy", "it took one"],
)
def test_it_is_not_where_anything_explains_it(meanwhile):
    later = (meanwhile[0] if meanwhile[0].took != IDLE.took else IDLE, WAITING)
    assert not any(heard((IDLE, WAITING), (IDLE, WAITING), (IDLE, WAITING), meanwhile, later, later, later))


def test_one_queue_of_several_is_enough():
    stale = replace(IDLE, took={"cpu": 100.0, "io": 5.0})
    said = heard(*[(stale, {"cpu": 0, "io": 2})] * 5)
    assert said[-1] == {"cpu@here": "takes nothing from queue io"}


def test_a_worker_without_a_sign_of_life_is_told_of_whatever_waits():
    assert heard((replace(IDLE, age_s=95.0), EMPTY)) == [{"cpu@here": "no sign of life for 95 s"}]
