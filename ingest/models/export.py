from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ingest.models.batch import Batch


class Export(models.Model):
    """The results of a batch as a file that is made in the background and kept for a week (`ingest.export_jobs`)."""

    class State(models.TextChoices):
        WAITING = "waiting", _("Waits")
        RUNNING = "running", _("Being made")
        READY = "ready", _("Ready")
        FAILED = "failed", _("Failed")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="exports", verbose_name=_("owner"))
    batch = models.ForeignKey(Batch, models.CASCADE, related_name="exports", verbose_name=_("batch"))
    format = models.CharField(_("format"), max_length=12)
    language = models.CharField(max_length=10, default="en", editable=False)
    """Of the sentences in it: the asker's."""
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.WAITING)
    done = models.PositiveIntegerField(_("items written"), default=0)
    total = models.PositiveIntegerField(_("items"), default=0)
    size_bytes = models.PositiveBigIntegerField(_("bytes"), null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0, editable=False)
    token = models.UUIDField(null=True, editable=False)
    """Of the worker that makes it, and part of the file's name: one that comes back too late finds another here."""
    task_id = models.CharField(_("task"), max_length=64, blank=True)
    """Of the last try; its result is kept by django-celery-results."""
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now, editable=False)
    """When a worker was last heard of it."""
    settled_at = models.DateTimeField(_("finished"), null=True, blank=True)

    class Meta:
        verbose_name = _("export")
        verbose_name_plural = _("exports")
        ordering = ["-created_at", "-id"]
        indexes = [models.Index(fields=["owner", "-created_at", "-id"], name="export_by_owner")]

    def __str__(self) -> str:
        return f"{self.format} {self.id}"

    @property
    def progress(self) -> float:
        """Share of the items that are in it, 0 to 1."""
        if self.state == self.State.READY:
            return 1.0
        return round(min(self.done / self.total, 1.0), 4) if self.total else 0.0
