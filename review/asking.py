"""What to write to whoever sent a resume that is under review: the letter for its failure, with what the case says is missing."""

from __future__ import annotations

from django.utils import translation

from resumes import letters
from resumes.letters import Letter
from review import words
from review.models import Case


def letter(case: Case, *, to: str = "", name: str = "") -> Letter:
    """Ask for what is missing, or for a better file where this one cannot be read."""
    language = letters.language_of(case.resume.language)
    with translation.override(language):
        missing = [words.core_name(field) for field in case.missing]
    return letters.letter(case.code, language=language, missing=missing, to=to, name=name)


__all__ = ["Letter", "letter"]
