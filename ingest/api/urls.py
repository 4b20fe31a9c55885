"""Addresses of the pipeline: batches, exports, failures, webhooks, and the text that was read."""

from django.urls import path
from rest_framework.routers import SimpleRouter

from ingest.api.batches import BatchViewSet
from ingest.api.exports import ExportViewSet
from ingest.api.failures import FailureViewSet
from ingest.api.text import ResumeText
from ingest.api.webhooks import WebhookViewSet

router = SimpleRouter()
router.register("batches", BatchViewSet, basename="batch")
router.register("exports", ExportViewSet, basename="export")
router.register("failures", FailureViewSet, basename="failure")
router.register("webhooks", WebhookViewSet, basename="webhook")

urlpatterns = [path("resumes/<uuid:pk>/text/", ResumeText.as_view(), name="resume-text"), *router.urls]
