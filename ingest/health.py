"""Health: does this process live, can it take uploads, and what is missing besides.

Not ready means that an upload could not be kept: database or storage. Everything else only degrades.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ingest import broker, heartbeats
from ingest.ocr import Script, engine
from resumes.files import storage_faults
from resumes.taxonomy import ResumeError

_PROBE_S = 10
_ENGINES_S = 300


@dataclass(frozen=True, slots=True)
class Health:
    database: bool
    storage: bool
    broker: bool
    missing: tuple[str, ...]
    """What is missing though uploads are taken, in words for operators."""

    @property
    def ready(self) -> bool:
        return self.database and self.storage

    @property
    def status(self) -> str:
        if not self.ready:
            return "unavailable"
        return "degraded" if self.missing else "ok"


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001 - Django's signature
    """The process lives."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001
    """200 while uploads can be taken, with what is missing; 503 where database or storage fail."""
    health = look()
    checks = {"database": health.database, "storage": health.storage, "broker": health.broker}
    answer = JsonResponse(
        {
            "status": health.status,
            "checks": {name: "ok" if good else "failed" for name, good in checks.items()},
            "degraded": list(health.missing),
        },
        status=200 if health.ready else 503,
    )
    if not health.ready:
        answer["Retry-After"] = str(_PROBE_S)
    return answer


def look() -> Health:
    """Look at everything once."""
    database = _database_answers()
    depths = broker.queue_depths([settings.CELERY_TASK_DEFAULT_QUEUE])
    takes = depths is not None and bool(cache.get_or_set("health.broker", broker.takes_messages, _PROBE_S))
    missing = [] if depths is not None else ["no broker: uploads wait until it answers"]
    if depths is not None and not takes:
        missing.append("the broker takes no messages (is its memory full?): uploads wait until it does")
    if database:
        missing += heartbeats.missing(needed_queues())
    missing += cache.get_or_set("health.engines", _engines_missing, _ENGINES_S) or []
    return Health(
        database=database,
        storage=bool(cache.get_or_set("health.storage", _storage_writes, _PROBE_S)),
        broker=takes,
        missing=tuple(missing),
    )


def needed_queues() -> list[str]:
    """The queues that need a worker; the model's only where a model is configured."""
    return [queue for queue in settings.CELERY_TASK_QUEUES if queue != "llm" or settings.LLM_BASE_URL]


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _storage_writes() -> bool:
    try:
        with storage_faults():
            name = default_storage.save(f"probe/{uuid.uuid4()}", ContentFile(b"gleaner"))
            default_storage.delete(name)
    except ResumeError:
        return False
    return True


def _engines_missing() -> list[str]:
    abilities = {channel: engine(channel).ability() for channel in settings.OCR_CHANNELS}
    gone = [f"OCR engine {channel}: {ability.why_not}" for channel, ability in abilities.items() if not ability.available]
    scripts = {script for ability in abilities.values() if ability.available for script in ability.scripts}
    return gone + [f"no OCR engine reads {script.value} script" for script in Script if script not in scripts]
