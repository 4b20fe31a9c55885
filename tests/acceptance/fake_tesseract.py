"""A program named tesseract that reads the same page every time, fails when it is told to, and lets its calls be counted.

It takes the engine's place where the engine looks for it, on the PATH: everything between the routing table and the sandboxed
process is the real thing.
"""

from __future__ import annotations

import array
import fcntl
import os
import termios
from collections.abc import Sequence
from pathlib import Path

_READS = (
    "Alice Archer", "alice.archer@example.com", "+1 202 555 0143", "Work experience", "Lantern Books Ltd", "Editor",
    "March 2019 - Present", "Education", "University of Northmoor", "BA History", "2012 - 2015", "Skills",
    "Proofreading, InDesign, Copy editing",
)  # fmt: skip
_SCRIPT = """#!/bin/sh
if [ "$1" = --list-langs ]; then printf 'List of available languages (3):\\neng\\nchi_sim\\nrus\\n'; exit 0; fi
cat > /dev/null
{count}
if [ -e '{fault}' ]; then
  case $(cat '{fault}') in
    always) exit 1 ;;
    kill) kill -9 $PPID ;;
    half) [ $(($(od -An -N1 -tu1 /dev/urandom) % 2)) = 0 ] && exit 1 ;;
  esac
fi
case "$*" in
  *"--psm 6"*) cat '{addresses}' ;;
  *) cat '{table}' ;;
esac
"""


def install(folder: Path, *, fault: Path, counter: Path | None = None) -> Path:
    """Put the program into a folder and return that. What stands in `fault` says how it fails: always, half, kill."""
    folder.mkdir(parents=True, exist_ok=True)
    table, addresses = folder / "table.tsv", folder / "addresses.tsv"
    table.write_text(_table(_READS))
    addresses.write_text(_table(_READS[1:2]))  # what it is asked a second time
    # A call takes one byte out of the pipe; it may read here but, being in the sandbox, not write anywhere.
    count = f"head -c 1 < '{counter}' > /dev/null" if counter else ""
    program = folder / "tesseract"
    program.write_text(_SCRIPT.format(fault=fault, table=table, addresses=addresses, count=count))
    program.chmod(0o755)
    return folder


class Counting:
    """A pipe full of bytes, of which each call of the program takes one. Calls so far are `count`."""

    def __init__(self, path: Path, most: int = 4096) -> None:
        os.mkfifo(path)
        self._most = most
        self._pipe = os.open(path, os.O_RDWR)
        os.write(self._pipe, b"." * most)

    @property
    def count(self) -> int:
        left = array.array("i", [0])
        fcntl.ioctl(self._pipe, termios.FIONREAD, left)
        return self._most - left[0]

    def close(self) -> None:
        os.close(self._pipe)


def _table(lines: Sequence[str]) -> str:
    """Its answer in Tesseract's own form: level 5 rows are words."""
    rows = ["level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"]
    for line, text in enumerate(lines, 1):
        left = 60
        for number, word in enumerate(text.split(), 1):
            width = 12 * len(word)
            rows.append(f"5\t1\t1\t{line}\t{line}\t{number}\t{left}\t{40 + 50 * line}\t{width}\t24\t95\t{word}")
            left += width + 10
    return "\n".join(rows) + "\n"
