from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from resumes.models.candidate import Candidate


class Vacancy(models.Model):
    """A position candidates are matched against."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    title = models.CharField(_("title"), max_length=200)
    description = models.TextField(_("description"), blank=True)
    skills = models.JSONField(_("skills"), default=list, blank=True)
    city = models.CharField(_("city"), max_length=100, blank=True)
    min_years = models.FloatField(_("least years of experience"), null=True, blank=True)
    open = models.BooleanField(_("open"), default=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="vacancies", verbose_name=_("owner")
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("vacancy")
        verbose_name_plural = _("vacancies")
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.title


class Match(models.Model):
    """How well a candidate fits a vacancy, and why."""

    vacancy = models.ForeignKey(Vacancy, models.CASCADE, related_name="matches", verbose_name=_("vacancy"))
    candidate = models.ForeignKey(Candidate, models.CASCADE, related_name="matches", verbose_name=_("candidate"))
    score = models.FloatField(_("score"))
    reasons = models.JSONField(_("reasons"), default=dict, blank=True)
    """Per criterion: what matched and its share of the score."""
    updated_at = models.DateTimeField(_("updated"), auto_now=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ["-score", "id"]
        constraints = [models.UniqueConstraint(fields=["vacancy", "candidate"], name="one_match_per_pair")]

    def __str__(self) -> str:
        return f"{self.score:.2f}"
