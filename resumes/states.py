"""The states of a resume and the one table of allowed moves.

A state says what is happening to a resume, never how often it was tried or what a person concluded: those are columns
of their own. CONTRACT section 3 documents this table; `resumes.transitions.move` is the only code that writes a state.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from django.db import models
from django.utils.translation import gettext_lazy as _


class State(models.TextChoices):
    PENDING = "PENDING", _("Waiting for a worker")
    PARSING = "PARSING", _("Reading the text")
    OCR_PROCESSING = "OCR_PROCESSING", _("Reading the pictures")
    RULE_FALLBACK = "RULE_FALLBACK", _("Relying on the rules")
    STRUCTURING = "STRUCTURING", _("Language model at work")
    RETRY_WAITING = "RETRY_WAITING", _("Waiting for the next try")
    REVIEW_NEEDED = "REVIEW_NEEDED", _("Waits for a person")
    DEAD_LETTER = "DEAD_LETTER", _("Waits for an operator")
    COMPLETED = "COMPLETED", _("Parsed")
    REVIEWED = "REVIEWED", _("Completed by a person")
    REJECTED = "REJECTED", _("Refused")
    SKIPPED = "SKIPPED", _("Left out")


WORKING = frozenset({State.PARSING, State.OCR_PROCESSING, State.RULE_FALLBACK, State.STRUCTURING})
"""A stage runs or is about to."""
ACTIVE = WORKING | {State.PENDING, State.RETRY_WAITING}
"""Automation has the next move."""
WAITING = frozenset({State.REVIEW_NEEDED, State.DEAD_LETTER})
"""A person has the next move."""
TERMINAL = frozenset({State.COMPLETED, State.REVIEWED, State.REJECTED, State.SKIPPED})
"""The end of a run. Only a person with a reason opens the next one."""
SUCCEEDED = frozenset({State.COMPLETED, State.REVIEWED})

_FROM_WORK = WORKING | {
    State.RETRY_WAITING,
    State.REVIEW_NEEDED,
    State.DEAD_LETTER,
    State.REJECTED,
    State.COMPLETED,
    State.SKIPPED,
}

ALLOWED: Mapping[State, frozenset[State]] = MappingProxyType(
    {
        State.PENDING: WORKING | {State.RETRY_WAITING, State.REVIEW_NEEDED, State.DEAD_LETTER, State.REJECTED, State.SKIPPED},
        State.PARSING: _FROM_WORK - {State.PARSING},
        State.OCR_PROCESSING: _FROM_WORK - {State.OCR_PROCESSING},
        State.RULE_FALLBACK: _FROM_WORK - {State.RULE_FALLBACK},
        State.STRUCTURING: _FROM_WORK - {State.STRUCTURING},
        State.RETRY_WAITING: WORKING | {State.REVIEW_NEEDED, State.DEAD_LETTER, State.REJECTED, State.SKIPPED},
        State.REVIEW_NEEDED: frozenset({State.REVIEWED, State.REJECTED, State.SKIPPED}),
        State.DEAD_LETTER: frozenset({State.REVIEW_NEEDED, State.REJECTED, State.SKIPPED}),
        State.COMPLETED: frozenset(),
        State.REVIEWED: frozenset(),
        State.REJECTED: frozenset(),
        State.SKIPPED: frozenset(),
    }
)
"""Moves within one run."""

REOPENS: Mapping[State, frozenset[State]] = MappingProxyType(
    {
        state: frozenset({State.PENDING, State.REVIEW_NEEDED}) - ({state} if state in WAITING else frozenset())
        for state in TERMINAL | WAITING
    }
)
"""Moves that open the next run: replay, flag, undo. A person with a reason, always."""


def is_allowed(origin: State, to: State) -> bool:
    """Whether a resume may move from `origin` to `to` within a run."""
    return to in ALLOWED[origin]
