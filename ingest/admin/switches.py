"""Switches, breakers and alerts in the admin: what operators turn off or force, and what they have been told."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from ingest import breaker, switches
from ingest.breaker import BreakerState
from ingest.models import Alert, BreakerFlip, Switch
from ingest.options import configured_channels
from ingest.switches import Position
from resumes.admin.parts import badge
from resumes.admin.roles import ByRole
from resumes.roles import Act, may

POSITIONS = {
    Position.AUTO: (_("Automatic"), "quiet"),
    Position.OFF: (_("Off"), "bad"),
    Position.FORCED_OPEN: (_("Forced open: no calls"), "bad"),
    Position.FORCED_CLOSED: (_("Forced closed: calls whatever happens"), "wait"),
}
STATES = {
    BreakerState.CLOSED: (_("Calls are made"), "good"),
    BreakerState.HALF_OPEN: (_("Trying"), "wait"),
    BreakerState.OPEN: (_("No calls"), "bad"),
}
_SHOWN_FLIPS = 30


class SwitchForm(forms.Form):
    """One switch: where it is to stand, why and until when."""

    name = forms.ChoiceField(label=_("switch"))
    position = forms.ChoiceField(label=_("position"), choices=[(one.value, text) for one, (text, _kind) in POSITIONS.items()])
    why = forms.CharField(label=_("why"), max_length=200, required=False)
    minutes = forms.IntegerField(label=_("for how many minutes"), min_value=1, max_value=60 * 24 * 30, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].choices = [(name, name) for name in switches.names()]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        position = Position(given.get("position", Position.AUTO))
        if "name" in given and position not in switches.positions_of(given["name"]):
            self.add_error("position", _("This one can only be off or automatic."))
        if position is not Position.AUTO and not given.get("why", "").strip():
            self.add_error("why", _("Say why, for those who come after you."))
        return given


@admin.register(Switch)
class SwitchAdmin(ByRole):
    """One page for all of them."""

    view_act = Act.OPERATE

    def get_urls(self) -> list[URLPattern]:
        turn = self.admin_site.admin_view(require_POST(self.turn_view))
        return [path("turn/", turn, name="ingest_switch_turn"), *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # noqa: ARG002
        if not self.has_view_permission(request):
            raise PermissionDenied
        return self._page(request, SwitchForm())

    def turn_view(self, request: HttpRequest) -> HttpResponse:
        """Set one switch; who is recorded."""
        if not may(request.user, Act.OPERATE):
            raise PermissionDenied
        form = SwitchForm(request.POST)
        if not form.is_valid():
            return self._page(request, form)
        given = form.cleaned_data
        until = timezone.now() + dt.timedelta(minutes=given["minutes"]) if given["minutes"] else None
        breaker.turn(given["name"], Position(given["position"]), why=given["why"], until=until, user_id=request.user.pk)
        self.message_user(request, gettext("%(name)s is set; all workers follow within seconds.") % given, messages.SUCCESS)
        return HttpResponseRedirect(reverse("admin:ingest_switch_changelist"))

    def _page(self, request: HttpRequest, form: SwitchForm) -> HttpResponse:
        switches.forget()
        rows = {row.name: row for row in Switch.objects.select_related("set_by")}
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Switches and breakers"),
            "form": form,
            "rows": [
                (name, badge(*POSITIONS[switches.position(name)]), state_of(name), rows.get(name)) for name in switches.names()
            ],
            "flips": BreakerFlip.objects.all()[:_SHOWN_FLIPS],
        }
        return TemplateResponse(request, "admin/ingest/switch/page.html", context)


def state_of(name: str) -> SafeString | None:
    """How the breaker of a channel in use stands; None for what has none."""
    if name not in configured_channels():
        return None
    found = breaker.state(name)
    return badge(*STATES[found]) if found else badge(_("unknown: Redis does not answer"), "bad")


@admin.register(Alert)
class AlertAdmin(ByRole):
    """What operators have been told."""

    view_act = Act.OPERATE
    list_display = ("last_at", "kind", "subject", "count", "detail", "first_at", "sent_at")
    list_filter = ("kind",)
    list_display_links = None
    list_per_page = 100
    ordering = ("-id",)
