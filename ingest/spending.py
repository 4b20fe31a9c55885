"""Spending: what language models may cost a day, and what they have. Tokens stand on the attempts' records."""

from __future__ import annotations

import time

import structlog
from django.conf import settings
from django.db.models import F, Sum
from django.utils import timezone

from ingest.models import Attempt

STAGES = ("structure", "narrate")
"""The stages that ask models."""
log = structlog.get_logger(__name__)
_FRESH_S = 5.0
_known: tuple[float, bool] | None = None


def spent_today() -> int:
    """Tokens since midnight of the installation's time zone."""
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    spent = Attempt.objects.filter(started_at__gte=midnight, stage__in=STAGES).aggregate(
        tokens=Sum(F("prompt_tokens") + F("completion_tokens"))
    )
    return spent["tokens"] or 0


def is_spent() -> bool:
    """Whether the day's budget is used up, at most a few seconds old. What runs at that moment still comes to its end."""
    global _known  # noqa: PLW0603 - a short-lived copy of what the records say
    limit = settings.LLM_DAILY_TOKENS
    if not limit:
        return False
    now = time.monotonic()
    if _known is None or now - _known[0] > _FRESH_S:
        spent = spent_today()
        if spent >= limit and not (_known and _known[1]):
            log.warning("model_budget_spent", tokens=spent, limit=limit)
        _known = (now, spent >= limit)
    return _known[1]


def forget() -> None:
    """Look at the records again next time."""
    global _known  # noqa: PLW0603
    _known = None
