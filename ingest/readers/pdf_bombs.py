"""Streams of a small PDF that unpack without end: looked for before pdfium opens the file, which follows them as far as they go.

Forms that draw each other without end are left to the sandbox's limits of time and memory.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from contextlib import suppress

from resumes.taxonomy import ResumeError

_STREAM = re.compile(rb"\bstream\r?\n")
_ENTRIES_WITHIN = 2000
"""Bytes before a stream in which what is said of it stands."""
_FLATE = re.compile(rb"/(?:FlateDecode|Fl)\b")
_PICTURE = re.compile(rb"/Subtype\s*/Image\b")
"""Pictures have a limit of their own, in pixels, checked before they are drawn."""
_MOST_UNPACKED = 100_000_000
"""Bytes of all long streams together. The text of a page has thousandths of it, a font with all Chinese letters a fifth."""
_SHORT = 65_536
"""Bytes; packed once they unpack to less than the limit, whatever they hold."""
_CHUNK = 1 << 20


def check_streams(content: bytes) -> None:
    """See to it that the streams of a PDF unpack within measure. Raises ResumeError(too_large)."""
    left = _MOST_UNPACKED
    for entries, data in _streams(content):
        rounds = len(_FLATE.findall(entries))
        if rounds and (rounds > 1 or len(data) > _SHORT) and not _PICTURE.search(entries):
            left -= _unpacked_size(data, rounds, left)
            if left < 0:
                raise ResumeError("too_large", "a stream unpacks to more than the limit")


def _streams(content: bytes) -> Iterator[tuple[bytes, memoryview]]:
    """Each stream as it is stored, with what is said of it before."""
    view = memoryview(content)
    for match in _STREAM.finditer(content):
        start = content.rfind(b"obj", max(0, match.start() - _ENTRIES_WITHIN), match.start())
        end = content.find(b"endstream", match.end())
        yield content[max(0, start) : match.start()], view[match.end() : end if end >= 0 else len(content)]


def _unpacked_size(data: bytes | memoryview, rounds: int, most: int) -> int:
    """What a stream unpacks to in so many rounds, in bytes; something above `most` where it is more."""
    for last in [*[False] * (rounds - 1), True]:
        unpacker, kept, size = zlib.decompressobj(), bytearray(), 0
        with suppress(zlib.error):
            while data and not unpacker.eof and size <= most:
                piece = unpacker.decompress(data, _CHUNK)
                size += len(piece)
                kept += b"" if last else piece
                data = unpacker.unconsumed_tail
        if last or size > most:
            return size
        data = bytes(kept)
    return 0
