"""What answers have in common: how long to wait before another look, and that they come in the form they have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import status
from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request
from rest_framework.response import Response

LOOK_AGAIN_S = 3
"""After something was taken on: how long a client is asked to wait before it looks again."""
TRY_AGAIN_S = 30
"""After a fault of ours that may pass: how long before the request is sent again."""


def accepted(data: Any, headers: Mapping[str, str] | None = None) -> Response:
    """202: taken on, and done in the background."""
    return Response(data, status=status.HTTP_202_ACCEPTED, headers={"Retry-After": str(LOOK_AGAIN_S), **(headers or {})})


class AsItIs(DefaultContentNegotiation):
    """Answers come as they are, where none of the forms a client accepts is to be had (RFC 9110, 12.5.1, allows that).

    Clients made from the schema accept what an export, a text or an original comes as, and their problems are JSON.
    """

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        try:
            return super().select_renderer(request, renderers, format_suffix)
        except NotAcceptable:
            return renderers[0], renderers[0].media_type
