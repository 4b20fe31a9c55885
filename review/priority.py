"""What comes first: how little is left to do, times how urgent it is. Pure.

A scan nobody can read must not stand before ten resumes that want one field each; and of two that want one field, the
one for which somebody waits comes first. Every factor is kept with the case by its name, so that the list can say why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

CORE_FIELDS = 6
_DOUBT = {
    "not_a_resume": 0.2,
    "blank_document": 0.0,
    "no_text_layer": 0.4,
    "garbled_text": 0.4,
    "ocr_low_confidence": 0.7,
}
"""What a failure says of the text itself."""
_LEVEL_TRIED = 0.95
"""Each level beyond the first that was tried in vain."""
_RETRY = 0.97
_MOST_RETRIES = 5

_SOURCES = {"applied": 1.3, "headhunter": 1.15}
"""Somebody waits for an answer; somebody is paid for it."""
_URGENCIES = {"urgent": 2.0, "high": 1.5, "normal": 1.0, "low": 0.6}
_VACANT = 1.2
_FLAGGED = 1.5
_ESCALATED = 1.5
_SPOT_CHECK = 0.5


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a resume that waits."""

    code: str
    missing: int | None
    """Core fields that do not count; None where there is no draft at all."""
    levels: int = 1
    """Ways of reading that were tried."""
    retries: int = 0
    confidence: float | None = None
    """Mean confidence of what was found."""
    source: str = ""
    urgency: str = ""
    """The batch's own word for it."""
    vacant: bool = False
    """There is an open vacancy for the batch's position."""


def salvageable(facts: Facts) -> float:
    """How likely little work completes it, 0 to 1."""
    if facts.missing is None:
        return 0.0
    share = 1 - facts.missing / CORE_FIELDS
    sure = 0.8 + 0.2 * facts.confidence if facts.confidence is not None else 1.0
    tried = _LEVEL_TRIED ** max(0, facts.levels - 1) * _RETRY ** min(facts.retries, _MOST_RETRIES)
    return round(share * _DOUBT.get(facts.code, 1.0) * sure * tried, 3)


def urgency(facts: Facts) -> dict[str, float]:
    """What makes it more or less urgent: factors by name, those of 1 left out."""
    factors = {
        "source": _SOURCES.get(facts.source, 1.0),
        "batch": _URGENCIES.get(facts.urgency.strip().casefold(), 1.0),
        "vacancy": _VACANT if facts.vacant else 1.0,
        "flagged": _FLAGGED if facts.code == "flagged" else 1.0,
        "spot_check": _SPOT_CHECK if facts.code == "spot_check" else 1.0,
    }
    return {name: factor for name, factor in factors.items() if factor != 1.0}


def escalated(factors: Mapping[str, float]) -> dict[str, float]:
    """The factors of a case that has waited too long."""
    return {**factors, "age": _ESCALATED}


def priority(score: float, factors: Mapping[str, float]) -> float:
    return round(score * prod(factors.values()), 3)
