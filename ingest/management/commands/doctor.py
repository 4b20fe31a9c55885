"""Is this installation well?"""

from __future__ import annotations

import textwrap
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand

from ingest.doctor import Finding, Level, examine
from ingest.doctor.checks import CHECKS

_WIDTH = 110


class Command(BaseCommand):
    help = "Look at everything this installation stands on and say what to do. Exit code 1 where something must be mended."
    requires_system_checks = []  # they are among what is looked at

    def handle(self, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        levels: Counter[Level] = Counter()
        for finding in examine(CHECKS):
            levels[finding.level] += 1
            self.stdout.write(self._row(finding))
        self.stdout.write("\n" + ", ".join(f"{levels[level]} {level}" for level in Level))
        if levels[Level.FAIL]:
            raise SystemExit(1)

    def _row(self, finding: Finding) -> str:
        style = {Level.OK: self.style.SUCCESS, Level.WARN: self.style.WARNING, Level.FAIL: self.style.ERROR}[finding.level]
        text = finding.says + (f" → {finding.to_do}" if finding.to_do else "")
        lines = textwrap.wrap(text, _WIDTH - 26, break_long_words=False, break_on_hyphens=False)
        return f"{style(f'{finding.level:<5}')} {finding.subject:<19} " + ("\n" + " " * 26).join(lines)
