"""What answers have in common that ask for another look: how long to wait before it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import status
from rest_framework.response import Response

LOOK_AGAIN_S = 3
"""After something was taken on: how long a client is asked to wait before it looks again."""
TRY_AGAIN_S = 30
"""After a fault of ours that may pass: how long before the request is sent again."""


def accepted(data: Any, headers: Mapping[str, str] | None = None) -> Response:
    """202: taken on, and done in the background."""
    return Response(data, status=status.HTTP_202_ACCEPTED, headers={"Retry-After": str(LOOK_AGAIN_S), **(headers or {})})
