"""Parse files in this process and print what stands in them."""

from __future__ import annotations

import argparse
import datetime as dt
import json
import logging
import os
import re
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ingest.options import configured_options
from ingest.parsing import parse_files, some_path, walk

_LONE = re.compile("[\ud800-\udfff]")


class Command(BaseCommand):
    help = (
        "Run the pipeline's stages over files in this process, without broker and database, and print a JSON document for each."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="+", metavar="PATH", type=some_path, help="a file, or a folder that is walked")
        parser.add_argument("--jsonl", action="store_true", help="one document a line instead of a JSON array")
        parser.add_argument("--no-llm", action="store_true", help="leave the language model out")
        parser.add_argument("--jobs", type=_positive, default=1, metavar="N", help="files read at the same time (default 1)")
        parser.add_argument(
            "--as-of", type=_date, default=None, metavar="YYYY-MM-DD", help='the day "present" means (default: today)'
        )

    def handle(self, **options: Any) -> None:
        for path in options["paths"]:
            if not path.exists():
                raise CommandError(f"{path} does not exist.", returncode=2)
        logging.getLogger().setLevel(os.environ.get("LOG_LEVEL", "ERROR"))  # the documents say what happened to each file
        as_of = options["as_of"] or dt.datetime.now(dt.UTC).date()
        decided = configured_options(model=not options["no_llm"])
        results = parse_files(walk(options["paths"]), decided, as_of, options["jobs"])
        documents = (document for result in results for document in result)
        if options["jsonl"]:
            for document in documents:
                self._write(json.dumps(document, ensure_ascii=False) + "\n")
            return
        separator = "["
        for document in documents:
            self._write(separator + "\n" + json.dumps(document, ensure_ascii=False))
            separator = ","
        self._write("[]\n" if separator == "[" else "\n]\n")

    def _write(self, text: str) -> None:
        # Bytes of a file name that are no text stand as lone surrogates, which JSON can only write escaped.
        try:
            sys.stdout.buffer.write(_LONE.sub(lambda found: f"\\u{ord(found.group()):04x}", text).encode())
            sys.stdout.buffer.flush()
        except BrokenPipeError:  # whoever read has had enough, as `head` does
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise SystemExit(0) from None


def _date(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no date of the form YYYY-MM-DD") from None


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of at least 1")
    return int(text)
