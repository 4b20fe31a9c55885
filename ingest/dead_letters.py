"""Dead letters: each has an owner from the first moment, who may hand it to another. Their age is watched by `ingest.alerts`."""

from __future__ import annotations

from collections import Counter

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db.models import Count

from ingest.models import DeadLetter
from resumes.models import Resume
from resumes.roles import Role
from resumes.states import State
from resumes.transitions import Move


def follow_resume(done: Move) -> None:
    """Follow-up: find an owner for what becomes a dead letter, forget it when it is none any more."""
    if done.resume.state == State.DEAD_LETTER:
        about = {"since": done.transition.at, "detail": done.transition.reason, "owner": _next_owner()}
        DeadLetter.objects.update_or_create(resume=done.resume, defaults=about)
    elif done.transition.from_state == State.DEAD_LETTER:
        DeadLetter.objects.filter(resume=done.resume).delete()


def take_over(resume: Resume, user: User) -> bool:
    """Make a person the owner; False where it is no dead letter any more."""
    return bool(DeadLetter.objects.filter(resume=resume, resume__state=State.DEAD_LETTER).update(owner=user))


def _next_owner() -> User | None:
    """The active operator who owns the fewest; where there is no operator, an administrator."""
    users = get_user_model().objects.filter(is_active=True).order_by("pk")
    candidates = list(users.filter(groups__name=Role.OPERATOR)) or list(users.filter(is_superuser=True))
    if not candidates:
        return None
    held = DeadLetter.objects.exclude(owner=None).order_by().values_list("owner").annotate(number=Count("pk"))
    burdens: Counter[int] = Counter({owner: number for owner, number in held if owner is not None})
    return min(candidates, key=lambda user: burdens[user.pk])
