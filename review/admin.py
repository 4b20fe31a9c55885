"""Cases in the admin: four tabs, an order that puts first what needs least, quick ends; a case opens on the workbench."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from resumes.admin import badge, chips, meter
from resumes.admin_roles import ByRole
from resumes.reruns import CannotRerun
from resumes.roles import Act
from resumes.transitions import Moved
from review import decisions, words
from review.cases import Taken
from review.models import Case, Correction
from review.views import Workbench, tabs


@admin.register(Case)
class CaseAdmin(ByRole):
    view_act = Act.REVIEW
    list_display = (
        "resume_column",
        "why",
        "missing_column",
        "salvageable_column",
        "due_column",
        "language",
        "source",
        "claimed_by",
    )
    list_filter = ("code", "resume__language", "resume__source", "resume__job_family", "claimed_by")
    search_fields = ("resume__filename",)
    list_select_related = ("resume", "claimed_by")
    list_per_page = 50
    actions = ("discard_selected", "run_selected_again")

    def get_urls(self) -> list[URLPattern]:
        return Workbench(self).urls() + super().get_urls()

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """One of the four tabs; the first where none is named."""
        if "state__exact" not in request.GET and request.method == "GET" and not request.GET:
            return HttpResponseRedirect(f"{request.path}?state__exact={Case.State.PENDING}")
        chosen = request.GET.get("state__exact", "")
        context = {"tabs": tabs(), "chosen": chosen, "title": gettext("Review"), **(extra_context or {})}
        return super().changelist_view(request, context)

    def change_view(
        self,
        request: HttpRequest,  # noqa: ARG002 - Django's signature, here and below
        object_id: str,
        form_url: str = "",  # noqa: ARG002
        extra_context: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:review_work", args=[object_id]))

    @admin.display(description=_("resume"), ordering="resume__filename")
    def resume_column(self, case: Case) -> SafeString:
        return format_html("<b>{}</b>", case.resume.filename or str(case.resume_id)[:8])

    @admin.display(description=_("why"), ordering="code")
    def why(self, case: Case) -> str:
        return words.why(case)

    @admin.display(description=_("missing"))
    def missing_column(self, case: Case) -> SafeString:
        return chips([words.core_name(name) for name in case.missing])

    @admin.display(description=_("salvageable"), ordering="-salvageable")
    def salvageable_column(self, case: Case) -> SafeString:
        return meter(case.salvageable)

    @admin.display(description=_("due"), ordering="due_at")
    def due_column(self, case: Case) -> SafeString:
        text, kind = words.due(case)
        return badge(text, kind) if text else SafeString("–")

    @admin.display(description=_("language"))
    def language(self, case: Case) -> str:
        return case.resume.language or "–"

    @admin.display(description=_("source"))
    def source(self, case: Case) -> str:
        return case.resume.get_source_display()

    @admin.action(description=_("Discard: not a resume"))
    def discard_selected(self, request: HttpRequest, rows: QuerySet[Case]) -> None:
        self._each(
            request,
            rows,
            lambda case, user: decisions.discard(case, decisions.Reason.NOT_A_RESUME, "", user, version=case.version),
        )

    @admin.action(description=_("Run the resumes again"))
    def run_selected_again(self, request: HttpRequest, rows: QuerySet[Case]) -> None:
        self._each(request, rows, lambda case, user: decisions.run_again(case, "", user, version=case.version))

    def _each(self, request: HttpRequest, rows: QuerySet[Case], decide: Any) -> None:
        done = left = 0
        for case in rows:
            try:
                decide(case, request.user)
            except (decisions.Stale, Taken, Moved, CannotRerun):
                left += 1
            else:
                done += 1
        self.message_user(request, gettext("%(done)d done, %(left)d left as they are.") % {"done": done, "left": left})


@admin.register(Correction)
class CorrectionAdmin(ByRole):
    view_act = Act.REVIEW
    list_display = ("at", "field", "before", "after", "source", "confidence", "reviewer")
    list_filter = ("source", "reviewer")
    search_fields = ("field",)
    list_select_related = ("reviewer",)
    list_display_links = None
    ordering = ("-id",)
