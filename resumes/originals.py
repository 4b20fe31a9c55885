"""Handing out originals: locked down, and every opening on record."""

from __future__ import annotations

import structlog
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.files.storage import default_storage
from django.http import FileResponse

from resumes import blindness
from resumes.files import storage_faults
from resumes.models import Resume

log = structlog.get_logger(__name__)

INLINE = frozenset({"application/pdf", "image/png", "image/jpeg", "text/plain"})
"""Types a browser shows without running anything of theirs. Everything else is only ever saved."""


def response(resume: Resume, user: AbstractBaseUser | AnonymousUser) -> FileResponse:
    """The original of a resume that has one. Raises PermissionDenied in blind review, ResumeError where the storage fails."""
    blindness.ensure_shown(resume, user)
    document = resume.document
    if document is None:
        raise ValueError("This resume has no file.")
    with storage_faults():
        content = default_storage.open(document.stored_as)
    record_opening(resume, user, "file")
    inline = document.media_type in INLINE
    answer = FileResponse(
        content,
        as_attachment=not inline,
        filename=resume.filename,
        content_type=document.media_type if inline else "application/octet-stream",
    )
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = "default-src 'none'; sandbox"
    answer["Cache-Control"] = "private, no-store"
    return answer


def record_opening(resume: Resume, user: AbstractBaseUser | AnonymousUser, what: str) -> None:
    """Every look at an original, its text or its pages: who, which, what."""
    log.info("original_opened", user=user.pk, resume=str(resume.pk), what=what)
