"""The address of another system as a field of the API: refused at once where no message may go there."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from resumes import targets

URL_LENGTH = 500


@extend_schema_field({"type": "string", "format": "uri", "maxLength": URL_LENGTH})
class OutwardURL(serializers.CharField):
    """http or https, and no address inside our own network unless the settings allow it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=URL_LENGTH, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        url = super().to_internal_value(data)
        try:
            targets.check(url)
        except targets.Forbidden as exc:
            private = exc.code == "private_address"
            text = (
                _("This address lies in a private network, where no message may go.")
                if private
                else _("Not an address that messages can go to.")
            )
            raise serializers.ValidationError(text, exc.code) from None
        return url
