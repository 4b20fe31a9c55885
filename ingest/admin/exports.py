"""Exports in the admin: one's own, with their links; admins see everybody's. They are asked for on the page of a batch."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ingest import export_jobs
from ingest.models import Export
from resumes.admin.parts import badge, meter
from resumes.admin.roles import Own
from resumes.roles import Act

_KINDS = {
    Export.State.WAITING: "quiet",
    Export.State.RUNNING: "busy",
    Export.State.READY: "good",
    Export.State.FAILED: "bad",
}


def state_badge(job: Export) -> SafeString:
    state = Export.State(job.state)
    return badge(state.label, _KINDS[state])


def link(job: Export) -> SafeString:
    """Where the file is fetched, or a dash."""
    if job.state != Export.State.READY:
        return SafeString("–")
    return format_html('<a href="{}">{}</a>', reverse("export-file", args=[job.pk]), gettext("Download"))


@admin.register(Export)
class ExportAdmin(Own):
    view_act = delete_act = Act.EXPORT
    to_owner = "owner"
    list_display = ("created_at", "batch", "format", "state_column", "progress_column", "size_bytes", "link_column", "owner")
    list_filter = ("state", "format")
    list_select_related = ("batch", "owner")
    fields = readonly_fields = (
        *("batch", "format", "state_column", "progress_column", "done", "total", "size_bytes", "link_column"),
        *("owner", "task_id", "created_at", "settled_at"),
    )

    def delete_model(self, request: HttpRequest, obj: Export) -> None:  # noqa: ARG002 - Django's signature
        export_jobs.discard([obj])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Export]) -> None:  # noqa: ARG002
        export_jobs.discard(queryset)

    @admin.display(description=_("state"), ordering="state")
    def state_column(self, job: Export) -> SafeString:
        return state_badge(job)

    @admin.display(description=_("progress"))
    def progress_column(self, job: Export) -> SafeString:
        return meter(job.progress)

    @admin.display(description=_("file"))
    def link_column(self, job: Export) -> Any:
        return link(job)
