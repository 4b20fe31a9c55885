"""Addresses of the pipeline: batches, and the text that was read."""

from django.urls import path
from rest_framework.routers import SimpleRouter

from ingest.api.batches import BatchViewSet
from ingest.api.text import ResumeText

router = SimpleRouter()
router.register("batches", BatchViewSet, basename="batch")

urlpatterns = [path("resumes/<uuid:pk>/text/", ResumeText.as_view(), name="resume-text"), *router.urls]
