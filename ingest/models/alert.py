from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Alert(models.Model):
    """Something operators are told, once for a kind and a subject however often it is seen while it waits to be sent."""

    class Kind(models.TextChoices):
        BREAKER = "breaker", _("Breaker flipped")
        DEAD_LETTER = "dead_letter", _("Dead letters")
        OLD_DEAD_LETTER = "old_dead_letter", _("Dead letters nobody takes care of")
        RECONCILIATION = "reconciliation", _("Batch does not add up")
        BATCH_FAILED = "batch_failed", _("Batch failed")
        RETRY_STORM = "retry_storm", _("Many retries")
        PARKED = "parked", _("Waits for a dependency")
        PERMISSION = "permission", _("Access refused")
        SILENCE = "silence", _("Process gives no sign of life")
        SWITCHED = "switched", _("Switched off and perhaps forgotten")
        DISK = "disk", _("Disk nearly full")
        REVIEW_LATE = "review_late", _("Cases nobody has looked at in time")

    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    subject = models.CharField(_("subject"), max_length=100)
    """A channel, a code, a queue, an id: never a name of a person or a file."""
    count = models.PositiveIntegerField(_("count"), default=0)
    detail = models.CharField(_("detail"), max_length=200, blank=True)
    first_at = models.DateTimeField(_("first seen"))
    last_at = models.DateTimeField(_("last seen"))
    due_at = models.DateTimeField(_("due"))
    """When it is sent, or after a vain try sent again."""
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)

    class Meta:
        verbose_name = _("alert")
        verbose_name_plural = _("alerts")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["kind", "subject"], condition=models.Q(sent_at=None), name="one_open_alert_each")
        ]
        indexes = [models.Index(fields=["kind", "subject", "-sent_at"], name="alert_by_subject")]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"


class Watch(models.Model):
    """Up to which moment the records have been looked through for alerts. One row."""

    seen_to = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.seen_to:%F %T}"
