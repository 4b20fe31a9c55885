"""`manage.py parse` as people and scripts call it, without database."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.texts import ALICE

ROOT = Path(__file__).resolve().parents[3]


def parse(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    environment = os.environ | {"DATABASE_URL": "sqlite:////nowhere/at/all.sqlite3", "LOG_LEVEL": "ERROR"}
    return subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "parse", "--as-of", "2026-11-30", *map(os.fsencode, map(str, arguments))],
        cwd=cwd or ROOT,
        env=environment,
        capture_output=True,
        check=False,
        timeout=100,
    )


def documents(done: subprocess.CompletedProcess[bytes]) -> list[dict]:
    assert done.returncode == 0, done.stderr.decode()
    found: list[dict] = json.loads(done.stdout.decode())
    return found


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "b.txt").write_text(ALICE)
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "empty.pdf").write_bytes(b"")
    (tmp_path / "a" / ".DS_Store").write_bytes(b"litter")
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
        archive.writestr("inner.txt", ALICE)
    os.mkfifo(tmp_path / "pipe.pdf")
    return tmp_path


def test_a_folder_gives_a_document_for_every_file_in_it_by_name(folder):
    found = documents(parse(folder))
    names = [Path(document["file"]).relative_to(folder).as_posix() for document in found]
    assert names == ["a/empty.pdf", "b.txt", "z.zip!inner.txt"]
    assert [document["outcome"] for document in found] == ["rejected", "completed", "completed"]
    assert found[0]["failure"]["code"] == "empty_file"


def test_a_pipe_named_by_hand_is_refused_and_not_waited_for(folder):
    assert documents(parse(folder / "pipe.pdf"))[0]["failure"]["code"] == "unsupported_format"


def test_a_device_without_end_is_refused():
    assert documents(parse("/dev/zero"))[0]["outcome"] == "rejected"


def test_the_same_file_gives_the_same_document_but_for_its_timings(folder):
    one, other = (documents(parse(folder / "b.txt"))[0] for _ in range(2))
    assert one.pop("timings")
    assert other.pop("timings")
    assert json.dumps(one) == json.dumps(other)


def test_lines_of_json_are_one_document_each(folder):
    done = parse("--jsonl", folder / "b.txt", folder / "z.zip")
    assert [json.loads(line)["outcome"] for line in done.stdout.splitlines()] == ["completed", "completed"]


@pytest.mark.parametrize("arguments", [["/no/such/file.pdf"], [""], ["--jobs", "0", "x"], ["--as-of", "yesterday", "x"], []])
def test_wrong_usage_ends_with_two(arguments):
    assert parse(*arguments).returncode == 2


def test_a_name_that_is_no_text_comes_out_as_valid_json_and_leads_back_to_the_file(tmp_path):
    name = os.fsencode(tmp_path) + b"/bad\xff\xfe.txt"
    Path(os.fsdecode(name)).write_text(ALICE)
    found = documents(parse(tmp_path))
    assert os.fsencode(found[0]["file"]) == name


def test_an_empty_folder_gives_an_empty_array(tmp_path):
    assert documents(parse(tmp_path)) == []
