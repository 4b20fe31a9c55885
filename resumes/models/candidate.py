from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Candidate(models.Model):
    """A person in the talent pool: what their latest settled resume says. One person, however many resumes."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email_key = models.CharField(max_length=254, blank=True, editable=False)
    """Lower-cased e-mail address: who is the same person."""
    phone_key = models.CharField(max_length=20, blank=True, editable=False)
    """E.164 number: the same, where there is no address."""
    name = models.CharField(_("name"), max_length=200, blank=True)
    email = models.CharField(_("e-mail"), max_length=254, blank=True)
    phone = models.CharField(_("phone"), max_length=40, blank=True)
    city = models.CharField(_("city"), max_length=100, blank=True)
    label = models.CharField(_("headline"), max_length=200, blank=True)
    language = models.CharField(_("language"), max_length=2, blank=True)
    job_family = models.CharField(_("job family"), max_length=40, blank=True)
    years = models.FloatField(_("years of experience"), null=True, blank=True)
    skills = models.JSONField(_("skills"), default=list, blank=True)
    summary = models.TextField(_("summary"), blank=True)
    summary_source = models.CharField(_("summary by"), max_length=8, blank=True)
    """`rules` or `model`."""
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    updated_at = models.DateTimeField(_("updated"), auto_now=True)

    class Meta:
        verbose_name = _("candidate")
        verbose_name_plural = _("candidates")
        ordering = ["-updated_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["email_key"], condition=~Q(email_key=""), name="candidate_email_once"),
            models.UniqueConstraint(
                fields=["phone_key"], condition=Q(email_key="") & ~Q(phone_key=""), name="candidate_phone_once"
            ),
        ]
        indexes = [
            models.Index(fields=["phone_key"], name="candidate_by_phone"),
            models.Index(fields=["-updated_at", "-id"], name="candidate_by_time"),
        ]

    def __str__(self) -> str:
        return self.name or str(self.id)
