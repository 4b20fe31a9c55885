"""Blind review outside the review: whoever may decide sees no name, file or content of a resume before the decision.

What is covered on the workbench itself, word by word, is the business of `review.blind`.
"""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.utils.module_loading import import_string

from resumes.models import Resume
from resumes.roles import Act, Visitor, may
from resumes.states import TERMINAL


def applies_to(user: Visitor) -> bool:
    """Whether anything is covered before this user."""
    return bool(settings.GLEANER_BLIND_REVIEW) and may(user, Act.REVIEW)


def undecided() -> Q:
    """Resumes that are still on their way, or about which a person has yet to decide."""
    return ~Q(state__in=TERMINAL) | Q(import_string(settings.RESUMES_UNDECIDED)())


def is_covered(resume: Resume, user: Visitor) -> bool:
    return applies_to(user) and Resume.objects.filter(undecided(), pk=resume.pk).exists()


def ensure_shown(resume: Resume, user: Visitor) -> None:
    """Raises PermissionDenied where the resume is covered before this user."""
    if is_covered(resume, user):
        raise PermissionDenied
