"""The relay process."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from ingest import relay


class Command(BaseCommand):
    help = "Send what is due and free what is stuck, again and again, until stopped."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="one pass")

    def handle(self, **options: Any) -> None:
        if options["once"]:
            done = relay.relay_once()
            self.stdout.write(f"sent {done.sent}, freed {done.freed}, woken {done.woken}, released {done.released}")
        else:
            relay.run_forever(relay.stop_on_signals())
