"""Faults reported to a Sentry server, where SENTRY_DSN names one: where in the code, and nothing of people.

Its own defaults would send variables, bodies and addresses of requests, and those are resumes.
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from settings import env

SENTRY_DSN = env.text("SENTRY_DSN")

_DROPPED = ("request", "user", "extra", "breadcrumbs", "modules")


def without_people(event: dict[str, Any], _hint: dict[str, Any] | None = None) -> dict[str, Any]:
    """The event without whatever may hold people's data: requests, values of exceptions, variables, arguments of log lines."""
    kept = {name: value for name, value in event.items() if name not in _DROPPED}
    for error in kept.get("exception", {}).get("values", ()):
        error["value"] = ""
        for frame in (error.get("stacktrace") or {}).get("frames", ()):
            frame.pop("vars", None)
    if "logentry" in kept:
        kept["logentry"] = {"message": kept["logentry"].get("message", "")}
    return kept


def report_faults(dsn: str) -> None:
    """Have faults of this process reported. Raises ImproperlyConfigured where the library is not installed."""
    try:
        import sentry_sdk  # an extra
    except ImportError as exc:
        raise ImproperlyConfigured(
            "SENTRY_DSN is set, but its library is not installed: pip install --require-hashes -r requirements/sentry.txt"
        ) from exc
    sentry_sdk.init(
        dsn=dsn,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        before_send=without_people,
    )


if SENTRY_DSN:
    report_faults(SENTRY_DSN)
