"""Erase what is past its retention, now."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from ingest import housekeeping


class Command(BaseCommand):
    help = "Erase settled resumes older than GLEANER_RETENTION_DAYS."

    def handle(self, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        total = 0
        while count := housekeeping.purge_expired():
            total += count
        self.stdout.write(f"{total} erased")
