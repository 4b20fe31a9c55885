from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Heartbeat(models.Model):
    """When a process was last seen alive. One row for each, overwritten."""

    class Kind(models.TextChoices):
        WORKER = "worker", _("Worker")
        RELAY = "relay", _("Relay")
        BEAT = "beat", _("Beat")
        WEB = "web", _("Web")

    name = models.CharField(_("name"), max_length=150, primary_key=True)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    queues = models.JSONField(_("queues"), default=list, blank=True)
    """Queues a worker takes messages from."""
    took = models.JSONField(default=dict, blank=True, editable=False)
    """When a worker last took a message, by queue, as seconds of the epoch by its own clock."""
    busy = models.BooleanField(_("busy"), default=False)
    """All processes of the worker are at work: it cannot take anything now."""
    at = models.DateTimeField(_("last seen"), default=timezone.now)

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")
        ordering = ["kind", "name"]

    def __str__(self) -> str:
        return self.name
