"""What a PDF file as a whole can do to text: layers that are switched off, soft masks, modes of blending.

A quick look at its bytes; a false alarm costs a drawing of some pages.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

_LAYERS = b"/OCProperties"
_PACKS = b"/ObjStm"
_PACK = re.compile(rb"/ObjStm\b[^\x00]{0,400}?stream\r?\n")
_OFF = re.compile(rb"/OFF\b(?!\s*\[\s*\])")
_MIXING = re.compile(rb"/Luminosity\b|/S\s*/Alpha\b|/BM\s*(?!\s*/(?:Normal|Compatible)\b)")
"""Soft masks by their kinds, and modes of blending other than covering what is behind. `/BM` may also point elsewhere."""
_MOST_PACKS, _MOST_PACKED = 200, 1 << 20
"""How many packs of objects are looked at, and how many bytes of each."""


@dataclass(frozen=True, slots=True)
class Traits:
    """Whether some text of a file may not be on its pages."""

    layers_off: bool
    """The file names layers that are off to begin with."""
    mixed: bool
    """It has soft masks or modes of blending, or cannot be looked into."""


def traits_of(path: Path) -> Traits:
    """The traits of the file at `path`."""
    content = path.read_bytes()
    parts = [content]
    if _PACKS in content:
        parts += islice(_unpacked(content), _MOST_PACKS)
    layers_off = any(_LAYERS in part for part in parts) and any(_OFF.search(part) for part in parts)
    return Traits(layers_off, mixed=b"" in parts or any(_MIXING.search(part) for part in parts))


def _unpacked(content: bytes) -> Iterator[bytes]:
    """Objects packed in object streams, where writers keep the catalogue since PDF 1.5; nothing for those that do not open."""
    view = memoryview(content)
    for match in _PACK.finditer(content):
        try:
            yield zlib.decompressobj().decompress(view[match.end() :], _MOST_PACKED)
        except zlib.error:
            yield b""
