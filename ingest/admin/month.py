"""The monthly report as a page."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ingest.monthly import first_of, month_of, neighbours
from resumes.admin.parts import meter, state_badge
from resumes.messages import operator_hint, sentence
from resumes.roles import Act, may
from resumes.states import State

LEVEL_NAMES = {
    "text": _("text alone"),
    "ocr": _("OCR"),
    "rules": _("rules, as a better level gave way"),
    "model": _("language model"),
    "person": _("a person"),
}


def month_view(request: HttpRequest) -> HttpResponse:
    """One month, `?month=YYYY-MM`; the present one without."""
    if not may(request.user, Act.OPERATE):
        raise PermissionDenied
    month = month_of(first_of(request.GET.get("month", "")))
    before, after = neighbours(month.first)
    context: dict[str, Any] = {
        **admin.site.each_context(request),
        "title": gettext("Monthly report"),
        "month": month,
        "before": before,
        "after": after,
        "rates": [
            (_("failed for a technical reason"), month.technical, _percent(month.technical_rate)),
            (_("refused"), month.states.get(State.REJECTED, 0), _percent(month.refused_rate)),
            (_("needed a person"), None, _percent(month.by_people_rate)),
        ],
        "states": [(state_badge(state), number) for state in State if (number := month.states.get(state, 0))],
        "levels": [(LEVEL_NAMES[level], number, meter(share)) for level, number, share in month.level_shares],
        "codes": [(code, number, sentence(code), operator_hint(code)) for code, number in month.codes],
        "failed_codes": [(code, number, sentence(code), operator_hint(code)) for code, number in month.failed_codes],
    }
    return TemplateResponse(request, "admin/ingest/month.html", context)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share * 100:.2f} %"
