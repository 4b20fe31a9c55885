"""Errors as RFC 9457 problem documents with a stable `code`."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler

from resumes.messages import advice, sentence
from resumes.taxonomy import ResumeError

_STATUS = {
    "too_large": status.HTTP_413_REQUEST_ENTITY_TOO_LARGE,
    "unsupported_format": status.HTTP_415_UNSUPPORTED_MEDIA_TYPE,
    "extension_mismatch": status.HTTP_415_UNSUPPORTED_MEDIA_TYPE,
    "empty_file": status.HTTP_400_BAD_REQUEST,
    "dependency_unavailable": status.HTTP_503_SERVICE_UNAVAILABLE,
    "storage_denied": status.HTTP_503_SERVICE_UNAVAILABLE,
}


class Conflict(exceptions.APIException):
    """The request does not fit the state the thing is in."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "conflict"


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: every error leaves as `application/problem+json`."""
    if isinstance(error, ResumeError):
        return refusal(error)
    response = exception_handler(error, context)
    if response is None:
        return None
    code, detail = _code_of(error), _detail_of(response.data)
    problem: dict[str, Any] = {
        "type": "about:blank",
        "title": detail,
        "status": response.status_code,
        "detail": detail,
        "code": code,
    }
    if isinstance(error, exceptions.ValidationError):
        problem |= {"title": _("The request is not valid."), "detail": _("See errors."), "errors": response.data}
    response.data = problem
    response.content_type = "application/problem+json"
    return response


def refusal(error: ResumeError) -> Response:
    """A file refused at the door: 4xx with the failure code, or 503 where the fault is ours."""
    code = _STATUS.get(error.code, status.HTTP_422_UNPROCESSABLE_ENTITY)
    problem = {
        "type": "about:blank",
        "title": sentence(error.code),
        "status": code,
        "detail": " ".join(part for part in (sentence(error.code), error.detail and f"({error.detail})", advice(error.code)) if part),
        "code": error.code,
        "class": error.entry.failure_class.value,
        "retryable": error.entry.retryable,
    }
    headers = {"Retry-After": "30"} if code == status.HTTP_503_SERVICE_UNAVAILABLE else None
    return Response(problem, status=code, headers=headers, content_type="application/problem+json")


def _code_of(error: Exception) -> str:
    match error:
        case exceptions.ValidationError():
            return "invalid"
        case exceptions.APIException():
            return str(error.default_code)
        case Http404():
            return "not_found"
        case PermissionDenied():
            return "permission_denied"
    return "error"


def _detail_of(data: Any) -> str:
    if isinstance(data, dict) and "detail" in data:
        return str(data["detail"])
    return _("The request is not valid.")
