"""Addresses for machines that watch."""

from django.urls import path

from ingest.health import healthz, readyz
from ingest.metrics import metrics

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
]
