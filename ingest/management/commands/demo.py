"""The demo batch."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from ingest.supervisor import demo


class Command(BaseCommand):
    help = "Make the demo users and import the sample resumes, each where it has not been done."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--again", action="store_true", help="import the samples once more, as a new batch")

    def handle(self, **options: Any) -> None:
        demo.make_users(settings.GLEANER_DEMO_USERS_FILE)
        batch = demo.import_samples(settings.GLEANER_SAMPLES, again=options["again"])
        self.stdout.write(f"samples: batch {batch.pk}" if batch else "samples: nothing to do")
