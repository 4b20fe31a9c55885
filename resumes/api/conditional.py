"""Conditional edits: an `ETag` names the version of a thing, `If-Match` lets an edit through only while it is still that one.

Without the header an edit goes through, as it always has. A tag is made of what people and programs decide about, not of
figures that move by themselves, so that nobody's edit fails because a counter went up.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from rest_framework import exceptions, status
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

if TYPE_CHECKING:
    from rest_framework.viewsets import GenericViewSet, ModelViewSet

    View = GenericViewSet[Any]
    Editor = ModelViewSet[Any]
else:
    View = Editor = object

HEADER = "If-Match"


class Stale(exceptions.APIException):
    """Somebody has changed the thing since the client looked at it."""

    status_code = status.HTTP_412_PRECONDITION_FAILED
    default_code = "precondition_failed"


class Versioned(View):
    """Mixin of a viewset: whole answers carry the tag, and `get_object()` for a change looks at `If-Match`."""

    version_fields: tuple[str, ...]
    """Names in the shape of the thing whose values make its version."""

    def get_object(self) -> Any:
        thing = super().get_object()
        wanted = self.request.headers.get(HEADER, "")
        if wanted and self.request.method not in SAFE_METHODS:
            if transaction.get_connection().in_atomic_block:  # else what follows compares and sets by itself
                thing.refresh_from_db(from_queryset=type(thing).objects.select_for_update())
            tags = parse_etags(wanted)
            if tags != ["*"] and self._tag(self.get_serializer(thing).data) not in tags:
                raise Stale(_("Somebody has changed this since you looked at it. Look again."))
        return thing

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **kwargs)
        data = getattr(answer, "data", None)
        if answer.status_code < 300 and isinstance(data, Mapping) and set(self.version_fields) <= set(data):
            answer["ETag"] = self._tag(data)
        return answer

    def _tag(self, data: Mapping[str, Any]) -> str:
        version = JSONRenderer().render([data[name] for name in self.version_fields])
        return f'"{hashlib.sha256(version).hexdigest()[:32]}"'


class ConditionalEdits(Versioned, Editor):
    """The same for a thing that is edited in place: it is locked from the look at its version to the end of the change."""

    def update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        with transaction.atomic():
            return super().update(request, *args, **kwargs)

    def destroy(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        with transaction.atomic():
            return super().destroy(request, *args, **kwargs)
