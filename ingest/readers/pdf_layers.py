"""Layers of a PDF (optional content): whether any is switched off, so that text of the file may not be on the page."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

_LAYERS = b"/OCProperties"
_PACKS = b"/ObjStm"
_PACK = re.compile(rb"/ObjStm\b[^\x00]{0,400}?stream\r?\n")
_OFF = re.compile(rb"/OFF\b(?!\s*\[\s*\])")
_MOST_PACKS, _MOST_PACKED = 200, 1 << 20
"""How many packs of objects are looked at, and how many bytes of each."""


def has_layers_off(path: Path) -> bool:
    """Whether the file names layers that are off to begin with. A quick look: a false alarm costs a drawing of each page."""
    content = path.read_bytes()
    parts = [content]
    if _PACKS in content:
        parts += islice(_unpacked(content), _MOST_PACKS)
    return any(_LAYERS in part for part in parts) and any(_OFF.search(part) for part in parts)


def _unpacked(content: bytes) -> Iterator[bytes]:
    """Objects packed in object streams, where writers keep the catalogue since PDF 1.5."""
    view = memoryview(content)
    for match in _PACK.finditer(content):
        try:
            yield zlib.decompressobj().decompress(view[match.end() :], _MOST_PACKED)
        except zlib.error:
            continue
