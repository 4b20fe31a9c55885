"""What people have put right, as labelled data: one JSON document a line."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from review import training


class Command(BaseCommand):
    help = "Write people's corrections as labelled data, JSON Lines. It holds people's data: keep it as you keep resumes."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--since", type=dt.date.fromisoformat, metavar="YYYY-MM-DD", help="cases closed on this day or later")
        parser.add_argument(
            "--field", action="append", default=[], help="only this field or section (basics.email, work); repeat"
        )
        parser.add_argument("--output", type=Path, metavar="FILE", help="write to a new file (mode 0600) instead of printing")

    def handle(self, *_args: Any, **options: Any) -> None:
        lines = (
            json.dumps(found, ensure_ascii=False) for found in training.examples(since=options["since"], fields=options["field"])
        )
        if options["output"] is None:
            for line in lines:
                self.stdout.write(line)
            return
        try:
            with options["output"].open("x", encoding="utf-8") as file:
                options["output"].chmod(0o600)
                number = sum(bool(file.write(f"{line}\n")) for line in lines)
        except OSError as exc:
            raise CommandError(f"{options['output']} cannot be written: {exc.strerror}.") from exc
        self.stdout.write(f"{number} cases written.")
