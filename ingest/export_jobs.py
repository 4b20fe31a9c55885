"""Exports made in the background: asked for, written by a worker, fetched by a link, and gone after a week.

A worker takes a job with a token of its own, says now and then how far it is, and stores the file before the job is
ready. One that dies, or whose message is lost, is noticed by its silence and another takes over.
"""

from __future__ import annotations

import datetime as dt
import tempfile
import time
import uuid
from collections.abc import Iterable, Iterator
from functools import partial
from typing import IO, Any

import structlog
from django.contrib.auth.models import User
from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import F
from django.utils import timezone, translation

from ingest.export import FORMATS, Row, items_of, rows
from ingest.models import Batch, Export
from resumes import transitions
from resumes.files import storage_faults
from resumes.models import OutboxMessage

log = structlog.get_logger(__name__)

TOPIC = "ingest.export"
KEPT = dt.timedelta(days=7)
_FOLDER = "exports"
_SILENT = dt.timedelta(minutes=5)
"""Longer than packing and storing a large file takes, which tell nothing on the way."""
_MOST_TRIES = 3
_TELL_S = 1.0
"""How often a worker says how far it is."""
_UNSETTLED = (Export.State.WAITING, Export.State.RUNNING)


class _Overtaken(Exception):
    """The job has been discarded, or another worker has it."""


def start(batch: Batch, name: str, user: User) -> Export:
    """Ask for the batch in one of `FORMATS`; sentences in it come in the language of this thread."""
    with transaction.atomic():
        job = Export.objects.create(
            batch=batch, owner=user, format=name, total=items_of(batch).count(), language=translation.get_language() or "en"
        )
        _wake(job)
    return job


def work_off(job_id: uuid.UUID, task_id: str = "") -> dict[str, int]:
    """Make the file if nobody else does; what a person may see of it. Raises ResumeError where the storage fails."""
    token = uuid.uuid4()
    waiting = Export.objects.filter(pk=job_id, state=Export.State.WAITING)
    now = timezone.now()
    if not waiting.update(state=Export.State.RUNNING, token=token, task_id=task_id, tries=F("tries") + 1, done=0, seen_at=now):
        return {}
    job = Export.objects.select_related("batch").get(pk=job_id)
    mine = Export.objects.filter(pk=job_id, token=token, state=Export.State.RUNNING)
    try:
        with tempfile.TemporaryFile(prefix="gleaner-export-") as target, translation.override(job.language):
            FORMATS[job.format].write(_told(rows(job.batch), mine), target)
            size = target.tell()
            target.seek(0)
            with storage_faults():
                default_storage.save(_stored_name(job), File(target))
    except _Overtaken:
        return {}
    if not mine.update(state=Export.State.READY, size_bytes=size, done=job.total, settled_at=timezone.now()):
        _delete_file(job)
        return {}
    return {"items": job.total, "bytes": size}


def opened(job: Export, user: User) -> IO[bytes]:
    """The finished file; who has opened it is on record. Raises ResumeError where the storage does not give it."""
    with storage_faults():
        content = default_storage.open(_stored_name(job))
    log.info("export_opened", user=user.pk, export=str(job.pk), batch=str(job.batch_id))
    return content


def discard(jobs: Iterable[Export]) -> int:
    """Delete jobs with their files; how many. A worker on one of them finds that out and stores nothing."""
    gone = list(jobs)
    Export.objects.filter(pk__in=[job.pk for job in gone]).delete()
    for job in gone:
        transaction.on_commit(partial(_delete_file, job), robust=True)  # what a failing storage keeps is swept up by `prune`
    return len(gone)


def tend() -> int:
    """Wake the jobs nobody has been heard of for a while, and give up those tried often enough; how many of both."""
    now = timezone.now()
    silent = list(Export.objects.filter(state__in=_UNSETTLED, seen_at__lt=now - _SILENT))
    for job in silent:
        same = Export.objects.filter(pk=job.pk, state=job.state, token=job.token, seen_at=job.seen_at)
        if job.tries >= _MOST_TRIES:
            same.update(state=Export.State.FAILED, settled_at=now)
            continue
        with transaction.atomic():
            if same.update(state=Export.State.WAITING, token=None, seen_at=now):
                _wake(job)
    return len(silent)


def prune() -> int:
    """Delete the jobs that have been kept long enough, and files without a job; how many jobs."""
    number = discard(Export.objects.filter(created_at__lt=timezone.now() - KEPT))
    try:
        lying = {f"{_FOLDER}/{name}" for name in default_storage.listdir(_FOLDER)[1]}
    except FileNotFoundError:  # nobody has exported anything yet
        return number
    wanted = {_stored_name(job) for job in Export.objects.only("token")}  # looked for after the files: a new one has its job
    for name in lying - wanted:
        default_storage.delete(name)
    return number


def _told(found: Iterator[Row], mine: Any) -> Iterator[Row]:
    """The same rows, while the job's own row says now and then how many went by. Raises `_Overtaken`."""
    told_at = time.monotonic()
    for done, row in enumerate(found, 1):
        yield row
        if time.monotonic() - told_at >= _TELL_S:
            if not mine.update(done=done, seen_at=timezone.now()):
                raise _Overtaken
            told_at = time.monotonic()


def _wake(job: Export) -> None:
    message = OutboxMessage.objects.create(topic=TOPIC, payload={"export_id": str(job.pk)})
    transaction.on_commit(lambda: transitions.send(message), robust=True)


def _stored_name(job: Export) -> str:
    return f"{_FOLDER}/{job.pk}-{job.token}"


def _delete_file(job: Export) -> None:
    if job.token is not None:
        with storage_faults():
            default_storage.delete(_stored_name(job))
