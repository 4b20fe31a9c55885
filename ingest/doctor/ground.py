"""What everything stands on: Python, disk, database, clock, storage."""

from __future__ import annotations

import datetime as dt
import os
import platform
import shutil
import sqlite3
import stat
import sys
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext as _

from ingest.doctor import Finding, fail, ok, warn
from resumes.files import storage_faults
from resumes.taxonomy import ResumeError

_LITTLE_BYTES, _TOO_LITTLE_BYTES = 5 << 30, 500 << 20
_CLOCK_WARN_S, _CLOCK_FAIL_S = 2.0, 15.0
"""Leases last 20 s by the database's clock; a clock that is off by as much makes the living look dead."""


def python() -> Iterator[Finding]:
    version = platform.python_version()
    if (3, 11) <= sys.version_info[:2] <= (3, 13):
        yield ok("Python", version)
    else:
        yield warn("Python", _("%s is not tested") % version, _("use Python 3.11, 3.12 or 3.13"))


def disk() -> Iterator[Finding]:
    for name, folder in ((_("disk, data"), settings.GLEANER_HOME), (_("disk, temporary"), Path(tempfile.gettempdir()))):
        free = shutil.disk_usage(folder).free
        says = _("%(free).1f GB free in %(folder)s") % {"free": free / (1 << 30), "folder": folder}
        if free < _TOO_LITTLE_BYTES:
            yield fail(name, says, _("make room: uploads will soon be refused"))
        elif free < _LITTLE_BYTES:
            yield warn(name, says, _("make room, or set GLEANER_HOME (TMPDIR for the temporary folder) to a larger disk"))
        else:
            yield ok(name, says)


def private_files() -> Iterator[Finding]:
    """Whether others on this machine can read keys and people's data, and whether Gleaner runs as root."""
    if os.geteuid() == 0:
        yield warn(_("user"), _("root: a fault would have the whole machine"), _("run Gleaner as a user of its own"))
    if settings.GLEANER_HOME.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        yield warn(_("private files"), _("others can look into %s") % settings.GLEANER_HOME, f"chmod 700 {settings.GLEANER_HOME}")
    for name in ("secret-key", "demo-users.json", "valkey/url"):
        path: Path = settings.GLEANER_HOME / name
        if path.exists() and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            yield warn(_("private files"), _("%s can be read by others") % name, f"chmod 600 {path}")


def database() -> Iterator[Finding]:
    """Whether it answers, is up to date, set as it must be, and has the same idea of the time."""
    try:
        with connection.cursor() as cursor:
            before = dt.datetime.now(dt.UTC)
            cursor.execute("SELECT CURRENT_TIMESTAMP")
            told = cursor.fetchone()[0]
            after = dt.datetime.now(dt.UTC)
            version = _version()
        due = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
        plan = due.migration_plan(due.loader.graph.leaf_nodes())
    except DatabaseError as exc:
        yield fail(
            _("database"), _("does not answer (%s)") % type(exc).__name__, _("check DATABASE_URL and that the server runs")
        )
        return
    yield ok(_("database"), version)
    if plan:
        yield fail(_("migrations"), _("%d not applied") % len(plan), _("manage.py migrate (make run does it)"))
    else:
        yield ok(_("migrations"), _("all applied"))
    yield from _sqlite()
    yield _clock(told, before + (after - before) / 2)


def _version() -> str:
    if connection.vendor == "sqlite":
        return f"SQLite {sqlite3.sqlite_version}"
    return f"{connection.display_name} {'.'.join(map(str, connection.get_database_version()))}"


def _sqlite() -> Iterator[Finding]:
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        mode = cursor.execute("PRAGMA journal_mode").fetchone()[0]
    if mode != "wal":
        yield warn(
            _("SQLite journal"),
            _("is %s, not WAL") % mode,
            _("put GLEANER_HOME on a local disk: network folders cannot share memory"),
        )
    if os.cpu_count() and (os.cpu_count() or 1) > 8:
        yield warn(
            "SQLite",
            _("writes one at a time, which a machine of this size outgrows"),
            _("set DATABASE_URL to a PostgreSQL database"),
        )


def _clock(told: dt.datetime | str, here: dt.datetime) -> Finding:
    there = dt.datetime.fromisoformat(told) if isinstance(told, str) else told
    if there.tzinfo is None:
        there = there.replace(tzinfo=dt.UTC)
    # SQLite tells whole seconds.
    apart = max(0.0, abs((there - here).total_seconds()) - (1.0 if isinstance(told, str) else 0.0))
    says = _("%.1f s apart from the database's") % apart
    if apart > _CLOCK_FAIL_S:
        return fail(_("clock"), says, _("set the clocks by NTP: leases of live workers run out"))
    return warn(_("clock"), says, _("set the clocks by NTP")) if apart > _CLOCK_WARN_S else ok(_("clock"), says)


def storage() -> Iterator[Finding]:
    name = f"probe/{uuid.uuid4()}"
    try:
        with storage_faults():
            stored = default_storage.save(name, ContentFile(b"gleaner"))
            try:
                with default_storage.open(stored) as file:
                    whole = file.read() == b"gleaner"
            finally:
                default_storage.delete(stored)
    except ResumeError as exc:
        yield fail(
            _("storage"),
            f"{settings.GLEANER_STORAGE}: {exc.code}",
            _("check GLEANER_STORAGE, its permissions and its credentials"),
        )
        return
    if whole:
        yield ok(_("storage"), _("%s can be written and read") % settings.GLEANER_STORAGE)
    else:
        yield fail(
            _("storage"), _("%s gives back other bytes") % settings.GLEANER_STORAGE, _("check the file system or the bucket")
        )
