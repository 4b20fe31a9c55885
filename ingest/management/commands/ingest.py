"""Send files into the pipeline as a batch."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from ingest import batches
from ingest.batches import BatchState, Phase
from ingest.models import Batch
from ingest.parsing import some_path, walk
from ingest.reconcile import reconcile
from ingest.report_table import report_table
from resumes import intake
from resumes.messages import sentence
from resumes.models import Source
from resumes.states import SUCCEEDED
from resumes.taxonomy import ResumeError

_LOOK_S = 1.0
NAME_LENGTH: int = Batch._meta.get_field("name").max_length or 0  # noqa: SLF001 - Django means it to be used


class Command(BaseCommand):
    help = "Store files as a batch, hand them to the workers and seal it. With --wait, show how it goes and how it ended."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="+", metavar="PATH", type=some_path)
        parser.add_argument("--batch", default="", metavar="NAME", help="name of the batch (default: date and time)")
        parser.add_argument("--owner", metavar="USERNAME", help="whose batch it is: recruiters see their own (default: nobody's)")
        parser.add_argument("--source", choices=Source.values, default=Source.IMPORTED.value)
        parser.add_argument("--no-llm", action="store_true", help="show none of the files to a language model")
        parser.add_argument("--wait", action="store_true", help="wait until automatic work has ended")

    def handle(self, **options: Any) -> None:
        for path in options["paths"]:
            if not path.is_file() and not path.is_dir():
                raise CommandError(f"{path} is no file and no folder.", returncode=2)
        try:
            intake.ensure_open()
        except intake.IntakePaused as exc:
            raise CommandError(f"The intake is paused by operators. Try again in {exc.retry_after_s} s.") from exc
        name = options["batch"] or f"{timezone.localtime():%Y-%m-%d %H:%M}"
        if len(name) > NAME_LENGTH:
            raise CommandError(f"The name of a batch has at most {NAME_LENGTH} characters.", returncode=2)
        owner = self._owner(options["owner"])
        files = list(walk(options["paths"]))
        batch = batches.open_batch(owner, name, source=Source(options["source"]), use_model=not options["no_llm"])
        self.stdout.write(f"batch {batch.pk}")
        for path in self._progress(files, "sent"):
            try:
                self._send(batch, path)
            except batches.BatchClosed as exc:
                raise CommandError(f"The batch was sealed meanwhile: {path} and what comes after it were not taken.") from exc
        batches.seal(batch)
        if options["wait"]:
            self._wait(batch)

    def _send(self, batch: Batch, path: Path) -> None:
        try:
            file = path.open("rb")
        except OSError as exc:
            self.stderr.write(f"{path}: {exc.strerror}")
            batches.add_refused(batch, path.name, "storage_denied", node="command")
            return
        try:
            with file:
                batches.add_file(batch, file, path.name, node="command")
        except ResumeError as exc:
            self.stderr.write(f"{path}: {sentence(exc.code)}")
            batches.add_refused(batch, path.name, exc.code, node="command")

    def _owner(self, username: str | None) -> User | None:
        if username is None:
            return None
        owner = User.objects.filter(username=username).first()
        if owner is None:
            raise CommandError(f"There is no user {username!r}.", returncode=2)
        return owner

    def _wait(self, batch: Batch) -> None:
        while (now := batches.standing(batch)).phase in (Phase.RECEIVING, Phase.RUNNING):
            left = f", about {now.seconds_left:.0f} s left" if now.seconds_left else ""
            self._bar(now.progress, f"{now.settled} of {now.received} settled{left}")
            time.sleep(_LOOK_S)  # looking at the database's truth once a second is what waiting means here
        self._bar(1.0, f"{now.received} of {now.received}")
        if sys.stderr.isatty():
            sys.stderr.write("\n")
        report = reconcile(batch.pk)
        self.stdout.write(report_table(report.data))
        if report.data["state"] == BatchState.RECONCILIATION_ERROR:
            raise SystemExit(3)
        good = sum(now.counts.get(state, 0) for state in SUCCEEDED) + now.counts.get("SKIPPED", 0)
        if good < now.received:
            raise SystemExit(1)

    def _progress(self, files: list[Path], word: str) -> Any:
        for number, path in enumerate(files, 1):
            yield path
            self._bar(number / len(files), f"{number} of {len(files)} {word}")
        if files and sys.stderr.isatty():
            sys.stderr.write("\n")

    def _bar(self, share: float, text: str) -> None:
        """Redraw the bar; silent where nobody watches."""
        if sys.stderr.isatty():
            full = round(share * 40)
            sys.stderr.write(f"\r[{'█' * full}{'·' * (40 - full)}] {text:<50}")
            sys.stderr.flush()
