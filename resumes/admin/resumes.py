"""Resumes in the admin, with their logs: to look at, to run again, to send back."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import BooleanField, ExpressionWrapper, QuerySet
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from resumes import blindness, originals, reruns
from resumes.admin.parts import meter, state_badge
from resumes.admin.roles import ByRole, LogInline, Stack
from resumes.messages import advice, operator_hint, sentence
from resumes.models import Extraction, Resume, Transition
from resumes.profile import value_at
from resumes.progress import in_words, progress_of
from resumes.roles import Act, may
from resumes.stage_text import failed_tries_of, stage_text
from resumes.states import SUCCEEDED
from resumes.transitions import Moved

_CHECKED = (
    ("basics.name", _("Name")),
    ("basics.email", _("E-mail")),
    ("basics.phone", _("Phone")),
    ("basics.location.city", _("City")),
    ("basics.label", _("Headline")),
    ("work", _("Work")),
    ("education", _("Education")),
    ("skills", _("Skills")),
    ("languages", _("Languages")),
)
"""Of what one may say that it is wrong."""


class TransitionInline(LogInline):
    model = Transition
    fields = readonly_fields = ("at", "run", "from_state", "to_state", "node", "actor", "reason")


def _may_read(request: HttpRequest, resume: Resume | None) -> bool:
    """Whether what is in a resume may be seen: by role, and in blind review after the decision."""
    return may(request.user, Act.READ_CONTENT) and not (resume and blindness.is_covered(resume, request.user))


class ExtractionInline(Stack):
    """What was found, for those who may see content."""

    model = Extraction
    extra = 0
    can_delete = False
    fields = readonly_fields = ("run", "profile_preview", "summary", "summary_source")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _may_read(request, obj)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Extraction]:
        return super().get_queryset(request).defer("packed_reading").order_by("-run")

    @admin.display(description=_("profile"))
    def profile_preview(self, extraction: Extraction) -> SafeString:
        if extraction.profile is None:
            return SafeString("–")
        return format_html(
            '<pre class="document" tabindex="0">{}</pre>', json.dumps(extraction.profile, ensure_ascii=False, indent=2)
        )


@admin.register(Resume)
class ResumeAdmin(ByRole):
    view_act = Act.READ_RESUMES
    owner_path = "owner"
    list_display = ("name_column", "state_column", "why", "completeness_column", "language", "source", "received_at")
    list_filter: ClassVar[Any] = ["state", "failure_class", "failure_code", "language", "source", "job_family"]
    search_fields = ["filename", "candidate__name"]
    search_help_text = _("File name or candidate")
    date_hierarchy = None
    list_per_page = 50
    ordering = ["-received_at", "-id"]
    actions: Any = ("run_again",)
    action_acts: ClassVar[dict[str, Act]] = {"run_again": Act.RETRY}
    """What an action of the list needs."""
    inlines: ClassVar[Any] = (TransitionInline, ExtractionInline)
    fieldsets = [
        (
            None,
            {
                "fields": [
                    "what_happens",
                    "progress",
                    "file_link",
                    "owner",
                    "source",
                    "external_id",
                    "candidate",
                    "duplicate_of",
                    "received_at",
                ]
            },
        ),
        (
            _("State"),
            {
                "fields": [
                    "state_column",
                    "state_since",
                    "run",
                    "next_stage",
                    "next_channel",
                    "next_attempt_at",
                    "attempts",
                    "route",
                    "failure",
                    "for_operators",
                    "warnings",
                ]
            },
        ),
        (
            _("Result"),
            {"fields": ["level", "pages", "language", "job_family", "completeness_column", "confidence"]},
        ),
        (_("Conclusion"), {"fields": ["concluded_by", "concluded_at", "conclusion", "erased_at"]}),
    ]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Without what names a person, for those who may not see content or not yet."""
        shown = super().get_fieldsets(request, obj)
        hidden = set() if _may_read(request, obj) else {"candidate", "external_id", "file_link", "conclusion"}
        hidden |= set() if may(request.user, Act.OPERATE) else {"for_operators"}
        return [(title, {"fields": [name for name in options["fields"] if name not in hidden]}) for title, options in shown]

    def get_readonly_fields(self, request: HttpRequest, obj: Resume | None = None) -> list[str]:  # noqa: ARG002
        return [str(name) for _title, options in self.fieldsets for name in options["fields"]]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Resume]:
        rows: QuerySet[Resume] = super().get_queryset(request).select_related("document", "candidate")
        if not blindness.applies_to(request.user):
            return rows
        return rows.annotate(covered=ExpressionWrapper(blindness.undecided(), output_field=BooleanField()))

    def get_list_display(self, request: HttpRequest) -> Any:
        shown = list(self.list_display)
        return shown if may(request.user, Act.READ_CONTENT) else ["id", *shown[1:]]

    def get_search_fields(self, request: HttpRequest) -> Any:
        named = may(request.user, Act.READ_CONTENT) and not blindness.applies_to(request.user)
        return self.search_fields if named else ["id"]

    def get_actions(self, request: HttpRequest) -> Any:
        known = super().get_actions(request)
        return {name: action for name, action in known.items() if may(request.user, self.action_acts.get(name, Act.RETRY))}

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        resume = self.get_object(request, object_id)
        name = (resume and _may_read(request, resume) and resume.filename) or object_id
        shown = {"title": name, "subtitle": None, "wrong": self._may_be_wrong(request, resume), **(extra_context or {})}
        return super().change_view(request, object_id, form_url, shown)

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        own = [
            path("<uuid:pk>/original/", wrap(self.original), name="resumes_resume_original"),
            path("<uuid:pk>/wrong/", wrap(require_POST(self.wrong)), name="resumes_resume_wrong"),
        ]
        return own + super().get_urls()

    def _may_be_wrong(self, request: HttpRequest, resume: Resume | None) -> dict[str, Any] | None:
        """What the button needs that says a result is wrong; None where there is no result, or it is not theirs to say."""
        if resume is None or resume.state not in SUCCEEDED or not may(request.user, Act.FLAG):
            return None
        found = resume.extractions.filter(run=resume.run).defer("packed_reading").first()
        profile = (found.profile if found else None) or {}
        values = [(path, name, value_at(profile, path)) for path, name in _CHECKED]
        shown = _may_read(request, resume)
        return {
            "url": reverse("admin:resumes_resume_wrong", args=[resume.pk]),
            "fields": [(path, name, value if shown and isinstance(value, str) else "") for path, name, value in values],
            "channels": reruns.picture_channels(resume),
        }

    def wrong(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Send a result back: somebody says that it is wrong."""
        resume = self.get_queryset(request).filter(pk=pk).first()
        if resume is None or not may(request.user, Act.FLAG):
            raise Http404
        known = {path for path, _name in _CHECKED}
        fields = [path for path in request.POST.getlist("field") if path in known]
        way, _colon, channel = request.POST.get("way", "").partition(":")
        again = way == "again"
        note = request.POST.get("note", "").strip()
        try:
            reruns.flag(resume, request.user, fields, note, node="admin", again=again, channel=channel if again else "")
        except (reruns.CannotRerun, Moved):
            self.message_user(request, gettext("This resume is no longer where it was; nothing was changed."), messages.ERROR)
        else:
            self.message_user(request, gettext("It is read again.") if again else gettext("It waits for review again."))
        return HttpResponseRedirect(reverse("admin:resumes_resume_change", args=[pk]))

    def original(self, request: HttpRequest, pk: Any) -> FileResponse:
        """The original, on record."""
        resume = self.get_queryset(request).filter(pk=pk).first()
        if resume is None or resume.document is None or not may(request.user, Act.READ_CONTENT):
            raise Http404
        return originals.response(resume, request.user)

    @admin.display(description=_("file name"), ordering="filename")
    def name_column(self, resume: Resume) -> str:
        return (not getattr(resume, "covered", False) and resume.filename) or str(resume.pk)[:8]

    @admin.display(description=_("state"), ordering="state")
    def state_column(self, resume: Resume) -> SafeString:
        return state_badge(resume.state)

    @admin.display(description=_("why"))
    def why(self, resume: Resume) -> str:
        return sentence(resume.failure_code)

    @admin.display(description=_("completeness"), ordering="completeness")
    def completeness_column(self, resume: Resume) -> SafeString:
        return meter(resume.completeness)

    @admin.display(description=_("what happens"))
    def what_happens(self, resume: Resume) -> str:
        return stage_text(resume, failed_tries_of([resume]).get(resume.pk, 0))

    @admin.display(description=_("progress"))
    def progress(self, resume: Resume) -> SafeString:
        found = progress_of(resume)
        return format_html_join(SafeString("<br>"), "{}", ((text,) for text in in_words(found))) if found else SafeString("–")

    @admin.display(description=_("failure"))
    def failure(self, resume: Resume) -> SafeString:
        if not resume.failure_code:
            return SafeString("–")
        return format_html(
            "<code>{} / {}</code> {} <em>{}</em>",
            resume.failure_class,
            resume.failure_code,
            sentence(resume.failure_code),
            advice(resume.failure_code),
        )

    @admin.display(description=_("for operators"))
    def for_operators(self, resume: Resume) -> str:
        return operator_hint(resume.failure_code) or "–"

    @admin.display(description=_("file"))
    def file_link(self, resume: Resume) -> SafeString:
        if resume.document is None:
            return SafeString("–")
        return format_html(
            '<a href="{}" target="_blank" rel="noopener">{}</a> <span class="quiet">{} · {} kB</span>',
            reverse("admin:resumes_resume_original", args=[resume.pk]),
            gettext("open the original"),
            resume.document.media_type,
            round(resume.document.size_bytes / 1024),
        )

    @admin.action(description=_("Run the selected resumes again"))
    def run_again(self, request: HttpRequest, rows: QuerySet[Resume]) -> None:
        done, skipped = reruns.retry_each(rows, request.user, "run again from the admin", node="admin")
        self.message_user(
            request, gettext("%(done)d run again, %(skipped)d left as they are.") % {"done": done, "skipped": skipped}
        )


@admin.register(Transition)
class TransitionAdmin(ByRole):
    """The log of moves: to read."""

    view_act = Act.OPERATE
    list_display = ["at", "resume_id", "run", "from_state", "to_state", "node", "actor", "reason"]
    list_filter = ["to_state", "node"]
    search_fields = ["resume__id"]
    ordering = ["-id"]
    list_select_related = False
    list_display_links = None
