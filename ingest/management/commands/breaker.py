"""See and set circuit breakers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from ingest import breaker, switches
from ingest.options import configured_channels
from ingest.parsing import some_while
from ingest.switches import Position

_POSITIONS = {"open": Position.FORCED_OPEN, "close": Position.FORCED_CLOSED, "auto": Position.AUTO}


class Command(BaseCommand):
    help = "Show the breakers, or force one open (no calls), closed (calls whatever happens) or back to automatic."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.usage = "manage.py breaker [open|close|auto] [NAME] [--why WHY] [--hours HOURS]"
        parser.add_argument("words", nargs="*", metavar="[open|close|auto] [NAME]")
        parser.add_argument("--why", default="by command")
        parser.add_argument("--hours", type=some_while, help="how long it holds (default: until set back)")

    def handle(self, **options: Any) -> None:
        action, name = self._asked(options["words"])
        if name is None:
            self._show(self._of_interest())
            return
        known = [one for one in switches.names() if one != switches.INTAKE]
        if name not in known:
            raise CommandError(f"There is no {name!r}. There are: {', '.join(known)}.", returncode=2)
        if action is None:
            self._show((name,))
            return
        position = self._position(action, name)
        until = timezone.now() + dt.timedelta(hours=options["hours"]) if options["hours"] is not None else None
        breaker.turn(name, position, why=options["why"], until=until)
        self._show(self._of_interest())

    @staticmethod
    def _position(action: str, name: str) -> Position:
        """Where the action puts the switch: what makes no calls is off where a channel is forced open."""
        possible = switches.positions_of(name)
        wanted = _POSITIONS[action]
        if wanted is Position.FORCED_OPEN and wanted not in possible:
            return Position.OFF
        if wanted not in possible:
            raise CommandError(f"{name} makes no calls to force: it can be opened (off) or automatic.", returncode=2)
        return wanted

    @staticmethod
    def _of_interest() -> list[str]:
        """Every breaker, and whatever else is not automatic: paused queues, stages that are off, the intake."""
        channels = configured_channels()
        turned = [name for name in switches.names() if switches.position(name) is not Position.AUTO and name not in channels]
        return [*channels, *turned]

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
            forced = switches.position(name)
            if Position.FORCED_OPEN not in switches.positions_of(name):
                self.stdout.write(f"{name:<12} {'on' if forced is Position.AUTO else forced}")
                continue
            found = breaker.state(name)
            note = "" if forced is Position.AUTO else f"  (forced: {forced})"
            self.stdout.write(f"{name:<12} {found or 'unknown: Redis does not answer'}{note}")
