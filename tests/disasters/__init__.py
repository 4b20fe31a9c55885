"""OCR engines that go wrong, one file each, and one that never does; registered the way every engine is."""

from __future__ import annotations

from ingest import ocr

NAMES = ("killed", "hanging", "garbage", "greedy", "steady")
ENGINES = {**ocr.ENGINES, **{name: f"tests.disasters.{name}" for name in NAMES}}
