"""Pages for layout tests, set like type: text at a place, in points, on a page of 600 by 800."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from ingest.page import Box, Source, Word

WIDTH, HEIGHT = 600.0, 800.0


def _advance(char: str) -> float:
    return 1.0 if char >= "\u2e80" else 0.3 if char in " .,:;|il" else 0.52


@dataclass
class Sheet:
    """Collects words; each text is cut at its spaces and set from left to right."""

    words: list[Word] = field(default_factory=list)

    def put(self, text: str, x: float, y: float, size: float = 10, *, bold: bool = False, spacing: float = 0.0) -> Sheet:
        """Set `text` with its top left corner at x, y; `spacing` in points goes after each character."""
        letters = list(text) if spacing else text.split(" ")
        for part in letters:
            width = sum(map(_advance, part)) * size
            if part.strip():
                box = Box(x / WIDTH, y / HEIGHT, (x + width) / WIDTH, (y + 1.17 * size) / HEIGHT)
                self.words.append(Word(part, box, size, bold, source=Source.TEXT))
            x += width + (spacing or 0.3 * size)
        return self

    def column(self, texts: list[str], x: float, y: float, pitch: float = 14, size: float = 10) -> Sheet:
        """Lines below each other; an empty text leaves a line out, one that starts with `#` is a bold heading."""
        for number, text in enumerate(texts):
            if text:
                self.put(text.lstrip("#"), x, y + number * pitch, size, bold=text.startswith("#"))
        return self


def as_read_from_pixels(words: list[Word], slope: float, chance: random.Random) -> list[Word]:
    """The words the way an OCR engine gives them: cut close, uneven, on a page that lies a little aslant, in any order."""
    read = []
    for word in words:
        assert word.box is not None
        x0, y0, x1, y1 = word.box
        height = y1 - y0
        fall = slope * (x0 + x1) / 2 * WIDTH / HEIGHT
        top = y0 + (0.16 + chance.uniform(-0.04, 0.04)) * height + fall
        bottom = y1 - (0.14 + chance.uniform(-0.04, 0.04)) * height + fall
        read.append(Word(word.text, Box(x0, top, x1, bottom), source=Source.OCR, confidence=0.93))
    chance.shuffle(read)
    return read
