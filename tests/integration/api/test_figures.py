"""Counters: exact at every moment, and never smaller than they were."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from ingest import figures, housekeeping, metrics
from ingest.figures import of_attempt, of_transition
from ingest.models import Attempt, Figure
from resumes import erasure, reruns
from resumes.models import Resume, Transition
from review.models import Case, Correction
from tests.integration.people import POOR, sent, worked_off
from tests.texts import ADA

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch):
    monkeypatch.setattr("ingest.broker.queue_depths", lambda queues: dict.fromkeys(queues, 0))


@pytest.fixture
def resumes(recruiter):
    """One completed, one that waits for a person with a field corrected."""
    done, waiting = sent(recruiter, ADA), sent(recruiter, POOR)
    worked_off(done)
    worked_off(waiting)
    case = Case.objects.get(resume=waiting)
    Correction.objects.create(case=case, field="work[3].name", reviewer=recruiter)
    done.refresh_from_db()
    return done, waiting


def counters(client) -> dict:
    metrics.forget()
    families = text_string_to_metric_families(client.get("/metrics").content.decode())
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in families
        if family.type in ("counter", "histogram")
        for sample in family.samples
        if not sample.name.endswith("_created")
    }


def test_figures_are_the_same_before_and_after_they_are_folded(client, resumes):
    before = counters(client)
    assert not Figure.objects.exists()
    assert figures.fold() == Transition.objects.count() + Attempt.objects.count()
    assert counters(client) == before
    assert before["gleaner_field_corrections_total", ("field", "work.name")] == 1
    assert before["gleaner_stage_seconds_sum", ("stage", "extract")] == pytest.approx(
        sum(Attempt.objects.filter(stage="extract").values_list("seconds", flat=True))
    )


def test_nothing_is_counted_twice(client, resumes):
    before = counters(client)
    figures.fold()
    assert figures.fold() == 0
    assert counters(client) == before


def test_a_try_is_counted_once_it_has_ended(client, resumes):
    attempt = resumes[0].stage_attempts.create(run=1, stage="ocr", token=resumes[1].pk)
    figures.fold()
    assert counters(client)["gleaner_stage_seconds_count", ("stage", "ocr")] == 0
    Attempt.objects.filter(pk=attempt.pk).update(outcome="ok", seconds=0.2)
    assert counters(client)["gleaner_stage_seconds_count", ("stage", "ocr")] == 1
    figures.fold()
    assert counters(client)["gleaner_stage_seconds_count", ("stage", "ocr")] == 1


def test_counters_never_fall_by_erasure_pruning_or_a_new_run(client, resumes, recruiter):
    done, waiting = resumes
    Attempt.objects.update(started_at=timezone.now() - dt.timedelta(days=400))
    before = counters(client)
    reruns.retry(done, recruiter, "once more", node="api")
    assert not counters(client).items() < before.items()
    worked_off(done)
    assert housekeeping.prune() == 0  # not counted yet
    figures.fold()
    for resume in (done, waiting):
        resume.refresh_from_db()
        erasure.erase(resume, actor="system", reason="asked")
    housekeeping.prune()
    figures.fold()
    assert not Attempt.objects.filter(started_at__lt=timezone.now() - dt.timedelta(days=200)).exists()
    after = counters(client)
    assert all(after[key] >= value for key, value in before.items())
    assert after["gleaner_completed_by_level_total", ("level", "text")] == 2
    assert after["gleaner_reopened_total", ("from", "COMPLETED"), ("why", "replayed")] == 1


def test_a_fold_between_two_reads_is_noticed(client, resumes, monkeypatch):
    before = counters(client)
    real, folded = figures._tally, []

    def tally(log, rows):
        if not folded:
            folded.append(True)
            monkeypatch.setattr(figures, "_tally", real)
            figures.fold()
        return real(log, rows)

    monkeypatch.setattr(figures, "_tally", tally)
    assert counters(client) == before
    assert folded


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        (("", "PENDING", "api", "received", "", "applied"), {"received": ("applied",)}),
        (("PARSING", "COMPLETED", "finish", "quality gate passed", "ocr", "applied"), {"completed_by_level": ("ocr",)}),
        (("PARSING", "RETRY_WAITING", "extract", "timeout: again in 2.1 s", "", "applied"), {"retries": ("extract", "timeout")}),
        (
            ("PARSING", "REVIEW_NEEDED", "finish", "timeout", "", "applied"),
            {"given_up": ("REVIEW_NEEDED", "resource", "timeout")},
        ),
        (("REVIEW_NEEDED", "REJECTED", "workbench", "discarded: no resume", "", "applied"), {}),
        (
            ("PARSING", "DEAD_LETTER", "relay", "8 workers died on it", "", "applied"),
            {"given_up": ("DEAD_LETTER", "resource", "worker_lost")},
        ),
        (("COMPLETED", "PENDING", "api", "flagged as inaccurate", "", "applied"), {"reopened": ("COMPLETED", "flagged")}),
    ],
)
def test_what_a_move_adds(move, expected):
    found = {name: labels for (name, labels), _ in of_transition(*move)}
    assert found == {"transitions": (move[1],), **expected}


def test_what_a_try_adds():
    found = dict(of_attempt("structure", 130.0, "resource", "timeout", 300, 20))
    assert found == {
        ("stage_bucket", ("structure", str(len(figures.BUCKETS)))): 1,
        ("stage_sum", ("structure",)): 130.0,
        ("stage_failures", ("structure", "resource", "timeout")): 1,
        ("llm_tokens", ("prompt",)): 300,
        ("llm_tokens", ("completion",)): 20,
    }


def test_a_batch_counts_under_the_state_it_ended_with_until_an_item_is_opened_again(client, recruiter):
    from ingest import batches, reconcile
    from tests.integration.people import text_file

    batch = batches.open_batch(recruiter, "Autumn")
    batches.add_file(batch, text_file(ADA), "a.txt")
    batches.seal(batch)
    resume = Resume.objects.get()
    worked_off(resume)
    reconcile.reconcile(batch.pk)
    batch.refresh_from_db()
    assert (batch.ended_as, bool(batch.finished_at)) == ("SUCCEEDED", True)
    resume.refresh_from_db()
    reruns.retry(resume, recruiter, "once more", node="api")
    batch.refresh_from_db()
    assert (batch.ended_as, batch.finished_at) == ("", None)
