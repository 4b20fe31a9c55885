"""Opens the directory of a ZIP file without trusting it: the one place that hands out `zipfile.ZipFile` objects.

A directory can be larger than memory although every entry is empty, so its size is looked at before it is read.
What entries unpack to is the reader's business (`ingest.readers.zipsafe`).
"""

from __future__ import annotations

import struct
import zipfile
from typing import BinaryIO

from resumes.taxonomy import ResumeError

MAX_DIRECTORY_BYTES = 16_000_000
"""Some 200,000 entries; far above every limit on entries."""
_END = struct.Struct("<4s4H2LH")
_END_SIGNATURE = b"PK\x05\x06"
_SPLIT_SIGNATURE, _ENTRY_SIGNATURE = b"PK\x07\x08", b"PK\x03\x04"
_IN_ZIP64 = 0xFFFF
"""A number that stands in another record."""
_LOCKED = 0x1


def open_directory(file: BinaryIO) -> zipfile.ZipFile:
    """Read the central directory of a seekable file. Raises ResumeError (corrupt, archive_unsafe)."""
    size = file.seek(0, 2)
    file.seek(max(0, size - (1 << 16) - _END.size))
    tail = file.read()
    at = tail.rfind(_END_SIGNATURE)
    if at >= 0 and len(tail) - at >= _END.size:
        directory_bytes = _END.unpack_from(tail, at)[5]
        if MAX_DIRECTORY_BYTES < directory_bytes < 0xFFFFFFFF:
            raise ResumeError("archive_unsafe", "the directory of the archive is too large")
        if directory_bytes == 0xFFFFFFFF and size > MAX_DIRECTORY_BYTES * 40:
            raise ResumeError("archive_unsafe", "a ZIP64 archive beyond the limit")
    file.seek(0)
    if _is_volume(file.read(8), tail[at:] if at >= 0 else b""):
        raise ResumeError("corrupt", "one volume of an archive in several parts; it takes all of them in one file")
    file.seek(0)
    try:
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OverflowError, struct.error, EOFError) as exc:
        raise ResumeError("corrupt", "the directory of the archive cannot be read") from exc


def _is_volume(start: bytes, end: bytes) -> bool:
    """Whether an archive goes on in other files, by its first bytes and the record at its end (empty: there is none)."""
    if len(end) < _END.size:
        return start == _SPLIT_SIGNATURE + _ENTRY_SIGNATURE
    _, disk, directory_disk, *_ = _END.unpack_from(end)
    return _IN_ZIP64 not in (disk, directory_disk) and (disk > 0 or directory_disk > 0)


def is_locked(entry: zipfile.ZipInfo) -> bool:
    """Whether an entry needs a password."""
    return bool(entry.flag_bits & _LOCKED)
