"""Every failure code in every stage, through the real runner and the real table: each ends where the table says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ingest import policy, runner, spending
from ingest.models import Attempt, RoutingTable
from ingest.pipeline import PIPELINE, STAGES
from ingest.retry import STANDARD
from ingest.stages import Stage, Tokens
from resumes import erasure, transitions
from resumes.models import Resume
from resumes.states import ACTIVE, SUCCEEDED, TERMINAL, State
from resumes.taxonomy import CODES, FailureClass, ResumeError

pytestmark = pytest.mark.django_db

_AFTER = ("summarise", "match", "narrate")


def expected_end(stage: str, code: str) -> State:
    """The contract's table in this test's own words, for a text with nothing to read pictures from and no model."""
    if stage in _AFTER:
        return State.COMPLETED
    if code in ("storage_denied", "worker_lost"):
        return State.DEAD_LETTER
    if stage == "extract" and CODES[code].failure_class is FailureClass.PREPROCESS:
        return State.REJECTED
    return State.REVIEW_NEEDED


def expected_tries(stage: str, code: str) -> int:
    if code == "worker_lost":
        return 2 if stage in _AFTER else 3  # the third alone, in quarantine
    fewer = {"timeout": 1, "out_of_memory": 1, "breaker_open": 0, "internal_error": 1}
    return 1 + fewer.get(code, 3) if CODES[code].retryable else 1


def idle(stage: Stage) -> Stage:
    """The stage with nothing to do: what came in goes out."""
    return replace(stage, run=lambda dossier, _tools: dossier, needs=frozenset(), gives=frozenset())


def failing(stage: Stage, code: str) -> Stage:
    def run(_dossier, _tools):
        raise ResumeError(code)

    return replace(idle(stage), run=run)


@pytest.mark.parametrize("code", sorted(CODES))
@pytest.mark.parametrize("name", [stage.name for stage in PIPELINE])
def test_every_failure_of_every_stage_ends_where_the_table_says(receive, monkeypatch, name, code):
    stages = {stage.name: failing(stage, code) if stage.name == name else idle(stage) for stage in PIPELINE}
    monkeypatch.setattr(runner, "STAGES", stages)
    resume = receive()
    state = State.COMPLETED if name in _AFTER else State.PENDING
    Resume.objects.filter(pk=resume.pk).update(state=state, next_stage=name)
    for _ in range(30):
        resume.refresh_from_db()
        if not resume.next_stage or resume.state not in ACTIVE | SUCCEEDED:
            break
        Resume.objects.filter(pk=resume.pk).update(next_attempt_at=None)
        runner.run_stages(resume.next_stage, resume.pk, resume.run)
    assert (resume.state, resume.next_stage, resume.token) == (expected_end(name, code), "", None)
    tries = list(Attempt.objects.filter(resume=resume, stage=name).values_list("outcome", "failure_code"))
    assert tries == [("failed", code)] * expected_tries(name, code)
    if resume.state in (State.REVIEW_NEEDED, State.REJECTED, State.DEAD_LETTER):
        assert resume.failure_code in CODES
        assert resume.transitions.filter(to_state=resume.state).count() == 1
    entered = list(Attempt.objects.filter(resume=resume).exclude(stage=name).values_list("stage", flat=True))
    assert len(entered) == len(set(entered)), "a stage was entered twice"


def test_no_failure_is_tried_more_often_than_the_contract_allows():
    assert max(expected_tries("extract", code) for code in CODES) == 1 + len(STANDARD.delays_s) == 4
    assert set(STAGES) == {stage.name for stage in PIPELINE}


@pytest.mark.parametrize("caps", [{}, dict.fromkeys(CODES, 10)])
@pytest.mark.parametrize("code", [*sorted(code for code, entry in CODES.items() if entry.retryable), "storage_denied"])
def test_whatever_a_table_grants_a_failure_comes_to_an_end(receive, monkeypatch, code, caps):
    RoutingTable.objects.create(most_retries=caps)  # unchecked, as a row of an earlier release
    policy.forget()
    monkeypatch.setattr(runner, "STAGES", {stage.name: failing(stage, code) for stage in PIPELINE})
    resume = receive()
    for _ in range(2 + len(STANDARD.delays_s) + 1):
        Resume.objects.filter(pk=resume.pk).update(next_attempt_at=None)
        runner.run_stages("extract", resume.pk, resume.run)
    resume.refresh_from_db()
    assert resume.state in TERMINAL | {State.REVIEW_NEEDED, State.DEAD_LETTER}
    tries = Attempt.objects.filter(resume=resume).count()
    assert tries == 1 if code == "breaker_open" else tries <= 2 + len(STANDARD.delays_s)


def _withdraw(resume: Resume) -> None:
    transitions.move(resume, State.SKIPPED, node="test", reason="withdrawn")


def _erase(resume: Resume) -> None:
    erasure.erase(resume, actor="user:1", reason="asked")


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("overtake", [_withdraw, _erase])
def test_a_try_that_was_overtaken_is_closed_with_what_it_cost_and_failed_nothing(receive, monkeypatch, overtake, fails):
    resume = receive()

    def run(dossier, tools):
        tools.spend(Tokens(70, 7))
        overtake(Resume.objects.get(pk=resume.pk))
        if fails:
            raise ResumeError("timeout")
        return dossier

    stage = replace(idle(STAGES["structure"]), run=run)
    monkeypatch.setattr(runner, "STAGES", {**STAGES, "structure": stage})
    Resume.objects.filter(pk=resume.pk).update(next_stage="structure", next_channel="model", state=State.PARSING)
    runner.run_stages("structure", resume.pk, 1)
    row = Attempt.objects.get(resume=resume)
    assert (row.outcome, row.failure_code, row.prompt_tokens, row.completion_tokens) == ("dropped", "", 70, 7)
    assert row.seconds is not None
    assert spending.spent_today() == 77
    resume.refresh_from_db()
    assert resume.state == State.SKIPPED
