from __future__ import annotations

from django.db import models


class Figure(models.Model):
    """What a counter has come to for one set of labels, in the rows that are marked as counted. It only grows.

    Written by `ingest.figures` alone.
    """

    name = models.CharField(max_length=40)
    labels = models.CharField(max_length=200)
    """The labels' values in the counter's order, parted by `|`."""
    value = models.FloatField(default=0.0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name", "labels"], name="one_figure_each")]

    def __str__(self) -> str:
        return f"{self.name} {self.labels}"
