"""Erasure: a person's data goes, a tombstone with counts stays."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.db.models import TextField
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.module_loading import import_string

from resumes import files, transitions
from resumes.models import Candidate, Document, Extraction, IdempotencyKey, Resume
from resumes.states import TERMINAL, State


def erase(resume: Resume, *, actor: str, reason: str) -> None:
    """Remove file, file names, text, fields, corrections, and the candidate where no other resume speaks of them.

    A resume still in process or waiting ends as SKIPPED. The row, its log and its outcomes stay: they hold no personal data.
    Raises `Moved` when a worker moved it at the same moment, ResumeError when the storage refuses.
    """
    document, candidate = resume.document, resume.candidate
    with transaction.atomic():
        if resume.state not in TERMINAL:
            transitions.move(resume, State.SKIPPED, node="erasure", actor=actor, reason=f"erased: {reason}")
        Extraction.objects.filter(resume=resume).delete()
        # An answer kept for a repeated request names the file.
        answers = IdempotencyKey.objects.annotate(text=Cast("body", TextField())).filter(text__contains=str(resume.pk))
        answers.delete()
        for name in settings.RESUMES_FORGETTERS:
            import_string(name)(resume)
        Resume.objects.filter(pk=resume.pk).update(
            filename="",
            external_id="",
            callback_url="",
            conclusion="",
            document=None,
            candidate=None,
            next_stage="",
            erased_at=timezone.now(),
        )
        if candidate is not None and not candidate.resumes.exists():
            Candidate.objects.filter(pk=candidate.pk).delete()
        orphaned = document is not None and not document.resumes.exists()
        if document is not None and orphaned:
            Document.objects.filter(pk=document.pk).delete()
    if document is not None and orphaned:
        files.discard(document)
    resume.refresh_from_db()
