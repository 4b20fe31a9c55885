"""System checks: settings that contradict each other fail at the start, not in the middle of a long scan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register  # noqa: A004 - Django's name

from ingest.pipeline import PIPELINE
from ingest.retry import LONGEST_COUNTDOWN_S, STANDARD

_MARGIN_S = 30
_RECOVERY_S = 40


@register()
def time_limits(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:  # noqa: ARG001 - Django's signature
    """Stage deadline < soft limit < hard limit, and hard limit + longest countdown < visibility timeout."""
    problems: list[CheckMessage] = []
    soft, hard = settings.CELERY_TASK_SOFT_TIME_LIMIT, settings.CELERY_TASK_TIME_LIMIT
    longest = max(stage.deadline_s for stage in PIPELINE)
    countdown = max(LONGEST_COUNTDOWN_S, max(STANDARD.delays_s) * (1 + STANDARD.spread))
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


@register()
def claims_and_recovery(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:  # noqa: ARG001
    """A dead worker's resume is free again within 40 s, which the lease and the relay's pace must allow."""
    soonest = settings.GLEANER_LEASE_S + settings.GLEANER_RELAY_S
    if soonest > _RECOVERY_S:
        text = (
            f"GLEANER_LEASE_S and GLEANER_RELAY_S together ({soonest} s) leave a dead worker's resume lying over {_RECOVERY_S} s."
        )
        return [Warning(text, id="ingest.W001")]
    return []


@register()
def delivery(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:  # noqa: ARG001
    """One message at a time, acknowledged late, never brought back by the broker when its worker died."""
    problems: list[CheckMessage] = []
    if settings.CELERY_WORKER_PREFETCH_MULTIPLIER != 1 or not settings.CELERY_TASK_ACKS_LATE:
        problems.append(Error("A worker must take one message at a time and acknowledge it late.", id="ingest.E004"))
    if settings.CELERY_TASK_REJECT_ON_WORKER_LOST:
        problems.append(
            Error(
                "CELERY_TASK_REJECT_ON_WORKER_LOST makes a file that kills workers a loop; the relay recovers it.",
                id="ingest.E005",
            )
        )
    visible = settings.CELERY_BROKER_TRANSPORT_OPTIONS.get("visibility_timeout")
    if visible is not None and visible != settings.CELERY_VISIBILITY_TIMEOUT:
        problems.append(Error("The broker's visibility_timeout is not CELERY_VISIBILITY_TIMEOUT.", id="ingest.E006"))
    return problems


@register()
def alert_addresses(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:  # noqa: ARG001
    """An alert that cannot be sent is found now and not when it is needed."""
    problems: list[CheckMessage] = []
    addresses = [part.strip() for part in settings.GLEANER_ALERT_EMAIL.split(",") if part.strip()]
    if any("@" not in address for address in addresses):
        problems.append(Error("GLEANER_ALERT_EMAIL must hold e-mail addresses, parted by commas.", id="ingest.E007"))
    hook = urlsplit(settings.GLEANER_ALERT_WEBHOOK)
    if settings.GLEANER_ALERT_WEBHOOK and not (hook.scheme in ("http", "https") and hook.hostname):
        problems.append(Error("GLEANER_ALERT_WEBHOOK must be an http or https address.", id="ingest.E008"))
    return problems
