"""Who holds the sandboxes of a process: one of each kind for each thread that asks, made when first asked for.

A forked worker makes its own (see `Sandbox`), a thread's are ended with the thread, all are ended with the process.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from types import MappingProxyType

from ingest.sandbox import Sandbox

MEMORY_BYTES: Mapping[str, int] = MappingProxyType({"reader": 1 << 30, "ocr": 3 << 30})
"""Kinds of sandboxes and what each may hold. OCR models and page pictures need more than parsing ever should."""

_held = threading.local()


def sandbox_for(kind: str) -> Sandbox:
    """The calling thread's own sandbox of a kind (`reader`, `ocr`). Calls of other threads run beside it in theirs."""
    sandboxes: dict[str, Sandbox] = _held.__dict__.setdefault("sandboxes", {})
    if kind not in sandboxes:
        sandboxes[kind] = Sandbox(memory_bytes=MEMORY_BYTES[kind], name=kind)
    return sandboxes[kind]


def close_sandboxes() -> None:
    """End the calling thread's sandboxes; the next call starts anew."""
    for sandbox in _held.__dict__.pop("sandboxes", {}).values():
        sandbox.close()
