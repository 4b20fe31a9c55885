"""Cases: opened with the move that needs a person, closed with the move that ends it; claimed so that nobody collides."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from resumes.models import Extraction, Resume
from resumes.states import State
from resumes.transitions import Move
from review.models import Case

LEASE = dt.timedelta(minutes=15)
DUE = dt.timedelta(hours=24)
OPEN = (Case.State.PENDING, Case.State.IN_PROGRESS)


class Taken(Exception):
    """Somebody else works on the case, or it is closed."""


def follow_resume(done: Move) -> None:
    """Follow-up: open a case with REVIEW_NEEDED; close the open one when the resume leaves it."""
    resume, now = done.resume, timezone.now()
    if resume.state == State.REVIEW_NEEDED:
        quality = Extraction.objects.filter(resume=resume, run=resume.run).values_list("quality", flat=True).first() or {}
        Case.objects.get_or_create(
            resume=resume,
            run=resume.run,
            defaults={
                "code": resume.failure_code or "flagged",
                "missing": quality.get("missing", []),
                "salvageable": salvageable(resume, quality.get("missing")),
                "due_at": now + DUE,
            },
        )
    elif done.transition.from_state == State.REVIEW_NEEDED:
        ended = Case.State.DONE if resume.state == State.REVIEWED else Case.State.DISCARDED
        # A re-run opens the next run; its case closes as done: the person has decided.
        if resume.state == State.PENDING:
            ended = Case.State.DONE
        Case.objects.filter(resume=resume, state__in=OPEN, run__lte=resume.run).update(
            state=ended, closed_at=now, closed_by=resume.concluded_by, claimed_by=None, claimed_until=None
        )


def salvageable(resume: Resume, missing: list[str] | None) -> float:
    """How much is there already: the share of core fields, less where the text itself is doubtful."""
    share = 1 - len(missing) / 6 if missing is not None else 0.0
    doubt = {"not_a_resume": 0.2, "blank_document": 0.0, "no_text_layer": 0.4, "garbled_text": 0.4, "ocr_low_confidence": 0.7}
    return round(share * doubt.get(resume.failure_code, 1.0), 3)


def claim_next(user: User) -> Case | None:
    """The best open case nobody works on, claimed for `user`; None where there is none."""
    while True:
        now = timezone.now()
        free = Q(state=Case.State.PENDING) | Q(state=Case.State.IN_PROGRESS, claimed_until__lt=now)
        case = Case.objects.filter(free).order_by("-salvageable", "opened_at").first()
        if case is None:
            return None
        try:
            return claim(case, user)
        except Taken:
            continue


def claim(case: Case, user: User) -> Case:
    """Claim a case for a quarter of an hour, or renew the claim. Raises `Taken`."""
    now = timezone.now()
    mine = Q(claimed_by=user) | Q(claimed_by=None) | Q(claimed_until__lt=now)
    won = Case.objects.filter(mine, pk=case.pk, state__in=OPEN).update(
        state=Case.State.IN_PROGRESS, claimed_by=user, claimed_until=now + LEASE
    )
    if not won:
        raise Taken
    case.refresh_from_db()
    return case


def release(case: Case, user: User) -> None:
    """Give a claimed case back to the queue."""
    with transaction.atomic():
        Case.objects.filter(pk=case.pk, claimed_by=user, state=Case.State.IN_PROGRESS).update(
            state=Case.State.PENDING, claimed_by=None, claimed_until=None
        )
