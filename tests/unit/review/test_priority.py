from __future__ import annotations

from review.priority import Facts, escalated, priority, salvageable, urgency


def score(**facts: object) -> float:
    known = Facts(**{"code": "low_completeness", "missing": 1, **facts})
    return priority(salvageable(known), urgency(known))


def test_many_hopeless_scans_do_not_stand_before_one_that_wants_a_field():
    hopeless = score(code="no_text_layer", missing=6, levels=3, retries=3, urgency="urgent", source="applied")
    assert score() > hopeless
    assert score(missing=None) == 0


def test_less_to_do_comes_first_and_so_does_what_was_tried_less():
    assert score(missing=1) > score(missing=2) > score(missing=5)
    assert score(levels=1) > score(levels=2) > score(levels=3)
    assert score(retries=0) > score(retries=2)
    assert score(confidence=0.95) > score(confidence=0.4)


def test_somebody_who_waits_comes_before_an_import():
    assert score(source="applied") > score(source="headhunter") > score(source="imported")
    assert score(urgency="Urgent") > score(urgency="high") > score() > score(urgency="low")
    assert score(vacant=True) > score()
    assert score(code="flagged") > score()


def test_what_has_waited_too_long_moves_up_and_says_so():
    facts = Facts("low_completeness", 2, source="applied")
    factors = escalated(urgency(facts))
    assert set(factors) == {"source", "age"}
    assert priority(salvageable(facts), factors) > score(missing=2, source="applied")
