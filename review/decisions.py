"""What a reviewer decides: complete, confirm, discard, run again, take up again. Each is one transaction, and each checks
that the page it was decided on is still the case as it stands.
"""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
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
from review.models import SPOT_CHECK, Case, Correction, Note

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

    NOT_A_RESUME = "not_a_resume"
    UNREADABLE = "unreadable"
    """Confirmed: nobody can use it."""
    DUPLICATE = "duplicate"
    LEFT_OUT = "left_out"
    """Approved: it is skipped, for the reason in the note."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Spent:
    """How long it took, as the page counts it."""

    seconds: float = 0.0
    by_field: Mapping[str, float] = field(default_factory=dict)


_SKIPPED = frozenset({Reason.DUPLICATE, Reason.LEFT_OUT})
_CODES = {Reason.UNREADABLE: "no_text_layer", Reason.NOT_A_RESUME: "not_a_resume", Reason.OTHER: "low_completeness"}


def complete(
    case: Case, form: Mapping[str, Any], user: User, *, version: int, confirmed: bool = False, spent: Spent | None = None
) -> list[edits.Change]:
    """Store what the reviewer has put right and settle the resume as REVIEWED; the changes.

    A spot check nothing was changed in ends as it is: what automation said is right. Raises `Stale`, `Taken`, `Incomplete`
    (unless `confirmed`) and pydantic.ValidationError; nothing is written then.
    """
    spent = spent or Spent()
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
        judged = _judged(edited, found, confirmed=confirmed)
        _note_corrections(case, edited.changes, user, spent)
        ended = {"draft": None, "seconds": F("seconds") + spent.seconds}
        if case.code == SPOT_CHECK:
            closed = {"state": Case.State.DONE, "closed_at": timezone.now(), "closed_by": user, "claimed_by": None}
            Case.objects.filter(pk=case.pk).update(**ended, **closed, claimed_until=None)
            if not edited.changes:
                return []
            _open_for_correction(resume, user)
            found = _extraction(resume)
        found.profile, found.evidence, found.quality = edited.profile.to_json(), edited.evidence, judged.to_data()
        found.locked = sorted({*found.locked, *(change.lock for change in edited.changes)})
        found.save()
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
        Case.objects.filter(pk=case.pk).update(**ended)
    return edited.changes


def _judged(edited: edits.Edited, found: Extraction, *, confirmed: bool) -> quality.Quality:
    """What the document is worth now. Raises `Incomplete`."""
    reading = found.reading
    text = page.from_data(reading).text if reading else ""
    judged = quality.assess(edited.profile.to_json(), edited.evidence, text=text, threshold=settings.GLEANER_QUALITY_THRESHOLD)
    contact = {"email", "phone"} - set(judged.missing)
    short = judged.completeness < settings.GLEANER_QUALITY_THRESHOLD
    if not confirmed and (short or "name" in judged.missing or not contact):
        raise Incomplete(judged.missing)
    return judged


def _note_corrections(case: Case, changes: list[edits.Change], user: User, spent: Spent) -> None:
    Correction.objects.bulk_create(
        Correction(
            case=case,
            field=change.path[:80],
            before=change.before,
            after=change.after,
            source=change.source,
            confidence=change.confidence,
            evidence=dict(change.evidence),
            seconds=spent.by_field.get(change.path),
            reviewer=user,
        )
        for change in changes
    )


def _open_for_correction(resume: Resume, user: User) -> None:
    """Open the next run of a completed resume with all that was found, for the correction a spot check has shown to be due."""
    reruns.carry_over(resume)
    transitions.reopen(resume, State.REVIEW_NEEDED, node=NODE, reason="spot check", actor=transitions.user_actor(user.pk))


def save_draft(case: Case, form: Mapping[str, Any], user: User, *, version: int) -> int:
    """Keep what has been typed so far; the new version. Raises `Stale` and `Taken`."""
    with transaction.atomic():
        _held(case, user, version)
        Case.objects.filter(pk=case.pk).update(draft=dict(form))
    return version + 1


def discard(case: Case, reason: Reason, note: str, user: User, *, version: int) -> Case:
    """Confirm that nothing comes of it: REJECTED, or SKIPPED with this approval on record; the case that holds the decision.

    Raises `Stale` and `Taken`.
    """
    with transaction.atomic():
        resume = _held(case, user, version)
        if case.code == SPOT_CHECK:
            _open_for_correction(resume, user)
            case = Case.objects.get(resume=resume, run=resume.run)
        columns: dict[str, Any] = {
            "concluded_by": user,
            "concluded_at": timezone.now(),
            "conclusion": f"{reason.value}: {note}"[:500] if note else reason.value,
        }
        if reason in _SKIPPED:
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
    return case


def run_again(case: Case, reason: str, user: User, *, version: int, channel: str = "") -> None:
    """Back to the queue; with a `channel` its pages are then read from their pictures by that OCR channel.

    Raises `Stale`, `Taken` and `resumes.reruns.CannotRerun`.
    """
    with transaction.atomic():
        resume = _held(case, user, version)
        why = reason or "run again from the workbench"
        reruns.retry(resume, user, why, node=NODE, channel=channel, as_pictures=bool(channel))


def take_up_again(case: Case, user: User, reason: str) -> Case:
    """Undo: open a closed case's resume for review once more, with all that was found; the new case.

    Raises `Stale` where the resume is in a later run by now, ValueError and `Moved`.
    """
    with transaction.atomic():
        resume = Resume.objects.get(pk=case.resume_id)
        if resume.run != case.run:
            raise Stale
        reruns.carry_over(resume)
        transitions.reopen(
            resume, State.REVIEW_NEEDED, node=NODE, reason=reason or "taken up again", actor=transitions.user_actor(user.pk)
        )
        opened = Case.objects.get(resume=resume, run=resume.run)
        Note.objects.filter(case=case).update(case=opened)
        if reason:
            Note.objects.create(case=opened, author=user, text=reason)
    return opened


def _held(case: Case, user: User, version: int) -> Resume:
    """Count the version up, if the case is the user's (or nobody's) and unchanged; its resume."""
    won = Case.objects.filter(pk=case.pk, version=version, state__in=OPEN, bulk=None).update(version=F("version") + 1)
    if not won:
        raise Stale
    case.refresh_from_db()
    if case.claimed_by_id not in (None, user.pk) and case.claimed_until and case.claimed_until > timezone.now():
        raise Taken
    resume = Resume.objects.get(pk=case.resume_id)
    if resume.run != case.run or resume.state != (State.COMPLETED if case.code == SPOT_CHECK else State.REVIEW_NEEDED):
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
