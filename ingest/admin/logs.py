"""The pipeline's logs in the admin: attempts, outcomes and reconciliation reports to read."""

from __future__ import annotations

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ingest.admin.batches import ANOMALIES
from ingest.models import Attempt, Outcome, ReconciliationReport
from resumes.admin.roles import ByRole
from resumes.roles import Act


class LogAdmin(ByRole):
    """Rows to read."""

    view_act = Act.OPERATE
    list_display_links = None
    list_per_page = 100
    ordering = ("-id",)


@admin.register(Attempt)
class AttemptAdmin(LogAdmin):
    list_display = (
        "started_at",
        "resume_id",
        "run",
        "stage",
        "channel",
        "outcome",
        "seconds",
        "failure_code",
        "detail",
        "worker",
    )
    list_filter = ("outcome", "stage", "channel", "failure_class", "failure_code")
    search_fields = ("resume__id", "worker")


@admin.register(Outcome)
class OutcomeAdmin(LogAdmin):
    list_display = ("at", "batch_id", "entry_id", "resume_id", "run", "result")
    list_filter = ("result",)
    search_fields = ("batch_id", "resume_id")


@admin.register(ReconciliationReport)
class ReportAdmin(LogAdmin):
    list_display = ("created_at", "batch_link", "ok", "counts")
    list_filter = ("ok",)
    list_select_related = ("batch",)

    @admin.display(description=_("batch"))
    def batch_link(self, report: ReconciliationReport) -> SafeString:
        return format_html('<a href="{}">{}</a>', reverse("admin:ingest_batch_change", args=[report.batch_id]), report.batch.name)

    @admin.display(description=_("anomalies"))
    def counts(self, report: ReconciliationReport) -> str:
        found = report.data["anomalies"]
        return ", ".join(f"{ANOMALIES[kind][0]}: {len(items)}" for kind, items in found.items() if items) or "–"
