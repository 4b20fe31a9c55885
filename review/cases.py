"""Cases: opened with the move that needs a person, closed with the move that ends it; claimed so that nobody collides."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from ingest.models import Batch
from resumes.models import Extraction, Resume, Transition, Vacancy
from resumes.states import State
from resumes.transitions import Move
from review import office, priority
from review.models import FLAGGED, SPOT_CHECK, Case, Team

LEASE = dt.timedelta(minutes=15)
OPEN = (Case.State.PENDING, Case.State.IN_PROGRESS)


class Taken(Exception):
    """Somebody else works on the case, or it is closed."""


def follow_resume(done: Move) -> None:
    """Follow-up: open a case with REVIEW_NEEDED, a spot check with some COMPLETED; close the open one when the resume leaves."""
    resume, origin = done.resume, done.transition.from_state
    if resume.state == State.REVIEW_NEEDED:
        open_case(resume, resume.failure_code or FLAGGED)
    elif origin == State.REVIEW_NEEDED or (origin == State.COMPLETED and resume.state != State.COMPLETED):
        ended = Case.State.DONE if resume.state == State.REVIEWED else Case.State.DISCARDED
        # A re-run opens the next run; its case closes as done: the person has decided.
        if resume.state == State.PENDING:
            ended = Case.State.DONE
        _close(Case.objects.filter(resume=resume, run__lte=resume.run), ended, done.transition)
    elif resume.state == State.COMPLETED and _drawn(resume):
        open_case(resume, SPOT_CHECK)
    if origin == State.COMPLETED and resume.state == State.REVIEW_NEEDED:
        _close(Case.objects.filter(resume=resume, run__lt=resume.run), Case.State.DONE, done.transition)


def open_case(resume: Resume, code: str) -> Case:
    """The case of a resume in its run, with its place in the queue; the one there is where it was opened before."""
    found = Extraction.objects.filter(resume=resume, run=resume.run).values_list("quality", flat=True).first() or {}
    batch = Batch.objects.filter(entries__resume=resume).order_by("created_at").first()
    missing = found.get("missing")
    facts = priority.Facts(
        code=code,
        missing=len(missing) if missing is not None else None,
        levels=len(set(resume.route) & {"ocr", "structure"}) + 1,
        retries=max(0, resume.attempts - len(resume.route) - 1),
        confidence=resume.confidence,
        source=resume.source,
        urgency=batch.urgency if batch else "",
        vacant=bool(batch and batch.position and Vacancy.objects.filter(open=True, title__iexact=batch.position).exists()),
    )
    score, factors, now, hours = priority.salvageable(facts), priority.urgency(facts), timezone.now(), office.office()
    case, _made = Case.objects.get_or_create(
        resume=resume,
        run=resume.run,
        defaults={
            "code": code,
            "missing": missing or [],
            "salvageable": score,
            "urgency": factors,
            "priority": priority.priority(score, factors),
            "due_at": hours.after(now, dt.timedelta(hours=settings.GLEANER_REVIEW_DUE_H)),
            "fold_at": hours.after(now, dt.timedelta(hours=settings.GLEANER_REVIEW_FOLD_H)),
            "batch": batch,
            "team": team_for(resume),
        },
    )
    return case


def team_for(resume: Resume) -> Team | None:
    """The team whose rule fits best: of those that take this language and family, the one that names more of them."""
    fitting = [
        team
        for team in Team.objects.all()
        if (not team.languages or resume.language in team.languages) and (not team.families or resume.job_family in team.families)
    ]
    return max(fitting, key=lambda team: (bool(team.families), bool(team.languages)), default=None)


def _drawn(resume: Resume) -> bool:
    """Whether a completed resume is among those looked over: its id, made at random, draws the lot."""
    return resume.id.int % 10_000 < settings.GLEANER_SPOT_CHECK_PERCENT * 100


def _close(rows: QuerySet[Case], state: Case.State, by: Transition) -> None:
    person = by.actor.removeprefix("user:")
    rows.filter(state__in=OPEN).update(
        state=state,
        closed_at=timezone.now(),
        closed_by=int(person) if person.isdigit() else None,
        claimed_by=None,
        claimed_until=None,
        bulk=None,
    )


def queues(user: User) -> list[QuerySet[Case]]:
    """The open cases nobody works on, in the order they are handed to `user`: those of their teams, then all."""
    free = Q(state=Case.State.PENDING) | Q(state=Case.State.IN_PROGRESS, claimed_until__lt=timezone.now())
    own = list(user.teams.values_list("pk", flat=True))
    rows = Case.objects.filter(free, bulk=None).order_by("folded", "-priority", "opened_at")
    return [rows.filter(team__in=own), rows] if own else [rows]


def undecided() -> Exists:
    """Of resumes: those with an open case, a spot check among them."""
    return Exists(Case.objects.filter(resume=OuterRef("pk"), state__in=OPEN))


def is_held(resume: Resume, by_others_than: int | None = None) -> bool:
    """Whether somebody (else) is at work on it: what is decided elsewhere would take it out of their hands."""
    held = Case.objects.filter(resume=resume, state__in=OPEN, claimed_by__isnull=False, claimed_until__gt=timezone.now())
    return held.exclude(claimed_by=by_others_than).exists()


def claim_next(user: User, *, left: Sequence[str] = ()) -> Case | None:
    """The best open case nobody works on, claimed for `user`; None where there is none.

    `left` are the ids of those this person has left to the others, the latest last: they come after all the others, in
    that order, and the latest not at all.
    """
    while True:
        case = _best(queues(user), left)
        if case is None:
            return None
        try:
            return claim(case, user)
        except Taken:
            continue


def _best(rows: list[QuerySet[Case]], left: Sequence[str]) -> Case | None:
    for some in rows:
        if case := some.exclude(pk__in=left).first():
            return case
    free = {str(case.pk): case for case in rows[-1].filter(pk__in=left[:-1])}
    return next((free[pk] for pk in left if pk in free), None)


def claim(case: Case, user: User) -> Case:
    """Claim a case for a quarter of an hour, or renew the claim. Raises `Taken`."""
    now = timezone.now()
    mine = Q(claimed_by=user) | Q(claimed_by=None) | Q(claimed_until__lt=now)
    return _take(Case.objects.filter(mine), case, user, now)


def take_over(case: Case, user: User) -> Case:
    """Claim a case somebody else works on; their next save is refused. Raises PermissionDenied and `Taken`."""
    if not user.has_perm("review.take_over"):
        raise PermissionDenied
    return _take(Case.objects.all(), case, user, timezone.now(), version=F("version") + 1)


def _take(rows: QuerySet[Case], case: Case, user: User, now: dt.datetime, **columns: object) -> Case:
    won = rows.filter(pk=case.pk, state__in=OPEN, bulk=None).update(
        state=Case.State.IN_PROGRESS, claimed_by=user, claimed_until=now + LEASE, **columns
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
