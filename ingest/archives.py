"""Archives: their members become resumes of their own, entered together with the archive's end."""

from __future__ import annotations

from dataclasses import replace

from django.db.models import Max
from django.utils import timezone

from ingest import parking
from ingest.dossier import MemberFile
from ingest.models import BatchEntry
from resumes import intake
from resumes.models import Resume, Source
from resumes.taxonomy import FailureClass, ResumeError


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
            return replace(member, admitted=intake.admit(content, member.name))
    except ResumeError as exc:
        if exc.entry.failure_class is not FailureClass.PREPROCESS:
            raise
        return replace(member, failure_code=exc.code)


def enter_members(archive: Resume, members: tuple[MemberFile, ...]) -> None:
    """Enter the members in the archive's place, inside the caller's transaction.

    A member that was refused is entered as refused. In a batch each member gets an entry, and the archive's own entry
    gives way to them.
    """
    own = BatchEntry.objects.filter(resume=archive).select_related("batch").first()
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
            intake.enter(member.admitted, sender, entry=entry)
        else:
            intake.refuse(member.name, sender, member.failure_code, entry=entry)
