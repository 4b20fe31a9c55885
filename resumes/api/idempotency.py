"""`Idempotency-Key` on every POST: the same request named twice is done once and answered twice.

Same key and request: the stored answer. Another request: 422. The first still in flight: 409. Keys belong to a user and
are kept for a day. What was answered 5xx is forgotten, so that it can be tried again.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, ClassVar

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import exceptions, status
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from resumes.api.permissions import signed_in
from resumes.api.problems import Conflict
from resumes.api.uploads import DiskUpload
from resumes.models import IdempotencyKey

if TYPE_CHECKING:
    from rest_framework.views import APIView
else:
    APIView = object

HEADER = "Idempotency-Key"
KEPT = dt.timedelta(hours=24)
ABANDONED = dt.timedelta(minutes=5)
"""A request that has not been answered for this long has died with its process."""
_HEADERS = ("Location", "Retry-After")


class KeyReused(exceptions.APIException):
    """The key has named another request."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY
    default_code = "idempotency_key_reused"


class _Replay(Exception):
    """Not an error: the answer is known."""

    def __init__(self, row: IdempotencyKey) -> None:
        super().__init__()
        self.row = row


class IdempotentPosts(APIView):
    """Mixin of a view."""

    not_kept: ClassVar[Collection[str]] = ()
    """Fields of an answer that are null when it is given again: what must not lie in the database."""
    _row: IdempotencyKey | None = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)  # who may not, or asks for too much, is told so every time
        key = request.headers.get(HEADER, "").strip()
        if request.method == "POST" and key:
            self._row = _claim(request, key)

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, _Replay):
            headers = {**exc.row.headers, "Idempotency-Replayed": "true"}
            media_type = "application/problem+json" if (exc.row.status or 0) >= 400 else None
            return Response(exc.row.body, status=exc.row.status, headers=headers, content_type=media_type)
        answer = None
        try:
            answer = super().handle_exception(exc)
        finally:
            if answer is None:  # nobody can answer it: the key is free for another try
                self._forget()
        return answer

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **kwargs)
        if self._row is not None:
            if answer.status_code >= 500:
                self._forget()
            else:
                body = json.loads(JSONRenderer().render(answer.data)) if answer.data is not None else None
                if isinstance(body, dict):
                    body |= dict.fromkeys(body.keys() & self.not_kept)
                headers = {name: answer[name] for name in _HEADERS if answer.has_header(name)}
                IdempotencyKey.objects.filter(pk=self._row.pk).update(status=answer.status_code, body=body, headers=headers)
                self._row = None
        return answer

    def _forget(self) -> None:
        if self._row is not None:
            IdempotencyKey.objects.filter(pk=self._row.pk).delete()
            self._row = None


def _claim(request: Request, key: str) -> IdempotencyKey:
    """The row that stands for this request. Raises `_Replay`, `KeyReused`, or `Conflict` while the first is in flight."""
    if len(key) > 255 or not key.isprintable():
        raise exceptions.ValidationError({HEADER: [_("At most 255 characters, all of them printable.")]})
    user, fingerprint, now = signed_in(request), _fingerprint(request), timezone.now()
    IdempotencyKey.objects.filter(user=user, key=key, created_at__lt=now - KEPT).delete()
    IdempotencyKey.objects.filter(user=user, key=key, status=None, created_at__lt=now - ABANDONED).delete()
    try:
        with transaction.atomic():
            return IdempotencyKey.objects.create(user=user, key=key, fingerprint=fingerprint)
    except IntegrityError:
        known = IdempotencyKey.objects.filter(user=user, key=key).first()
    if known is not None and known.fingerprint != fingerprint:
        raise KeyReused(_("This idempotency key has named another request."))
    if known is None or known.status is None:
        raise Conflict(_("The first request with this idempotency key is still being answered."), code="idempotency_in_flight")
    raise _Replay(known)


def _fingerprint(request: Request) -> str:
    """Digest of what is asked for; files by their content."""
    digest = hashlib.sha256(f"{request.method} {request.get_full_path()}\n".encode())
    if request.FILES:
        for name, values in sorted(request.POST.lists()):
            digest.update(json.dumps([name, values]).encode())
        for name, files in sorted(request.FILES.lists()):
            for file in files:
                digest.update(json.dumps([name, file.name]).encode())
                if isinstance(file, DiskUpload):
                    with file.path.open("rb") as content:
                        digest.update(hashlib.file_digest(content, "sha256").digest())
    else:
        digest.update(json.dumps(request.data, sort_keys=True, default=str).encode())
    return digest.hexdigest()
