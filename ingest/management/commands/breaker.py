"""See and set circuit breakers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
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
        parser.usage = "manage.py breaker [open|close|auto] [NAME] [--why WHY] [--hours HOURS]"
        parser.add_argument("words", nargs="*", metavar="[open|close|auto] [NAME]")
        parser.add_argument("--why", default="by command")
        parser.add_argument("--hours", type=float, default=None, help="how long it holds (default: until set back)")

    def handle(self, **options: Any) -> None:
        action, name = self._asked(options["words"])
        if name is None:
            self._show(configured_channels())
            return
        known = [one for one in switches.names() if one != switches.INTAKE]
        if name not in known:
            raise CommandError(f"There is no {name!r}. There are: {', '.join(known)}.", returncode=2)
        if action is None:
            self._show((name,))
            return
        until = timezone.now() + dt.timedelta(hours=options["hours"]) if options["hours"] else None
        switches.turn(name, _POSITIONS[action], why=options["why"], until=until)
        self._show(configured_channels())

    @staticmethod
    def _asked(words: Sequence[str]) -> tuple[str | None, str | None]:
        """What to do and with which; None where it is not said."""
        match [*words]:
            case []:
                return None, None
            case [action, name] if action in _POSITIONS:
                return action, name
            case [name] if name not in _POSITIONS:
                return None, name
        raise CommandError("Usage: breaker [open|close|auto] NAME", returncode=2)

    def _show(self, names: Iterable[str]) -> None:
        for name in names:
            found = breaker.state(name)
            forced = switches.position(name)
            note = "" if forced is switches.Position.AUTO else f"  (forced: {forced})"
            self.stdout.write(f"{name:<12} {found or 'unknown: Redis does not answer'}{note}")
