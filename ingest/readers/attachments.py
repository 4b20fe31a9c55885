"""Which attachments of a mail are documents: judged by content, whatever their names say. Mails of all formats share it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from ingest.readers import Member, ReadLimits
from ingest.readers.archive import is_litter, members_of
from ingest.readers.pictures import opened
from resumes.sniff import ZIP, sniff
from resumes.taxonomy import ResumeError

_SERVICE_TYPES = frozenset(
    (
        "text/calendar",
        "application/ics",
        "text/vcard",
        "text/x-vcard",
        "text/directory",
        "text/rfc822-headers",
        "application/pgp-signature",
        "application/pkcs7-signature",
        "application/x-pkcs7-signature",
        "application/ms-tnef",
        "message/delivery-status",
        "message/disposition-notification",
    )
)
_SEALED = re.compile(r".*\.(?:pgp-encrypted|rpmsg)|smime\.p7m", re.IGNORECASE)
_SERVICE_NAMES = re.compile(
    r".*\.(?:ics|vcs|vcf|p7s|asc|sig|p7m)|winmail\.dat|smime\..*|att\d{5}\.(?:txt|htm|html)", re.IGNORECASE
)
_EXTENSIONS = {"application/pdf": "pdf", "text/html": "html", "text/plain": "txt", "image/jpeg": "jpg", "image/png": "png"}
_MIN_LOGO_SIDE = 300
_MIN_PAGE_SIDE = 800


@dataclass(frozen=True, slots=True)
class Attachment:
    name: str
    """Decoded; may be empty."""
    content: bytes
    media_type: str = ""
    """As declared; lower case."""
    inline: bool = False
    """Shown inside the text of the mail."""


def documents(attachments: Iterable[Attachment], limits: ReadLimits) -> Iterator[Member]:
    """The documents among them, those in attached archives included.

    Left out: calendar entries, cards, signatures, and the pictures that mail programs put into signatures. A picture shown
    in the text counts only where nothing else is attached and it is as large as a page. What is attached and cannot be
    read is handed on all the same: its sender hears why. Raises ResumeError(archive_unsafe; encrypted: the mail itself is).
    """
    attachments = list(attachments)
    if any(
        _SEALED.fullmatch(attachment.name) or attachment.media_type == "application/pgp-encrypted" for attachment in attachments
    ):
        raise ResumeError("encrypted", "the mail is encrypted")
    found = [attachment for attachment in attachments if not _is_service(attachment)]
    if len(found) > limits.max_entries:
        raise ResumeError("archive_unsafe", "more attachments than the limit")
    kept = [attachment for attachment in found if not attachment.inline and _side(attachment, limits) >= _MIN_LOGO_SIDE]
    kept = kept or [attachment for attachment in found if attachment.inline and _side(attachment, limits) >= _MIN_PAGE_SIDE]
    for number, attachment in enumerate(kept, 1):
        yield from _members(attachment, number, limits)


def _members(attachment: Attachment, number: int, limits: ReadLimits) -> Iterator[Member]:
    content = attachment.content
    try:
        kind = sniff(content, attachment.name).media_type
    except ResumeError:
        kind = ""  # refused for its own reason when it is taken in
    name = attachment.name or f"attachment-{number}.{_EXTENSIONS.get(kind, 'bin')}"
    if kind == ZIP:
        try:
            yield from (Member(f"{name}!{inner.name}", inner.content, inner.failure) for inner in members_of(content, limits))
        except ResumeError as error:
            yield Member(name, b"", error.code)
    elif len(content) > limits.max_file_bytes:
        yield Member(name, b"", "too_large")
    else:
        yield Member(name, content, "" if content else "empty_file")


def _is_service(attachment: Attachment) -> bool:
    name = PurePosixPath(attachment.name.replace("\\", "/")).name
    return attachment.media_type in _SERVICE_TYPES or bool(_SERVICE_NAMES.fullmatch(name)) or bool(name and is_litter(name))


def _side(attachment: Attachment, limits: ReadLimits) -> float:
    """The short side of a picture in pixels; no limit for what is no picture, nothing for an inline part that is none."""
    try:
        is_picture = sniff(attachment.content).media_type.startswith("image/")
    except ResumeError:
        is_picture = attachment.media_type.startswith("image/")
    if not is_picture:
        return 0.0 if attachment.inline else float("inf")
    try:
        with opened(attachment.content, limits) as image:
            return min(image.size)
    except ResumeError:
        return 0.0 if attachment.inline or attachment.media_type == "image/gif" else float("inf")
