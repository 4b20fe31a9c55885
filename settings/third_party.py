"""Celery, DRF and the other libraries, each setting with its reason."""

from __future__ import annotations

import datetime as dt
from typing import Any

from settings import env
from settings.base import GLEANER_HOME

REDIS_URL = env.text("REDIS_URL") or env.kept(GLEANER_HOME / "valkey" / "url") or "redis://127.0.0.1:6379/0"
"""Broker and circuit breaker. Where it is not set, the embedded server that `manage.py run` starts."""

REDIS_PREFIX = env.text("REDIS_PREFIX")
"""Put before every key, where several installations share a server."""

# -- Celery --------------------------------------------------------------------------------------------------------
CELERY_BROKER_URL = env.text("CELERY_BROKER_URL") or REDIS_URL
CELERY_RESULT_BACKEND = "django-db"
CELERY_TASK_IGNORE_RESULT = True  # a resume's state lives in its row; results are kept only for tasks a person looks at
CELERY_RESULT_EXPIRES = 7 * 24 * 3600
CELERY_RESULT_EXTENDED = False  # names and arguments of tasks stay out of the result table
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_RESULT_SERIALIZER = "json"

# Messages are wake-up calls: acknowledged late, never prefetched, and a lost one is found by the relay. A task whose
# worker died must not come back by the broker as well, which would make a file that kills workers a loop.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = False
CELERY_TASK_ACKS_ON_FAILURE_OR_TIMEOUT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_ETA_TASK_LIMIT = 200  # retries wait in the database beyond this many
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 10.0
CELERY_WORKER_ENABLE_SOFT_SHUTDOWN_ON_IDLE = True  # gives countdown messages back at once
CELERY_WORKER_PROC_ALIVE_TIMEOUT = 60
CELERY_WORKER_MAX_TASKS_PER_CHILD = 500  # parsing happens in sandboxes, which are recycled on their own
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = True  # Flower
CELERY_TASK_SEND_SENT_EVENT = True
CELERY_TASK_TRACK_STARTED = True

# The backstop behind the runner's own deadlines (the longest is a scan of many pages): only a worker that ignores them
# meets this.
CELERY_TASK_SOFT_TIME_LIMIT = 660
CELERY_TASK_TIME_LIMIT = 690
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
_VISIBILITY_TIMEOUT_S = 900  # longer than the hard limit and the longest countdown (30 s + 30 %) together
CELERY_VISIBILITY_TIMEOUT = _VISIBILITY_TIMEOUT_S
_IS_REDIS = CELERY_BROKER_URL.startswith(("redis", "rediss"))
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = (
    {
        "visibility_timeout": _VISIBILITY_TIMEOUT_S,
        "socket_timeout": 30,
        "socket_connect_timeout": 3,
        "socket_keepalive": True,
        "health_check_interval": 25,
        "global_keyprefix": REDIS_PREFIX,
    }
    if _IS_REDIS
    else {"confirm_publish": True}
)
CELERY_TASK_CREATE_MISSING_QUEUES = False  # a misspelt queue fails at once
CELERY_TASK_QUEUES: dict[str, dict[str, str]] = {name: {} for name in ("io", "cpu", "ocr", "llm", "default", "notify")}
"""Named by what they burn."""
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_ROUTES = ("ingest.outbox.route",)
CELERY_BEAT_SCHEDULE_FILENAME = str(GLEANER_HOME / "beat-schedule")
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "sign of life": {"task": "ingest.sign_of_life", "schedule": 30.0, "options": {"expires": 25}},
    "seal idle batches": {"task": "ingest.seal_idle_batches", "schedule": 300.0, "options": {"expires": 240}},
    "reconcile open batches": {"task": "ingest.reconcile_open_batches", "schedule": 120.0, "options": {"expires": 100}},
    "purge expired resumes": {"task": "ingest.purge_expired", "schedule": 3600.0, "options": {"expires": 3000}},
    "send webhooks": {"task": "ingest.send_webhooks", "schedule": 5.0, "options": {"expires": 4}},
    "tend the review": {"task": "review.tend", "schedule": 300.0, "options": {"expires": 240}},
    "tend exports": {"task": "ingest.tend_exports", "schedule": 60.0, "options": {"expires": 50}},
    "watch for alerts": {"task": "ingest.watch", "schedule": 60.0, "options": {"expires": 50}},
    "prune logs": {"task": "ingest.prune", "schedule": 3600.0, "options": {"expires": 3000}},
}

# -- Cache ---------------------------------------------------------------------------------------------------------
# Local memory on purpose: throttles and page caches may differ between processes, a lost Redis must not fail a page.
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

# -- REST ----------------------------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "resumes.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [
        "resumes.api.uploads.FlatJSON",
        "resumes.api.uploads.MultiPart",
        "rest_framework.parsers.FormParser",
    ],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "resumes.api.answers.AsItIs",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "resumes.api.pagination.Cursor",
    "DEFAULT_SCHEMA_CLASS": "resumes.api.schema.ProblemSchema",
    "DEFAULT_THROTTLE_CLASSES": ["resumes.api.throttling.PerToken"],
    "DEFAULT_THROTTLE_RATES": {"user": env.text("GLEANER_THROTTLE", "6000/min")},
    "EXCEPTION_HANDLER": "resumes.api.problems.handle",
    "URL_FORMAT_OVERRIDE": None,  # `?format=` is the export's own
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
REST_KNOX = {
    "TOKEN_TTL": dt.timedelta(days=env.number("GLEANER_TOKEN_DAYS", 90, least=1, most=365)),
    "AUTH_HEADER_PREFIX": "Token",
    "AUTO_REFRESH": False,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Gleaner",
    "DESCRIPTION": "Resume intake for recruiting teams. See docs/api.md for examples.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "ResumeState": "resumes.states.State",
        "BatchState": "ingest.batches.BatchState",
        "BatchPhase": "ingest.batches.Phase",
        "Source": "resumes.models.Source",
        "FailureAction": ["retry", "review", "reject", "skip"],
        "FailureClass": "resumes.taxonomy.FailureClass",
    },
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
}
