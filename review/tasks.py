"""Celery tasks of the review. No logic: a body is one call."""

from __future__ import annotations

from celery import shared_task

from review import bulk, deadlines


@shared_task(name="review.bulk")
def work_off(job_id: int) -> int:
    """Make one decision for many cases."""
    return bulk.work_off(job_id)


@shared_task(name="review.tend")
def tend() -> int:
    """Tell of cases that wait too long, fold away the old ones, go on with what a dead worker has left."""
    bulk.resume_stalled()
    return deadlines.tend()
