"""Cases in the admin: four tabs, an order that puts first what needs least, quick ends; a case opens on the workbench."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ingest.fields.words import keys
from ingest.models import Batch
from resumes import blindness
from resumes.admin.parts import badge, chips, meter
from resumes.admin.roles import ByRole
from resumes.models import Resume, Source
from resumes.roles import Act, Role, is_admin
from review import bulk, deadlines, decisions, top, words
from review.cases import OPEN
from review.models import BulkJob, Case, Correction, Team
from review.views import Workbench

if TYPE_CHECKING:
    _TeamForm = forms.ModelForm[Team]
else:  # Django's own class takes no parameters at run time
    _TeamForm = forms.ModelForm


_REMEMBERED_S = 60
_LONGEST_ID = 10
"""Digits of a number that no database takes for an id."""


class TeamForm(_TeamForm):
    """Languages and families to tick."""

    languages = forms.MultipleChoiceField(
        label=capfirst(_("languages")),
        required=False,
        choices=[("zh", _("Chinese")), ("en", _("English")), ("ru", _("Russian"))],
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None: every language."),
    )
    families = forms.MultipleChoiceField(
        label=capfirst(_("job families")),
        required=False,
        choices=lambda: [(family, words.family_name(family)) for family in dict.fromkeys(keys("families", "en").values())],
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None: every family."),
    )

    class Meta:
        model = Team
        fields = ("name", "languages", "families", "members")


def _used(rows: QuerySet[Case], column: str) -> list[str]:
    """The values of a column among cases, in order. Remembered: they change seldom, and finding them goes through all cases."""
    values = rows.order_by(column).values_list(column, flat=True).distinct()
    return cache.get_or_set(f"review.used.{column}", lambda: list(values), _REMEMBERED_S) or []


class _Chosen(admin.SimpleListFilter):
    """A filter whose choices need no look through all cases."""

    column: str

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, Any]]:  # noqa: ARG002
        return self.choices_for(request)

    def choices_for(self, request: HttpRequest) -> Iterable[tuple[str, Any]]:
        raise NotImplementedError

    def queryset(self, request: HttpRequest, rows: QuerySet[Case]) -> QuerySet[Case]:  # noqa: ARG002
        return rows.filter(**{self.column: self.value()}) if self.value() else rows


class ByReason(_Chosen):
    title = _("reason")
    parameter_name = column = "code"

    def choices_for(self, request: HttpRequest) -> Iterable[tuple[str, Any]]:  # noqa: ARG002
        return [(code, words.code_name(code)) for code in _used(Case.objects.all(), "code")]


class ByLanguage(_Chosen):
    title = _("language")
    parameter_name = column = "resume__language"

    def choices_for(self, request: HttpRequest) -> Iterable[tuple[str, Any]]:  # noqa: ARG002
        return [("zh", _("Chinese")), ("en", _("English")), ("ru", _("Russian"))]


class BySource(_Chosen):
    title = _("source")
    parameter_name = column = "resume__source"

    def choices_for(self, request: HttpRequest) -> Iterable[tuple[str, Any]]:  # noqa: ARG002
        return Source.choices


class ByFamily(_Chosen):
    title = _("job family")
    parameter_name = column = "resume__job_family"

    def choices_for(self, request: HttpRequest) -> Iterable[tuple[str, Any]]:  # noqa: ARG002
        used = _used(Case.objects.filter(state__in=OPEN).exclude(resume__job_family=""), "resume__job_family")
        return [(family, words.family_name(family)) for family in used]


class ByBatch(_Chosen):
    """The latest batches that have cases."""

    title = _("batch")
    parameter_name = column = "batch"

    def choices_for(self, request: HttpRequest) -> Iterable[tuple[str, Any]]:  # noqa: ARG002
        with_cases = Exists(Case.objects.filter(batch=OuterRef("pk")))
        return [(str(pk), name) for pk, name in Batch.objects.filter(with_cases).values_list("pk", "name")[:15]]

    def queryset(self, request: HttpRequest, rows: QuerySet[Case]) -> QuerySet[Case]:
        try:
            return super().queryset(request, rows)
        except ValidationError:
            return rows.none()


class ByPosition(_Chosen):
    title = _("position")
    parameter_name = column = "batch__position"

    def choices_for(self, request: HttpRequest) -> Iterable[tuple[str, Any]]:  # noqa: ARG002
        known = Batch.objects.exclude(position="").order_by("position").values_list("position", flat=True).distinct()
        return [(position, position) for position in known[:25]]


class ByUrgency(_Chosen):
    title = _("urgency")
    parameter_name = column = "batch__urgency"

    def choices_for(self, request: HttpRequest) -> Iterable[tuple[str, Any]]:  # noqa: ARG002
        known = Batch.objects.exclude(urgency="").order_by("urgency").values_list("urgency", flat=True).distinct()
        return [(urgency, urgency) for urgency in known[:10]]


class ByReviewer(_Chosen):
    title = _("claimed by")
    parameter_name = "claimed_by"
    column = "claimed_by"

    def choices_for(self, request: HttpRequest) -> Iterable[tuple[str, Any]]:
        mine = [(str(request.user.pk), _("me"))]
        others = User.objects.filter(groups__name=Role.REVIEWER.value, is_active=True).exclude(pk=request.user.pk or 0)
        return mine + [(str(user.pk), user.get_username()) for user in others[:25]]

    def queryset(self, request: HttpRequest, rows: QuerySet[Case]) -> QuerySet[Case]:  # noqa: ARG002
        value = self.value() or ""
        return rows.filter(claimed_by=int(value)) if value.isdecimal() and len(value) < _LONGEST_ID else rows


class ByWaiting(admin.SimpleListFilter):
    """Folded cases stay out of sight until one asks for them."""

    title = _("waiting")
    parameter_name = "waiting"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, Any]]:  # noqa: ARG002
        return [("late", _("too long")), ("folded", _("folded away")), ("all", _("all"))]

    def choices(self, changelist: Any) -> Iterator[Any]:
        """The choice nobody has made is not "all" here."""
        for number, choice in enumerate(super().choices(changelist)):
            yield {**choice, "display": _("in time or late")} if number == 0 else choice

    def queryset(self, request: HttpRequest, rows: QuerySet[Case]) -> QuerySet[Case]:  # noqa: ARG002
        match self.value():
            case "late":
                return rows.filter(due_at__lt=timezone.now(), state__in=OPEN)
            case "folded":
                return rows.filter(folded=True)
            case "all":
                return rows
            case _:
                return rows.exclude(folded=True, state=Case.State.PENDING)


@admin.register(Case)
class CaseAdmin(ByRole):
    view_act = Act.REVIEW
    list_display = (
        "resume_column",
        "why",
        "missing_column",
        "priority_column",
        "due_column",
        "language",
        "source",
        "owner",
        "quick_column",
    )
    list_closed = ("resume_column", "why", "ended_column", "language", "source", "closed_by", "closed_at", "quick_column")
    list_filter = (
        ByWaiting,
        ByReason,
        ByLanguage,
        ByFamily,
        BySource,
        ByBatch,
        ByPosition,
        ByUrgency,
        "team",
        ByReviewer,
    )
    search_fields = ("resume__filename",)
    list_select_related = ("resume", "claimed_by", "closed_by", "team")
    list_per_page = 30  # what one looks through before one filters; each row costs milliseconds
    actions = ("discard_selected", "run_selected_again")

    def get_list_display(self, request: HttpRequest) -> Any:
        return self.list_closed if _is_closed(request) else self.list_display

    def get_ordering(self, request: HttpRequest) -> Any:
        return ("-closed_at",) if _is_closed(request) else ()

    def get_urls(self) -> list[URLPattern]:
        return Workbench(self).urls() + super().get_urls()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Case]:
        """In blind review each with whether a person has yet to decide about its resume, in this case or another."""
        rows = super().get_queryset(request)
        if blindness.applies_to(request.user):
            rows = rows.annotate(covered=Exists(Resume.objects.filter(blindness.undecided(), pk=OuterRef("resume"))))
        return rows

    def get_search_fields(self, request: HttpRequest) -> Any:  # noqa: ARG002
        return () if settings.GLEANER_BLIND_REVIEW else self.search_fields

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """One of the four tabs; the first where none is named, and where something is asked for that no text can hold."""
        nonsense = any("\0" in value for values in request.GET.lists() for value in values[1])
        if nonsense or (request.method == "GET" and not request.GET):
            return HttpResponseRedirect(f"{request.path}?state__exact={Case.State.PENDING}")
        chosen = request.GET.get("state__exact", "")
        context = {
            "tabs": top.tabs(),
            "chosen": chosen,
            "filtered": bool(set(request.GET) - {"state__exact"}),
            "title": gettext("Review"),
            "forecast": deadlines.forecast(),
            "folded": Case.objects.filter(state=Case.State.PENDING, folded=True).count(),
            "jobs": top.jobs(),
            **top.undoable(request),
            **(extra_context or {}),
        }
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
        return format_html("<b>{}</b>", words.title(case, blind=getattr(case, "covered", False)))

    @admin.display(description=_("why"), ordering="code")
    def why(self, case: Case) -> str:
        return words.why(case)

    @admin.display(description=_("missing"))
    def missing_column(self, case: Case) -> SafeString:
        return chips([words.core_name(name) for name in case.missing])

    @admin.display(description=_("conclusion"))
    def ended_column(self, case: Case) -> str:
        """What was decided; the resume holds that of its latest run."""
        told = case.run == case.resume.run and not getattr(case, "covered", False)
        return (words.conclusion(case.resume.conclusion) if told else "") or "–"

    @admin.display(description=_("priority"), ordering="-priority")
    def priority_column(self, case: Case) -> SafeString:
        parts = " ".join(f"{name} {factor}" for name, factor in words.why_first(case))
        return format_html(
            '<span class="priority" title="{}">{} <b>{}</b></span>', parts, meter(case.salvageable), f"{case.priority:.2f}"
        )

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

    @admin.display(description=_("claimed by"))
    def owner(self, case: Case) -> SafeString:
        if case.claimed_by and case.claimed_until and case.claimed_until > timezone.now():
            until = date_format(timezone.localtime(case.claimed_until), "H:i")
            return format_html('{} <span class="quiet">{}</span>', case.claimed_by, until)
        return format_html('<span class="quiet">{}</span>', case.team or "–")

    @admin.display(description=_("discard"))
    def quick_column(self, case: Case) -> SafeString:
        """One click discards, with the reason that is likely; a closed case is taken up again."""
        if case.state not in OPEN:
            return format_html('<a class="quiet" href="{}">{}</a>', reverse("admin:review_work", args=[case.pk]), gettext("look"))
        likely = words.likely_reason(case)
        where = reverse("admin:review_quick", args=[case.pk, likely.value])
        return format_html(
            '<button class="quick" formaction="{}" formmethod="post" formnovalidate>{}</button>', where, words.reason_name(likely)
        )

    @admin.action(description=_("Discard…"))
    def discard_selected(self, request: HttpRequest, rows: QuerySet[Case]) -> HttpResponse | None:
        return self._bulk(request, rows, BulkJob.Verb.DISCARD)

    @admin.action(description=_("Run the resumes again…"))
    def run_selected_again(self, request: HttpRequest, rows: QuerySet[Case]) -> HttpResponse | None:
        return self._bulk(request, rows, BulkJob.Verb.RERUN)

    def _bulk(self, request: HttpRequest, rows: QuerySet[Case], verb: BulkJob.Verb) -> HttpResponse | None:
        """Ask once with the number and the reason; then the worker does it."""
        if "confirmed" not in request.POST:
            context = {
                **self.admin_site.each_context(request),
                "opts": self.opts,
                "title": verb.label,
                "verb": verb,
                "action": request.POST["action"],
                "number": rows.count(),
                "all": request.POST.get("select_across") == "1",
                "selected": request.POST.getlist(ACTION_CHECKBOX_NAME),
                "reasons": words.reasons(),
            }
            return TemplateResponse(request, "admin/review/case/bulk.html", context)
        if not isinstance(request.user, User):
            return None
        reason = request.POST.get("reason", "")
        if verb is BulkJob.Verb.DISCARD and reason not in list(decisions.Reason):
            self.message_user(request, gettext("Choose a reason."), messages.ERROR)
            return None
        job = bulk.start(rows, verb, request.user, reason=reason, note=request.POST.get("note", "")[:500])
        self.message_user(
            request,
            ngettext(
                "%(number)d case is worked off in the background.",
                "%(number)d cases are worked off in the background.",
                job.total,
            )
            % {"number": job.total},
        )
        return None


def _is_closed(request: HttpRequest) -> bool:
    return request.GET.get("state__exact") in (Case.State.DONE, Case.State.DISCARDED)


@admin.register(Team)
class TeamAdmin(ByRole):
    """Which cases go to whom. Reviewers see it, administrators set it."""

    view_act = Act.REVIEW
    list_display = ("name", "takes", "people")
    fields = ("name", "languages", "families", "members")
    filter_horizontal = ("members",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return is_admin(request.user)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return is_admin(request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return is_admin(request.user)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Team]:
        return super().get_queryset(request).prefetch_related("members")

    def get_form(self, request: HttpRequest, obj: Team | None = None, change: bool = False, **kwargs: Any) -> Any:  # noqa: FBT001, FBT002
        return super().get_form(request, obj, change, **{**kwargs, "form": TeamForm})

    @admin.display(description=_("takes"))
    def takes(self, team: Team) -> SafeString:
        return chips([*team.languages, *map(words.family_name, team.families)])

    @admin.display(description=_("members"))
    def people(self, team: Team) -> str:
        return ", ".join(user.get_username() for user in team.members.all()) or "–"


@admin.register(BulkJob)
class BulkJobAdmin(ByRole):
    """What was decided for many cases at once."""

    view_act = Act.REVIEW
    list_display = ("created_at", "verb", "reason", "user", "total", "done", "left_alone", "ended_at")
    list_select_related = ("user",)
    list_display_links = None
    ordering = ("-id",)


@admin.register(Correction)
class CorrectionAdmin(ByRole):
    view_act = Act.REVIEW
    list_display = ("at", "field", "before", "after", "source", "confidence", "reviewer")
    list_filter = ("source", "reviewer")
    search_fields = ("field",)
    list_select_related = ("reviewer",)
    list_display_links = None
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Correction]:
        """In blind review without those of resumes about which a person has yet to decide: they hold names."""
        rows = super().get_queryset(request)
        if not blindness.applies_to(request.user):
            return rows
        return rows.exclude(Exists(Resume.objects.filter(blindness.undecided(), pk=OuterRef("case__resume"))))
