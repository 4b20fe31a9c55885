from __future__ import annotations

import json
import zlib
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from resumes.models.resume import Resume


class Extraction(models.Model):
    """What has been read and found in one run of a resume. Parts arrive one by one as stages finish."""

    resume = models.ForeignKey(Resume, models.CASCADE, related_name="extractions", verbose_name=_("resume"))
    run = models.PositiveIntegerField(_("run"))
    packed_reading = models.BinaryField(null=True, editable=False)
    """The page model (`ingest.page.to_data`) as compressed JSON; about a tenth of its plain size."""
    profile = models.JSONField(_("profile"), null=True, blank=True)
    """The JSON Resume document."""
    evidence = models.JSONField(_("evidence"), default=dict, blank=True)
    alternatives = models.JSONField(_("alternatives"), default=dict, blank=True)
    quality = models.JSONField(_("quality"), default=dict, blank=True)
    """What the draft is worth and which core fields are missing (`ingest.quality.Quality`)."""
    locked = models.JSONField(_("locked"), default=list, blank=True)
    """What a person has set and later automatic runs leave alone: `basics.email`, `work`, … (`review.edits.Change.lock`)."""
    summary = models.TextField(_("summary"), blank=True)
    summary_source = models.CharField(_("summary by"), max_length=8, blank=True)
    """`rules` or `model`."""

    class Meta:
        verbose_name = _("extraction")
        verbose_name_plural = _("extractions")
        constraints = [models.UniqueConstraint(fields=["resume", "run"], name="one_extraction_per_run")]

    def __str__(self) -> str:
        return f"{self.resume_id}/{self.run}"

    @property
    def reading(self) -> dict[str, Any] | None:
        if self.packed_reading is None:
            return None
        data: dict[str, Any] = json.loads(zlib.decompress(bytes(self.packed_reading)))
        return data

    @staticmethod
    def pack(reading: dict[str, Any]) -> bytes:
        return zlib.compress(json.dumps(reading, ensure_ascii=False, separators=(",", ":")).encode(), 6)
