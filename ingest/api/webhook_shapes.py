"""The shapes of webhooks and their deliveries in the API."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ingest.models import Delivery, Webhook
from ingest.webhooks.events import Event
from resumes.api.addresses import OutwardURL
from resumes.api.naming import PlainNames


class WebhookShape(serializers.ModelSerializer[Webhook]):
    """An endpoint. Without `url` it stands for the `callback_url`s you give with batches and resumes; there is one of those."""

    url = OutwardURL(required=False, default="", allow_blank=True)
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=[event.value for event in Event]),
        required=False,
        default=list,
        max_length=len(Event),
        help_text="Empty for all.",
    )
    pending = serializers.SerializerMethodField(help_text="Messages not yet taken.")

    class Meta:
        model = Webhook
        fields = ["id", "url", "description", "events", "enabled", "disabled_why", "old_secret_until", "pending", "created_at"]
        read_only_fields = ["id", "disabled_why", "old_secret_until", "created_at"]

    def get_pending(self, webhook: Webhook) -> int:
        counted: int | None = getattr(webhook, "waiting", None)
        return counted if counted is not None else webhook.deliveries.filter(state=Delivery.State.PENDING).count()

    def validate_description(self, text: str) -> str:
        if "\0" in text:
            raise serializers.ValidationError(_("Null characters are not allowed."))
        return text

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if self.instance is not None and "url" in attrs and bool(attrs["url"]) != bool(self.instance.url):
            raise serializers.ValidationError({"url": [_("Only the webhook for callback addresses has none.")]})
        return attrs


class WebhookWithSecret(WebhookShape):
    """With the secret its messages are signed with, which is shown when it is made and not again."""

    class Meta(WebhookShape.Meta):
        fields = [*WebhookShape.Meta.fields, "secret"]
        read_only_fields = [*WebhookShape.Meta.read_only_fields, "secret"]


class TryShape(serializers.Serializer[Any]):
    at = serializers.DateTimeField()
    status = serializers.IntegerField(allow_null=True, help_text="Of HTTP; null where there was no answer.")
    error = serializers.CharField(help_text="A stable code where there was none: timeout, connection, private_address, …")
    ms = serializers.IntegerField()


class DeliveryShape(PlainNames, serializers.ModelSerializer[Delivery]):
    """One event on its way to one endpoint, and how the tries went. `id` is the `webhook-id` the receiver sees."""

    url = serializers.CharField(read_only=True, help_text="Of a callback; empty where the webhook's own address counts.")
    state = serializers.ChoiceField(choices=Delivery.State.choices, read_only=True)
    event = serializers.ChoiceField(choices=[*(event.value for event in Event), "webhook.ping"], read_only=True)
    data_ = serializers.SerializerMethodField(method_name="get_said")
    log = TryShape(many=True, read_only=True)
    next_try_at = serializers.SerializerMethodField()

    class Meta:
        model = Delivery
        fields = ["id", "url", "event", "data_", "state", "tries", "next_try_at", "log", "created_at", "settled_at"]
        read_only_fields = fields

    @extend_schema_field({"type": "object", "additionalProperties": {}})
    def get_said(self, delivery: Delivery) -> Any:
        return delivery.data

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_next_try_at(self, delivery: Delivery) -> str | None:
        return delivery.due_at.isoformat() if delivery.state == Delivery.State.PENDING else None
