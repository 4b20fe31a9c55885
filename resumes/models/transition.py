from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from resumes.models.resume import Resume
from resumes.states import TERMINAL, State


class AppendOnly(models.Model):
    """A log: rows are added, never changed. Only erasure and pruning policies delete them."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError(f"{type(self).__name__} rows are never changed.")
        super().save(*args, **kwargs)


class Transition(AppendOnly):
    """One move of one resume: what `move()` did, when, where, by whom and why."""

    resume = models.ForeignKey(Resume, models.CASCADE, related_name="transitions", verbose_name=_("resume"))
    run = models.PositiveIntegerField(_("run"))
    from_state = models.CharField(_("from"), max_length=16, choices=State, blank=True)
    to_state = models.CharField(_("to"), max_length=16, choices=State)
    at = models.DateTimeField(_("at"), default=timezone.now)
    node = models.CharField(_("node"), max_length=40)
    """Where it happened: a stage, `intake`, `relay`, `api`, `workbench`."""
    actor = models.CharField(_("actor"), max_length=40)
    """`system` or `user:<id>`."""
    reason = models.CharField(_("reason"), max_length=200)
    level = models.CharField(_("completed by"), max_length=8, blank=True)
    """What completed the resume with this move: the resume's own column is emptied when it is opened again."""
    counted = models.BooleanField(default=False, editable=False)
    """Whether the figures hold it: bookkeeping beside the record, the only thing about a row that changes."""

    class Meta:
        verbose_name = _("transition")
        verbose_name_plural = _("transitions")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["resume", "run"], condition=Q(to_state__in=sorted(TERMINAL)), name="one_terminal_state_per_run"
            )
        ]
        indexes = [
            models.Index(fields=["to_state"], name="transition_by_target"),
            models.Index(fields=["id"], condition=Q(counted=False), name="transition_uncounted"),
        ]

    def __str__(self) -> str:
        return f"{self.from_state} → {self.to_state}"
