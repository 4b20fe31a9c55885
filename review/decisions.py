"""What a reviewer decides: complete, discard, run again, take up again. Each is one transaction, and each checks that the
page it was decided on is still the case as it stands.
"""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from ingest import page, quality
from ingest.pipeline import AFTER_SETTLING
from resumes import reruns, transitions
from resumes.models import Extraction, Resume
from resumes.profile import Profile
from resumes.states import State
from resumes.taxonomy import CODES
from review import edits
from review.cases import OPEN, Taken
from review.models import Case, Correction

NODE = "workbench"


class Stale(Exception):
    """The case was saved from another page meanwhile; nothing was written."""


class Incomplete(Exception):
    """The gate is not passed and the reviewer has not said that it is to be completed all the same."""

    def __init__(self, missing: tuple[str, ...]) -> None:
        super().__init__()
        self.missing = missing


class Reason(enum.StrEnum):
    """Why a case is discarded."""

    UNREADABLE = "unreadable"
    NOT_A_RESUME = "not_a_resume"
    DUPLICATE = "duplicate"
    OTHER = "other"


_CODES = {Reason.UNREADABLE: "no_text_layer", Reason.NOT_A_RESUME: "not_a_resume", Reason.OTHER: "low_completeness"}


def complete(case: Case, form: Mapping[str, Any], user: User, *, version: int, confirmed: bool = False) -> list[edits.Change]:
    """Store what the reviewer has put right and settle the resume as REVIEWED; the changes.

    Raises `Stale`, `Taken`, `Incomplete` (unless `confirmed`) and pydantic.ValidationError; nothing is written then.
    """
    with transaction.atomic():
        resume = _held(case, user, version)
        found = _extraction(resume)
        edited = edits.apply(
            form,
            found.profile or {},
            found.evidence,
            as_of=resume.received_at.astimezone(dt.UTC).date(),
            language=resume.language or "en",
        )
        profile = edited.profile.to_json()
        reading = found.reading
        text = page.from_data(reading).text if reading else ""
        judged = quality.assess(profile, edited.evidence, text=text, threshold=settings.GLEANER_QUALITY_THRESHOLD)
        contact = {"email", "phone"} - set(judged.missing)
        if not confirmed and (
            judged.completeness < settings.GLEANER_QUALITY_THRESHOLD or "name" in judged.missing or not contact
        ):
            raise Incomplete(judged.missing)
        found.profile, found.evidence, found.quality = profile, edited.evidence, judged.to_data()
        found.save()
        Correction.objects.bulk_create(
            Correction(
                case=case,
                field=change.path[:80],
                before=change.before,
                after=change.after,
                source=change.source,
                confidence=change.confidence,
                reviewer=user,
            )
            for change in edited.changes
        )
        transitions.move(
            resume,
            State.REVIEWED,
            node=NODE,
            reason=f"completed by a person, {len(edited.changes)} fields changed",
            actor=transitions.user_actor(user.pk),
            wake=transitions.stage_wake(AFTER_SETTLING, resume.pk, resume.run),
            next_stage=AFTER_SETTLING,
            level="person",
            completeness=judged.completeness,
            confidence=judged.confidence,
            failure_class="",
            failure_code="",
            concluded_by=user,
            concluded_at=timezone.now(),
            conclusion="completed",
        )
        Case.objects.filter(pk=case.pk).update(draft=None)
    return edited.changes


def save_draft(case: Case, form: Mapping[str, Any], user: User, *, version: int) -> int:
    """Keep what has been typed so far; the new version. Raises `Stale` and `Taken`."""
    with transaction.atomic():
        _held(case, user, version)
        Case.objects.filter(pk=case.pk).update(draft=dict(form))
    return version + 1


def discard(case: Case, reason: Reason, note: str, user: User, *, version: int) -> None:
    """Confirm that nothing comes of it: REJECTED, or SKIPPED for a duplicate. Raises `Stale` and `Taken`."""
    with transaction.atomic():
        resume = _held(case, user, version)
        columns: dict[str, Any] = {
            "concluded_by": user,
            "concluded_at": timezone.now(),
            "conclusion": f"{reason.value}: {note}"[:500] if note else reason.value,
        }
        if reason is Reason.DUPLICATE:
            to = State.SKIPPED
            columns |= {"failure_class": "", "failure_code": ""}
        else:
            keep = resume.failure_code if reason is not Reason.NOT_A_RESUME else ""
            code = CODES[keep or _CODES[reason]]
            to = State.REJECTED
            columns |= {"failure_class": code.failure_class.value, "failure_code": code.code}
        actor = transitions.user_actor(user.pk)
        transitions.move(resume, to, node=NODE, reason=f"discarded: {reason.value}", actor=actor, **columns)
        Case.objects.filter(pk=case.pk).update(note=note[:500])


def run_again(case: Case, reason: str, user: User, *, version: int) -> None:
    """Back to the queue. Raises `Stale`, `Taken` and `resumes.reruns.CannotRerun`."""
    with transaction.atomic():
        reruns.retry(_held(case, user, version), user, reason or "run again from the workbench", node=NODE)


def take_up_again(case: Case, user: User, reason: str) -> None:
    """Undo: open a closed case's resume for review once more, with all that was found. Raises ValueError and `Moved`."""
    with transaction.atomic():
        resume = case.resume
        reruns.carry_over(resume)
        transitions.reopen(
            resume, State.REVIEW_NEEDED, node=NODE, reason=reason or "taken up again", actor=transitions.user_actor(user.pk)
        )


def _held(case: Case, user: User, version: int) -> Resume:
    """Count the version up, if the case is the user's (or nobody's) and unchanged; its resume."""
    won = Case.objects.filter(pk=case.pk, version=version, state__in=OPEN).update(version=F("version") + 1)
    if not won:
        raise Stale
    case.refresh_from_db()
    if case.claimed_by_id not in (None, user.pk) and case.claimed_until and case.claimed_until > timezone.now():
        raise Taken
    resume = Resume.objects.get(pk=case.resume_id)
    if resume.run != case.run or resume.state != State.REVIEW_NEEDED:
        raise Stale
    return resume


def _extraction(resume: Resume) -> Extraction:
    """What was found in this run; an empty document where nothing was."""
    found = Extraction.objects.filter(resume=resume, run=resume.run).first()
    if found is None:
        found = Extraction(resume=resume, run=resume.run)
    if found.profile is None:
        found.profile = Profile().to_json()
    return found
