"""The pool in the admin: candidates and the vacancies they are matched with."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from resumes.admin.parts import chips, meter, state_badge
from resumes.admin.roles import ByRole, Table
from resumes.api.vacancies import rematch
from resumes.models import Candidate, Match, Resume, Vacancy
from resumes.roles import Act, may


class MatchInline(Table):
    model = Match
    extra = 0
    can_delete = False
    max_num = 0
    fields = readonly_fields = ("score_column", "candidate", "found_skills", "missing_skills")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return may(request.user, Act.POOL)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        return super().get_queryset(request).filter(score__gt=0).select_related("candidate", "vacancy").order_by("-score")

    @admin.display(description=_("fit"))
    def score_column(self, match: Match) -> SafeString:
        return meter(match.score)

    @admin.display(description=_("skills found"))
    def found_skills(self, match: Match) -> SafeString:
        return chips(match.reasons.get("skills", {}).get("found", []))

    @admin.display(description=_("skills missing"))
    def missing_skills(self, match: Match) -> SafeString:
        return chips(match.reasons.get("skills", {}).get("missing", []))


@admin.register(Vacancy)
class VacancyAdmin(ByRole):
    view_act = change_act = add_act = delete_act = Act.POOL
    owner_path = "owner"
    list_display = ["title", "city", "min_years", "open", "created_at"]
    list_filter = ["open"]
    search_fields = ["title"]
    fields = ["title", "description", "skills", "city", "min_years", "open"]
    inlines = [MatchInline]

    def save_model(self, request: HttpRequest, obj: Vacancy, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        if not change and request.user.pk:
            obj.owner_id = request.user.pk
        super().save_model(request, obj, form, change)
        rematch(obj)
        self.message_user(request, gettext("The pool is matched in the background."), messages.INFO)


class CandidateResumeInline(Table):
    model = Resume
    extra = 0
    can_delete = False
    max_num = 0
    show_change_link = True
    fields = readonly_fields = ("filename", "state_column", "received_at")
    verbose_name_plural = _("resumes")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return may(request.user, Act.READ_CONTENT)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    @admin.display(description=_("state"))
    def state_column(self, resume: Resume) -> SafeString:
        return state_badge(resume.state)


@admin.register(Candidate)
class CandidateAdmin(ByRole):
    view_act = Act.POOL
    list_display = ["name_column", "label", "city", "years", "skills_column", "language", "updated_at"]
    list_filter = ["job_family", "language"]
    search_fields = ["name", "label", "email", "city", "summary"]
    fields = readonly_fields = (
        "name",
        "label",
        "email",
        "phone",
        "city",
        "years",
        "job_family",
        "language",
        "skills_all",
        "summary",
        "summary_source",
        "updated_at",
    )
    inlines = [CandidateResumeInline, MatchInline]

    @admin.display(description=_("name"), ordering="name")
    def name_column(self, candidate: Candidate) -> str:
        return str(candidate)

    @admin.display(description=_("skills"))
    def skills_column(self, candidate: Candidate) -> SafeString:
        return chips(candidate.skills[:5])

    @admin.display(description=_("skills"))
    def skills_all(self, candidate: Candidate) -> SafeString:
        return chips(candidate.skills)
