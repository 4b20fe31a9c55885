"""What Gleaner talks to: the broker, its own processes, the language model."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator

import httpx
import redis
from django.conf import settings
from django.db import DatabaseError

from ingest import broker, heartbeats
from ingest.doctor import Finding, fail, ok, warn
from ingest.dossier import MODEL_CHANNELS, ModelEndpoint
from ingest.llm.address import is_local
from ingest.options import configured_models

_OLDEST = (6, 2)
_TIMEOUT_S = 5.0
_START = "make run"
_MODELS = dict(zip(MODEL_CHANNELS, (("language model", "LLM"), ("backup model", "LLM_BACKUP")), strict=True))
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
        yield warn("broker", "the embedded server runs only with the rest", _START)
    elif settings.CELERY_BROKER_URL.startswith(("redis", "rediss", "valkey")):
        yield from _redis(settings.CELERY_BROKER_URL)
    elif broker.queue_depths([settings.CELERY_TASK_DEFAULT_QUEUE]) is None:
        yield fail("broker", "does not answer", "check CELERY_BROKER_URL and that the server runs")
    else:
        yield ok("broker", "answers")


def _redis(url: str) -> Iterator[Finding]:
    try:
        with redis.Redis.from_url(url, socket_timeout=_TIMEOUT_S, socket_connect_timeout=_TIMEOUT_S) as client:
            told = client.info()
    except redis.AuthenticationError:
        yield fail("broker", "refuses the password", "correct it in REDIS_URL or CELERY_BROKER_URL")
        return
    except redis.RedisError as exc:
        yield fail(
            "broker", f"does not answer ({type(exc).__name__})", "check REDIS_URL or CELERY_BROKER_URL and that the server runs"
        )
        return
    name, version = ("Valkey", told["valkey_version"]) if "valkey_version" in told else ("Redis", told["redis_version"])
    if tuple(int(part) for part in version.split(".")[:2]) < _OLDEST:
        yield fail("broker", f"{name} {version} is too old", "use Redis 6.2 or later, or any Valkey")
    else:
        yield ok("broker", f"{name} {version}")
    policy = told.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        yield warn(
            "broker memory", f"policy {policy} drops messages when memory is short", "CONFIG SET maxmemory-policy noeviction"
        )
    limit = told.get("maxmemory", 0)
    if limit and told["used_memory"] > 0.8 * limit:
        yield warn(
            "broker memory", f"{told['used_memory'] / limit:.0%} of its limit is in use", "raise maxmemory, or start more workers"
        )


def processes() -> Iterator[Finding]:
    """Workers, relay and beat, by the signs of life they leave in the database."""
    try:
        present = heartbeats.alive()
        missing = heartbeats.missing(list(settings.CELERY_TASK_QUEUES))
    except DatabaseError:
        return  # the database has its own finding
    if not present:
        yield warn("processes", "none has given a sign of life lately", _START)
    else:
        yield ok("processes", ", ".join(sorted({one.name for one in present})))
        if missing:
            yield warn(
                "processes", "; ".join(gone.subject for gone in missing), "start what is missing, or wait a minute after a start"
            )


def language_model() -> Iterator[Finding]:
    """Each language model of the settings: whether it answers, takes the key and has what is asked for."""
    models = configured_models()
    if settings.LLM_LOCAL_ONLY and not all(is_local(url) for url in (settings.LLM_BASE_URL, settings.LLM_BACKUP_BASE_URL) if url):
        yield warn(
            "language model", "is elsewhere and LLM_LOCAL_ONLY is set: it is never asked", "use one in the house, or unset it"
        )
    elif not models:
        yield ok("language model", "off: resumes are read by rules alone")
    for endpoint in models:
        yield _asked(endpoint)


def _asked(endpoint: ModelEndpoint) -> Finding:
    subject, variables = _MODELS[endpoint.channel]
    headers = {"Authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}
    try:
        answer = httpx.get(
            endpoint.base_url.rstrip("/") + "/models", headers=headers, timeout=_TIMEOUT_S, trust_env=not endpoint.local
        )
    except (httpx.HTTPError, httpx.InvalidURL) as exc:
        says = f"does not answer ({type(exc).__name__}); rules take over"
        return warn(subject, says, f"check {variables}_BASE_URL and that the server runs")
    if answer.status_code in (401, 403):
        return warn(subject, "refuses the key; rules take over", f"correct {variables}_API_KEY")
    if answer.is_success and endpoint.model and endpoint.model not in _names(answer, endpoint):
        return warn(subject, f"does not list {endpoint.model}", f"correct {variables}_MODEL")
    if answer.status_code >= 500:
        return warn(subject, f"answers {answer.status_code}; rules take over", "look at the server's log")
    return ok(subject, "answers")


def _names(answer: httpx.Response, endpoint: ModelEndpoint) -> set[str]:
    try:
        return {str(model["id"]) for model in answer.json()["data"]}
    except (ValueError, KeyError, TypeError):
        return {endpoint.model}  # a server without a list is none the worse
