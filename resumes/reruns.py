"""Running again what has ended or waits: a person's replay, and the flag that something in the result is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import transaction

from resumes import transitions
from resumes.models import Extraction, Resume
from resumes.states import REOPENS, State
from resumes.transitions import Moved

FLAGGED = "flagged as inaccurate"
UNPACKED = "archive unpacked"
"""How the log says that an archive gave way to its members."""


class CannotRerun(Exception):
    """Not in this state, or there is no file any more. The argument is a stable code."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def retry_each(resumes: Iterable[Resume], user: AbstractBaseUser | AnonymousUser, reason: str, *, node: str) -> tuple[int, int]:
    """Run again all that can be: how many are, and how many were left as they are."""
    done = skipped = 0
    for resume in resumes:
        try:
            retry(resume, user, reason, node=node)
        except (CannotRerun, Moved):
            skipped += 1
        else:
            done += 1
    return done, skipped


def retry(
    resume: Resume,
    user: AbstractBaseUser | AnonymousUser,
    reason: str,
    *,
    node: str,
    channel: str = "",
    as_pictures: bool = False,
) -> None:
    """Open the next run and put the resume back into the queue. With `channel` pictures are read by that OCR channel alone,
    with `as_pictures` its pages are read from their pictures, whatever text the file holds.

    Raises `CannotRerun` and `Moved`.
    """
    _check(resume, State.PENDING)
    if channel and channel not in settings.OCR_CHANNELS:
        raise CannotRerun("unknown_channel")
    columns: dict[str, Any] = {"as_pictures": as_pictures}
    if channel:  # a channel is entered once a run: the others count as entered
        columns["channels"] = [name for name in settings.OCR_CHANNELS if name != channel]
    transitions.reopen(resume, State.PENDING, node=node, reason=reason, actor=transitions.user_actor(user.pk), **columns)


def flag(
    resume: Resume,
    user: AbstractBaseUser | AnonymousUser,
    fields: Sequence[str],
    note: str,
    *,
    node: str,
    again: bool | None = None,
    channel: str = "",
) -> None:
    """Say that a result is wrong. It is read again, or a person mends it from the result as it is.

    Which of both says `again`; where nobody has said so, a person mends what is named and the whole is read again. With a
    `channel` it is read again by another route: from the pictures of its pages, by that OCR channel. Raises `CannotRerun`
    and `Moved`.
    """
    reason = FLAGGED + (f": {', '.join(fields)}" if fields else "")
    if channel or again or (again is None and not fields):
        retry(resume, user, reason, node=node, channel=channel, as_pictures=bool(channel))
        return
    _at_review(resume, user, reason, node=node, conclusion=note[:500])


def picture_channels(resume: Resume) -> tuple[str, ...]:
    """The OCR channels that can read the pages of a resume from their pictures; none where its format has no pages."""
    media_type = resume.document.media_type if resume.document else ""
    paged = media_type == "application/pdf" or media_type.startswith("image/")
    return tuple(settings.OCR_CHANNELS) if paged else ()


def carry_over(resume: Resume) -> None:
    """Copy what was found into the run that is about to open."""
    found = Extraction.objects.filter(resume=resume, run__lte=resume.run).order_by("-run").first()
    if found is not None:
        found.pk, found.run = None, resume.run + 1
        found._state.adding = True  # noqa: SLF001 - Django's documented way to copy a row
        found.save()


def _check(resume: Resume, to: State) -> None:
    if to not in REOPENS.get(State(resume.state), frozenset()):
        raise CannotRerun("wrong_state")
    if resume.document_id is None:
        raise CannotRerun("no_file")
    if resume.state == State.SKIPPED and resume.transitions.filter(run=resume.run, reason__startswith=UNPACKED).exists():
        raise CannotRerun("unpacked")


def to_review(resume: Resume, user: AbstractBaseUser | AnonymousUser, reason: str, *, node: str) -> None:
    """Open the next run of a resume at the review, with what was found. Raises `CannotRerun` and `Moved`."""
    found = {"failure_class": resume.failure_class, "failure_code": resume.failure_code}
    _at_review(resume, user, reason, node=node, **found)


def _at_review(resume: Resume, user: AbstractBaseUser | AnonymousUser, reason: str, *, node: str, **columns: Any) -> None:
    _check(resume, State.REVIEW_NEEDED)
    with transaction.atomic():
        carry_over(resume)
        actor = transitions.user_actor(user.pk)
        transitions.reopen(resume, State.REVIEW_NEEDED, node=node, reason=reason, actor=actor, **columns)
