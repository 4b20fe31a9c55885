"""Taking files in: the only door through which a resume enters, whoever knocks (REST, admin, commands, archives).

`admit()` checks and stores the bytes, `enter()` writes the rows; `receive()` is both. Nothing is parsed here.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import IO, Any, Protocol

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string

from resumes import correlation, files, transitions
from resumes.models import Document, Resume, Source, Transition
from resumes.reruns import UNPACKED
from resumes.sniff import sniff
from resumes.states import State
from resumes.taxonomy import CODES, ResumeError


class IntakePaused(Exception):
    """Operators have paused the intake: no new file now, ask again after `retry_after_s` seconds."""

    def __init__(self, *, retry_after_s: int) -> None:
        super().__init__("The intake is paused.")
        self.retry_after_s = retry_after_s


ARCHIVE_TYPES = frozenset({"application/zip"})


@dataclass(frozen=True, slots=True)
class Admitted:
    """A file that has passed the door and lies in the storage."""

    filename: str
    sha256: str
    size_bytes: int
    media_type: str
    stored_as: str
    warnings: tuple[str, ...] = ()


class Entry(Protocol):
    """What a caller may want to tie to the resume before anything follows: an entry of a batch."""

    resume: Any

    def save(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends it and how it is to be treated."""

    owner: User | None = None
    source: Source = Source.IMPORTED
    external_id: str = ""
    callback_url: str = ""
    node: str = "intake"
    skip_duplicates: bool = False
    """Leave out a file whose bytes this owner has sent before, on record as SKIPPED."""
    id_is_free: bool = False
    """The external id must be nobody else's (`IdTaken`). Otherwise a file with a taken one goes on without it, said so by a
    warning; the very file that has it is a duplicate however often it is sent."""

    @property
    def actor(self) -> str:
        return transitions.user_actor(self.owner.pk) if self.owner else transitions.SYSTEM


class IdTaken(Exception):
    """Another resume of this owner and source has the external id."""


def ensure_open() -> None:
    """Ask the gate the settings name. Raises IntakePaused. Doors for many files ask once, before the first."""
    import_string(settings.RESUMES_INTAKE_GATE)()


def receive(source: IO[bytes], filename: str, sender: Sender) -> Resume:
    """Check, store and enter one file; the resume is PENDING and its first stage is on its way.

    Raises ResumeError where the file cannot be one: nothing is stored then. Raises IntakePaused and IdTaken.
    """
    ensure_open()
    admitted = admit(source, filename)
    with transaction.atomic():
        return enter(admitted, sender)


def admit(source: IO[bytes], filename: str) -> Admitted:
    """Check size and type of a file by its content and store it. Raises ResumeError; touches no database."""
    name = safe_name(filename)
    limit_mb = max(settings.GLEANER_MAX_FILE_MB, settings.GLEANER_MAX_ARCHIVE_MB)
    with files.spool(source, max_bytes=limit_mb << 20) as spooled:
        sniffed = sniff(spooled.path, name)
        if sniffed.media_type not in ARCHIVE_TYPES and spooled.size_bytes > settings.GLEANER_MAX_FILE_MB << 20:
            raise ResumeError("too_large", f"more than {settings.GLEANER_MAX_FILE_MB} MB")
        stored_as = files.store(spooled)
        return Admitted(
            filename=name,
            sha256=spooled.sha256,
            size_bytes=spooled.size_bytes,
            media_type=sniffed.media_type,
            stored_as=stored_as,
            warnings=("extension_differs",) if sniffed.extension_differs else (),
        )


def enter(admitted: Admitted, sender: Sender, *, entry: Entry | None = None) -> Resume:
    """Write the rows of an admitted file, inside the caller's transaction; `entry` is told its resume first."""
    document, _ = Document.objects.get_or_create(
        sha256=admitted.sha256,
        defaults={
            "size_bytes": admitted.size_bytes,
            "media_type": admitted.media_type,
            "stored_as": admitted.stored_as,
        },
    )
    sender, holder = _with_free_id(sender)
    if holder is not None and sender.id_is_free:
        raise IdTaken
    earlier = holder if holder is not None and holder.document_id == document.pk else None
    if earlier is None and sender.skip_duplicates:
        earlier = _sent_before(document, sender)
    taken = ("external_id_taken",) if holder is not None and earlier is None else ()
    resume = _born(
        sender,
        entry,
        document=document,
        filename=admitted.filename,
        warnings=[*admitted.warnings, *taken],
        next_stage="" if earlier else settings.RESUMES_ENTRY_STAGE,
        duplicate_of=earlier,
    )
    if earlier:
        transitions.move(
            resume, State.SKIPPED, node=sender.node, actor=sender.actor, reason="duplicate: same content sent before"
        )
    return resume


