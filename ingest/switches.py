"""Switches: what operators turn off or force, with who, why and until when. Read again every few seconds.

A name is a stage that can be done without (`ocr`, `structure`), a channel (`rapidocr`, …, `model`, `model_backup`,
`storage`), a queue (`queue:ocr`, …) or the `intake`. A queue that is off is paused: what a worker has is finished, nothing
else is begun, the rest waits in the database. To drain one instead, switch its stage off: what waits there is finished and
the rest goes the next way; the others drain with the intake off.
"""

from __future__ import annotations

import datetime as dt
import enum
import time

import structlog
from django.db.models import Q
from django.utils import timezone

from ingest.dossier import MODEL_CHANNELS
from ingest.models import Switch
from ingest.ocr import ENGINES
from resumes.intake import IntakePaused

STORAGE = "storage"
"""The file store. Without it nothing can be read: what needs it is parked (`ingest.parking`)."""
INTAKE = "intake"
"""Off: every door refuses new files for now; what is inside goes on."""
STAGES = ("ocr", "structure")
"""Stages that can be switched off; the text's own reader and the rules cannot be done without."""
QUEUES = ("cpu", "ocr", "llm")
"""Queues on which stages run."""
_FRESH_S = 3.0
_RETRY_AFTER_S = 300
_LONGEST_RETRY_AFTER_S = 3600

log = structlog.get_logger(__name__)

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
    return (INTAKE, *STAGES, *ENGINES, *MODEL_CHANNELS, STORAGE, *map(of_queue, QUEUES))


def positions_of(name: str) -> tuple[Position, ...]:
    """Where a switch can stand. Only what makes calls can be forced."""
    if name == INTAKE or name in STAGES or name in map(of_queue, QUEUES):
        return (Position.AUTO, Position.OFF)
    return tuple(Position)


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


def is_paused(queue: str) -> bool:
    """Whether nothing may be begun on a queue for now."""
    return is_off(of_queue(queue))


def until(name: str) -> dt.datetime | None:
    """Until when a switch holds; None where it does not end by itself."""
    return Switch.objects.filter(name=name).values_list("until", flat=True).first()


def of_queue(queue: str) -> str:
    return f"queue:{queue}"


def turn(name: str, position: Position, *, why: str, until: dt.datetime | None = None, user_id: int | None = None) -> None:
    """Set a switch, on record with who and why; AUTO takes it away. Other processes follow within seconds."""
    if position is Position.AUTO:
        Switch.objects.filter(name=name).delete()
    else:
        Switch.objects.update_or_create(
            name=name, defaults={"position": position.value, "why": why[:200], "until": until, "set_by_id": user_id}
        )
    log.warning("switch_turned", switch=name, position=position.value, user=user_id)
    forget()


def check_intake() -> None:
    """The gate the doors ask (`resumes.intake.ensure_open`). Raises IntakePaused while operators have intake off."""
    if not is_off(INTAKE):
        return
    end = until(INTAKE)
    left_s = (end - timezone.now()).total_seconds() if end else _RETRY_AFTER_S
    raise IntakePaused(retry_after_s=round(min(max(left_s, 1), _LONGEST_RETRY_AFTER_S)))


def forget() -> None:
    """Read the database again next time."""
    global _known  # noqa: PLW0603
    _known = None
