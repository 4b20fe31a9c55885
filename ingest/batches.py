"""Batches: opened, filled, sealed, and always accountable.

An entry exists for every input the caller declared or sent before any work is done; the state is derived from the
entries, the ledger (`record_outcome`) and the last reconciliation report, never stored.
"""

from __future__ import annotations

import datetime as dt
import enum
import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import IO

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Count, Max, Q, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from ingest.models import Batch, BatchEntry, Outcome, ReconciliationReport
from resumes import intake, transitions
from resumes.models import OutboxMessage, Resume, Source
from resumes.states import ACTIVE, SUCCEEDED, TERMINAL, WAITING, State
from resumes.taxonomy import OURS, ResumeError
from resumes.transitions import Move, Moved

_PACE_WINDOW = dt.timedelta(minutes=5)
_CHUNK = 1000
CANCELLED = "batch cancelled"
"""The reason of what is left out by a cancelled batch."""


class BatchState(enum.StrEnum):
    PROCESSING = "PROCESSING"
    SUCCEEDED = "SUCCEEDED"
    PARTIALLY_SUCCEEDED = "PARTIALLY_SUCCEEDED"
    FAILED = "FAILED"
    RECONCILIATION_ERROR = "RECONCILIATION_ERROR"


class Phase(enum.StrEnum):
    RECEIVING = "receiving"
    RUNNING = "running"
    AWAITING_PEOPLE = "awaiting_people"
    FINISHED = "finished"


class BatchClosed(Exception):
    """The batch is sealed or cancelled: nothing more can be added."""


