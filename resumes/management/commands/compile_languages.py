"""Compile the translations after a .po file was changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from resumes import catalogs


class Command(BaseCommand):
    help = "Compile the translation catalogues (.po to .mo)."

    def handle(self, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        for folder in settings.LOCALE_PATHS:
            for source in sorted(Path(folder).glob("*/LC_MESSAGES/*.po")):
                messages = catalogs.read(source)
                source.with_suffix(".mo").write_bytes(catalogs.compiled(messages))
                self.stdout.write(f"{source.parent.parent.name}: {len(messages) - 1} texts")
