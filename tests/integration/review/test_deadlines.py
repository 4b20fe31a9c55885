"""Cases that wait: told, folded away, freed, forecast."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from ingest.models import Alert
from review import bulk, cases, deadlines
from review.models import BulkJob, Case, Team
from tests.integration.people import POOR, sent, worked_off

pytestmark = pytest.mark.django_db

HALF = "{name}\n{name}@example.org\n\nExperience\nNorthwind Instruments, Engineer\nMarch 2019 - June 2023\n"


@pytest.fixture
def case(people) -> Case:
    resume = worked_off(sent(people["recruiter"], HALF.format(name="Ada")))
    return Case.objects.get(resume=resume)


def ago(**span: int) -> dt.datetime:
    return timezone.now() - dt.timedelta(**span)


def test_a_case_nobody_has_touched_for_a_day_is_told_once_and_moves_up(case):
    before = case.priority
    assert deadlines.tend() == 0
    Case.objects.update(due_at=ago(minutes=1))
    assert deadlines.tend() == 1
    assert deadlines.tend() == 0
    case.refresh_from_db()
    assert case.escalated_at is not None
    assert case.priority > before
    assert case.urgency["age"] > 1
    alert = Alert.objects.get(kind=Alert.Kind.REVIEW_LATE)
    assert (alert.subject, alert.count) == ("review", 1)


def test_one_that_is_worked_on_is_not_escalated(case, people):
    Case.objects.update(due_at=ago(minutes=1))
    cases.claim(case, people["reviewer"])
    assert deadlines.tend() == 0


def test_after_three_days_it_is_folded_away_behind_all_the_others(case, people):
    other = Case.objects.get(resume=worked_off(sent(people["recruiter"], POOR)))
    Case.objects.filter(pk=case.pk).update(fold_at=ago(minutes=1), due_at=ago(days=2))
    deadlines.tend()
    case.refresh_from_db()
    assert case.folded
    assert cases.claim_next(people["reviewer"]) == other


def test_a_claim_that_ran_out_is_free_and_counted_as_waiting_again(case, people):
    cases.claim(case, people["reviewer"])
    Case.objects.update(claimed_until=ago(minutes=1))
    deadlines.tend()
    case.refresh_from_db()
    assert (case.state, case.claimed_by) == (Case.State.PENDING, None)


def test_days_off_put_the_deadline_off(people, settings):
    settings.GLEANER_HOLIDAYS = tuple(timezone.localdate() + dt.timedelta(days=ahead) for ahead in range(1, 4))
    case = Case.objects.get(resume=worked_off(sent(people["recruiter"], POOR)))
    assert dt.timedelta(days=4) - (case.due_at - case.opened_at) < dt.timedelta(minutes=5)


def test_the_forecast_counts_what_will_be_left_at_todays_pace(case, people):
    now = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)
    resume = case.resume
    Case.objects.bulk_create(
        Case(resume=resume, run=number, code="x", due_at=now + dt.timedelta(hours=1), state=Case.State.PENDING)
        for number in range(10, 30)
    )
    Case.objects.bulk_create(
        Case(
            resume=resume,
            run=number,
            code="x",
            due_at=now,
            state=Case.State.DONE,
            closed_at=now - dt.timedelta(hours=1),
            closed_by=people["reviewer"],
        )
        for number in range(30, 36)
    )
    Case.objects.filter(pk=case.pk).update(due_at=now + dt.timedelta(days=9))
    found = deadlines.forecast(now)
    assert found.closes_at == now.replace(hour=18)
    assert found.pace == 2.0
    assert (found.waiting, found.due, found.overdue) == (21, 20, 8)
    assert found.minutes == round(21 / 2 * 60)


def test_cases_go_to_the_team_that_fits_best_and_to_its_members_first(people):
    everything = Team.objects.create(name="everybody")
    russian = Team.objects.create(name="russian", languages=["ru"])
    english = Team.objects.create(name="english", languages=["en"])
    english.members.add(people["reviewer"])
    best = Case.objects.get(resume=worked_off(sent(people["recruiter"], HALF.format(name="Ada"))))
    assert best.team == english
    assert russian.cases.count() == everything.cases.count() == 0
    Case.objects.update(team=russian)
    own = Case.objects.get(resume=worked_off(sent(people["recruiter"], POOR)))
    assert own.team == english
    assert own.priority < best.priority
    assert cases.claim_next(people["reviewer"]) == own
    assert cases.claim_next(people["reviewer"]) == best


def test_a_bulk_decision_leaves_alone_what_somebody_works_on_and_goes_on_after_a_crash(case, people, sent):
    from tests.integration.people import sent as send_in

    other = Case.objects.get(resume=worked_off(send_in(people["recruiter"], POOR)))
    cases.claim(other, people["admin"])
    job = bulk.start(Case.objects.all(), BulkJob.Verb.DISCARD, people["reviewer"], reason="not_a_resume")
    assert job.total == 1
    with pytest.raises(cases.Taken):
        cases.claim(case, people["admin"])
    BulkJob.objects.update(created_at=ago(minutes=10))
    assert bulk.resume_stalled() == 1
    assert bulk.work_off(job.pk) == 1
    assert bulk.work_off(job.pk) == 0
    assert bulk.resume_stalled() == 0
    job.refresh_from_db()
    assert (job.done, job.left_alone) == (1, 0)
    case.refresh_from_db()
    other.refresh_from_db()
    assert (case.state, other.state) == (Case.State.DISCARDED, Case.State.IN_PROGRESS)