@dataclass(frozen=True, slots=True)
class Declared:
    """One file the caller says will come."""

    filename: str
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a batch stands, derived in a fixed number of queries."""

    state: BatchState
    phase: Phase
    declared: int | None
    files: int
    """Files sent, or withdrawn."""
    received: int
    """Resumes they hold, refused ones included."""
    open: int
    missing: int
    """Declared files that have not come."""
    counts: dict[str, int]
    """Items per state."""
    failure_classes: dict[str, int]
    """Items per class of their failure, of those that have one."""
    per_minute: float
    """Items that automation has finished with, at the pace of the last minutes."""
    seconds_left: float | None
    """At that pace; None while there is none."""

    @property
    def settled(self) -> int:
        return self.received - self.open

    @property
    def progress(self) -> float:
        """Share of the items automation is done with, 0 to 1."""
        running = sum(self.counts.get(state, 0) for state in ACTIVE)
        total = self.received + self.missing
        return round((self.received - running) / total, 4) if total else float(self.phase is Phase.FINISHED)


def open_batch(  # noqa: PLR0913 - what is said of a batch when it is opened, by name
    owner: User | None,
    name: str,
    *,
    source: Source = Source.IMPORTED,
    position: str = "",
    urgency: str = "",
    expected: int | Sequence[Declared] | None = None,
    callback_url: str = "",
    on_duplicate: Batch.OnDuplicate = Batch.OnDuplicate.SKIP,
    use_model: bool = True,
) -> Batch:
    """Open a batch, with an entry for every declared file. Where that is none there is nothing to wait for: it is sealed."""
    files = [Declared("")] * expected if isinstance(expected, int) else list(expected or ())
    names = [intake.safe_name(file.filename) if file.filename else "" for file in files]  # as the files will be called
    with transaction.atomic():
        batch = Batch.objects.create(
            name=name,
            owner=owner,
            source=source,
            position=position,
            urgency=urgency,
            callback_url=callback_url,
            on_duplicate=on_duplicate,
            use_model=use_model,
            declared=len(files) if expected is not None else None,
        )
        BatchEntry.objects.bulk_create(
            (
                BatchEntry(batch=batch, number=number, filename=name, sha256=file.sha256)
                for number, (name, file) in enumerate(zip(names, files, strict=True), 1)
            ),
            batch_size=_CHUNK,
        )
    if batch.declared == 0:
        seal(batch)
    return batch


def add_file(
    batch: Batch, source: IO[bytes], filename: str, *, external_id: str = "", node: str = "api", more: bool = False
) -> BatchEntry:
    """Take one file into a batch: an entry always, with a resume that is PENDING, or REJECTED at the door.

    With `more` to come in the same breath the batch does not seal itself; the caller ends with `seal_if_complete`.
    Raises `BatchClosed`. A fault of what Gleaner runs on, such as the storage, is raised as ResumeError: the file is the
    sender's still, to be sent again.
    """
    if batch.sealed_at is not None:
        raise BatchClosed
    name = intake.safe_name(filename)
    try:
        admitted, code = intake.admit(source, name), ""
    except ResumeError as exc:
        if exc.entry.failure_class in OURS:
            raise
        admitted, code = None, exc.code
    sender = _sender(batch, external_id, node)
    try:
        entry = _enter(batch, name, admitted, code, sender)
    except IntegrityError:
        if not intake.holder_of(sender):
            raise
        entry = _enter(batch, name, admitted, code, sender)  # its external id was taken at this very moment
    if not more:
        seal_if_complete(batch)
    return entry


def add_refused(batch: Batch, filename: str, code: str, *, node: str) -> BatchEntry:
    """Put a file on record that the sender has and could not hand over: an item that is REJECTED."""
    return _enter(batch, intake.safe_name(filename), None, code, _sender(batch, "", node))


def _sender(batch: Batch, external_id: str, node: str) -> intake.Sender:
    return intake.Sender(
        owner=batch.owner,
        source=Source(batch.source),
        external_id=external_id,
        callback_url=batch.callback_url,
        node=node,
        skip_duplicates=batch.on_duplicate == Batch.OnDuplicate.SKIP,
    )


def _enter(batch: Batch, name: str, admitted: intake.Admitted | None, code: str, sender: intake.Sender) -> BatchEntry:
    with transaction.atomic():
        # Whoever seals or cancels the batch meanwhile waits for this row, and then finds the entry.
        if not Batch.objects.filter(pk=batch.pk, sealed_at=None).update(last_input_at=timezone.now()):
            raise BatchClosed
        entry = _entry_for(batch, name, admitted.sha256 if admitted else "")
        if admitted:
            intake.enter(admitted, sender, entry=entry)
        else:
            intake.refuse(name, sender, code, entry=entry)
    return entry


def seal_if_complete(batch: Batch) -> None:
    """Seal the batch once everything declared has come."""
    if batch.declared is not None and not batch.entries.filter(archive=None, received_at=None).exists():
        seal(batch)


def _entry_for(batch: Batch, filename: str, sha256: str) -> BatchEntry:
    """The declared entry the file was announced by, an unnamed place where a count was declared, else a new entry.

    A file that was announced with other content is another file: it gets an entry of its own, and the announced one stays
    missing. One that was refused has no digest here and goes by its name. Called with the batch's row locked.
    """
    now = timezone.now()
    announced = Q(filename=filename) | Q(filename="", sha256="")
    if sha256:
        announced = Q(filename=filename, sha256__in=("", sha256)) | Q(sha256=sha256) | Q(filename="", sha256="")
    waiting = batch.entries.filter(archive=None, received_at=None)
    while (entry := waiting.filter(announced).order_by("-filename", "number").first()) is not None:
        digest = sha256 or entry.sha256
        if waiting.filter(pk=entry.pk).update(received_at=now, filename=filename, sha256=digest):
            entry.received_at, entry.filename, entry.sha256 = now, filename, digest
            return entry
    last = batch.entries.aggregate(last=Max("number"))["last"] or 0
    return BatchEntry(batch=batch, number=last + 1, filename=filename, sha256=sha256, received_at=now)


def seal(batch: Batch) -> None:
    """No more input. Sealing twice is sealing once."""
    if Batch.objects.filter(pk=batch.pk, sealed_at=None).update(sealed_at=timezone.now()):
        batch.refresh_from_db(fields=["sealed_at"])
        _reconcile_if_drained(batch.pk)


def cancel(batch: Batch, actor: str) -> int:
    """Stop what has not begun; how many items that were. The batch is sealed with it.

    An archive that is just being unpacked has begun; what comes out of it has not (`ingest.archives`).
    """
    now = timezone.now()
    Batch.objects.filter(pk=batch.pk, cancelled_at=None).update(cancelled_at=now, sealed_at=Coalesce("sealed_at", Value(now)))
    stopped = 0
    waiting = Resume.objects.filter(entries__batch=batch, state=State.PENDING, token=None).order_by("pk")
    last: uuid.UUID | None = None
    # Read a chunk, then write: SQLite lets nobody write inside a read that another writer has overtaken.
    while chunk := list(waiting.filter(pk__gt=last)[:_CHUNK] if last else waiting[:_CHUNK]):
        for resume in chunk:
            try:
                transitions.move(resume, State.SKIPPED, node="batch", actor=actor, reason=CANCELLED)
            except Moved:
                continue  # a worker was quicker: what has begun is finished
            stopped += 1
        last = chunk[-1].pk
    batch.refresh_from_db()
    _reconcile_if_drained(batch.pk)
    return stopped


def withdraw(batch: Batch, filenames: Iterable[str], reason: str, actor: str, *, places: int = 0) -> list[BatchEntry]:
    """Take back declared files that will not come: SKIPPED, on record with the reason. The entries taken back.

    `places` is how many go of those that a count has declared, which have no names.
    """
    waiting = batch.entries.filter(archive=None, received_at=None).order_by("number")
    named = waiting.filter(filename__in={intake.safe_name(name) for name in filenames if name})
    taken: list[BatchEntry] = []
    for entry in [*named, *waiting.filter(filename="")[:places]]:
        with transaction.atomic():
            now = timezone.now()
            if not BatchEntry.objects.filter(pk=entry.pk, received_at=None).update(received_at=now, withdrawn_at=now):
                continue
            entry.received_at = entry.withdrawn_at = now
            intake.withdraw(
                entry.filename, intake.Sender(owner=batch.owner, source=Source(batch.source)), reason, actor, entry=entry
            )
        taken.append(entry)
    seal_if_complete(batch)
    _reconcile_if_drained(batch.pk)
    return taken


def seal_idle() -> int:
    """Seal the batches nothing has come in for a day; how many."""
    limit = timezone.now() - dt.timedelta(seconds=settings.GLEANER_AUTO_SEAL_S)
    idle = list(Batch.objects.filter(sealed_at=None, last_input_at__lt=limit)[:_CHUNK])
    for batch in idle:
        seal(batch)
    return len(idle)


def standing(batch: Batch) -> Standing:
    """Where the batch stands now."""
    return standings([batch])[batch.pk]


def standings(batches: Sequence[Batch]) -> dict[uuid.UUID, Standing]:
    """Where each of the batches stands now, in as many queries for a hundred as for one."""
    keys = [batch.pk for batch in batches]
    tallies = _tallies(keys)
    latest = (
        ReconciliationReport.objects.filter(batch__in=keys).order_by().values("batch").annotate(last=Max("pk")).values("last")
    )
    reports = dict(ReconciliationReport.objects.filter(pk__in=latest).values_list("batch", "ok"))
    return {batch.pk: _standing(batch, tallies[batch.pk], reported=reports.get(batch.pk) is False) for batch in batches}


@dataclass(slots=True)
class _Tally:
    """What the entries of a batch add up to."""

    counts: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    failure_classes: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    files: int = 0
    missing: int = 0
    done: int = 0
    """Items that automation has finished in the last minutes; not those that were no work for it."""


def _tallies(keys: Sequence[uuid.UUID]) -> dict[uuid.UUID, _Tally]:
    """All that is counted, by the databases and in few looks: at a hundred thousand entries each takes tenths of a second."""
    tallies = {key: _Tally() for key in keys}
    entries = BatchEntry.objects.filter(batch__in=keys).order_by()
    items = entries.filter(unpacked_at=None, resume__isnull=False).exclude(received_at=None)
    by_state = items.values_list("batch", "resume__state", "resume__failure_class").annotate(number=Count("pk"))
    for key, state, failure_class, number in by_state:
        tallies[key].counts[state] += number
        if failure_class:
            tallies[key].failure_classes[failure_class] += number
    sent = entries.filter(archive=None).values_list("batch")
    for key, files, missing in sent.annotate(files=Count("received_at"), missing=Count("pk", filter=Q(received_at=None))):
        tallies[key].files, tallies[key].missing = files, missing
    worked = items.filter(resume__attempts__gt=0, resume__state_since__gte=timezone.now() - _PACE_WINDOW)
    done = worked.exclude(resume__state__in=[*ACTIVE, State.REVIEWED])
    for key, number in done.values_list("batch").annotate(number=Count("pk")):
        tallies[key].done = number
    return tallies


def _standing(batch: Batch, tally: _Tally, *, reported: bool) -> Standing:
    counts = dict(tally.counts)
    phase = _phase(batch, counts)
    return Standing(
        state=_state(phase, counts, reported=reported, missing=tally.missing > 0),
        phase=phase,
        declared=batch.declared,
        files=tally.files,
        received=sum(counts.values()),
        open=sum(number for state, number in counts.items() if state not in TERMINAL),
        missing=tally.missing,
        counts=counts,
        failure_classes=dict(tally.failure_classes),
        per_minute=round(60 * tally.done / _paced_s(batch), 2),
        seconds_left=_seconds_left(batch, counts, tally.done),
    )


def _phase(batch: Batch, counts: dict[str, int]) -> Phase:
    if batch.sealed_at is None:
        return Phase.RECEIVING
    if any(counts.get(state) for state in ACTIVE):
        return Phase.RUNNING
    return Phase.AWAITING_PEOPLE if any(counts.get(state) for state in WAITING) else Phase.FINISHED


def _state(phase: Phase, counts: dict[str, int], *, reported: bool, missing: bool) -> BatchState:
    """The contract's state. What a report has found shows while people are still at work; a file may come until the end."""
    if reported and phase in (Phase.AWAITING_PEOPLE, Phase.FINISHED):
        return BatchState.RECONCILIATION_ERROR
    if phase is not Phase.FINISHED:
        return BatchState.PROCESSING
    if missing:
        return BatchState.RECONCILIATION_ERROR
    if not counts.get(State.REJECTED):
        return BatchState.SUCCEEDED
    return BatchState.PARTIALLY_SUCCEEDED if any(counts.get(state) for state in SUCCEEDED) else BatchState.FAILED


