"""Settings that contradict each other or do nothing, and what Django itself finds wrong."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks
from django.db import connection
from django.utils.translation import gettext as _

from ingest.doctor import Finding, fail, ok, warn

_LOCAL = frozenset({"localhost", "127.0.0.1", "[::1]", "::1", ""})
_KEY_LENGTH = 32


def contradictions() -> Iterator[Finding]:
    findings = [*_open_to_others(), *_model(), *_servers(), *_limits()]
    yield from findings or [ok(_("settings"), _("do not contradict each other"))]


def _open_to_others() -> Iterator[Finding]:
    foreign = [host for host in settings.ALLOWED_HOSTS if host not in _LOCAL]
    if settings.DEBUG and foreign:
        yield fail("DEBUG", _("is on while ALLOWED_HOSTS lets others in: error pages show people's data"), _("unset DEBUG"))
    if "*" in settings.ALLOWED_HOSTS:
        yield warn("ALLOWED_HOSTS", _("takes any name, so links can be forged"), _("name the hosts people use"))
    if len(settings.SECRET_KEY) < _KEY_LENGTH:
        yield warn("SECRET_KEY", _("is short"), _("use 50 random characters, or unset it to have one made"))
    if foreign and not settings.SESSION_COOKIE_SECURE:
        yield warn(
            "ALLOWED_HOSTS", _("lets others in without the settings for TLS"), "DJANGO_SETTINGS_MODULE=settings.production"
        )


def _model() -> Iterator[Finding]:
    if not settings.LLM_BASE_URL and (settings.LLM_API_KEY or settings.LLM_MODEL):
        yield warn("LLM_BASE_URL", _("is not set, so LLM_API_KEY and LLM_MODEL do nothing"), _("set it, or unset the others"))
    if settings.LLM_BASE_URL and not settings.LLM_MODEL:
        yield warn("LLM_MODEL", _("is not set; most servers want a name"), _("set it to a model the server has"))
    if settings.LLM_API_KEY and urlsplit(settings.LLM_BASE_URL).scheme == "http":
        host = urlsplit(settings.LLM_BASE_URL).hostname
        if host not in _LOCAL:
            yield warn("LLM_BASE_URL", _("sends the key and resumes in the clear"), _("use https"))


def _servers() -> Iterator[Finding]:
    sqlite = connection.vendor == "sqlite"
    broker_host = urlsplit(settings.CELERY_BROKER_URL).hostname or ""
    if sqlite and broker_host not in _LOCAL:
        yield warn(
            "DATABASE_URL",
            _("SQLite serves one machine, the broker is on another"),
            _("set DATABASE_URL to a PostgreSQL database"),
        )
    if not sqlite and settings.GLEANER_EMBEDDED_BROKER and settings.CELERY_BROKER_URL == settings.REDIS_URL:
        yield warn(
            "REDIS_URL",
            _("workers on other machines cannot reach the embedded server"),
            _("set it where there is more than one machine"),
        )
    if sqlite and settings.GLEANER_STORAGE.startswith("s3://"):
        yield warn("GLEANER_STORAGE", _("files are shared, records are not"), _("set DATABASE_URL to a PostgreSQL database"))


def _limits() -> Iterator[Finding]:
    if settings.GLEANER_MAX_FILE_MB > settings.GLEANER_MAX_ARCHIVE_MB:
        yield warn("GLEANER_MAX_FILE_MB", _("a file may be larger than an archive of files"), _("lower it"))
    if not settings.OCR_CHANNELS:
        yield warn(
            "OCR_CHANNELS", _("is empty: scans and photos go to people"), _("unset it for the engines that come with Gleaner")
        )


def django_checks() -> Iterator[Finding]:
    """Django's system checks, ours among them."""
    serious = [message for message in checks.run_checks() if message.level >= checks.WARNING and not message.is_silenced()]
    for message in serious:
        judge = fail if message.level >= checks.ERROR else warn
        yield judge(_("system check"), f"{message.id}: {message.msg}", message.hint or _("see the message"))
    if not serious:
        yield ok(_("system checks"), _("nothing found"))
