import datetime as dt
import uuid
from itertools import product

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from resumes import transitions
from resumes.models import OutboxMessage, Resume, Transition
from resumes.states import ACTIVE, REOPENS, TERMINAL, State, is_allowed
from resumes.transitions import Moved, claim, move, reopen

pytestmark = pytest.mark.django_db


def put(resume: Resume, state: State) -> Resume:
    """Place a resume in a state without the log, as a starting point."""
    Resume.objects.filter(pk=resume.pk).update(state=state)
    resume.refresh_from_db()
    return resume


@pytest.mark.parametrize(("origin", "to"), list(product(State, State)), ids=lambda state: state.value)
def test_every_pair_of_states_moves_exactly_when_the_table_says_so(receive, origin, to):
    resume = put(receive(), origin)
    before = Transition.objects.count()
    if is_allowed(origin, to):
        move(resume, to, node="test", reason="trying")
        assert Resume.objects.get(pk=resume.pk).state == to
        assert Transition.objects.count() == before + 1
    else:
        with pytest.raises(ValueError, match="cannot move"):
            move(resume, to, node="test", reason="trying")
        assert Resume.objects.get(pk=resume.pk).state == origin
        assert Transition.objects.count() == before


def test_birth_and_every_move_stand_in_the_log_with_node_actor_and_reason(receive):
    resume = receive()
    move(resume, State.PARSING, node="extract", reason="claimed")
    move(resume, State.REJECTED, node="extract", reason="corrupt", actor="user:7")
    rows = list(Transition.objects.values_list("from_state", "to_state", "node", "actor", "reason"))
    assert rows == [
        ("", "PENDING", "intake", "system", "received"),
        ("PENDING", "PARSING", "extract", "system", "claimed"),
        ("PARSING", "REJECTED", "extract", "user:7", "corrupt"),
    ]


def test_a_move_from_an_outdated_row_changes_nothing(receive):
    resume = receive()
    stale = Resume.objects.get(pk=resume.pk)
    move(resume, State.PARSING, node="extract", reason="claimed")
    with pytest.raises(Moved):
        move(stale, State.REJECTED, node="extract", reason="corrupt")
    assert Resume.objects.get(pk=resume.pk).state == State.PARSING


def test_a_move_with_a_token_that_is_no_longer_ours_changes_nothing(receive):
    resume = put(receive(), State.PARSING)
    with pytest.raises(Moved):
        move(resume, State.COMPLETED, node="finish", reason="late", token=uuid.uuid4())


def test_the_database_itself_refuses_a_second_end_of_a_run(receive):
    resume = receive()
    move(resume, State.REJECTED, node="test", reason="first")
    with pytest.raises(IntegrityError), transaction.atomic():
        Transition.objects.create(
            resume=resume, run=resume.run, from_state="PARSING", to_state="COMPLETED", node="x", actor="x", reason="second"
        )


def test_log_rows_are_never_changed(receive):
    receive()
    row = Transition.objects.get()
    row.reason = "something else"
    with pytest.raises(TypeError):
        row.save()


def test_a_wake_up_is_committed_with_the_move_and_sent_after_it(receive, sent, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        resume = receive()
    assert [(message.topic, message.payload) for message in sent] == [("ingest.extract", {"resume_id": str(resume.pk), "run": 1})]


def test_a_rolled_back_move_leaves_neither_log_nor_message(receive):
    resume = receive()
    before = (Transition.objects.count(), OutboxMessage.objects.count())

    def half_done() -> None:
        with transaction.atomic():
            move(resume, State.PARSING, node="x", reason="x", wake=transitions.stage_wake("rules", resume.pk, 1))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half_done()
    assert (Transition.objects.count(), OutboxMessage.objects.count()) == before
    assert Resume.objects.get(pk=resume.pk).state == State.PENDING


def test_messages_carry_ids_and_nothing_else(receive):
    receive(filename="Alice Archer.txt")
    payload = OutboxMessage.objects.get().payload
    assert set(payload) == {"resume_id", "run"}


@pytest.mark.parametrize("origin", sorted(REOPENS))
def test_opening_again_starts_a_new_run_from_the_beginning(receive, origin):
    resume = put(receive(), origin)
    Resume.objects.filter(pk=resume.pk).update(failure_code="corrupt", route=["extract"], worked_s=9)
    resume.refresh_from_db()
    reopen(resume, State.PENDING, node="api", reason="retry", actor="user:1")
    resume.refresh_from_db()
    assert (resume.run, resume.state, resume.next_stage) == (2, State.PENDING, "extract")
    assert (resume.failure_code, resume.route, resume.worked_s) == ("", [], 0)


@pytest.mark.parametrize("origin", sorted(ACTIVE))
def test_what_is_still_on_its_way_cannot_be_opened_again(receive, origin):
    resume = put(receive(), origin)
    with pytest.raises(ValueError, match="opened again"):
        reopen(resume, State.PENDING, node="api", reason="retry", actor="user:1")


def test_each_run_may_have_its_own_end(receive):
    resume = receive()
    move(resume, State.REJECTED, node="x", reason="first run")
    reopen(resume, State.PENDING, node="x", reason="again", actor="user:1")
    move(resume, State.REJECTED, node="x", reason="second run")
    assert Transition.objects.filter(to_state__in=TERMINAL).count() == 2


def take(resume: Resume, stage: str = "extract", run: int = 1) -> Resume | None:
    return claim(resume.pk, run, stage, state_from=lambda _: State.PARSING, allowed=ACTIVE)


def test_a_claim_is_given_once(receive):
    resume = receive()
    first = take(resume)
    assert first is not None
    assert first.state == State.PARSING
    assert take(resume) is None


def test_a_claim_whose_lease_ran_out_can_be_taken_over_and_the_first_holder_is_fenced_out(receive):
    resume = receive()
    first = take(resume)
    Resume.objects.filter(pk=resume.pk).update(lease_until=timezone.now() - dt.timedelta(seconds=1))
    second = take(resume)
    assert second is not None
    assert second.token != first.token
    assert not transitions.renew(resume.pk, first.token)
    with pytest.raises(Moved):
        move(first, State.COMPLETED, node="finish", reason="back from the dead", token=first.token)
    move(second, State.COMPLETED, node="finish", reason="alive", token=second.token)


@pytest.mark.parametrize(("stage", "run"), [("rules", 1), ("extract", 2)])
def test_a_message_for_another_stage_or_run_claims_nothing(receive, stage, run):
    assert take(receive(), stage, run) is None


def test_a_claim_before_its_time_is_refused_by_the_databases_clock(receive):
    resume = receive()
    Resume.objects.filter(pk=resume.pk).update(next_attempt_at=timezone.now() + dt.timedelta(seconds=60))
    assert take(resume) is None
    Resume.objects.filter(pk=resume.pk).update(next_attempt_at=timezone.now() - dt.timedelta(seconds=1))
    assert take(resume) is not None


def test_renewing_extends_the_lease(receive):
    held = take(receive())
    Resume.objects.filter(pk=held.pk).update(lease_until=timezone.now() + dt.timedelta(seconds=1))
    assert transitions.renew(held.pk, held.token)
    held.refresh_from_db()
    assert held.lease_until > timezone.now() + dt.timedelta(seconds=15)


def test_every_claim_counts_as_an_attempt_before_anything_risky_happens(receive):
    resume = receive()
    take(resume)
    resume.refresh_from_db()
    assert resume.attempts == 1
