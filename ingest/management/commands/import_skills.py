"""Import a taxonomy of skills into the installation's own word lists."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from ingest.skill_table import UnreadableTableError, read_skills, write_skills


class Command(BaseCommand):
    help = "Import skills from a table of ESCO, O*NET or your own into the word lists (CSV or tab-separated, UTF-8)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--language", choices=("en", "zh", "ru"), default="en")
        parser.add_argument("--column", default="preferredLabel", help="the skill's name (O*NET: Example)")
        parser.add_argument("--alternatives", default="altLabels", help="other names, parted by line breaks, | or ;")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        target = Path(settings.GLEANER_WORDS, options["language"], "skills.txt")
        try:
            skills = read_skills(options["file"], options["column"], options["alternatives"])
            total = write_skills(target, skills, source=options["file"].name)
        except (UnreadableTableError, OSError) as exc:
            raise CommandError(str(exc)) from exc
        self.stdout.write(f"{len(skills)} skills read, {total} in {target}")
        self.stdout.write("Processes that run already read the lists when they start again.")
