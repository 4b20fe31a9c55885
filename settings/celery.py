"""The Celery application."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings.development")

app = Celery("gleaner")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["ingest", "review"])
