"""Workers that die: after two deaths a resume runs alone, and only its sandbox's death there makes it a dead letter."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from ingest import dead_letters, relay, runner
from ingest.models import Attempt, DeadLetter
from ingest.pipeline import PIPELINE
from ingest.sandbox.pool import sandbox_for
from resumes import transitions
from resumes.models import Resume
from resumes.states import ACTIVE, State
from resumes.taxonomy import ResumeError
from tests.texts import ALICE

from .people import person, worked_off

pytestmark = pytest.mark.django_db


def lose(resume: Resume) -> Resume:
    """A worker takes the stage that is due and is never heard of again."""
    held = transitions.claim(resume.pk, resume.run, "extract", state_from=lambda _: State.PARSING, allowed=ACTIVE)
    assert held is not None
    Attempt.objects.create(resume=resume, run=resume.run, stage="extract", token=held.token)
    Resume.objects.filter(pk=resume.pk).update(lease_until=timezone.now() - dt.timedelta(seconds=1))
    assert relay.free_expired() == 1
    resume.refresh_from_db()
    return resume


def run(resume: Resume) -> Resume:
    Resume.objects.filter(pk=resume.pk).update(next_attempt_at=None)
    runner.run_stages("extract", resume.pk, resume.run)
    resume.refresh_from_db()
    return resume


@pytest.fixture
def deadly(monkeypatch):
    """Reading kills the sandbox, every time."""

    def die(_dossier, _tools):
        raise ResumeError("worker_lost", "the sandbox ended by itself with SIGSEGV, seen at 512 MiB")

    stages = {stage.name: replace(stage, run=die) if stage.name == "extract" else stage for stage in PIPELINE}
    monkeypatch.setattr(runner, "STAGES", stages)


def buried(receive) -> Resume:
    resume = receive()
    for _ in range(3):
        run(resume)
    assert resume.state == State.DEAD_LETTER
    return resume


def test_after_two_lost_workers_it_runs_alone_and_is_completed(receive):
    resume = lose(receive())
    assert not resume.alone
    assert lose(resume).alone
    assert worked_off(resume).state == State.COMPLETED
    assert resume.alone


def test_alone_means_a_sandbox_that_has_read_nothing_else_and_never_will(receive):
    worked_off(receive())
    before = sandbox_for("reader").pid
    assert before is not None
    resume = lose(lose(receive(ALICE + "\nDriving licence")))
    seen = []
    during = runner._attempt

    def watched(taken, scratch):
        seen.append(sandbox_for("reader").pid)
        return during(taken, scratch)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "_attempt", watched)
        assert worked_off(resume).state == State.COMPLETED
    assert set(seen) == {None}, "each stage began without a running sandbox"
    assert sandbox_for("reader").pid is None


def test_a_sandbox_that_dies_twice_gets_one_try_alone_and_then_an_operator(receive, deadly):
    resume = receive()
    assert (run(resume).state, resume.alone) == (State.RETRY_WAITING, False)
    assert (run(resume).state, resume.alone) == (State.RETRY_WAITING, True)
    assert run(resume).state == State.DEAD_LETTER
    assert Attempt.objects.filter(resume=resume, failure_code="worker_lost").count() == 3
    assert relay.free_expired() == 0
    assert runner.run_stages("extract", resume.pk, 1) is None, "never again by itself"


def test_a_sandbox_that_dies_after_two_lost_workers_was_alone_already(receive, deadly):
    resume = lose(lose(receive()))
    assert run(resume).state == State.DEAD_LETTER


def test_what_is_known_of_the_death_stands_in_the_letter_and_the_log(receive, deadly):
    resume = buried(receive)
    known = DeadLetter.objects.get(resume=resume).detail
    assert known == "worker_lost in extract: the sandbox ended by itself with SIGSEGV, seen at 512 MiB"
    assert resume.transitions.get(to_state=State.DEAD_LETTER).reason == known


def test_killing_innocent_workers_buries_nothing(receive):
    resume = receive()
    for _ in range(relay._MOST_LOST - 1):
        lose(resume)
    assert worked_off(resume).state == State.COMPLETED


def test_a_new_run_begins_in_company_again(receive, deadly):
    resume = buried(receive)
    transitions.reopen(resume, State.PENDING, node="replay", reason="mended", actor="operator")
    resume.refresh_from_db()
    assert (resume.state, resume.alone) == (State.PENDING, False)


# -- owners ------------------------------------------------------------------------------------------------------------


def test_each_dead_letter_belongs_to_the_operator_who_has_the_fewest(receive, deadly):
    people = [person("ops-one", "operator"), person("ops-two", "operator")]
    person("boss", "admin")
    person("gone", "operator", is_active=False)
    letters = [buried(lambda number=number: receive(f"{ALICE}{number}")) for number in range(4)]
    owners = [DeadLetter.objects.get(resume=letter).owner for letter in letters]
    assert owners == people * 2


def test_without_operators_an_administrator_owns_it_and_without_anybody_nobody(receive, deadly):
    assert DeadLetter.objects.get(resume=buried(receive)).owner is None
    boss = person("boss", "admin")
    assert DeadLetter.objects.get(resume=buried(lambda: receive(ALICE + "2"))).owner == boss


def test_another_person_can_take_it_over_while_it_is_one(receive, deadly):
    person("ops-one", "operator")
    other = person("ops-two", "operator")
    letter = buried(receive)
    assert dead_letters.take_over(letter, other)
    assert DeadLetter.objects.get(resume=letter).owner == other
    transitions.move(letter, State.REJECTED, node="admin", reason="cannot be read", actor="user:1")
    assert not DeadLetter.objects.exists()
    assert not dead_letters.take_over(letter, other)


def test_the_operators_page_names_the_owner_and_what_is_known_and_hands_it_over(client, receive, deadly):
    first, second = person("ops-one", "operator"), person("ops-two", "operator")
    letter = buried(receive)
    client.force_login(second)
    page = client.get("/admin/ingest/heartbeat/").content.decode()
    assert "SIGSEGV, seen at 512 MiB" in page
    assert str(first) in page
    client.post(f"/admin/ingest/heartbeat/dead-letters/{letter.pk}/take/")
    assert DeadLetter.objects.get(resume=letter).owner == second
    client.force_login(person("hr", "recruiter"))
    assert client.post(f"/admin/ingest/heartbeat/dead-letters/{letter.pk}/take/").status_code == 403


def test_dead_letters_are_run_again_all_at_once_or_those_of_one_kind(receive, deadly):
    letters = [buried(lambda number=number: receive(f"{ALICE}{number}")) for number in range(3)]
    call_command("replay", "--dead-letters", "storage_denied")
    assert DeadLetter.objects.count() == 3
    call_command("replay", "--dead-letters", "--reason", "mended")
    assert not DeadLetter.objects.exists()
    assert {Resume.objects.get(pk=letter.pk).state for letter in letters} == {State.PENDING}
    with pytest.raises(CommandError):
        call_command("replay")
