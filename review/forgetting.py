"""What erasure takes from the review: drafts, notes and the values of corrections. That a field was corrected stays."""

from __future__ import annotations

from resumes.models import Resume
from review.models import Case, Correction, Note


def forget(resume: Resume) -> None:
    """Called inside the transaction that erases the resume."""
    Case.objects.filter(resume=resume).update(draft=None, note="")
    Note.objects.filter(case__resume=resume).delete()
    Correction.objects.filter(case__resume=resume).update(before=None, after=None, evidence={})
