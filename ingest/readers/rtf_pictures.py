"""The pictures of an RTF document, written out in hexadecimal digits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ingest.page import Picture

_A4_TWIPS = 11906 * 16838


class Pictures:
    """Collects the digits of the picture at hand, and the pictures that are done. JPEG and PNG; metafiles are left out."""

    def __init__(self) -> None:
        self.contents: list[bytes] = []
        self.digits: list[bytes] = []
        """Of the picture at hand, in pieces, with whatever white space."""
        self.measures: dict[str, int] = {}
        """What is said of the picture at hand, by control word."""

    def end(self) -> Iterator[Picture]:
        """Close the picture at hand; gives it where it is one."""
        digits = re.sub(rb"[^0-9a-fA-F]", b"", b"".join(self.digits))
        self.digits.clear()
        content = bytes.fromhex(digits[: len(digits) & ~1].decode("ascii"))
        measures, self.measures = self.measures, {}
        if content.startswith((b"\xff\xd8\xff", b"\x89PNG")):
            area = measures.get("picwgoal", 0) * measures.get("pichgoal", 0)
            area = area * measures.get("picscalex", 100) * measures.get("picscaley", 100) // 10_000
            self.contents.append(content)
            yield Picture(None, str(len(self.contents) - 1), round(min(1.0, max(0, area) / _A4_TWIPS), 3))
