"""Redaction: what a server complains about may quote what it was sent, and that never reaches a log."""

from __future__ import annotations

import re

_LONGEST = 200
_WORD = re.compile(r"[\w@.+'’-]*\w")
_HAN = re.compile(r"[㐀-鿿]")
_TELLING = re.compile(r"@|\d{3,}")


def without_personal_data(complaint: str, sent: str) -> str:
    """The words of a complaint that were not in what was sent, without addresses and long numbers; the others become `…`.

    Chinese has no marks between words, so a run of it goes where any of its characters was sent.
    """
    known = {word.casefold() for word in _WORD.findall(sent)} | {part.casefold() for part in re.findall(r"\w+", sent)}
    characters = frozenset(_HAN.findall(sent))

    def kept(found: re.Match[str]) -> str:
        word = found.group()
        parts = {word.casefold(), *(part.casefold() for part in re.findall(r"\w+", word))}
        known_han = any(char in characters for char in _HAN.findall(word))
        return "…" if parts & known or known_han or _TELLING.search(word) else word

    return re.sub(r"(?:…\s*)+", "… ", _WORD.sub(kept, " ".join(complaint.split())))[:_LONGEST].strip()
