"""How much one may ask for in a while: each token for itself, and people in the browser by who they are."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import UserRateThrottle


class PerToken(UserRateThrottle):
    """DRF's throttle of users; a program that runs wild takes nothing from its user's other programs."""

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        token = getattr(request.auth, "digest", None)
        if token is None:
            return super().get_cache_key(request, view)
        return str(self.cache_format % {"scope": self.scope, "ident": f"token-{token}"})
