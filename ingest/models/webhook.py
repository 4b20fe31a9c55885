from __future__ import annotations

import base64
import secrets
import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ingest.models.batch import Batch
from resumes.models import Resume

_SECRET_BYTES = 24
_URL_LENGTH = 500


def new_secret() -> str:
    """A signing secret in the form of Standard Webhooks."""
    return f"whsec_{base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()}"


class Webhook(models.Model):
    """An endpoint that is told of events. Its owner's roles decide of whose things.

    The one without an address stands for the `callback_url`s its owner gives with batches and resumes: it holds the
    secret those are signed with.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="webhooks", verbose_name=_("owner"))
    url = models.URLField(_("address"), max_length=_URL_LENGTH, blank=True)
    description = models.CharField(_("description"), max_length=200, blank=True)
    events = models.JSONField(_("events"), default=list, blank=True)
    """Names of events; empty for all."""
    enabled = models.BooleanField(_("enabled"), default=True)
    disabled_why = models.CharField(_("why disabled"), max_length=40, blank=True)
    """Set where the receiver itself has said that it is gone."""
    secret = models.CharField(max_length=100, default=new_secret, editable=False)
    old_secret = models.CharField(max_length=100, blank=True, editable=False)
    old_secret_until = models.DateTimeField(_("old secret valid until"), null=True, blank=True)
    """While a rotation lasts, everything is signed with both."""
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        ordering = ["-created_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["owner"], condition=models.Q(url=""), name="webhook_callbacks_once")]

    def __str__(self) -> str:
        return self.description or str(self.id)


class Delivery(models.Model):
    """One event on its way to one endpoint: the intent to tell it, and the log of the tries."""

    class State(models.TextChoices):
        PENDING = "pending", _("To be sent")
        DELIVERED = "delivered", _("Delivered")
        FAILED = "failed", _("Given up")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    """Also the message's id for the receiver, the same through all tries."""
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries", verbose_name=_("webhook"))
    url = models.URLField(_("address"), max_length=_URL_LENGTH, blank=True)
    """Of a callback; empty where the webhook's own counts."""
    event = models.CharField(_("event"), max_length=40)
    data = models.JSONField(_("data"), default=dict)
    """What the event says: ids, states, figures."""
    resume = models.ForeignKey(Resume, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("resume"))
    batch = models.ForeignKey(Batch, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("batch"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.PENDING)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    due_at = models.DateTimeField(_("due"), default=timezone.now)
    """While it is pending: when it is sent, or sent again."""
    log = models.JSONField(_("log"), default=list, blank=True)
    """One entry a try: `at`, `status` (of HTTP, or null), `error` (a code, or empty), `ms`."""
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    settled_at = models.DateTimeField(_("settled"), null=True, blank=True)

    class Meta:
        verbose_name = _("webhook delivery")
        verbose_name_plural = _("webhook deliveries")
        ordering = ["-created_at", "-id"]
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(state="pending"), name="delivery_due"),
            models.Index(fields=["webhook", "-created_at", "-id"], name="delivery_by_webhook"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.state}"
