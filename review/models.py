"""Cases: resumes that wait for a person, and what people did with them."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from resumes.models import Resume


class Case(models.Model):
    """One resume before a person, in one run."""

    class State(models.TextChoices):
        PENDING = "PENDING", _("To do")
        IN_PROGRESS = "IN_PROGRESS", _("In progress")
        DONE = "DONE", _("Done")
        DISCARDED = "DISCARDED", _("Discarded")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    resume = models.ForeignKey(Resume, models.CASCADE, related_name="cases", verbose_name=_("resume"))
    run = models.PositiveIntegerField(_("run"))
    state = models.CharField(_("state"), max_length=12, choices=State, default=State.PENDING)
    code = models.CharField(_("reason"), max_length=30)
    """Failure code that brought it here, or `flagged`."""
    missing = models.JSONField(_("missing"), default=list, blank=True)
    salvageable = models.FloatField(_("salvageable"), default=0.0)
    """How likely little work completes it, 0 to 1; orders the queue."""
    version = models.PositiveIntegerField(_("version"), default=0)
    """Raised with every save; a save from an older page is refused."""
    draft = models.JSONField(_("draft"), null=True, blank=True)
    """What a person has typed so far (the form of `review.edits`), until the case is closed."""
    claimed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="claimed_cases",
        verbose_name=_("claimed by"),
    )
    claimed_until = models.DateTimeField(_("claimed until"), null=True, blank=True)
    opened_at = models.DateTimeField(_("opened"), auto_now_add=True)
    due_at = models.DateTimeField(_("due"))
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("closed by")
    )
    note = models.CharField(_("note"), max_length=500, blank=True)

    class Meta:
        verbose_name = _("review case")
        verbose_name_plural = _("review cases")
        ordering = ["-salvageable", "opened_at"]
        constraints = [models.UniqueConstraint(fields=["resume", "run"], name="one_case_per_run")]
        indexes = [
            models.Index(fields=["state", "-salvageable", "opened_at"], name="case_queue"),
            models.Index(fields=["due_at"], condition=Q(state__in=["PENDING", "IN_PROGRESS"]), name="case_due"),
        ]

    def __str__(self) -> str:
        return str(self.id)


class Correction(models.Model):
    """One field a person changed: what automation said, what is right."""

    case = models.ForeignKey(Case, models.CASCADE, related_name="corrections", verbose_name=_("case"))
    field = models.CharField(_("field"), max_length=80)
    before = models.JSONField(_("before"), null=True, blank=True)
    after = models.JSONField(_("after"), null=True, blank=True)
    source = models.CharField(_("source"), max_length=8, blank=True)
    confidence = models.FloatField(_("confidence"), null=True, blank=True)
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("reviewer")
    )
    at = models.DateTimeField(_("at"), auto_now_add=True)

    class Meta:
        verbose_name = _("correction")
        verbose_name_plural = _("corrections")
        indexes = [models.Index(fields=["field"], name="correction_by_field")]

    def __str__(self) -> str:
        return self.field
