from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from resumes.models import Resume


class DeadLetter(models.Model):
    """A resume that waits for an operator, and who that is. There is a row as long as the resume is in DEAD_LETTER."""

    resume = models.OneToOneField(Resume, models.CASCADE, primary_key=True, related_name="dead_letter", verbose_name=_("resume"))
    since = models.DateTimeField(_("since"))
    detail = models.CharField(_("detail"), max_length=200)
    """What is known of its end: stage, cause, memory, page. No personal data."""
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("owner")
    )

    class Meta:
        verbose_name = _("dead letter")
        verbose_name_plural = _("dead letters")
        ordering = ["since"]

    def __str__(self) -> str:
        return str(self.pk)
