"""Batches in the admin: how far they are, what failed in them, their reports and exports."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from ingest import batches, export_jobs, failure_queue, reconcile, switches
from ingest.admin import exports
from ingest.batches import BatchState, Phase
from ingest.export import FORMATS, report_csv
from ingest.models import Attempt, Batch, Export, ReconciliationReport
from resumes import blindness
from resumes.admin.parts import badge, meter, state_badge
from resumes.admin.resumes import ResumeAdmin
from resumes.admin.roles import ByRole, LogInline
from resumes.messages import advice, sentence
from resumes.models import Resume, Source
from resumes.roles import Act, may, visible
from resumes.states import State
from resumes.transitions import user_actor

BATCH_STATES = {
    BatchState.PROCESSING: (_("In process"), "busy"),
    BatchState.SUCCEEDED: (_("Succeeded"), "good"),
    BatchState.PARTIALLY_SUCCEEDED: (_("Partially succeeded"), "wait"),
    BatchState.FAILED: (_("Failed"), "bad"),
    BatchState.RECONCILIATION_ERROR: (_("Does not add up"), "bad"),
}
PHASES = {
    Phase.RECEIVING: _("Receiving files"),
    Phase.RUNNING: _("Being read"),
    Phase.AWAITING_PEOPLE: _("Waits for people"),
    Phase.FINISHED: _("Finished"),
}
ANOMALIES = {
    "missing": (_("Missing"), _("Declared or received, but without an end.")),
    "duplicate": (_("Duplicate"), _("Two successes for one item.")),
    "orphan": (_("Orphan"), _("An end without an item.")),
    "multiple_terminal": (_("Several ends"), _("Both succeeded and failed.")),
}
_SHOWN_FAILURES = 50
_SHOWN_EXPORTS = 5


class AttemptInline(LogInline):
    model = Attempt
    fields = readonly_fields = (
        "started_at",
        "run",
        "stage",
        "channel",
        "outcome",
        "seconds",
        "failure_code",
        "detail",
        "worker",
    )


class BatchFilter(admin.SimpleListFilter):
    """The resumes of one of the latest batches."""

    title = _("batch")
    parameter_name = "batch"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002 - Django's signature
        rows = visible(request.user, Batch.objects.all())[:15]
        known = [(str(batch.pk), batch.name) for batch in rows]
        chosen = self.used_parameters.get(self.parameter_name)
        if chosen and chosen not in dict(known):
            known += [(str(batch.pk), batch.name) for batch in visible(request.user, Batch.objects.filter(pk=chosen))]
        return known

    def queryset(self, request: HttpRequest, queryset: QuerySet[Resume]) -> QuerySet[Resume]:  # noqa: ARG002
        chosen: Any = self.value()
        return queryset.filter(entries__batch=chosen, entries__unpacked_at=None) if chosen else queryset


# The records know nothing of batches and attempts; here their page is told.
ResumeAdmin.inlines = (*ResumeAdmin.inlines, AttemptInline)
ResumeAdmin.list_filter = [*ResumeAdmin.list_filter, BatchFilter]


class BatchList(ChangeList):
    """The list with every batch's standing, found in as many queries for a page as for one batch."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.result_list = list(self.result_list)
        standings = batches.standings(self.result_list)
        for batch in self.result_list:
            batch.standing = standings[batch.pk]


