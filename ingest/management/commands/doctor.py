"""Is this installation well?"""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils import translation

from ingest.doctor import Finding, Level, examine
from ingest.doctor.checks import CHECKS

_WIDTH = 110


class Command(BaseCommand):
    help = "Look at everything this installation stands on and say what to do. Exit code 1 where something must be mended."
    requires_system_checks = []  # they are among what is looked at

    def add_arguments(self, parser: CommandParser) -> None:
        codes = [code for code, _ in settings.LANGUAGES]
        parser.add_argument("--language", choices=codes, default=_language_of_the_terminal(codes), help="of what is said")

    def handle(self, *, language: str, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        levels: Counter[Level] = Counter()
        with translation.override(language):
            for finding in examine(CHECKS):
                levels[finding.level] += 1
                self.stdout.write(self._row(finding))
        self.stdout.write("\n" + ", ".join(f"{levels[level]} {level}" for level in Level))
        if levels[Level.FAIL]:
            raise SystemExit(1)

    def _row(self, finding: Finding) -> str:
        style = {Level.OK: self.style.SUCCESS, Level.WARN: self.style.WARNING, Level.FAIL: self.style.ERROR}[finding.level]
        text = finding.says + (f" → {finding.to_do}" if finding.to_do else "")
        lines = _lines(text, _WIDTH - 26)
        subject = finding.subject + " " * max(0, 19 - _columns(finding.subject))
        return f"{style(f'{finding.level:<5}')} {subject} " + ("\n" + " " * 26).join(lines)


def _language_of_the_terminal(codes: list[str]) -> str:
    """What the locale of the terminal asks for, where Gleaner speaks it."""
    told = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    spoken = told.partition(".")[0].partition("_")[0].lower()
    return next((code for code in codes if spoken and code.startswith(spoken)), settings.LANGUAGE_CODE)


def _columns(text: str) -> int:
    """How many columns of a terminal a text takes: ideographs take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _lines(text: str, width: int) -> list[str]:
    """The text in lines of at most so many columns; Chinese, which has no spaces, breaks anywhere."""
    lines = [""]
    for part in re.findall(r"[\u2e80-\u9fff\uff00-\uffef]|[^\s\u2e80-\u9fff\uff00-\uffef]+|\s+", text):
        if _columns(lines[-1] + part.rstrip()) > width and lines[-1]:
            lines.append("")
        lines[-1] += part if lines[-1] else part.lstrip()
    return [line.rstrip() for line in lines]
