from itertools import product

from resumes.states import ACTIVE, ALLOWED, REOPENS, TERMINAL, WAITING, WORKING, State, is_allowed


def test_every_state_stands_in_exactly_one_kind():
    kinds = [ACTIVE, WAITING, TERMINAL]
    for state in State:
        assert sum(state in kind for kind in kinds) == 1, state


def test_no_move_leads_out_of_a_terminal_state_within_a_run():
    for origin, to in product(TERMINAL, State):
        assert not is_allowed(origin, to)


def test_every_state_automation_holds_can_reach_an_end():
    for state in ACTIVE:
        reached, frontier = set(), {state}
        while frontier:
            reached |= frontier
            frontier = {to for origin in frontier for to in ALLOWED[origin]} - reached
        assert reached & TERMINAL, state


def test_no_move_leads_back_to_pending_within_a_run():
    assert not any(State.PENDING in targets for targets in ALLOWED.values())


def test_a_person_can_open_every_settled_or_waiting_resume_again():
    assert set(REOPENS) == TERMINAL | WAITING
    for state, targets in REOPENS.items():
        assert State.PENDING in targets, state


def test_a_stage_may_hand_on_to_every_other_working_state():
    for origin, to in product(WORKING, WORKING):
        assert is_allowed(origin, to) == (origin is not to)