def refuse(filename: str, sender: Sender, code: str, *, entry: Entry | None = None) -> Resume:
    """Put a file that was refused at the door on record as REJECTED; its bytes are not kept."""
    sender, _ = _with_free_id(sender)
    resume = _born(sender, entry, filename=safe_name(filename))
    transitions.move(
        resume,
        State.REJECTED,
        node=sender.node,
        actor=sender.actor,
        reason=code,
        failure_class=CODES[code].failure_class.value,
        failure_code=code,
    )
    return resume


def withdraw(filename: str, sender: Sender, reason: str, actor: str, *, entry: Entry) -> Resume:
    """Put a file that was declared and will not come on record as SKIPPED."""
    resume = _born(sender, entry, filename=safe_name(filename))
    transitions.move(resume, State.SKIPPED, node=sender.node, actor=actor, reason=f"withdrawn: {reason}")
    return resume


def _born(sender: Sender, entry: Entry | None, **columns: Any) -> Resume:
    resume = Resume.objects.create(
        owner=sender.owner,
        source=sender.source,
        external_id=sender.external_id,
        callback_url=sender.callback_url,
        state=State.PENDING,
        state_since=timezone.now(),
        dispatched_at=timezone.now(),
        correlation=correlation.current(),
        **columns,
    )
    if entry is not None:
        entry.resume = resume
        entry.save()
    transitions.start(resume, node=sender.node, actor=sender.actor, reason="received")
    return resume


def holder_of(sender: Sender) -> Resume | None:
    """The resume that has the sender's external id. One that came to nothing gives it up to the better file that follows."""
    return _with_id(sender).exclude(_came_to_nothing()).first() if sender.external_id else None


def _with_free_id(sender: Sender) -> tuple[Sender, Resume | None]:
    """The sender without an external id that is already taken, and the resume that has it."""
    taken = holder_of(sender)
    if taken is not None:
        return replace(sender, external_id=""), taken
    if sender.external_id:
        _with_id(sender).filter(_came_to_nothing()).update(external_id="")
    return sender, None


def _with_id(sender: Sender) -> QuerySet[Resume]:
    return Resume.objects.filter(owner=sender.owner, source=sender.source, external_id=sender.external_id)


def _came_to_nothing() -> Q:
    """Refused or left out; not left out because its content stands elsewhere."""
    unpacked = Exists(Transition.objects.filter(resume=OuterRef("pk"), reason__startswith=UNPACKED))
    return Q(state=State.REJECTED) | (Q(state=State.SKIPPED, duplicate_of=None) & ~Q(unpacked))


def _sent_before(document: Document, sender: Sender) -> Resume | None:
    """The resume this owner has already sent with the same bytes, one that was not given up.

    The document's row is locked first, so that two uploads of one file at once see each other.
    """
    Document.objects.select_for_update().get(pk=document.pk)
    given_up = [State.REJECTED, State.SKIPPED]
    return (
        Resume.objects.filter(document=document, owner=sender.owner, erased_at=None)
        .exclude(state__in=given_up)
        .order_by("received_at", "id")
        .first()
    )


def safe_name(filename: str) -> str:
    """The last part of a name as sent, printable, at most 255 characters; for showing, never for opening."""
    last = PurePosixPath(filename.replace("\\", "/")).name or "file"
    printable = "".join(char if unicodedata.category(char)[0] != "C" else "_" for char in unicodedata.normalize("NFC", last))
    if len(printable) <= 255:
        return printable
    stem, dot, extension = printable.rpartition(".")
    return f"{stem[: 254 - len(extension)]}{dot}{extension}" if len(extension) <= 10 else printable[:255]
