"""Webhooks in the admin: endpoints to look at, deliveries to look into and send again."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ingest.models import Delivery, Webhook
from ingest.webhooks import events, sending
from resumes.admin.parts import badge
from resumes.admin.roles import Own
from resumes.roles import Act

_KINDS = {Delivery.State.PENDING: "busy", Delivery.State.DELIVERED: "good", Delivery.State.FAILED: "bad"}


@admin.register(Webhook)
class WebhookAdmin(Own):
    to_owner = "owner"
    view_act = delete_act = Act.LISTEN
    list_display = ("url", "description", "enabled", "disabled_why", "owner", "created_at")
    list_filter = ("enabled",)
    list_select_related = ("owner",)
    fields = readonly_fields = (
        *("url", "description", "events", "enabled", "disabled_why"),
        *("old_secret_until", "owner", "created_at"),
    )
    actions = ("send_test",)

    @admin.action(description=_("Send a test message"))
    def send_test(self, request: HttpRequest, rows: QuerySet[Webhook]) -> None:
        number = sum(bool(events.ping(webhook)) for webhook in rows.exclude(url=""))
        self.message_user(request, gettext("%(number)d messages will be sent.") % {"number": number})


@admin.register(Delivery)
class DeliveryAdmin(Own):
    view_act = Act.LISTEN
    to_owner = "webhook__owner"
    list_display = ("created_at", "event", "state_column", "tries", "last_try", "due_column", "webhook")
    list_filter = ("state", "event")
    list_select_related = ("webhook",)
    search_fields = ("id", "resume__id", "batch__id")
    fields = readonly_fields = (
        *("webhook", "event", "state_column", "tries", "due_column", "data", "log_table", "created_at", "settled_at"),
    )
    actions = ("send_again",)

    @admin.display(description=_("state"), ordering="state")
    def state_column(self, delivery: Delivery) -> SafeString:
        state = Delivery.State(delivery.state)
        return badge(state.label, _KINDS[state])

    @admin.display(description=_("last try"))
    def last_try(self, delivery: Delivery) -> str:
        last = delivery.log[-1] if delivery.log else {}
        return str(last.get("status") or last.get("error") or "–")

    @admin.display(description=_("next try"), ordering="due_at")
    def due_column(self, delivery: Delivery) -> Any:
        return delivery.due_at if delivery.state == Delivery.State.PENDING else None

    @admin.display(description=_("log"))
    def log_table(self, delivery: Delivery) -> SafeString:
        rows = ((one["at"][:19], one["status"] or one["error"], one["ms"]) for one in delivery.log)
        return format_html_join(SafeString("<br>"), "{} · {} · {} ms", rows) or SafeString("–")

    @admin.action(description=_("Send again"))
    def send_again(self, request: HttpRequest, rows: QuerySet[Delivery]) -> None:
        number = sum(bool(sending.replay(delivery)) for delivery in rows)
        self.message_user(request, gettext("%(number)d messages will be sent.") % {"number": number})
