from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from resumes.models import Resume


class Attempt(models.Model):
    """One try of one stage on one resume.

    Inserted in the claim's own transaction, closed in another: the record of a failed attempt outlives any rollback.
    """

    class Outcome(models.TextChoices):
        RUNNING = "running", _("Running")
        OK = "ok", _("Done")
        FAILED = "failed", _("Failed")
        LOST = "lost", _("Worker lost")
        """The lease ran out: the worker is dead or was too slow, and its result was not accepted."""
        DROPPED = "dropped", _("Not needed any more")
        """The resume was withdrawn, erased or settled meanwhile: the result was not accepted, and nothing failed."""

    resume = models.ForeignKey(Resume, models.CASCADE, related_name="stage_attempts", verbose_name=_("resume"))
    run = models.PositiveIntegerField(_("run"))
    stage = models.CharField(_("stage"), max_length=20)
    channel = models.CharField(_("channel"), max_length=20, blank=True)
    token = models.UUIDField(unique=True)
    started_at = models.DateTimeField(_("started"), default=timezone.now)
    seconds = models.FloatField(_("seconds"), null=True, blank=True)
    """Work, without waiting."""
    prompt_tokens = models.PositiveIntegerField(_("tokens asked"), default=0)
    completion_tokens = models.PositiveIntegerField(_("tokens answered"), default=0)
    """Spent on a language model, as far as its server counts them; also where the try then failed."""
    outcome = models.CharField(_("outcome"), max_length=8, choices=Outcome, default=Outcome.RUNNING)
    failure_class = models.CharField(_("failure class"), max_length=20, blank=True)
    failure_code = models.CharField(_("failure code"), max_length=30, blank=True)
    detail = models.CharField(_("detail"), max_length=300, blank=True)
    """For operators; no personal data."""
    pages_read = models.PositiveSmallIntegerField(_("pages read"), null=True, blank=True)
    pages_wanted = models.PositiveSmallIntegerField(_("pages to read"), null=True, blank=True)
    """While OCR runs: what it has read of what it was asked to. None for stages that do not go page by page."""
    worker = models.CharField(_("worker"), max_length=100, blank=True)
    """Host and process id."""
    counted = models.BooleanField(default=False, editable=False)
    """Whether the figures hold it (`ingest.figures`)."""

    class Meta:
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")
        ordering = ["id"]
        indexes = [
            models.Index(fields=["resume", "run", "stage", "channel"], name="attempt_by_stage"),
            models.Index(fields=["stage", "started_at"], name="attempt_by_time"),
            models.Index(fields=["id"], condition=models.Q(counted=False), name="attempt_uncounted"),
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.outcome}"
