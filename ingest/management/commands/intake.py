"""Pause and resume the intake."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from ingest import switches
from ingest.parsing import some_while
from ingest.switches import INTAKE, Position


class Command(BaseCommand):
    help = "Pause the intake (no new file is taken, what is inside goes on), resume it, or show how it stands."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", nargs="?", choices=("pause", "resume"))
        parser.add_argument("--why", default="by command")
        parser.add_argument("--minutes", type=some_while, help="how long it holds (default: until resumed)")

    def handle(self, **options: Any) -> None:
        if options["action"] == "pause":
            until = timezone.now() + dt.timedelta(minutes=options["minutes"]) if options["minutes"] is not None else None
            switches.turn(INTAKE, Position.OFF, why=options["why"], until=until)
        elif options["action"] == "resume":
            switches.turn(INTAKE, Position.AUTO, why="")
        self.stdout.write("paused" if switches.is_off(INTAKE) else "open")
