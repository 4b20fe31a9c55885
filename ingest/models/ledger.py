from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ingest.models.batch import Batch
from resumes.models.transition import AppendOnly
from resumes.states import TERMINAL, State

_ENDS = [(state.value, state.label) for state in State if state in TERMINAL]


class Outcome(AppendOnly):
    """The ledger: every end of every run, as it happened.

    Bare ids and no constraints on purpose: it is the independent witness reconciliation compares with the entries, so
    it must be able to hold what ought not to be (two ends, an end without an entry).
    """

    batch_id = models.UUIDField(_("batch"), db_index=True)
    entry_id = models.UUIDField(_("entry"), db_index=True)
    resume_id = models.UUIDField(_("resume"), null=True, db_index=True)
    run = models.PositiveIntegerField(_("run"))
    result = models.CharField(_("result"), max_length=16, choices=_ENDS)
    at = models.DateTimeField(_("at"), default=timezone.now)

    class Meta:
        verbose_name = _("outcome")
        verbose_name_plural = _("outcomes")
        ordering = ["id"]

    def __str__(self) -> str:
        return self.result


class ReconciliationReport(AppendOnly):
    """What one comparison of entries and ledger found."""

    batch = models.ForeignKey(Batch, models.CASCADE, related_name="reports", verbose_name=_("batch"))
    ok = models.BooleanField(_("in order"))
    data = models.JSONField(_("report"))
    """The REST shape of CONTRACT section 2."""
    created_at = models.DateTimeField(_("created"), default=timezone.now)

    class Meta:
        verbose_name = _("reconciliation report")
        verbose_name_plural = _("reconciliation reports")
        ordering = ["-id"]
        indexes = [models.Index(fields=["batch", "id"], condition=models.Q(ok=False), name="report_with_anomalies")]

    def __str__(self) -> str:
        return f"{self.created_at:%F %T}"
