"""Fields whose names Python or DRF use themselves."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class PlainNames(serializers.BaseSerializer[Any]):
    """Mixin of a serializer: a field declared as `class_` or `source_` is called `class` or `source` outside."""

    def get_fields(self) -> dict[str, Any]:
        return {name.removesuffix("_"): field for name, field in super().get_fields().items()}  # type: ignore[misc]
