"""When a resume will probably be done, from the pace of those settled last. A guess for people, never a promise."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone

from resumes.models import Resume, Transition
from resumes.states import ACTIVE, TERMINAL, WAITING

_SAMPLE = 50
_FRESH = dt.timedelta(minutes=10)


def expected_finish(resume: Resume) -> dt.datetime | None:
    """None where automation has nothing to do any more, or where nothing has been settled lately."""
    if resume.state not in ACTIVE:
        return None
    now = timezone.now()
    settled = list(
        Transition.objects.filter(to_state__in=sorted(TERMINAL | WAITING), at__gte=now - _FRESH)
        .order_by("-id")
        .values_list("at", flat=True)[:_SAMPLE]
    )
    if not settled:
        return None
    seconds_each = max((now - settled[-1]).total_seconds(), 1.0) / len(settled)
    ahead = Resume.objects.filter(state__in=sorted(ACTIVE), received_at__lt=resume.received_at).count()
    finish = now + dt.timedelta(seconds=seconds_each * (ahead + 1))
    return max(finish, resume.next_attempt_at) if resume.next_attempt_at else finish