@admin.register(Batch)
class BatchAdmin(ByRole):
    view_act = Act.READ_BATCHES
    owner_path = "owner"
    list_display = (
        "name",
        "state_column",
        "phase_column",
        "progress_column",
        "items_column",
        "failed_column",
        "owner",
        "created_at",
    )
    list_filter = ("source",)
    search_fields = ("name", "position")
    list_select_related = ("owner",)
    list_per_page = 50

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[BatchList]:  # noqa: ARG002
        return BatchList

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("upload/", wrap(self.upload_view), name="ingest_batch_upload"),
            path("<uuid:pk>/do/<str:verb>/", wrap(require_POST(self.do_view)), name="ingest_batch_do"),
            path("<uuid:pk>/export/<str:name>/", wrap(require_POST(self.export_view)), name="ingest_batch_export"),
            path("<uuid:pk>/report.json", wrap(self.report_view), name="ingest_batch_report"),
            path("<uuid:pk>/report.csv", wrap(self.report_view), {"form": "csv"}, name="ingest_batch_report_csv"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        may_send = may(request.user, Act.SEND)
        return super().changelist_view(request, {"may_send": may_send, "title": gettext("Batches"), **(extra_context or {})})

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """A batch is looked at, not edited: its own page."""
        batch = self.get_object(request, object_id)
        if batch is None:
            return super().change_view(request, object_id, form_url, extra_context)  # Django's own "is not there"
        if not self.has_view_permission(request, batch):
            raise PermissionDenied
        standing = batches.standings([batch])[batch.pk]
        report = ReconciliationReport.objects.filter(batch=batch).order_by("-id").first()
        failures = list(failure_queue.failures(batch.entries.all(), request.user).order_by("number")[:_SHOWN_FAILURES])
        archives = batch.entries.exclude(unpacked_at=None).annotate(member_count=Count("members")).order_by("number")
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": batch.name,
            "batch": batch,
            "standing": standing,
            "state": self.state_badge(standing.state),
            "phase": PHASES[standing.phase],
            "counts": [(state_badge(state), number, state) for state in State if (number := standing.counts.get(state, 0))],
            "minutes_left": round(standing.seconds_left / 60 + 0.5) if standing.seconds_left else None,
            "report": report,
            "report_figures": _report_figures(report),
            "anomalies": _anomalies(report),
            "failures": [_failure_row(entry) for entry in failures],
            "more_failures": len(failures) == _SHOWN_FAILURES,
            "archives": list(archives),
            "may_send": may(request.user, Act.SEND),
            "may_cancel": may(request.user, Act.SEND) and standing.phase in (Phase.RECEIVING, Phase.RUNNING),
            "may_reconcile": may(request.user, Act.RECONCILE),
            "may_export": may(request.user, Act.EXPORT),
            "formats": FORMATS,
            "exports": [_export_row(job) for job in batch.exports.filter(owner=request.user.pk)[:_SHOWN_EXPORTS]],
            "moving": standing.phase != Phase.FINISHED or batch.exports.filter(owner=request.user.pk, settled_at=None).exists(),
            "may_read_content": may(request.user, Act.READ_CONTENT) and not blindness.applies_to(request.user),
        }
        return TemplateResponse(request, "admin/ingest/batch/detail.html", context)

    def upload_view(self, request: HttpRequest) -> HttpResponse:
        """Drag and drop: the page posts to the REST API with the session."""
        if not may(request.user, Act.SEND):
            raise PermissionDenied
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Upload resumes"),
            "sources": Source.choices,
            "intake_paused": switches.is_off(switches.INTAKE),
            "max_mb": settings.GLEANER_MAX_FILE_MB,
            "batch_url": reverse("admin:ingest_batch_change", args=["00000000-0000-0000-0000-000000000000"]),
        }
        return TemplateResponse(request, "admin/ingest/batch/upload.html", context)

    def do_view(self, request: HttpRequest, pk: Any, verb: str) -> HttpResponse:
        """Reconcile, seal or cancel, by button."""
        batch = get_object_or_404(self.get_queryset(request), pk=pk)
        if not may(request.user, Act.RECONCILE if verb == "reconcile" else Act.SEND):
            raise PermissionDenied
        match verb:
            case "reconcile":
                report = reconcile.reconcile(batch.pk)
                text = gettext("The batch adds up.") if report.ok else gettext("The batch does not add up. See the report.")
                self.message_user(request, text, messages.SUCCESS if report.ok else messages.ERROR)
            case "seal":
                batches.seal(batch)
                self.message_user(request, gettext("The batch is sealed."))
            case "cancel":
                stopped = batches.cancel(batch, user_actor(request.user.pk))
                self.message_user(request, gettext("%(number)d items were left out.") % {"number": stopped})
        return HttpResponseRedirect(reverse("admin:ingest_batch_change", args=[batch.pk]))

    def export_view(self, request: HttpRequest, pk: Any, name: str) -> HttpResponse:
        """Have an export made; its link appears on the page of the batch."""
        batch = get_object_or_404(self.get_queryset(request), pk=pk)
        user: Any = request.user
        if not may(user, Act.EXPORT):
            raise PermissionDenied
        if name not in FORMATS:
            raise Http404
        export_jobs.start(batch, name, user)
        self.message_user(request, gettext("The export is being made. Its link appears on this page."))
        return HttpResponseRedirect(reverse("admin:ingest_batch_change", args=[batch.pk]))

    def report_view(self, request: HttpRequest, pk: Any, form: str = "json") -> HttpResponse:
        """The last report as a download."""
        batch = get_object_or_404(self.get_queryset(request), pk=pk)
        report = ReconciliationReport.objects.filter(batch=batch).order_by("-id").first()
        data = report.data if report else reconcile.compare(batch)
        if form == "csv":
            answer = HttpResponse(report_csv(data), content_type="text/csv; charset=utf-8")
        else:
            answer = HttpResponse(json.dumps(data, ensure_ascii=False, indent=2), content_type="application/json")
        answer["Content-Disposition"] = f'attachment; filename="reconciliation-{str(batch.pk)[:8]}.{form}"'
        return answer

    def state_badge(self, state: BatchState) -> SafeString:
        text, kind = BATCH_STATES[state]
        return badge(text, kind)

    @admin.display(description=_("state"))
    def state_column(self, batch: Any) -> SafeString:
        return self.state_badge(batch.standing.state)

    @admin.display(description=_("phase"))
    def phase_column(self, batch: Any) -> Any:
        return PHASES[batch.standing.phase]

    @admin.display(description=_("read"))
    def progress_column(self, batch: Any) -> SafeString:
        return meter(batch.standing.progress)

    @admin.display(description=_("items"))
    def items_column(self, batch: Any) -> str:
        declared = f" / {batch.declared}" if batch.declared is not None else ""
        return f"{batch.standing.received}{declared}"

    @admin.display(description=_("refused"))
    def failed_column(self, batch: Any) -> Any:
        refused = batch.standing.counts.get(State.REJECTED, 0)
        return badge(refused, "bad") if refused else "0"


