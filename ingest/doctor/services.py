"""What Gleaner talks to: the broker, its own processes, the language model."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import redis
from django.conf import settings
from django.db import DatabaseError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingest import broker, heartbeats
from ingest.doctor import Finding, fail, ok, warn
from ingest.dossier import MODEL_CHANNELS, ModelEndpoint
from ingest.llm.address import is_local
from ingest.options import configured_models

_OLDEST = (6, 2)
_TIMEOUT_S = 5.0
_START = "make run"
_MODELS = dict(
    zip(MODEL_CHANNELS, ((gettext_lazy("language model"), "LLM"), (gettext_lazy("backup model"), "LLM_BACKUP")), strict=True)
)
"""How each is called, and how the variables that set it begin."""


def is_running_here() -> bool:
    """Whether `manage.py run` is at work on this data folder."""
    try:
        with (settings.GLEANER_HOME / "run.lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def message_broker() -> Iterator[Finding]:
    if settings.GLEANER_EMBEDDED_BROKER and not is_running_here():
        yield warn(_("broker"), _("the embedded server runs only with the rest"), _START)
    elif settings.CELERY_BROKER_URL.startswith(("redis", "rediss", "valkey")):
        yield from _redis(settings.CELERY_BROKER_URL)
    elif broker.queue_depths([settings.CELERY_TASK_DEFAULT_QUEUE]) is None:
        yield fail(_("broker"), _("does not answer"), _("check %s and that the server runs") % "CELERY_BROKER_URL")
    else:
        yield ok(_("broker"), _("answers"))


def _redis(url: str) -> Iterator[Finding]:
    try:
        with redis.Redis.from_url(url, socket_timeout=_TIMEOUT_S, socket_connect_timeout=_TIMEOUT_S) as client:
            told = client.info()
    except redis.AuthenticationError:
        yield fail(_("broker"), _("refuses the password"), _("correct it in REDIS_URL or CELERY_BROKER_URL"))
        return
    except redis.RedisError as exc:
        yield fail(
            _("broker"),
            _("does not answer (%s)") % type(exc).__name__,
            _("check %s and that the server runs") % "REDIS_URL, CELERY_BROKER_URL",
        )
        return
    name, version = ("Valkey", told["valkey_version"]) if "valkey_version" in told else ("Redis", told["redis_version"])
    if tuple(int(part) for part in version.split(".")[:2]) < _OLDEST:
        yield fail(_("broker"), _("%s is too old") % f"{name} {version}", _("use Redis 6.2 or later, or any Valkey"))
    else:
        yield ok(_("broker"), f"{name} {version}")
    yield from _persistence(told)
    policy = told.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        yield warn(
            _("broker memory"),
            _("policy %s drops messages when memory is short") % policy,
            "CONFIG SET maxmemory-policy noeviction",
        )
    limit = told.get("maxmemory", 0)
    if limit and told["used_memory"] > 0.8 * limit:
        yield warn(
            _("broker memory"),
            _("%d %% of its limit is in use") % round(100 * told["used_memory"] / limit),
            _("raise maxmemory, or start more workers"),
        )


def _persistence(told: Mapping[str, Any]) -> Iterator[Finding]:
    """Whether messages outlive the server. None is lost either way: what is due is sent again from the database, later."""
    if (told.get("aof_enabled") and told.get("aof_last_write_status", "ok") != "ok") or (
        not told.get("aof_enabled") and told.get("rdb_last_bgsave_status", "ok") != "ok"
    ):
        yield warn(_("broker persistence"), _("the last write to disk failed"), _("make room on the server's disk"))
    elif not told.get("aof_enabled"):
        yield warn(
            _("broker persistence"),
            _("is off: after a restart of the server messages are late until they are sent again"),
            "CONFIG SET appendonly yes",
        )
    else:
        yield ok(_("broker persistence"), _("on"))


def processes() -> Iterator[Finding]:
    """Workers, relay and beat, by the signs of life they leave in the database."""
    try:
        present = heartbeats.alive()
        missing = heartbeats.missing(list(settings.CELERY_TASK_QUEUES))
    except DatabaseError:
        return  # the database has its own finding
    if not present:
        yield warn(_("processes"), _("none has given a sign of life lately"), _START)
    else:
        yield ok(_("processes"), ", ".join(sorted({one.name for one in present})))
        if missing:
            yield warn(
                _("processes"),
                "; ".join(gone.subject for gone in missing),
                _("start what is missing, or wait a minute after a start"),
            )


def language_model() -> Iterator[Finding]:
    """Each language model of the settings: whether it answers, takes the key and has what is asked for."""
    models = configured_models()
    if settings.LLM_LOCAL_ONLY and not all(is_local(url) for url in (settings.LLM_BASE_URL, settings.LLM_BACKUP_BASE_URL) if url):
        yield warn(
            _("language model"),
            _("is elsewhere and LLM_LOCAL_ONLY is set: it is never asked"),
            _("use one in the house, or unset it"),
        )
    elif not models:
        yield ok(_("language model"), _("off: resumes are read by rules alone"))
    for endpoint in models:
        yield _asked(endpoint)


def _asked(endpoint: ModelEndpoint) -> Finding:
    called, variables = _MODELS[endpoint.channel]
    subject = str(called)
    headers = {"Authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}
    try:
        answer = httpx.get(
            endpoint.base_url.rstrip("/") + "/models", headers=headers, timeout=_TIMEOUT_S, trust_env=not endpoint.local
        )
    except (httpx.HTTPError, httpx.InvalidURL) as exc:
        says = _("does not answer (%s); rules take over") % type(exc).__name__
        return warn(subject, says, _("check %s and that the server runs") % f"{variables}_BASE_URL")
    if answer.status_code in (401, 403):
        return warn(subject, _("refuses the key; rules take over"), _("correct %s") % f"{variables}_API_KEY")
    if answer.is_success and endpoint.model and endpoint.model not in _names(answer, endpoint):
        return warn(subject, _("does not list %s") % endpoint.model, _("correct %s") % f"{variables}_MODEL")
    if answer.status_code >= 500:
        return warn(subject, _("answers %d; rules take over") % answer.status_code, _("look at the server's log"))
    return ok(subject, _("answers"))


def _names(answer: httpx.Response, endpoint: ModelEndpoint) -> set[str]:
    try:
        return {str(model["id"]) for model in answer.json()["data"]}
    except (ValueError, KeyError, TypeError):
        return {endpoint.model}  # a server without a list is none the worse
