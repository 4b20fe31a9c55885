from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from resumes.models.candidate import Candidate
from resumes.models.document import Document
from resumes.states import ACTIVE, State


class Source(models.TextChoices):
    APPLIED = "applied", _("Applied")
    IMPORTED = "imported", _("Imported")
    HEADHUNTER = "headhunter", _("Headhunter")


class Resume(models.Model):
    """One resume on its way from stored to settled.

    `state` and everything under "the claim" are written by `resumes.transitions` alone. What was found stands in
    `Extraction`, how it went in `Transition` and the pipeline's attempts.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    document = models.ForeignKey(
        Document, models.PROTECT, null=True, blank=True, related_name="resumes", verbose_name=_("document")
    )
    filename = models.CharField(_("file name"), max_length=255, blank=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="resumes", verbose_name=_("owner")
    )
    source = models.CharField(_("source"), max_length=12, choices=Source, default=Source.IMPORTED)
    external_id = models.CharField(_("external id"), max_length=200, blank=True)
    callback_url = models.URLField(_("callback address"), max_length=500, blank=True)
    received_at = models.DateTimeField(_("received"), auto_now_add=True)
    correlation = models.CharField(max_length=36, blank=True, editable=False)
    """The id of the request that opened this run, for the log (`resumes.correlation`)."""

    state = models.CharField(_("state"), max_length=16, choices=State, default=State.PENDING)
    state_since = models.DateTimeField(_("in this state since"))
    run = models.PositiveIntegerField(_("run"), default=1)

    # The claim: who works on it and until when that counts.
    next_stage = models.CharField(_("next stage"), max_length=20, blank=True)
    next_channel = models.CharField(_("next channel"), max_length=20, blank=True)
    next_attempt_at = models.DateTimeField(_("next attempt"), null=True, blank=True)
    dispatched_at = models.DateTimeField(_("message sent"), null=True, blank=True)
    token = models.UUIDField(null=True, blank=True, editable=False)
    lease_until = models.DateTimeField(_("lease until"), null=True, blank=True)
    attempts = models.PositiveIntegerField(_("attempts"), default=0)
    worked_s = models.FloatField(_("seconds of work in this run"), default=0.0)
    alone = models.BooleanField(_("in quarantine"), default=False)
    """Workers have died on it in this run, so it runs in sandboxes of its own."""
    parked_for = models.CharField(_("parked for"), max_length=20, blank=True)
    """The dependency it waits for, such as `storage`; empty where it does not."""

    # What came of it.
    route = models.JSONField(_("route"), default=list, blank=True)
    """Names of the reading stages that ran in this run, in order."""
    channels = models.JSONField(_("channels"), default=list, blank=True)
    """OCR channels entered in this run."""
    as_pictures = models.BooleanField(_("read as pictures"), default=False)
    """A person has asked in this run that its pages be read from their pictures, whatever text the file holds."""
    failure_class = models.CharField(_("failure class"), max_length=20, blank=True)
    failure_code = models.CharField(_("failure code"), max_length=30, blank=True)
    routed_by = models.PositiveIntegerField(_("routing table"), default=0)
    """Version of the routing table its last step was taken by; 0 is the program's own."""
    warnings = models.JSONField(_("warnings"), default=list, blank=True)
    level = models.CharField(_("completed by"), max_length=8, blank=True)
    """text, ocr, rules, model or person."""
    pages = models.PositiveIntegerField(_("pages"), null=True, blank=True)
    language = models.CharField(_("language"), max_length=2, blank=True)
    layout = models.CharField(_("layout"), max_length=8, blank=True)
    """How its pages are laid out (`ingest.layout_class`): plain, columns, table or scan."""
    job_family = models.CharField(_("job family"), max_length=40, blank=True)
    completeness = models.FloatField(_("completeness"), null=True, blank=True)
    confidence = models.FloatField(_("confidence"), null=True, blank=True)
    candidate = models.ForeignKey(
        Candidate, models.SET_NULL, null=True, blank=True, related_name="resumes", verbose_name=_("candidate")
    )
    duplicate_of = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="duplicates", verbose_name=_("duplicate of")
    )

    # A person's conclusion.
    concluded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("concluded by")
    )
    concluded_at = models.DateTimeField(_("concluded"), null=True, blank=True)
    conclusion = models.CharField(_("conclusion"), max_length=500, blank=True)
    erased_at = models.DateTimeField(_("erased"), null=True, blank=True)

    class Meta:
        verbose_name = _("resume")
        verbose_name_plural = _("resumes")
        ordering = ["-received_at", "-id"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=State.values), name="resume_state_known"),
            models.UniqueConstraint(
                fields=["owner", "source", "external_id"], condition=~Q(external_id=""), name="resume_external_id_once"
            ),
        ]
        indexes = [
            models.Index(fields=["state", "-received_at"], name="resume_by_state"),
            models.Index(fields=["-received_at", "-id"], name="resume_by_time"),
            models.Index(fields=["job_family", "state"], name="resume_by_family"),
            # The relay's bounded look for what is stuck; only rows automation still has to move.
            models.Index(
                fields=["dispatched_at"], condition=Q(state__in=sorted(ACTIVE)) | ~Q(next_stage=""), name="resume_in_process"
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def in_process(self) -> bool:
        return self.state in ACTIVE
