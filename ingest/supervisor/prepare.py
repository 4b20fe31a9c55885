"""Bringing database, static files and scratch folder up to date before anything starts. Quick where there is nothing to do."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor

_STAMP = ".collected"


def migrate() -> bool:
    """Apply the migrations that are due; whether there were any. Raises django.db.utils.Error where the database fails."""
    executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return False
    call_command("migrate", interactive=False, verbosity=0)
    return True


def collect_static() -> bool:
    """Collect the static files where a source is newer, gone or new since the last time; whether that was so."""
    root = Path(settings.STATIC_ROOT)
    fingerprint = _sources()
    stamp = root / _STAMP
    if stamp.is_file() and stamp.read_text() == fingerprint:
        return False
    call_command("collectstatic", interactive=False, verbosity=0, clear=root.is_dir())
    stamp.write_text(fingerprint)
    return True


def empty_scratch(home: Path) -> Path:
    """An empty folder for temporary files. What killed processes left in it were people's documents: it goes."""
    scratch = home / "tmp"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(mode=0o700)
    return scratch


def _sources() -> str:
    """A digest of names, sizes and times of all static files the apps bring."""
    digest = hashlib.sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
