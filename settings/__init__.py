"""Settings of the installation. Importing the Celery app here makes it the current one in every Django process."""

from settings.celery import app as celery_app

__all__ = ["celery_app"]