def _report_figures(report: ReconciliationReport | None) -> list[tuple[Any, Any]]:
    if report is None:
        return []
    names = {
        "declared": _("declared"),
        "files": _("files sent"),
        "received": _("items received"),
        "succeeded": _("parsed"),
        "reviewed": _("completed by a person"),
        "rejected": _("refused"),
        "skipped": _("left out"),
        "open": _("still open"),
    }
    return [(text, report.data.get(name)) for name, text in names.items() if report.data.get(name) is not None]


def _anomalies(report: ReconciliationReport | None) -> list[dict[str, Any]]:
    if report is None:
        return []
    found = report.data["anomalies"]
    return [
        {"name": name, "meaning": meaning, "items": found[kind]} for kind, (name, meaning) in ANOMALIES.items() if found[kind]
    ]


def _export_row(job: Export) -> dict[str, Any]:
    state, link = exports.state_badge(job), exports.link(job)
    return {"job": job, "state": state, "progress": meter(job.progress), "link": link}


def _failure_row(entry: Any) -> dict[str, Any]:
    code = entry.resume.failure_code or entry.last_code or ""
    return {
        "entry": entry,
        "state": state_badge(entry.resume.state),
        "code": code or "flagged",
        "message": sentence(code) or gettext("Flagged as inaccurate."),
        "advice": advice(code),
        "next": failure_queue.what_next(State(entry.resume.state)),
    }
