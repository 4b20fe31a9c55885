"""Reconcile a batch and show the report."""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ingest.models import Batch
from ingest.reconcile import reconcile
from ingest.report_table import report_table


class Command(BaseCommand):
    help = "Compare a batch's entries with the ledger of outcomes. Exit code 3 where something does not add up."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("batch", type=uuid.UUID, metavar="BATCH")
        parser.add_argument("--json", action="store_true", help="the report as JSON")

    def handle(self, **options: Any) -> None:
        try:
            report = reconcile(options["batch"])
        except Batch.DoesNotExist:
            raise CommandError(f"No such batch: {options['batch']}", returncode=2) from None
        data: dict[str, Any] = report.data
        self.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) if options["json"] else report_table(data))
        if not data["ok"]:
            raise SystemExit(3)
