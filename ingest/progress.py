"""Where a resume in process is: attempts, queue, breaker and usual duration, for `resumes.progress`."""

from __future__ import annotations

import statistics

from django.db.models import Q
from django.utils import timezone

from ingest import breaker, switches
from ingest.models import Attempt
from ingest.options import configured_channels
from ingest.pipeline import STAGES
from ingest.policy import current_table
from resumes.models import Resume
from resumes.progress import Progress
from resumes.states import ACTIVE, SUCCEEDED

_SAMPLE = 50


def progress_of(resume: Resume) -> Progress | None:
    """None where no stage is due. A handful of bounded queries."""
    if resume.state not in ACTIVE or resume.next_stage not in STAGES:
        return None
    stage, channel = STAGES[resume.next_stage], resume.next_channel
    here = Attempt.objects.filter(resume=resume, run=resume.run, stage=stage.name, channel=channel)
    failed = here.filter(outcome=Attempt.Outcome.FAILED).count()
    running = here.filter(token=resume.token).first() if resume.token else None
    now = timezone.now()
    early = resume.next_attempt_at is not None and resume.next_attempt_at > now
    return Progress(
        stage=stage.name,
        channel=channel,
        since=running.started_at if running else resume.state_since,
        working=running is not None,
        attempt=failed + 1,
        attempts_most=1 + len(current_table().retry.delays_s),
        next_attempt_at=resume.next_attempt_at if early else None,
        queue=stage.queue,
        ahead=None if running or early else _ahead(resume, stage.queue),
        breaker=_breaker(stage.name, channel),
        usual_s=_usual_s(stage.name, channel),
        pages_read=running.pages_read if running else None,
        pages_wanted=running.pages_wanted if running else None,
        parked_for=resume.parked_for,
        alone=resume.alone,
    )


def _ahead(resume: Resume, queue: str) -> int:
    """How many are due for the queue and were handed to it before."""
    on_queue = [stage.name for stage in STAGES.values() if stage.queue == queue]
    waiting = Resume.objects.filter(next_stage__in=on_queue, token=None, state__in=[*ACTIVE, *SUCCEEDED])
    due = waiting.filter(Q(next_attempt_at=None) | Q(next_attempt_at__lte=timezone.now())).exclude(pk=resume.pk)
    return due.filter(dispatched_at__lt=resume.dispatched_at).count() if resume.dispatched_at else due.count()


def _breaker(stage: str, channel: str) -> str | None:
    if channel not in configured_channels() or stage not in switches.STAGES:
        return None
    found = breaker.state(channel)
    return found.value if found else None


def _usual_s(stage: str, channel: str) -> float | None:
    good = Attempt.objects.filter(stage=stage, channel=channel, outcome=Attempt.Outcome.OK)
    latest = [
        seconds for seconds in good.order_by("-started_at").values_list("seconds", flat=True)[:_SAMPLE] if seconds is not None
    ]
    return round(statistics.median(latest), 3) if latest else None
