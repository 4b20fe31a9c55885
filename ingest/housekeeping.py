"""Housekeeping: retention of people's data and pruning of logs, both as policies in the settings."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.utils import timezone
from django_celery_results.models import TaskResult

from ingest import export_jobs
from ingest.models import Alert, Attempt, Delivery, ReconciliationReport
from resumes import erasure
from resumes.models import IdempotencyKey, Resume
from resumes.states import TERMINAL

_CHUNK = 500
_KEEP_ATTEMPTS = dt.timedelta(days=180)
_KEEP_KEYS = dt.timedelta(days=1)
_KEEP_DELIVERIES = dt.timedelta(days=30)
_KEEP_REPORTS = dt.timedelta(days=365)


def purge_expired() -> int:
    """Erase settled resumes past their retention; how many. Does nothing while retention is not set."""
    if not settings.GLEANER_RETENTION_DAYS:
        return 0
    limit = timezone.now() - dt.timedelta(days=settings.GLEANER_RETENTION_DAYS)
    expired = Resume.objects.filter(state__in=TERMINAL, state_since__lt=limit, erased_at=None)[:_CHUNK]
    count = 0
    for resume in expired:
        erasure.erase(resume, actor="system", reason="retention")
        count += 1
    return count


def prune() -> int:
    """Delete attempts of long-settled resumes, old reports, webhook messages, exports, task results and alerts; how many rows."""
    now = timezone.now()
    settled = Attempt.objects.filter(started_at__lt=now - _KEEP_ATTEMPTS, resume__state__in=TERMINAL).exclude(counted=False)
    attempts, _ = settled.delete()
    reports, _ = ReconciliationReport.objects.filter(created_at__lt=now - _KEEP_REPORTS).delete()
    keys, _ = IdempotencyKey.objects.filter(created_at__lt=now - _KEEP_KEYS).delete()
    hooks, _ = Delivery.objects.filter(settled_at__lt=now - _KEEP_DELIVERIES).delete()
    results = TaskResult.objects.get_all_expired(dt.timedelta(seconds=settings.CELERY_RESULT_EXPIRES))
    tasks, _ = results.delete()
    alerts, _ = Alert.objects.filter(sent_at__lt=now - _KEEP_REPORTS).delete()
    exports = export_jobs.prune()
    return exports + attempts + reports + alerts + keys + hooks + tasks
