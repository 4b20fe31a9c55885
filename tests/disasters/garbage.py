"""It answers with look-alikes, sure of itself."""

from __future__ import annotations

from ingest.ocr import Ability, Script
from ingest.page import Box, Source, Word


def ability():
    return Ability(frozenset(Script), available=True, deadline_s=20.0)


def read(_image, _scripts):
    texts = ("nporpaMMMcT", "BpeMa", "Pa3pa6oTka", "onbIT", "pa6oTbl", "o6pa3oBaHMe")
    return tuple(
        Word(text, Box(0.1, 0.1 * row, 0.4, 0.1 * row + 0.03), source=Source.OCR, confidence=0.99)
        for row, text in enumerate(texts, 1)
    )
