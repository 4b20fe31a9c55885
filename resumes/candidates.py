"""The talent pool: one candidate for one person, however many resumes they send.

Who is the same person is decided by e-mail address, else by phone number, both normalised; never by name alone.
"""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction

from resumes.models import Candidate, Extraction
from resumes.profile import Profile
from resumes.states import SUCCEEDED
from resumes.transitions import Move

_MAX_SKILLS = 100


def join_pool(done: Move) -> None:
    """Follow-up: a resume that has settled well makes or refreshes its candidate."""
    resume = done.resume
    if resume.state not in SUCCEEDED:
        return
    extraction = Extraction.objects.filter(resume=resume, run=resume.run).first()
    if extraction is None or extraction.profile is None:
        return
    profile = Profile.model_validate(extraction.profile)
    candidate = _same_person(profile, resume.candidate)
    for name, value in _columns(profile).items():
        setattr(candidate, name, value)
    if extraction.summary:
        candidate.summary, candidate.summary_source = extraction.summary, extraction.summary_source
    candidate.save()
    if resume.candidate_id != candidate.pk:
        resume.candidate = candidate
        resume.save(update_fields=["candidate"])


def _same_person(profile: Profile, known: Candidate | None) -> Candidate:
    email_key, phone_key = keys(profile)
    found: Candidate | None = None
    if email_key:
        found = Candidate.objects.filter(email_key=email_key).first()
    if found is None and phone_key:
        same_phone = Candidate.objects.filter(phone_key=phone_key)
        # A phone number joins two addresses only where one of the resumes names none.
        found = (same_phone.filter(email_key="") if email_key else same_phone).first()
    if found is None and known is not None and known.resumes.count() == 1:
        found = known  # a later run of the same resume, corrected by a person
    if found is not None:
        found.email_key = email_key or found.email_key
        found.phone_key = phone_key or found.phone_key
        return found
    try:
        with transaction.atomic():
            return Candidate.objects.create(email_key=email_key, phone_key=phone_key)
    except IntegrityError:  # another worker has just made the same person
        return (
            Candidate.objects.get(email_key=email_key) if email_key else Candidate.objects.get(email_key="", phone_key=phone_key)
        )


def keys(profile: Profile) -> tuple[str, str]:
    """The identity keys of a profile: lower-cased e-mail address and E.164 number, each empty where unknown."""
    email = (profile.basics.email or "").strip().lower()
    return email[:254], (profile.meta.gleaner.phoneE164 or "")[:20]


def _columns(profile: Profile) -> dict[str, Any]:
    basics, gleaner = profile.basics, profile.meta.gleaner
    return {
        "name": (basics.name or "")[:200],
        "email": (basics.email or "")[:254],
        "phone": (basics.phone or "")[:40],
        "city": ((basics.location.city if basics.location else None) or "")[:100],
        "label": (basics.label or "")[:200],
        "language": gleaner.language or "",
        "job_family": (gleaner.jobFamily or "")[:40],
        "years": gleaner.yearsOfExperience,
        "skills": [skill.name for skill in profile.skills][:_MAX_SKILLS],
    }
