"""Where a resume in process is: attempts, queue, breaker and usual duration, for `resumes.progress`."""

from __future__ import annotations

import datetime as dt
import statistics

from django.db.models import Q
from django.utils import timezone

from ingest import breaker, parking, switches
from ingest.breaker import BreakerState
from ingest.models import Attempt
from ingest.options import configured_channels
from ingest.pipeline import STAGES
from ingest.policy import current_table
from ingest.stages import Part, Stage
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
    codes = here.filter(outcome=Attempt.Outcome.FAILED).exclude(failure_code__in=parking.CLOSED_DOORS)
    failed = list(codes.order_by("id").values_list("failure_code", flat=True))
    running = here.filter(token=resume.token).first() if resume.token else None
    early = resume.next_attempt_at is not None and resume.next_attempt_at > timezone.now()
    held_by = "" if running else _held_by(stage)
    held_until = switches.until(held_by) if held_by else None
    breaker_of, standing = _breaker(stage, channel, resume.parked_for)
    return Progress(
        stage=stage.name,
        channel=channel,
        since=running.started_at if running else resume.state_since,
        working=running is not None,
        attempt=len(failed) + 1,
        attempts_most=1 + max(len(failed), current_table().retry.retries_of(failed[-1] if failed else "")),
        next_attempt_at=_next_attempt_at(resume, held_by, held_until) if early else held_until,
        queue=stage.queue,
        ahead=None if running or early else _ahead(resume, stage.queue),
        breaker=standing.value if standing else None,
        breaker_of=breaker_of,
        usual_s=_usual_s(stage.name, channel),
        pages_read=running.pages_read if running else None,
        pages_wanted=running.pages_wanted if running else None,
        parked_for=resume.parked_for,
        held_by=held_by,
        held_until=held_until,
        alone=resume.alone,
    )


def _ahead(resume: Resume, queue: str) -> int:
    """How many are due for the queue and have waited longer. Being sent again changes nobody's place."""
    on_queue = [stage.name for stage in STAGES.values() if stage.queue == queue]
    waiting = Resume.objects.filter(next_stage__in=on_queue, token=None, state__in=[*ACTIVE, *SUCCEEDED])
    due = waiting.filter(Q(next_attempt_at=None) | Q(next_attempt_at__lte=timezone.now())).exclude(pk=resume.pk)
    earlier = Q(state_since__lt=resume.state_since) | Q(state_since=resume.state_since, pk__lt=resume.pk)
    return due.filter(earlier).count()


def _held_by(stage: Stage) -> str:
    """The switch by which operators keep the stage from being begun; empty where they do not."""
    if switches.is_paused(stage.queue):
        return switches.of_queue(stage.queue)
    return switches.STORAGE if Part.FILE in stage.needs and switches.is_off(switches.STORAGE) else ""


def _next_attempt_at(resume: Resume, held_by: str, held_until: dt.datetime | None) -> dt.datetime | None:
    """When it is tried again, at the latest where it is parked; None where that is for operators to say."""
    if held_by and (held_until is None or resume.next_attempt_at is None):
        return held_until
    return max(resume.next_attempt_at, held_until) if resume.next_attempt_at and held_until else resume.next_attempt_at


def _breaker(stage: Stage, channel: str, parked_for: str) -> tuple[str, BreakerState | None]:
    """The channel whose breaker matters and how that stands: the file store's while it holds back what needs a file."""
    asked = [channel] if channel in configured_channels() and stage.name in switches.STAGES else []
    asked += [switches.STORAGE] if parked_for or Part.FILE in stage.needs else []
    standing = {name: breaker.state(name) for name in asked}
    for name, state in standing.items():
        if state in (BreakerState.OPEN, BreakerState.HALF_OPEN) or name in (channel, parked_for):
            return name, state
    return "", None


def _usual_s(stage: str, channel: str) -> float | None:
    good = Attempt.objects.filter(stage=stage, channel=channel, outcome=Attempt.Outcome.OK)
    latest = [
        seconds for seconds in good.order_by("-started_at").values_list("seconds", flat=True)[:_SAMPLE] if seconds is not None
    ]
    return round(statistics.median(latest), 3) if latest else None
