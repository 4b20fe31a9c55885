"""Errors as RFC 9457 problem documents with a stable `code`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import structlog
from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db import InterfaceError, OperationalError
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler, set_rollback

from resumes.api.answers import TRY_AGAIN_S
from resumes.intake import IntakePaused
from resumes.messages import advice, sentence
from resumes.reruns import CannotRerun
from resumes.taxonomy import OURS, ResumeError
from resumes.transitions import Moved

log = structlog.get_logger(__name__)

_STATUS = {
    "too_large": status.HTTP_413_REQUEST_ENTITY_TOO_LARGE,
    "unsupported_format": status.HTTP_415_UNSUPPORTED_MEDIA_TYPE,
    "extension_mismatch": status.HTTP_415_UNSUPPORTED_MEDIA_TYPE,
    "empty_file": status.HTTP_400_BAD_REQUEST,
}
_LATER = (status.HTTP_429_TOO_MANY_REQUESTS, status.HTTP_503_SERVICE_UNAVAILABLE)


class Conflict(exceptions.APIException):
    """The request does not fit the state the thing is in."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "conflict"


class TooLarge(exceptions.APIException):
    """The request holds more than the limit, which the detail names."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"


@contextlib.contextmanager
def as_conflicts() -> Iterator[None]:
    """Answer 409 where a resume is not where the request needs it to be."""
    try:
        yield
    except Moved:
        raise Conflict(_("Somebody else has just moved this resume. Look again."), code="moved") from None
    except CannotRerun as exc:
        text = {
            "no_file": _("There is no file for this resume any more."),
            "unpacked": _("This archive has been unpacked; run its members again instead."),
            "held": _("Somebody is at work on it in the review."),
            "unknown_channel": _("This OCR engine is not set up here."),
        }.get(exc.code, _("The resume is not in a state that allows this."))
        raise Conflict(text, code=exc.code) from None


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: every error leaves as `application/problem+json`."""
    if isinstance(error, ResumeError):
        return refusal(error)
    if isinstance(error, IntakePaused):
        return _paused(error)
    if isinstance(error, (OperationalError, InterfaceError)):
        return _database_away(error)
    error = _limit_of(error) or error
    if isinstance(error, Http404):
        error = exceptions.NotFound(_("There is nothing here."))  # Django's own words name a model, in English
    response = exception_handler(error, context)
    if response is None:
        return None
    code, detail = _code_of(error), _detail_of(response.data)
    if isinstance(error, exceptions.Throttled) and "Retry-After" in response.headers:
        detail = _("Too many requests. The next one is taken in %(wait)d s.") % {"wait": int(response["Retry-After"])}
    problem: dict[str, Any] = {
        "type": "about:blank",
        "title": detail,
        "status": response.status_code,
        "detail": detail,
        "code": code,
    }
    if response.status_code in _LATER:
        response.headers.setdefault("Retry-After", str(TRY_AGAIN_S))
    if isinstance(error, exceptions.ValidationError):
        problem |= {"title": _("The request is not valid."), "detail": _("See errors."), "errors": response.data}
    response.data = problem
    response.content_type = "application/problem+json"
    return response


def refusal(error: ResumeError) -> Response:
    """A file refused at the door: 4xx with the failure code, or 503 where the fault is ours."""
    ours = error.entry.failure_class in OURS
    known = _STATUS.get(error.code, status.HTTP_422_UNPROCESSABLE_ENTITY)
    code = status.HTTP_503_SERVICE_UNAVAILABLE if ours else known
    what_to_do = _("Nothing was stored. Send the file again later.") if ours else advice(error.code)
    said = {
        "detail": " ".join(part for part in (sentence(error.code), error.detail and f"({error.detail})", what_to_do) if part),
        "class": error.entry.failure_class.value,
        "retryable": error.entry.retryable,
    }
    return problem(code, error.code, sentence(error.code), retry_after_s=TRY_AGAIN_S if ours else None, **said)


def _paused(error: IntakePaused) -> Response:
    """No new file now: 503 and when to ask again."""
    text = _("Operators have paused the intake. Nothing was stored; send it again later.")
    code = status.HTTP_503_SERVICE_UNAVAILABLE
    return problem(code, "intake_paused", text, retry_after_s=error.retry_after_s, retryable=True)


def _database_away(error: OperationalError | InterfaceError) -> Response:
    """The database is down, full or held by somebody else: 503, and when to ask again. Its own words may quote data."""
    log.error("database_unreachable", error=type(error).__name__)
    set_rollback()
    text = _("The database does not answer at the moment. Send the request again later; a file that came through is known.")
    code = status.HTTP_503_SERVICE_UNAVAILABLE
    return problem(code, "database_unavailable", text, retry_after_s=TRY_AGAIN_S, retryable=True)


def problem(status: int, code: str, title: str, *, retry_after_s: int | None = None, **more: Any) -> Response:
    """A problem document as an answer; its detail is the title where `more` has no other."""
    document = {"type": "about:blank", "title": title, "status": status, "detail": title, "code": code, **more}
    headers = None if retry_after_s is None else {"Retry-After": str(retry_after_s)}
    return Response(document, status=status, headers=headers, content_type="application/problem+json")


def _limit_of(error: Exception) -> exceptions.APIException | None:
    """Django's own limits on a request, which it would answer with a bare 400."""
    match error:
        case TooManyFilesSent():
            return TooLarge(_("More than %(limit)d files in one request.") % {"limit": settings.DATA_UPLOAD_MAX_NUMBER_FILES})
        case TooManyFieldsSent():
            return TooLarge(_("More than %(limit)d fields in one request.") % {"limit": settings.DATA_UPLOAD_MAX_NUMBER_FIELDS})
        case RequestDataTooBig():
            limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
            return TooLarge(_("More than %(limit)d bytes beside the files.") % {"limit": limit})
    return None


_DRFS_TEXTS = (
    gettext_noop("Datetime value out of range."),
    gettext_noop("Ensure this field has at least {min_length} elements."),
    gettext_noop("Ensure this field has no more than {max_length} elements."),
    gettext_noop("Must be a valid UUID."),
    gettext_noop("Must be a valid boolean."),
    gettext_noop("Not a valid string."),
    gettext_noop("Surrogate characters are not allowed: U+{code_point:X}."),
)
"""Errors in fields that DRF itself has no Russian for; it takes them from our catalogues."""


def _code_of(error: Exception) -> str:
    match error:
        case exceptions.ValidationError():
            return "invalid"
        case exceptions.APIException():
            return str(getattr(error.detail, "code", error.default_code))
        case PermissionDenied():
            return "permission_denied"
    return "error"


def _detail_of(data: Any) -> str:
    if isinstance(data, dict) and "detail" in data:
        return str(data["detail"])
    return _("The request is not valid.")
