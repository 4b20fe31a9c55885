from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from resumes.models import Resume, Source


class Batch(models.Model):
    """A set of files sent together. Its state is derived (`ingest.batches.standing`), never stored by hand."""

    class OnDuplicate(models.TextChoices):
        SKIP = "skip", _("Leave out")
        PARSE = "parse", _("Parse again")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=200)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="batches", verbose_name=_("owner")
    )
    source = models.CharField(_("source"), max_length=12, choices=Source, default=Source.IMPORTED)
    position = models.CharField(_("position"), max_length=200, blank=True)
    urgency = models.CharField(_("urgency"), max_length=20, blank=True)
    declared = models.PositiveIntegerField(_("declared files"), null=True, blank=True)
    on_duplicate = models.CharField(_("on duplicates"), max_length=5, choices=OnDuplicate, default=OnDuplicate.SKIP)
    use_model = models.BooleanField(_("use language models"), default=True)
    """Whether its resumes may be shown to language models, where there are any."""
    callback_url = models.URLField(_("callback address"), max_length=500, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    last_input_at = models.DateTimeField(_("last input"), default=timezone.now)
    sealed_at = models.DateTimeField(_("sealed"), null=True, blank=True)
    cancelled_at = models.DateTimeField(_("cancelled"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    """Set by the reconciliation that found everything ended; emptied when an item is opened again."""
    ended_as = models.CharField(max_length=24, blank=True, editable=False)
    """The state that was derived when `finished_at` was set, kept so that counting batches need not derive all of them."""
    announced = models.CharField(max_length=100, blank=True, editable=False)
    """What its listeners were told last, so that they are not told twice."""

    class Meta:
        verbose_name = _("batch")
        verbose_name_plural = _("batches")
        ordering = ["-created_at", "-id"]
        indexes = [models.Index(fields=["-created_at", "-id"], name="batch_by_time")]

    def __str__(self) -> str:
        return self.name


class BatchEntry(models.Model):
    """One input of a batch: a file declared or sent, or a resume found inside a sent archive.

    An entry without a resume is a declared file that has not come. A sound archive's own entry counts until it is
    unpacked; from then on its members count in its place.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    batch = models.ForeignKey(Batch, models.CASCADE, related_name="entries", verbose_name=_("batch"))
    number = models.PositiveIntegerField(_("number"))
    filename = models.CharField(_("file name"), max_length=600, blank=True)
    sha256 = models.CharField(_("SHA-256"), max_length=64, blank=True)
    archive = models.ForeignKey("self", models.CASCADE, null=True, blank=True, related_name="members", verbose_name=_("archive"))
    """The entry of the archive this one came out of; None for files as sent."""
    received_at = models.DateTimeField(_("received"), null=True, blank=True)
    """None while a declared file has not come."""
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    """Set where a declared file was taken back: it never came, and its resume is SKIPPED."""
    unpacked_at = models.DateTimeField(_("unpacked"), null=True, blank=True)
    resume = models.ForeignKey(Resume, models.SET_NULL, null=True, blank=True, related_name="entries", verbose_name=_("resume"))

    class Meta:
        verbose_name = _("batch entry")
        verbose_name_plural = _("batch entries")
        ordering = ["number", "id"]
        indexes = [models.Index(fields=["batch", "number", "id"], name="entry_by_number")]

    def __str__(self) -> str:
        return str(self.id)
