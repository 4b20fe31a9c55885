"""See and set circuit breakers."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from ingest import breaker, switches
from ingest.options import configured_channels
from ingest.switches import Position

_POSITIONS = {"open": Position.FORCED_OPEN, "close": Position.FORCED_CLOSED, "auto": Position.AUTO}


class Command(BaseCommand):
    help = "Show the breakers, or force one open (no calls), closed (calls whatever happens) or back to automatic."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", nargs="?", choices=("open", "close", "auto"))
        parser.add_argument("name", nargs="?", metavar="NAME")
        parser.add_argument("--why", default="by command")
        parser.add_argument("--hours", type=float, default=None, help="how long it holds (default: until set back)")

    def handle(self, **options: Any) -> None:
        action, name = options["action"], options["name"]
        if action is None:
            self._show()
            return
        known = [one for one in switches.names() if one != switches.INTAKE]
        if name not in known:
            raise CommandError(f"There is no {name!r}. There are: {', '.join(known)}.", returncode=2)
        until = timezone.now() + dt.timedelta(hours=options["hours"]) if options["hours"] else None
        switches.turn(name, _POSITIONS[action], why=options["why"], until=until)
        self._show()

    def _show(self) -> None:
        for name in configured_channels():
            found = breaker.state(name)
            forced = switches.position(name)
            note = "" if forced is switches.Position.AUTO else f"  (forced: {forced})"
            self.stdout.write(f"{name:<12} {found or 'unknown: Redis does not answer'}{note}")