def _seconds_left(batch: Batch, counts: dict[str, int], done: int) -> float | None:
    running = sum(counts.get(state, 0) for state in ACTIVE)
    if not running:
        return 0.0 if batch.sealed_at else None
    return round(running * _paced_s(batch) / done, 1) if done else None


def _paced_s(batch: Batch) -> float:
    """The time that the pace is taken over."""
    return max(1.0, min(_PACE_WINDOW.total_seconds(), (timezone.now() - batch.created_at).total_seconds()))


def record_outcome(done: Move) -> None:
    """Follow-up: an end goes into the ledger; the last one of a sealed batch starts its reconciliation."""
    resume = done.resume
    if done.transition.from_state in TERMINAL:
        Batch.objects.filter(entries__resume=resume).update(finished_at=None, ended_as="")
    if resume.state not in TERMINAL and resume.state not in WAITING:
        return
    entry = BatchEntry.objects.filter(resume=resume, unpacked_at=None).only("id", "batch_id").first()
    if entry is None:
        return
    if resume.state in TERMINAL:
        Outcome.objects.create(
            batch_id=entry.batch_id, entry_id=entry.pk, resume_id=resume.pk, run=resume.run, result=resume.state
        )
    batch_id = entry.batch_id
    transaction.on_commit(lambda: _reconcile_if_drained(batch_id), robust=True)


def _reconcile_if_drained(batch_id: uuid.UUID) -> None:
    """Have a sealed batch reconciled once no item of it is in process. What a crash lets slip, the periodic job finds."""
    batch = Batch.objects.filter(pk=batch_id).exclude(sealed_at=None).first()
    if batch is None or Resume.objects.filter(entries__batch=batch, entries__unpacked_at=None, state__in=ACTIVE).exists():
        return
    payload = {"batch_id": str(batch_id), "asked_at": timezone.now().isoformat()}
    message = OutboxMessage.objects.create(topic="ingest.reconcile_batch", payload=payload)
    transitions.send(message)
