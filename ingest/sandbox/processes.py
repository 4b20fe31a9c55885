"""Looking at and ending processes by number, through /proc: what a process with all it started holds, killing a group."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def resident_bytes(pid: int) -> int:
    """Resident memory of the process and its descendants; 0 for one that is gone."""
    return held_by(pid)[0]


def held_by(pid: int) -> tuple[int, int]:
    """Resident memory of the process and its descendants, and how many they are together."""
    members = list(_with_descendants(pid))
    return sum(map(_resident, members)), len(members)


def folder_bytes(folder: Path) -> int:
    """Size of all files below a folder that others are writing to."""
    total = 0
    for where, _folders, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += Path(where, name).lstat().st_blocks * 512
    return total


def kill_group(group: int) -> None:
    """End every process of the group at once; one that is gone already is fine."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * _PAGE_BYTES
    except (OSError, IndexError):
        return 0


def _with_descendants(pid: int) -> Iterator[int]:
    yield pid
    try:
        threads = list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return
    for thread in threads:
        try:
            children = (thread / "children").read_bytes().split()
        except OSError:
            continue
        for child in children:
            yield from _with_descendants(int(child))
