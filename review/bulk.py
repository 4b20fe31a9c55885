"""One decision for many cases: whatever a filter shows, worked off in the background.

The cases are marked in one statement, so that what is decided is what the filter showed at that moment; a marked case is
nobody's to claim. A worker that dies leaves the rest marked, and the next pass goes on.
"""

from __future__ import annotations

import datetime as dt
import uuid

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from resumes.models import OutboxMessage
from resumes.reruns import CannotRerun
from resumes.transitions import Moved, send
from review import decisions
from review.cases import OPEN, Taken
from review.models import BulkJob, Case

TOPIC = "review.bulk"
_CHUNK = 50
_STALE = dt.timedelta(minutes=2)


def start(rows: QuerySet[Case], verb: BulkJob.Verb, user: User, *, reason: str = "", note: str = "") -> BulkJob:
    """Mark the open cases among `rows` that nobody works on for a decision, and wake the worker that makes it."""
    with transaction.atomic():
        job = BulkJob.objects.create(verb=verb, reason=reason, note=note, user=user)
        free = Q(claimed_by=None) | Q(claimed_by=user) | Q(claimed_until__lt=timezone.now())
        chosen = Case.objects.filter(free, pk__in=rows.order_by().values("pk"), state__in=OPEN, bulk=None)
        job.total = chosen.update(bulk=job)
        job.save(update_fields=["total"])
        _wake(job)
    return job


def work_off(job_id: int) -> int:
    """Decide what is still marked; how many were done. Two workers on one job share it."""
    job = BulkJob.objects.select_related("user").get(pk=job_id)
    number = 0
    while marked := list(job.cases.order_by("pk").values_list("pk", flat=True)[:_CHUNK]):
        for pk in marked:
            number += _decide(job, pk)
    BulkJob.objects.filter(pk=job.pk, ended_at=None).update(ended_at=timezone.now())
    return number


def _decide(job: BulkJob, pk: uuid.UUID) -> int:
    """Decide one case; 1 where it was done. One that has changed meanwhile is left as it is."""
    with transaction.atomic():
        if not Case.objects.filter(pk=pk, bulk=job).update(bulk=None):
            return 0
        case = Case.objects.get(pk=pk)
        try:
            with transaction.atomic():
                _verb(job, case)
        except (decisions.Stale, Taken, Moved, CannotRerun):
            BulkJob.objects.filter(pk=job.pk).update(left_alone=F("left_alone") + 1)
            return 0
        BulkJob.objects.filter(pk=job.pk).update(done=F("done") + 1)
    return 1


def _verb(job: BulkJob, case: Case) -> None:
    if job.user is None:
        raise Taken
    if job.verb == BulkJob.Verb.DISCARD:
        decisions.discard(case, decisions.Reason(job.reason), job.note, job.user, version=case.version)
    else:
        decisions.run_again(case, job.note, job.user, version=case.version)


def resume_stalled() -> int:
    """Wake the jobs that began a while ago and have not ended: their worker died, or the message was lost."""
    rows = BulkJob.objects.filter(ended_at=None, created_at__lt=timezone.now() - _STALE)
    with transaction.atomic():
        for job in rows:
            _wake(job)
    return len(rows)


def _wake(job: BulkJob) -> None:
    message = OutboxMessage.objects.create(topic=TOPIC, payload={"job_id": job.pk})
    transaction.on_commit(lambda: send(message), robust=True)
