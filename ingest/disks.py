"""Disks: how much room is left where data, files and temporary files lie."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

LOW = 0.1
"""Less free than this share is told to operators."""
TIGHT_BYTES = 500 << 20
"""Less than this, and uploads will soon be refused."""


@dataclass(frozen=True, slots=True)
class Room:
    """What is free on one disk."""

    name: str
    """`data`, `files` or `temporary`: what lies there, the first where it is several of them."""
    folder: Path
    free: int
    total: int

    @property
    def share(self) -> float:
        return self.free / self.total if self.total else 1.0

    @property
    def free_gb(self) -> str:
        return f"{self.free / (1 << 30):.1f}"


def rooms() -> Iterator[Room]:
    """Each disk once."""
    folders = {"data": settings.GLEANER_HOME, "files": Path(settings.GLEANER_STORAGE), "temporary": Path(tempfile.gettempdir())}
    seen: set[int] = set()
    for name, folder in folders.items():
        if not folder.is_dir() or folder.stat().st_dev in seen:  # a bucket is no folder
            continue
        seen.add(folder.stat().st_dev)
        usage = shutil.disk_usage(folder)
        yield Room(name, folder, usage.free, usage.total)
