"""What is happening to a resume, in words and in the reader's language."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from django.db.models import Count, F, Q
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from resumes.messages import sentence
from resumes.models import Resume
from resumes.states import State

TRIES = 4
"""One try and three more for each stage and channel."""


def stage_text(resume: Resume, failed_tries: int = 0) -> str:
    """One sentence; `failed_tries` (see `failed_tries_of`) tells a waiting resume's reader which try comes next."""
    text = str(State(resume.state).label)
    if resume.state == State.RETRY_WAITING and resume.parked_for:
        return _("Waits until the file store answers again")
    if resume.state == State.RETRY_WAITING:
        at = date_format(localtime(resume.next_attempt_at), "H:i:s") if resume.next_attempt_at else "…"
        return _("%(stage)s: try %(number)d of %(tries)d at %(time)s") % {
            "stage": text,
            "number": min(failed_tries + 1, TRIES),
            "tries": TRIES,
            "time": at,
        }
    why = sentence(resume.failure_code) if resume.state in (State.REVIEW_NEEDED, State.REJECTED, State.DEAD_LETTER) else ""
    return f"{text}: {why}" if why else text


def failed_tries_of(resumes: Iterable[Resume]) -> dict[uuid.UUID, int]:
    """How often the stage a resume waits for has failed in this run; one query for all."""
    waiting = [resume.pk for resume in resumes if resume.state == State.RETRY_WAITING]
    if not waiting:
        return {}
    same = Q(
        stage_attempts__run=F("run"),
        stage_attempts__stage=F("next_stage"),
        stage_attempts__channel=F("next_channel"),
        stage_attempts__outcome="failed",
    )
    return dict(
        Resume.objects.filter(pk__in=waiting)
        .order_by()
        .annotate(failed=Count("stage_attempts", filter=same))
        .values_list("pk", "failed")
    )
