"""What every operation of the OpenAPI schema has in common: problem documents, and the idempotency key of a POST."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from resumes.api.idempotency import HEADER


class Problem(serializers.Serializer[Any]):
    """RFC 9457, with a stable `code`."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()


class ProblemSchema(AutoSchema):
    def get_override_parameters(self) -> list[Any]:
        if self.method != "POST":
            return []
        text = "Names the request: sent again with the same key it is answered again and not done again. Kept for 24 hours."
        return [OpenApiParameter(HEADER, str, OpenApiParameter.HEADER, description=text)]

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        bodies = super()._get_response_bodies(direction=direction)
        problem: dict[str, Any] = self._get_response_for_code(  # type: ignore[no-untyped-call]
            Problem(), "4XX", media_types=["application/problem+json"], direction=direction
        )
        return bodies | {"4XX": {**problem, "description": "A problem: see `code`."}}
