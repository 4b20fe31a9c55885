"""Switches: what operators turn off or force, with who, why and until when. Read again every few seconds.

A name is a stage that can be done without (`ocr`, `structure`) or a channel (`rapidocr`, …, `model`).
"""

from __future__ import annotations

import enum
import time

from django.db.models import Q
from django.utils import timezone

from ingest.models import Switch
from ingest.ocr import ENGINES

MODEL = "model"
STAGES = ("ocr", "structure")
"""Stages that can be switched off; the text's own reader and the rules cannot be done without."""
_FRESH_S = 3.0
_known: tuple[float, dict[str, Position]] | None = None


class Position(enum.StrEnum):
    AUTO = "auto"
    OFF = "off"
    FORCED_OPEN = "open"
    """As if the channel had failed: no calls."""
    FORCED_CLOSED = "closed"
    """Calls are made whatever the breaker thinks."""


def names() -> tuple[str, ...]:
    """Everything that can be switched."""
    return (*STAGES, *ENGINES, MODEL)


def position(name: str) -> Position:
    """Where a switch stands, at most a few seconds old."""
    global _known  # noqa: PLW0603 - a short-lived copy of what the database says
    now = time.monotonic()
    if _known is None or now - _known[0] > _FRESH_S:
        in_force = Switch.objects.filter(Q(until=None) | Q(until__gt=timezone.now()))
        _known = (now, {switch.name: Position(switch.position) for switch in in_force})
    return _known[1].get(name, Position.AUTO)


def is_off(name: str) -> bool:
    return position(name) in (Position.OFF, Position.FORCED_OPEN)


def forget() -> None:
    """Read the database again next time."""
    global _known  # noqa: PLW0603
    _known = None
