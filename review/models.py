"""Cases: resumes that wait for a person, the teams they go to, and what people did with them."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ingest.models import Batch
from resumes.models import Resume

FLAGGED = "flagged"
"""Somebody has said that a result is wrong."""
SPOT_CHECK = "spot_check"
"""A sample of what automation completed, looked over by a person."""


class Team(models.Model):
    """People who take the cases of some languages and job families."""

    name = models.CharField(_("name"), max_length=80, unique=True)
    languages = models.JSONField(_("languages"), default=list, blank=True)
    """Codes as on the resume; empty: every language."""
    families = models.JSONField(_("job families"), default=list, blank=True)
    """Empty: every family."""
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="teams", verbose_name=_("members"))

    class Meta:
        verbose_name = _("team")
        verbose_name_plural = _("teams")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class BulkJob(models.Model):
    """One decision for many cases at once, worked off in the background. Cases that wait for it point here."""

    class Verb(models.TextChoices):
        DISCARD = "discard", _("Discard")
        RERUN = "rerun", _("Run again")

    verb = models.CharField(_("what"), max_length=8, choices=Verb)
    reason = models.CharField(_("reason"), max_length=20, blank=True)
    note = models.CharField(_("note"), max_length=500, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("who")
    )
    total = models.PositiveIntegerField(_("cases"), default=0)
    done = models.PositiveIntegerField(_("done"), default=0)
    left_alone = models.PositiveIntegerField(_("left as they were"), default=0)
    """Somebody else worked on them, or they were closed meanwhile."""
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("bulk decision")
        verbose_name_plural = _("bulk decisions")
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.verb} {self.pk}"


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
    """Failure code that brought it here, `FLAGGED` or `SPOT_CHECK`."""
    missing = models.JSONField(_("missing"), default=list, blank=True)
    salvageable = models.FloatField(_("salvageable"), default=0.0)
    """How likely little work completes it, 0 to 1."""
    urgency = models.JSONField(_("urgency"), default=dict, blank=True)
    """What makes it urgent, as factors by name (`review.priority`)."""
    priority = models.FloatField(_("priority"), default=0.0)
    """Salvageable times urgency; orders the queue."""
    folded = models.BooleanField(_("folded away"), default=False)
    """Nobody has touched it for days: it comes after all the others and is not counted among them."""
    escalated_at = models.DateTimeField(_("escalated"), null=True, blank=True)
    batch = models.ForeignKey(Batch, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("batch"))
    team = models.ForeignKey(Team, models.SET_NULL, null=True, blank=True, related_name="cases", verbose_name=_("team"))
    bulk = models.ForeignKey(BulkJob, models.SET_NULL, null=True, blank=True, related_name="cases", editable=False)
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
    fold_at = models.DateTimeField(_("folds away"), null=True, blank=True)
    seconds = models.FloatField(_("seconds of work"), default=0.0)
    """How long the page was worked on, as its script counts it: only while it is in view and keys or clicks come."""
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("closed by")
    )
    note = models.CharField(_("note"), max_length=500, blank=True)

    class Meta:
        verbose_name = _("review case")
        verbose_name_plural = _("review cases")
        ordering = ["folded", "-priority", "opened_at"]
        permissions = [("take_over", _("Can take a case over from whoever works on it"))]
        constraints = [models.UniqueConstraint(fields=["resume", "run"], name="one_case_per_run")]
        indexes = [
            models.Index(fields=["state", "folded", "-priority", "opened_at"], name="case_in_order"),
            models.Index(fields=["-closed_at"], name="case_by_end"),
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
    evidence = models.JSONField(_("evidence"), default=dict, blank=True)
    """Where the value before stood, and where that after stands if it was taken from the page (`review.edits.Change`)."""
    seconds = models.FloatField(_("seconds"), null=True, blank=True)
    """How long the reviewer was in the field."""
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


class Note(models.Model):
    """What one reviewer wants the next one to know about a case."""

    case = models.ForeignKey(Case, models.CASCADE, related_name="notes", verbose_name=_("case"))
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("author")
    )
    text = models.CharField(_("note"), max_length=1000)
    at = models.DateTimeField(_("at"), auto_now_add=True)

    class Meta:
        verbose_name = _("note")
        verbose_name_plural = _("notes")
        ordering = ["id"]

    def __str__(self) -> str:
        return str(self.pk)
