"""Parking: while the file store does not answer, what needs it waits in the database, and goes on in a measured stream after.

A store that refuses one file and gives others is that file's failure and goes its own way. A store that gives nothing is an
outage: trying each resume again and again would help nobody. The rows wait without messages; the relay knocks, and lets a
bounded number go on in each of its passes once the store has answered often enough to close its breaker.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import uuid
from collections.abc import Iterator
from pathlib import Path

import structlog
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from ingest import breaker
from ingest.breaker import BreakerState
from ingest.failures import OutageError
from ingest.switches import STORAGE
from resumes import files, transitions
from resumes.models import Document, OutboxMessage, Resume
from resumes.states import ACTIVE
from resumes.taxonomy import ResumeError

log = structlog.get_logger(__name__)

LONGEST = dt.timedelta(minutes=15)
"""A parked resume tries by itself after this long, should nobody have let it go on before."""
CLOSED_DOORS = frozenset({"breaker_open", "storage_denied"})
"""Codes of tries that ended before the work began: they say nothing of the resume and use up no retry."""
_KNOCKS = 100
"""More than any breaker asks for before it closes."""
_OTHERS = 3


def fetch(document: Document, scratch: contextlib.ExitStack) -> Path:
    """A path to the document's bytes that lives as long as `scratch`.

    Raises ResumeError for a fault of this file, OutageError where the store as a whole does not answer.
    """
    try:
        with breaker.guarded(STORAGE, refusal_opens=False):
            found = _fetch(document, scratch)
    except ResumeError as exc:
        if exc.code == "breaker_open":
            raise OutageError(exc.code, channel=STORAGE) from exc
        raise
    if isinstance(found, ResumeError):
        raise found
    return found


@contextlib.contextmanager
def storing() -> Iterator[None]:
    """Keep a file inside the block. What the block raises goes on, as an OutageError where the store gives nothing either."""
    try:
        with breaker.guarded(STORAGE, refusal_opens=False):
            yield
    except ResumeError as exc:
        if exc.code == "breaker_open" or (exc.channel == STORAGE and not answers()):
            raise OutageError(exc.code, exc.detail, channel=STORAGE) from exc
        raise


def _fetch(document: Document, scratch: contextlib.ExitStack) -> Path | ResumeError:
    """The path. Raises what speaks of the store, returns what speaks of this file alone."""
    try:
        return scratch.enter_context(files.local_copy(document))
    except ResumeError as exc:
        if not answers(but=document):
            raise OutageError(exc.code, exc.detail, channel=STORAGE) from exc
        if exc.code != "storage_denied":
            raise
        return exc


def answers(*, but: Document | None = None) -> bool:
    """Whether the store gives out files: any of a few taken at random; where it holds no other, whether it keeps one."""
    others = Document.objects.exclude(pk=but.pk) if but else Document.objects.all()
    middle = uuid.uuid4()
    few = [*others.filter(pk__gte=middle).order_by("pk")[:_OTHERS], *others.filter(pk__lt=middle).order_by("-pk")[:_OTHERS]]
    if not few:
        return _keeps_a_file()
    return any(_opens(document.stored_as) for document in few[:_OTHERS])


def _opens(name: str) -> bool:
    try:
        with files.storage_faults(), default_storage.open(name) as content:
            content.read(1)
    except ResumeError:
        return False
    return True


def _keeps_a_file() -> bool:
    try:
        with files.storage_faults():
            default_storage.delete(default_storage.save(f"probe/{uuid.uuid4()}", ContentFile(b"gleaner")))
    except ResumeError:
        return False
    return True


def parked() -> QuerySet[Resume]:
    """Resumes that wait for the store."""
    return Resume.objects.filter(parked_for=STORAGE, token=None, state__in=ACTIVE)


def release(most: int) -> int:
    """Let up to `most` parked resumes go on, the longest waiting first, where the store answers; how many."""
    if not parked().exists() or not _knock():
        return 0
    released = 0
    for resume in parked().order_by("state_since")[:most]:
        with transaction.atomic():
            still = parked().filter(pk=resume.pk, run=resume.run, next_stage=resume.next_stage)
            if not still.update(parked_for="", next_attempt_at=None, dispatched_at=Now()):
                continue
            wake = transitions.stage_wake(resume.next_stage, resume.pk, resume.run)
            OutboxMessage.objects.create(topic=wake.topic, payload=wake.payload, due_at=Now())
        released += 1
    if released:
        log.info("parked_released", count=released)
    return released


def _knock() -> bool:
    """Ask the store through its breaker until that is closed; False as soon as it does not answer or may not be asked."""
    for _knocks in range(_KNOCKS):
        try:
            with breaker.guarded(STORAGE, refusal_opens=False):
                _ask()
        except ResumeError:
            return False
        if breaker.state(STORAGE) in (BreakerState.CLOSED, None):
            return True
    return False


def _ask() -> None:
    """Raises OutageError where the store does not answer."""
    if not answers():
        raise OutageError("dependency_unavailable", channel=STORAGE)
