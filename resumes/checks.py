"""System checks: settings that would only fail later, in the middle of a resume, fail at the start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.utils.module_loading import import_string


@register()
def dotted_names(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:  # noqa: ARG001 - Django's signature
    """Every function the settings name by dotted string exists."""
    problems: list[CheckMessage] = []
    for name in [
        settings.RESUMES_SENDER,
        settings.RESUMES_INTAKE_GATE,
        settings.RESUMES_PROGRESS,
        settings.RESUMES_HELD,
        *settings.RESUMES_FOLLOW_UPS,
    ]:
        try:
            import_string(name)
        except ImportError as exc:
            problems.append(Error(f"{name} cannot be imported: {exc}", id="resumes.E001"))
    return problems


@register()
def lease_and_renewal(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:  # noqa: ARG001
    """A lease must outlive two renewals, or a busy worker loses its claim while it works."""
    if settings.GLEANER_LEASE_S < 2 * settings.GLEANER_LEASE_RENEW_S:
        return [Error("GLEANER_LEASE_S must be at least twice GLEANER_LEASE_RENEW_S.", id="resumes.E002")]
    return []
