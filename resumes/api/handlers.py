"""What Django itself answers, where no view does: under `/api/` as problem documents, else as its own pages."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase, HttpResponsePermanentRedirect, JsonResponse
from django.middleware.common import CommonMiddleware
from django.utils.translation import gettext as _
from django.views import defaults


def bad_request(request: HttpRequest, exception: Exception, **kwargs: Any) -> HttpResponseBase:
    return (
        _problem(400, "bad_request", _("The request is not valid."))
        if _is_api(request)
        else defaults.bad_request(request, exception, **kwargs)
    )


def not_found(request: HttpRequest, exception: Exception, **kwargs: Any) -> HttpResponseBase:
    return (
        _problem(404, "not_found", _("There is nothing here."))
        if _is_api(request)
        else defaults.page_not_found(request, exception, **kwargs)
    )


def server_error(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
    if not _is_api(request):
        return defaults.server_error(request, **kwargs)
    return _problem(500, "server_error", _("Something went wrong on our side. It is on record."))


class _SameRequestElsewhere(HttpResponsePermanentRedirect):
    status_code = 308


class Common(CommonMiddleware):
    """Django's; it has a client that left out the last slash repeat its request, and asks for the length of what is sent.

    A client makes a GET of the POST that Django's own 301 answers, and what came with it is lost without a word. A body of
    unstated length is taken for none at all by Django.
    """

    response_redirect_class = _SameRequestElsewhere

    def process_request(self, request: HttpRequest) -> Any:
        if request.headers.get("Transfer-Encoding") and not request.META.get("CONTENT_LENGTH") and _is_api(request):
            return _problem(411, "length_required", _("Say in Content-Length how much is sent; it cannot be sent in chunks."))
        return super().process_request(request)


def _is_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def _problem(status: int, code: str, text: str) -> JsonResponse:
    problem = {"type": "about:blank", "title": text, "status": status, "detail": text, "code": code}
    return JsonResponse(problem, status=status, content_type="application/problem+json")
