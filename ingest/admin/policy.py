"""The routing table in the admin: the version in force to read, a change as a new version, tried out before it is saved."""

from __future__ import annotations

import itertools
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ingest import policy
from ingest.dry_run import DryRun, dry_run
from ingest.models import RoutingTable
from ingest.route_table import ACTIONS, CONDITIONS, STAGES, Table, show
from resumes.admin.parts import badge
from resumes.admin.roles import ByRole
from resumes.roles import Act, may
from resumes.taxonomy import CODES, FailureClass


class Seconds(forms.CharField):
    """Seconds parted by commas, as a list of numbers."""

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(f"{delay:g}" for delay in value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        try:
            return [float(part) for part in (value or "").split(",") if part.strip()]
        except ValueError:
            raise forms.ValidationError(_("Seconds parted by commas, for example 2, 8, 30.")) from None


class Caps(forms.CharField):
    """One `code: retries` a line, as a mapping."""

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(f"{code}: {count}" for code, count in value.items()) if isinstance(value, dict) else value

    def to_python(self, value: Any) -> Any:
        caps = {}
        for line in filter(str.strip, (value or "").splitlines()):
            code, _colon, count = line.partition(":")
            if not count.strip().isdecimal():
                raise forms.ValidationError(_("One a line: a code, a colon and a number."))
            caps[code.strip()] = int(count)
        return caps


class TableForm(forms.ModelForm):  # type: ignore[type-arg]  # not subscriptable at run time
    """A version as it is edited. `based_on` is the version the editor has seen."""

    delays_s = Seconds(label=_("delays in seconds"), help_text=_("One for each retry."))
    most_retries = Caps(
        label=_("most retries per code"),
        widget=forms.Textarea(attrs={"rows": 5, "class": "vLargeTextField"}),
        help_text=_("Where fewer are right than there are delays."),
        required=False,
    )
    based_on = forms.IntegerField(widget=forms.HiddenInput)

    class Meta:
        model = RoutingTable
        fields = ["rows", "delays_s", "spread", "most_retries", "note"]
        widgets = {
            "rows": forms.Textarea(attrs={"rows": 18, "class": "vLargeTextField", "spellcheck": "false"}),
            "note": forms.TextInput(attrs={"class": "vTextField"}),
        }

    def clean_based_on(self) -> int:
        seen: int = self.cleaned_data["based_on"]
        if seen != in_force().version:
            raise forms.ValidationError(_("Somebody has saved another version meanwhile. Compare before you save yours."))
        return seen


def in_force() -> Table:
    """The table as the database has it this moment."""
    policy.forget()
    return policy.current_table()


@admin.register(RoutingTable)
class RoutingTableAdmin(ByRole):
    """Versions are added, never changed."""

    view_act = add_act = Act.OPERATE
    list_display = ("version_column", "created_at", "created_by", "note")
    list_select_related = ("created_by",)
    ordering = ("-id",)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        table = in_force()
        shown = {"title": gettext("Routing"), "table": table, **_caps(table), **(extra_context or {})}
        return super().changelist_view(request, shown)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",  # noqa: ARG002 - Django's signature
        extra_context: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> HttpResponse:
        """One version, to read."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        version = get_object_or_404(RoutingTable.objects.select_related("created_by"), pk=object_id)
        table = version.table()
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Routing, version %(number)d") % {"number": version.pk},
            "version": version,
            "table": table,
            **_caps(table),
            "is_in_force": version.pk == in_force().version,
        }
        return TemplateResponse(request, "admin/ingest/routingtable/version.html", context)

    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",  # noqa: ARG002 - Django's signature
        extra_context: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> HttpResponse:
        """A new version: begun from the one in force or an older one, tried out, saved."""
        if not may(request.user, Act.OPERATE):
            raise PermissionDenied
        tried: DryRun | None = None
        present = in_force()
        if request.method == "POST":
            form = TableForm(request.POST)
            if form.is_valid():
                if "save" in request.POST:
                    return self._save(request, form)
                tried = dry_run(form.instance.table(), present)
        else:
            form = TableForm(initial=_initial(request.GET.get("from"), present))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("New version of the routing table"),
            "form": form,
            "tried": tried,
            "changed": list(itertools.islice(tried.changed, 50)) if tried else [],
            "stages": STAGES,
            "classes": list(FailureClass),
            "codes": list(CODES),
            "conditions": list(CONDITIONS),
            "actions": sorted(ACTIONS),
        }
        return TemplateResponse(request, "admin/ingest/routingtable/edit.html", context)

    def _save(self, request: HttpRequest, form: TableForm) -> HttpResponse:
        version: RoutingTable = form.save(commit=False)
        version.created_by_id = request.user.pk
        version.save()
        policy.forget()
        text = gettext("Version %(number)d is in force within seconds.") % {"number": version.pk}
        self.message_user(request, text, messages.SUCCESS)
        self.log_addition(request, version, "saved")
        return HttpResponseRedirect(reverse("admin:ingest_routingtable_changelist"))

    @admin.display(description=_("version"), ordering="id")
    def version_column(self, version: RoutingTable) -> SafeString:
        newest = RoutingTable.objects.order_by("-id").values_list("pk", flat=True).first()
        return badge(f"{version.pk}", "good" if version.pk == newest else "quiet")


def _caps(table: Table) -> dict[str, Any]:
    return {
        "delays": ", ".join(f"{delay:g}" for delay in table.retry.delays_s),
        "spread_percent": round(table.retry.spread * 100),
        "caps": dict(table.retry.most),
    }


def _initial(version: str | None, present: Table) -> dict[str, Any]:
    """What the form begins with: the version asked for, else the one in force."""
    older = RoutingTable.objects.filter(pk=version).first() if version and version.isdecimal() else None
    table = older.table() if older else present
    return {
        "rows": show(table.rows),
        "delays_s": list(table.retry.delays_s),
        "spread": table.retry.spread,
        "most_retries": dict(table.retry.most),
        "based_on": present.version,
    }
