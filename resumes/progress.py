"""Why it hangs: what a resume waits for, as the pipeline tells it. The records know the question, not the pipeline."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.conf import settings
from django.utils.formats import date_format
from django.utils.module_loading import import_string
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from resumes.models import Resume


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a resume in process is."""

    stage: str
    channel: str
    since: dt.datetime
    """When the work at hand began, or the waiting."""
    working: bool
    """A worker has it; else it waits."""
    attempt: int
    """Which try of this stage and channel runs or comes next, from 1."""
    attempts_most: int
    next_attempt_at: dt.datetime | None
    queue: str
    ahead: int | None
    """Resumes that wait for the same queue and came before; None while it is worked on or its time has not come."""
    breaker: str | None
    """`closed`, `half_open` or `open`; None where nothing here has a breaker or Redis does not answer."""
    usual_s: float | None
    """Median work of the latest good attempts of this stage and channel."""
    parked_for: str = ""
    """The dependency it waits for; it goes on by itself once that answers."""
    breaker_of: str = ""
    """The channel the breaker is of: the stage's own, or the file store while that holds it back."""
    held_by: str = ""
    """The switch by which operators hold it back, such as `queue:ocr`; who, why and until when stand there."""
    held_until: dt.datetime | None = None
    """None where it holds until operators say otherwise."""
    alone: bool = False
    """In quarantine: workers have died on it."""
    pages_read: int | None = None
    pages_wanted: int | None = None
    """Where pages are read one by one: how many of how many the try at hand has done."""


def progress_of(resume: Resume) -> Progress | None:
    """None for a resume automation has nothing to do with any more."""
    found: Progress | None = import_string(settings.RESUMES_PROGRESS)(resume)
    return found


def in_words(progress: Progress) -> list[str]:
    """A few short sentences, in the reader's language."""
    where = progress.stage + (f" · {progress.channel}" if progress.channel else "")
    since = date_format(localtime(progress.since), "DATETIME_FORMAT")
    names = {"stage": where, "since": since, "number": progress.attempt, "most": progress.attempts_most}
    if progress.working:
        said = [_("A worker has had it in %(stage)s since %(since)s: try %(number)d of %(most)d.") % names]
    else:
        said = [_("It has waited for %(stage)s since %(since)s: try %(number)d of %(most)d.") % names]
    if progress.alone:
        said.append(_("It is in quarantine: two workers died on it, so it runs in a sandbox of its own."))
    if progress.pages_wanted:
        pages = {"done": progress.pages_read or 0, "all": progress.pages_wanted}
        said.append(_("%(done)d of %(all)d pages have been read.") % pages)
    if progress.held_by:
        said.append(_held(progress))
    if progress.parked_for:
        said.append(_("It is parked until %(what)s answers.") % {"what": progress.parked_for})
    elif progress.next_attempt_at is not None:
        said.append(_("It is due at %(time)s.") % {"time": date_format(localtime(progress.next_attempt_at), "H:i:s")})
    if progress.ahead is not None:
        said.append(_("%(number)d are before it in the queue %(queue)s.") % {"number": progress.ahead, "queue": progress.queue})
    if progress.breaker in ("open", "half_open"):
        state = {"what": progress.breaker_of, "state": progress.breaker}
        said.append(_("Calls to %(what)s are held back: its breaker is %(state)s.") % state)
    if progress.usual_s is not None:
        said.append(_("It usually takes %(seconds)s s.") % {"seconds": f"{progress.usual_s:.1f}"})
    return said


def _held(progress: Progress) -> str:
    if progress.held_until is None:
        return _("Operators hold it back by the switch %(switch)s until they set that back.") % {"switch": progress.held_by}
    until = date_format(localtime(progress.held_until), "DATETIME_FORMAT")
    return _("Operators hold it back by the switch %(switch)s until %(until)s.") % {"switch": progress.held_by, "until": until}
