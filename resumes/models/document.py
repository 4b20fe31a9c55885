from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _


class Document(models.Model):
    """The bytes of a file, once, however many resumes were sent with them. Its name belongs to the resume."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    sha256 = models.CharField(_("SHA-256"), max_length=64, unique=True)
    size_bytes = models.PositiveBigIntegerField(_("size in bytes"))
    media_type = models.CharField(_("media type"), max_length=100)
    stored_as = models.CharField(_("stored as"), max_length=100)
    """Name in the default storage: `<first two hex digits>/<digest>`."""
    created_at = models.DateTimeField(_("received"), auto_now_add=True)

    class Meta:
        verbose_name = _("document")
        verbose_name_plural = _("documents")

    def __str__(self) -> str:
        return self.sha256[:12]
