"""The engine that reads nothing: for installations without OCR, and for tests of what comes after it."""

from __future__ import annotations

from PIL import Image

from ingest.ocr import Ability, Script
from ingest.page import Word


def ability() -> Ability:
    """It takes every script and is always there."""
    return Ability(scripts=frozenset(Script), available=True, seconds_per_page=0.0, deadline_s=10.0)


def read(_image: Image.Image, _scripts: frozenset[Script]) -> tuple[Word, ...]:
    """No words."""
    return ()
