"""ZIP archives: the documents inside, checked before the first of them is handed out.

An archive is unsafe as a whole (too much, too many, too deep, paths that lead outside); an entry that is locked or
damaged fails alone. Nothing is written to disk here.
"""

from __future__ import annotations

import io
import re
import stat
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from ingest.readers import Member, ReadLimits
from ingest.readers.zipsafe import Unpacker
from resumes.charset import decode
from resumes.sniff import ZIP, sniff
from resumes.taxonomy import ResumeError
from resumes.zipdirectory import is_locked

_LITTER_NAMES = re.compile(
    r"\.ds_store|thumbs\.db|desktop\.ini|\._.*|~\$.*|\.~lock\..*|\.directory|\.apdisk|icon\r", re.IGNORECASE
)
_LITTER_FOLDERS = frozenset(("__macosx", ".git", ".svn", ".spotlight-v100", ".trashes", "@eadir", "$recycle.bin"))
_OUTSIDE = re.compile(r"^[/\\]|^[a-zA-Z]:[/\\]|(?:^|[/\\])\.\.(?:[/\\]|$)")
"""Absolute, or on its way up. Characters some systems do not allow in names do no harm: names are shown, never opened."""
_NO_FILES = frozenset({stat.S_IFLNK, stat.S_IFIFO, stat.S_IFSOCK, stat.S_IFCHR, stat.S_IFBLK})
_INNER_ARCHIVE_BYTES = 200_000_000
_UTF8_NAME = 0x800
_UNICODE_PATH = 0x7075


def members(path: Path, limits: ReadLimits) -> Iterator[Member]:
    """The documents in the archive, those of archives inside it among them (`inner.zip!cv.pdf`).

    Raises ResumeError before the first member: archive_unsafe, corrupt, encrypted (every entry is), empty_file (no
    entry at all).
    """
    with path.open("rb") as file:
        _check(file, limits)
        yield from _members(Unpacker(file, limits), limits, 1)


def members_of(data: bytes, limits: ReadLimits) -> Iterator[Member]:
    """The same for an archive that is attached to a mail."""
    _check(io.BytesIO(data), limits)
    yield from _members(Unpacker(io.BytesIO(data), limits), limits, 1)


def entry_name(entry: zipfile.ZipInfo) -> str:
    """The name of an entry. Archivers store names in UTF-8, or in the code page of their writer without saying which."""
    path = _unicode_path(entry.extra)
    if path:
        return path
    if entry.flag_bits & _UTF8_NAME:
        return entry.filename
    return decode(entry.orig_filename.encode("cp437", "replace")).replace("\0", "")


def is_litter(name: str) -> bool:
    """Whether a file is something desktop systems leave behind, not a document."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return not parts or bool(_LITTER_NAMES.fullmatch(parts[-1])) or any(part.lower() in _LITTER_FOLDERS for part in parts[:-1])


# -- the check ----------------------------------------------------------------------------------------------------


def _check(file: BinaryIO, limits: ReadLimits) -> None:
    """Unpack everything once and keep nothing. Costs seconds at the limit, and only then is an archive known to be safe."""
    count = _check_entries(Unpacker(file, limits), limits, 1, 0)
    if not count:
        raise ResumeError("empty_file", "the archive holds no documents")


def _check_entries(unpacker: Unpacker, limits: ReadLimits, depth: int, count: int) -> int:
    """Check one archive and those inside; returns the number of files seen so far."""
    if depth > limits.max_depth:
        raise ResumeError("archive_unsafe", "archives are nested too deeply")
    entries = unpacker.entries
    if count + len(entries) > limits.max_entries:
        raise ResumeError("archive_unsafe", "more entries than the limit")
    if any(_OUTSIDE.search(entry_name(entry)) or _OUTSIDE.search(entry.filename) for entry in entries):
        raise ResumeError("archive_unsafe", "the path of an entry leads out of the archive")
    files = list(_files(unpacker))
    if files and all(is_locked(entry) for entry, _ in files) and depth == 1:
        raise ResumeError("encrypted", "every entry of the archive needs a password")
    count += len(files)
    for entry, name in files:
        if is_locked(entry) or _is_no_file(entry):
            continue
        try:
            inner = _inner(unpacker.unpack(entry, _INNER_ARCHIVE_BYTES), name) if _may_be_archive(unpacker, entry) else None
            if inner is None:
                unpacker.drain(entry)
            else:
                count = _check_entries(Unpacker(inner, limits, unpacker), limits, depth + 1, count)
        except ResumeError as error:
            if error.code == "archive_unsafe":
                raise
    return count


# -- the members --------------------------------------------------------------------------------------------------


def _members(unpacker: Unpacker, limits: ReadLimits, depth: int, prefix: str = "") -> Iterator[Member]:
    for entry, name in _files(unpacker):
        shown = f"{prefix}{name}"
        if _is_no_file(entry):
            yield Member(shown, b"", "unsupported_format")
            continue
        try:
            is_archive = _may_be_archive(unpacker, entry)
            content = unpacker.unpack(entry, _INNER_ARCHIVE_BYTES if is_archive else limits.max_file_bytes)
            inner = _inner(content, name) if is_archive else None
            if inner is not None:
                yield from _members(Unpacker(inner, limits, unpacker), limits, depth + 1, f"{shown}!")
            elif len(content) > limits.max_file_bytes:
                yield Member(shown, b"", "too_large")
            else:
                yield Member(shown, content, "" if content else "empty_file")
        except ResumeError as error:
            if error.code == "archive_unsafe":
                raise
            yield Member(shown, b"", error.code)


def _files(unpacker: Unpacker) -> Iterator[tuple[zipfile.ZipInfo, str]]:
    """Entries with their names, folders and litter left out."""
    for entry in unpacker.entries:
        name = entry_name(entry)
        if not entry.filename.endswith("/") and not is_litter(name):
            yield entry, name


def _is_no_file(entry: zipfile.ZipInfo) -> bool:
    """Whether it is a link or a device: there is nothing of its own in it."""
    return stat.S_IFMT(entry.external_attr >> 16) in _NO_FILES


def _may_be_archive(unpacker: Unpacker, entry: zipfile.ZipInfo) -> bool:
    return not is_locked(entry) and unpacker.start_of(entry, 4)[:2] == b"PK"


def _inner(content: bytes, name: str) -> io.BytesIO | None:
    """The entry as an archive, None where it is a document (Word files are ZIPs too) or nothing that can be told."""
    try:
        return io.BytesIO(content) if sniff(content, name).media_type == ZIP else None
    except ResumeError as error:
        if error.code == "archive_unsafe":
            raise
        return None


def _unicode_path(extra: bytes) -> str:
    """The name in the extra field that Info-ZIP and others write beside a name in a code page."""
    at = 0
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, at)
        if kind == _UNICODE_PATH and size > 5:
            return extra[at + 9 : at + 4 + size].decode("utf-8", "replace")
        at += 4 + size
    return ""
