"""The Celery application."""

import os
import sys
from typing import Any

from celery import Celery, Task

from settings import stacks

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings.development")


class QuietTask(Task[Any, Any]):
    """A task whose failure quotes nobody, wherever Celery writes it: the log, Flower, the table of results."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        outer = sys.exc_info()[1]
        try:
            return super().__call__(*args, **kwargs)
        finally:
            if (error := sys.exc_info()[1]) is not None and error is not outer:
                stacks.hush(error)


app = Celery("gleaner", task_cls=QuietTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["ingest", "review"])
