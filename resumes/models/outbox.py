from __future__ import annotations

import uuid
from typing import Any

from django.db import models
from django.utils import timezone


class OutboxMessage(models.Model):
    """The intent to wake somebody up, committed with the change it speaks of. Deleted once the broker has it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    topic = models.CharField(max_length=60)
    """Explicit name of the task, such as `ingest.extract`."""
    payload = models.JSONField(default=dict)
    """Keyword arguments: ids and numbers, nothing else."""
    due_at = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["due_at"], name="outbox_due")]

    def __str__(self) -> str:
        return self.topic

    def arguments(self) -> dict[str, Any]:
        return dict(self.payload)
