"""Who is deaf: a worker that could take what waits for it and does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ingest.canary import Ears, Worker

pytestmark = pytest.mark.unit
IDLE = Worker("cpu@here", ("cpu", "io"), {"cpu": 100.0}, busy=False)
WAITING, EMPTY = {"cpu": 1, "io": 0}, {"cpu": 0, "io": 0}
EVERY_S = 10.0


def living(number: int) -> dict[str, float]:
    """Signs of everybody at a sample."""
    return {"cpu@here": 1000.0 + number * EVERY_S, "relay": 1001.0 + number * EVERY_S}


def heard(*samples, deaf_after_s=30.0):
    """What is said of a worker over samples taken every 10 s while everybody gives signs of life."""
    ears = Ears(deaf_after_s, silent_after_s=90.0)
    return [ears.deaf([worker], living(number), depths, number * EVERY_S) for number, (worker, depths) in enumerate(samples)]


def listened(*signs, depths=EMPTY):
    """What is said of a worker over samples with given signs of life."""
    ears = Ears(deaf_after_s=30.0, silent_after_s=90.0)
    return [ears.deaf([IDLE] if given else [], given, depths, number * EVERY_S) for number, given in enumerate(signs)]


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
    said = listened(*({"cpu@here": 1000.0, "relay": 1000.0 + number} for number in range(11)))
    assert said[-1] == {"cpu@here": "no sign of life for 100 s"}
    assert not any(said[:-1])


@pytest.mark.parametrize("jump_s", [7200.0, -7200.0], ids=["forward", "back"])
def test_a_clock_that_jumps_makes_nobody_silent(jump_s):
    jumped = ({name: at + (jump_s if number > 4 else 0) for name, at in living(number).items()} for number in range(12))
    late = [{**signs, "cpu@here": 1040.0} if number == 5 else signs for number, signs in enumerate(jumped)]
    assert not any(listened(*late))


@pytest.mark.parametrize("depths", [EMPTY, WAITING], ids=["nothing waits", "messages wait"])
@pytest.mark.parametrize("outage", [{}, living(4)], ids=["it does not answer", "it takes no writes"])
def test_a_database_that_is_away_for_long_is_nobodys_fault(outage, depths):
    """Nobody can write a sign then, and what a worker takes is not told either."""
    back = {**living(4), "relay": 2000.0}
    busy = [replace(IDLE, took={"cpu": float(number)}) for number in range(60)]
    ears, said = Ears(deaf_after_s=30.0, silent_after_s=90.0), []
    for number in range(45):
        signs = living(number) if number < 5 else outage if number < 40 else back if number == 40 else living(number)
        worker = busy[number] if number < 5 else busy[4] if number < 41 else busy[number]
        said.append(ears.deaf([worker] if signs else [], signs, depths, number * EVERY_S))
    assert not any(said)
