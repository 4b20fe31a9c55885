"""A storage that fails on demand: what stands in the file `storage-fault` of the home says how.

`every N`: each N-th read of a process fails as a disk does; `deny`: every read is refused.
"""

from __future__ import annotations

import errno
import itertools
import os
from pathlib import Path

from django.core.files.storage import FileSystemStorage

_reads = itertools.count(1)


class FaultyStorage(FileSystemStorage):
    def path(self, name: str) -> str:
        orders = Path(os.environ["GLEANER_HOME"], "storage-fault")
        order = orders.read_text().split() if orders.exists() else []
        match order:
            case ["deny"]:
                raise PermissionError(errno.EACCES, "the test says so")
            case ["every", number] if next(_reads) % int(number) == 0:
                raise OSError(errno.EIO, "the test says so")
        return super().path(name)
