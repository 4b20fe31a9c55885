"""See and set circuit breakers."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from ingest import breaker, switches
from ingest.models import Switch


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
        if name not in switches.names():
            raise CommandError(f"There is no {name!r}. There are: {', '.join(switches.names())}.", returncode=2)
        if action == "auto":
            Switch.objects.filter(name=name).delete()
        else:
            until = timezone.now() + dt.timedelta(hours=options["hours"]) if options["hours"] else None
            position = Switch.Position.OPEN if action == "open" else Switch.Position.CLOSED
            Switch.objects.update_or_create(name=name, defaults={"position": position, "why": options["why"], "until": until})
        switches.forget()
        self._show()

    def _show(self) -> None:
        channels = [*settings.OCR_CHANNELS, *([switches.MODEL] if settings.LLM_BASE_URL else [])]
        for name in channels:
            found = breaker.state(name)
            forced = switches.position(name)
            note = "" if forced is switches.Position.AUTO else f"  (forced: {forced})"
            self.stdout.write(f"{name:<12} {found or 'unknown: Redis does not answer'}{note}")
