"""One id from the HTTP request to the last stage of what came with it, and the line each request leaves in the log.

The id is the caller's `X-Request-ID` or a new one, is given back in the answer, stands on the resume and is bound to every
line the workers write about it. Lines name routes, not addresses: an address may carry search words, and those are names.
"""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponseBase

log = structlog.get_logger(__name__)

FIELD = "correlation"
_OURS = re.compile(r"[0-9a-fA-F-]{8,36}")
"""What is taken from a caller: hexadecimal digits and dashes, so that nobody's name can be smuggled into a log."""
_QUIET = frozenset({"healthz", "readyz", "metrics", ""})


def current() -> str:
    """The id bound to what this thread does; empty where there is none."""
    return str(structlog.contextvars.get_contextvars().get(FIELD, ""))[:36]


class RequestLog:
    """Middleware, the outermost one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get("X-Request-ID", "")
        known = given if _OURS.fullmatch(given) else str(uuid.uuid4())
        began = time.monotonic()
        with structlog.contextvars.bound_contextvars(**{FIELD: known}):
            answer = self._get_response(request)
            answer["X-Request-ID"] = known
            match = request.resolver_match
            name = (match.url_name or "") if match else ""
            user = getattr(request, "user", None)
            (log.debug if name in _QUIET else log.info)(
                "request",
                method=request.method,
                route=match.route if match else "",
                status=answer.status_code,
                seconds=round(time.monotonic() - began, 3),
                user=user.pk if user is not None else None,
            )
        return answer
