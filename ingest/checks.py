"""System checks: time limits that contradict each other fail at the start, not in the middle of a long scan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from ingest.pipeline import PIPELINE
from ingest.retry import STANDARD

_MARGIN_S = 30


@register()
def time_limits(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:  # noqa: ARG001 - Django's signature
    """Stage deadline < soft limit < hard limit, and hard limit + longest countdown < visibility timeout."""
    problems: list[CheckMessage] = []
    soft, hard = settings.CELERY_TASK_SOFT_TIME_LIMIT, settings.CELERY_TASK_TIME_LIMIT
    longest = max(stage.deadline_s for stage in PIPELINE)
    countdown = max(STANDARD.delays_s) * (1 + STANDARD.spread)
    if longest + _MARGIN_S > soft:
        problems.append(Error(f"The soft time limit {soft} s must exceed the longest stage ({longest:g} s).", id="ingest.E001"))
    if soft >= hard:
        problems.append(Error("The soft time limit must be below the hard one.", id="ingest.E002"))
    visible = settings.CELERY_VISIBILITY_TIMEOUT
    if hard + countdown + _MARGIN_S > visible:
        problems.append(
            Error(f"The visibility timeout {visible} s must exceed hard limit and longest countdown together.", id="ingest.E003")
        )
    return problems
