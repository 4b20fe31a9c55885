"""Unpacks entries of ZIP containers under limits, counting the bytes that really come out.

The sizes in a ZIP directory are claims of whoever made the file, so nothing here relies on them to be true; they only
serve to refuse early. Archives, Word and OpenDocument files all unpack through here.
"""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from ingest.readers import ReadLimits
from resumes.taxonomy import ResumeError
from resumes.zipdirectory import is_locked, open_directory

RATIO_FLOOR_BYTES = 50_000_000
"""Up to here the ratio says nothing: sound small XML parts and blank bitmaps pack 200:1."""
XML_PART_BYTES = 32_000_000
"""Of one XML part of a document; its tree takes ten times that in memory. The text of a book is 2 MB."""
_CHUNK = 1 << 18
# What `zipfile` and the decompressors behind it raise for damaged entries.
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError, RuntimeError)


class _Budget:
    """What a container may still unpack to."""

    def __init__(self, packed: int, limits: ReadLimits) -> None:
        self.left = min(limits.max_unpacked_bytes, max(RATIO_FLOOR_BYTES, packed * limits.max_ratio))

    def spend(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise ResumeError("archive_unsafe", "the container unpacks to more than the limit")


class Unpacker:
    """One ZIP container being unpacked. The limits hold for everything read through it, nested containers included."""

    def __init__(self, file: BinaryIO, limits: ReadLimits, outer: Unpacker | None = None) -> None:
        """Open `file`. With `outer`, what is unpacked counts against that container's limits. Raises ResumeError."""
        self._zip = open_directory(file)
        self.budget: _Budget = outer.budget if outer else _Budget(file.seek(0, 2), limits)
        if sum(entry.file_size for entry in self.entries) > self.budget.left:
            raise ResumeError("archive_unsafe", "the container claims to unpack to more than the limit")
        self._names = {_fold(entry.filename): entry for entry in reversed(self._zip.infolist())}

    @property
    def entries(self) -> list[zipfile.ZipInfo]:
        return self._zip.infolist()

    def has(self, name: str) -> bool:
        return _fold(name) in self._names

    def part(self, name: str, most: int = XML_PART_BYTES) -> bytes | None:
        """A part of a document by name, None where it is not there. Raises ResumeError."""
        entry = self._names.get(_fold(name))
        return None if entry is None else self.unpack(entry, most)

    def unpack(self, entry: zipfile.ZipInfo, most: int) -> bytes:
        """The content of an entry of at most `most` bytes. Raises ResumeError(encrypted, corrupt, too_large, archive_unsafe)."""
        chunks: list[bytes] = []
        length = 0
        for chunk in self._chunks(entry):
            length += len(chunk)
            if length > most:
                raise ResumeError("too_large", "an entry of the container is larger than the limit")
            chunks.append(chunk)
        return b"".join(chunks)

    def drain(self, entry: zipfile.ZipInfo) -> None:
        """Unpack an entry and keep nothing, to see that it can be done within the limits. Raises ResumeError."""
        for _ in self._chunks(entry):
            pass

    def start_of(self, entry: zipfile.ZipInfo, size: int) -> bytes:
        """The first bytes of an entry; empty where it is damaged."""
        try:
            with self._zip.open(entry) as stream:
                return stream.read(size)
        except _DAMAGE:
            return b""

    def _chunks(self, entry: zipfile.ZipInfo) -> Iterator[bytes]:
        if is_locked(entry):
            raise ResumeError("encrypted", "an entry of the container needs a password")
        try:
            with self._zip.open(entry) as stream:
                while chunk := stream.read(_CHUNK):
                    self.budget.spend(len(chunk))
                    yield chunk
        except _DAMAGE as exc:
            raise ResumeError("corrupt", "an entry of the container is damaged") from exc


def _fold(name: str) -> str:
    """Part names are compared without case, and some writers use backslashes."""
    return posixpath.normpath(name.replace("\\", "/")).lstrip("/").casefold()
