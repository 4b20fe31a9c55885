from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from resumes.models.transition import AppendOnly


class Switch(models.Model):
    """What an operator has turned off or forced. No row means automatic."""

    class Position(models.TextChoices):
        OFF = "off", _("Off")
        OPEN = "open", _("Forced open: no calls")
        CLOSED = "closed", _("Forced closed: calls whatever happens")

    name = models.CharField(_("name"), max_length=20, unique=True)
    """A stage, a channel or `intake` (`ingest.switches.names`)."""
    position = models.CharField(_("position"), max_length=6, choices=Position)
    why = models.CharField(_("why"), max_length=200)
    until = models.DateTimeField(_("until"), null=True, blank=True)
    set_at = models.DateTimeField(_("set"), auto_now=True)
    set_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("set by")
    )

    class Meta:
        verbose_name = _("switch")
        verbose_name_plural = _("switches")
        ordering = ["name"]

    def __str__(self) -> str:
        return f"{self.name}: {self.position}"


class BreakerFlip(AppendOnly):
    """One change of a circuit breaker's state."""

    channel = models.CharField(_("channel"), max_length=20)
    from_state = models.CharField(_("from"), max_length=10)
    to_state = models.CharField(_("to"), max_length=10)
    at = models.DateTimeField(_("at"), default=timezone.now)

    class Meta:
        verbose_name = _("breaker flip")
        verbose_name_plural = _("breaker flips")
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.channel}: {self.from_state} → {self.to_state}"
