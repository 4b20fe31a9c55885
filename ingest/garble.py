"""Whether text is what a person wrote, or glyphs mapped to the wrong characters.

A PDF can show the right shapes and carry the wrong characters: no map at all, glyph numbers taken for letters, one code
page read as another, code points shifted. Judged by what all writing has in common, never by a list of words.
"""

from __future__ import annotations

import unicodedata


def garbled_share(text: str) -> float:
    """How much of the text looks wrongly mapped, 0 to 1; 0.5 and more is not to be relied on."""
    letters = [char for char in text if not char.isspace()]
    if not letters:
        return 0.0
    broken = sum(char == "\ufffd" or unicodedata.category(char) in ("Co", "Cn", "Cc") for char in letters) / len(letters)
    return min(1.0, broken * 2)
