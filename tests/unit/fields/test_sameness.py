"""The same pages give the same draft, byte for byte: in a hundred runs, and whatever order a process gives its sets."""

import datetime as dt
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

from ingest.fields import extract_fields
from ingest.fields.draft import Hints
from ingest.page import Page, line_of
from ingest.sandbox.drafts import draft_to_data

from .test_gate import RESUMES

ROOT = Path(__file__).resolve().parents[3]


def digest() -> str:
    found = hashlib.sha256()
    for parts in RESUMES.values():
        page = Page(1, tuple(line_of(text, gap=1.0) for lines in parts.values() for text in lines))
        draft = extract_fields([page], Hints(as_of=dt.date(2026, 11, 30)))
        found.update(json.dumps(draft_to_data(draft), ensure_ascii=False).encode())
    return found.hexdigest()


def test_a_hundred_runs_give_the_same_bytes():
    assert len({digest() for _ in range(100)}) == 1


def test_processes_with_other_hash_seeds_give_the_same_bytes():
    script = "from tests.unit.fields.test_sameness import digest; print(digest())"
    seen = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(seen) == 1
