"""Celery tasks: one for each stage, made from the pipeline, and the periodic jobs. No logic: a body is one call."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from celery import Task, shared_task

from ingest import alerts, batches, canary, export_jobs, heartbeats, housekeeping, reconcile
from ingest.models import Heartbeat
from ingest.pipeline import PIPELINE
from ingest.retry import LONGEST_COUNTDOWN_S
from ingest.runner import run_stages
from ingest.stages import Stage
from ingest.webhooks import sending
from resumes import pool_matches
from resumes.models import Vacancy


def _stage_task(stage: Stage) -> Task[Any, Any]:
    @shared_task(bind=True, name=f"ingest.{stage.name}", max_retries=None, ignore_result=True)
    def run(self: Task[Any, Any], resume_id: str, run: int) -> None:
        wake_up = run_stages(stage.name, uuid.UUID(resume_id), run)
        if wake_up is None or wake_up.delay_s > LONGEST_COUNTDOWN_S:
            return
        kwargs: dict[str, Any] = {"resume_id": str(wake_up.resume_id), "run": wake_up.run}
        if wake_up.stage == stage.name:
            raise self.retry(kwargs=kwargs, countdown=wake_up.delay_s)
        STAGE_TASKS[wake_up.stage].apply_async(kwargs=kwargs, countdown=wake_up.delay_s)

    return run


STAGE_TASKS: dict[str, Task[Any, Any]] = {stage.name: _stage_task(stage) for stage in PIPELINE}


@shared_task(name="ingest.seal_idle_batches")
def seal_idle_batches() -> int:
    """Seal the batches nothing has come in for a day."""
    return batches.seal_idle()


@shared_task(name="ingest.reconcile_batch", ignore_result=False)
def reconcile_batch(batch_id: str, asked_at: str) -> dict[str, Any]:
    """Reconcile one batch, unless that has been done since it was asked for; a person looks at the result."""
    report: dict[str, Any] = reconcile.reconcile_unless_done(uuid.UUID(batch_id), dt.datetime.fromisoformat(asked_at)).data
    return {"ok": report["ok"], "state": report["state"]}


@shared_task(bind=True, name=export_jobs.TOPIC, ignore_result=False)
def export(self: Task[Any, Any], export_id: str) -> dict[str, int]:
    """Make the file of an export; a person looks at the result."""
    return export_jobs.work_off(uuid.UUID(export_id), self.request.id or "")


@shared_task(name="ingest.tend_exports")
def tend_exports() -> int:
    """Take up the exports that nobody is at work on, and give up what has failed too often."""
    return export_jobs.tend()


@shared_task(name="ingest.reconcile_open_batches")
def reconcile_open_batches() -> int:
    """Reconcile what is sealed and has not drained."""
    return reconcile.reconcile_open()


@shared_task(name="ingest.purge_expired")
def purge_expired() -> int:
    """Erase resumes past their retention."""
    return housekeeping.purge_expired()


@shared_task(name="ingest.prune")
def prune() -> int:
    """Delete rows of the logs nobody needs any more."""
    return housekeeping.prune()


@shared_task(name="ingest.match_vacancy")
def match_vacancy(vacancy_id: str) -> int:
    """Match the whole pool against one vacancy; nothing to do where it has been deleted meanwhile."""
    return pool_matches.match_vacancy(uuid.UUID(vacancy_id)) if Vacancy.objects.filter(pk=vacancy_id).exists() else 0


@shared_task(name="ingest.watch")
def watch() -> int:
    """Look through the records for what operators must be told, and tell what is due."""
    alerts.watch()
    return alerts.send_due()


@shared_task(name="ingest.send_webhooks")
def send_webhooks() -> int:
    """Send the webhooks that are due."""
    return sending.send_due()


@shared_task(name="ingest.sign_of_life")
def sign_of_life() -> None:
    """Beat sends it and a worker takes it: both live."""
    heartbeats.beat(Heartbeat.Kind.BEAT, "beat")


@shared_task(name=canary.TASK)
def sing() -> None:
    """Nothing: that a worker has taken it is what counts."""
