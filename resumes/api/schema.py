"""What every operation of the OpenAPI schema has in common: problem documents, and the idempotency key of a POST."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS

from resumes.api import conditional
from resumes.api.conditional import Versioned
from resumes.api.idempotency import HEADER


class Problem(serializers.Serializer[Any]):
    """RFC 9457, with a stable `code`."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()


_KEY_TEXT = "Names the request: sent again with the same key it is answered again and not done again. Kept for 24 hours."
_MATCH_TEXT = "The `ETag` of the version the change is meant for; 412 where it is another one by now."


def _header(name: str, text: str) -> OpenApiParameter:
    return OpenApiParameter(name, str, OpenApiParameter.HEADER, description=text)


class ProblemSchema(AutoSchema):
    def get_override_parameters(self) -> list[Any]:
        key = [_header(HEADER, _KEY_TEXT)] if self.method == "POST" else []
        edits = isinstance(self.view, Versioned) and self.view.detail and self.method not in SAFE_METHODS
        return [*key, _header(conditional.HEADER, _MATCH_TEXT)] if edits else key

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        bodies = super()._get_response_bodies(direction=direction)
        problem: dict[str, Any] = self._get_response_for_code(  # type: ignore[no-untyped-call]
            Problem(), "4XX", media_types=["application/problem+json"], direction=direction
        )
        return bodies | {"4XX": {**problem, "description": "A problem: see `code`."}}
