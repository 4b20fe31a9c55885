"""Archives: their members become resumes of their own, entered together with the archive's end."""

from __future__ import annotations

import re
from dataclasses import replace

from django.db.models import Max
from django.utils import timezone

from ingest import parking
from ingest.batches import CANCELLED
from ingest.dossier import MemberFile
from ingest.models import Batch, BatchEntry
from resumes import intake, transitions
from resumes.models import Resume, Source
from resumes.states import State
from resumes.taxonomy import FailureClass, ResumeError

_INNER_ARCHIVES = re.compile(r"^.*\.\w{1,5}!")
"""What ends in `!` as a name with an ending does (`more/inner.zip!`), and not any `!` inside a name."""


def admit(members: tuple[MemberFile, ...]) -> tuple[MemberFile, ...]:
    """Check and store the members, outside any transaction; one that cannot be a resume gets its failure code.

    Raises ResumeError, OutageError and OSError for what no member is to blame for: nothing is entered then, and the next
    try stores the same bytes under the same names.
    """
    return tuple(_admit(member) for member in members)


def _admit(member: MemberFile) -> MemberFile:
    if member.path is None:
        return member
    try:
        with parking.storing(), member.path.open("rb") as content:
            admitted = intake.admit(content, _own_name(member))
            return replace(member, admitted=replace(admitted, warnings=(*admitted.warnings, *member.warnings)))
    except ResumeError as exc:
        if exc.entry.failure_class is not FailureClass.PREPROCESS:
            raise
        return replace(member, failure_code=exc.code)


def enter_members(archive: Resume, members: tuple[MemberFile, ...]) -> None:
    """Enter the members in the archive's place, inside the caller's transaction.

    A member that was refused is entered as refused. In a batch each member gets an entry, and the archive's own entry
    gives way to them; in one that has been cancelled meanwhile they are left out.
    """
    own = BatchEntry.objects.filter(resume=archive).select_related("batch").first()
    # With the row locked the batch is cancelled either before, which is seen here, or after, and then finds the members.
    cancelled = own is not None and Batch.objects.select_for_update().get(pk=own.batch_id).cancelled_at is not None
    sender = intake.Sender(
        owner=archive.owner,
        source=Source(archive.source),
        callback_url=archive.callback_url,
        node="extract",
        skip_duplicates=bool(own and own.batch.on_duplicate == own.batch.OnDuplicate.SKIP),
    )
    number = (own.batch.entries.aggregate(last=Max("number"))["last"] or 0) if own else 0
    if own:
        own.unpacked_at = timezone.now()
        own.save(update_fields=["unpacked_at"])
    for member in members:
        number += 1
        entry = (
            BatchEntry.objects.create(
                batch=own.batch,
                number=number,
                filename=f"{archive.filename}!{member.name}"[:600],
                archive=own,
                received_at=timezone.now(),
                sha256=member.admitted.sha256 if member.admitted else "",
            )
            if own
            else None
        )
        if member.admitted:
            resume = intake.enter(member.admitted, sender, entry=entry)
            if cancelled and resume.state == State.PENDING:
                transitions.move(resume, State.SKIPPED, node=sender.node, reason=CANCELLED)
        else:
            intake.refuse(_own_name(member), sender, member.failure_code, entry=entry)


def _own_name(member: MemberFile) -> str:
    """Without the archives inside the archive that it came through."""
    return _INNER_ARCHIVES.sub("", member.name)
