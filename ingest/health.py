"""Health: does this process live, can it take uploads, and what is missing besides.

Not ready means that an upload could not be kept: database or storage, each tried by writing. Everything else only degrades.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ingest import broker, disks, heartbeats, switches
from ingest.models import Heartbeat
from ingest.ocr import Ability, Script, engine
from resumes.files import storage_faults
from resumes.taxonomy import ResumeError

_PROBE_S = 10
_ENGINES_S = 300
_DATABASE_WAIT_MS = 2_000
"""A write that waits this long for others means that uploads wait as well."""


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
    can = writable()
    database = can["database"]
    depths = broker.queue_depths([settings.CELERY_TASK_DEFAULT_QUEUE])
    takes = depths is not None and bool(cache.get_or_set("health.broker", broker.takes_messages, _PROBE_S))
    missing = [] if depths is not None else [_("no broker: uploads wait until it answers")]
    if depths is not None and not takes:
        missing.append(_("the broker takes no messages (is its memory full?): uploads wait until it does"))
    if database:
        missing += map(str, heartbeats.missing(needed_queues()))
        missing += _switched_off()
    missing += _no_room()
    missing += _engines_missing()
    return Health(
        database=database,
        storage=can["storage"],
        broker=takes,
        missing=tuple(missing),
    )


def writable() -> dict[str, bool]:
    """Whether database and storage take what is written; uploads need both. Tried now and then, not at each question."""
    return {
        "database": _database_answers() and bool(cache.get_or_set("health.database", _database_writes, _PROBE_S)),
        "storage": bool(cache.get_or_set("health.storage", _storage_writes, _PROBE_S)),
    }


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


def _database_writes() -> bool:
    """Whether a row can be written soon. A database that is locked, full or a standby answers questions all the same."""
    try:
        with _impatient(), transaction.atomic():
            Heartbeat.objects.update_or_create(name="web", defaults={"kind": Heartbeat.Kind.WEB, "at": timezone.now()})
    except DatabaseError:
        return False
    return True


@contextmanager
def _impatient() -> Iterator[None]:
    """Wait for others' locks no longer than a probe may take."""
    usual_ms = round(connection.settings_dict["OPTIONS"].get("timeout", 5) * 1000)
    set_to = "PRAGMA busy_timeout = %d" if connection.vendor == "sqlite" else "SET lock_timeout = %d"
    with connection.cursor() as cursor:
        cursor.execute(set_to % _DATABASE_WAIT_MS)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(set_to % (usual_ms if connection.vendor == "sqlite" else 0))


def _switched_off() -> Iterator[str]:
    """What operators have turned off so that files are refused or wait. Whoever set it may have gone home."""
    if switches.is_off(switches.INTAKE):
        yield _("operators have paused the intake: every file is refused")
    if switches.is_off(switches.STORAGE):
        yield _("operators have switched the file store off: what needs a file waits")
    for queue in filter(switches.is_paused, switches.QUEUES):
        yield _("operators have paused queue %(queue)s: what goes there waits") % {"queue": queue}


def _no_room() -> Iterator[str]:
    for room in disks.rooms():
        if room.free < disks.TIGHT_BYTES:
            yield _("%(free)s GB left for %(disk)s: uploads will soon be refused") % {"free": room.free_gb, "disk": room.name}


def _storage_writes() -> bool:
    try:
        with storage_faults():
            name = default_storage.save(f"probe/{uuid.uuid4()}", ContentFile(b"gleaner"))
            default_storage.delete(name)
    except ResumeError:
        return False
    return True


def why_not(ability: Ability) -> str:
    """What an OCR engine misses, in the language of whoever reads it."""
    return _(ability.lack.text) % ", ".join(ability.lack.names) if ability.lack else ability.why_not


def _engines_missing() -> list[str]:
    abilities = cache.get_or_set("health.engines", _abilities, _ENGINES_S) or {}
    gone = [
        _("OCR engine %(channel)s cannot run: %(why)s") % {"channel": channel, "why": why_not(ability)}
        for channel, ability in abilities.items()
        if not ability.available
    ]
    scripts = {script for ability in abilities.values() if ability.available for script in ability.scripts}
    unread = [script.value for script in Script if script not in scripts]
    return gone + [_("no OCR engine reads %(script)s script") % {"script": script} for script in unread]


def _abilities() -> dict[str, Ability]:
    return {channel: engine(channel).ability() for channel in settings.OCR_CHANNELS}
