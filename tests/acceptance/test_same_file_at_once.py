"""Several processes take in the same file at the same moment: one resume is parsed, the others are left out on record."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.acceptance.house import ROOT, House, until

pytestmark = pytest.mark.timeout(120)
SENDERS = 3

_SEND = """
import io, time
from pathlib import Path
from django.contrib.auth.models import User
from resumes import intake
sender = intake.Sender(owner=User.objects.get(username="rita"), skip_duplicates=True)
folder = Path({folder!r})
(folder / "ready-{number}").touch()
while not (folder / "go").exists():
    time.sleep(0.0005)
intake.receive(io.BytesIO(b"Alice Archer, alice@example.com, +1 202 555 0143"), "alice.txt", sender)
"""
_OWNER = "from django.contrib.auth.models import User; User.objects.create_user('rita')"
_COUNT = """
from resumes.models import Document, Resume
print(Document.objects.count(), *sorted(Resume.objects.values_list("state", flat=True)), Document.objects.get().sha256)
"""


def test_one_is_taken_and_the_others_know_it(house: House, tmp_path: Path) -> None:
    house.manage("shell", "--verbosity", "0", "-c", _OWNER)
    senders = [
        subprocess.Popen(
            [sys.executable, "manage.py", "shell", "--verbosity", "0", "-c", _SEND.format(folder=str(tmp_path), number=number)],
            cwd=ROOT,
            env=house.env,
            stderr=subprocess.PIPE,
        )
        for number in range(SENDERS)
    ]
    until("all senders are ready", lambda: len(list(tmp_path.glob("ready-*"))) == SENDERS)
    (tmp_path / "go").touch()
    for sender in senders:
        _, complaint = sender.communicate(timeout=60)
        assert sender.returncode == 0, complaint.decode()

    documents, *states, digest = house.manage("shell", "--verbosity", "0", "-c", _COUNT).split()
    assert documents == "1"
    assert states == ["PENDING", *["SKIPPED"] * (SENDERS - 1)]
    stored = [path.name for path in tmp_path.rglob("*") if path.name.startswith(digest[:20])]
    assert stored == [digest], "no second copy that nobody knows of"
