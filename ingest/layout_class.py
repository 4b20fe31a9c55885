"""How a document is laid out, in one word: what kind of pages people must help with. Pure.

`scan`: most of its text was read from pictures. `table`: more of its lines stand in cells than do not. `columns`: blocks
stand side by side. `plain`: one line under the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ingest.page import Box, Page, Source, from_data, union_box

_BESIDE = 0.3
"""Share of the lower block's height that two blocks must share to stand side by side."""


def layout_class(reading: Mapping[str, Any]) -> str:
    """Of a reading as `page.to_data` writes it; empty where nothing was read."""
    pages = from_data(reading).pages
    lines = [line for page in pages for line in page.lines if line.words]
    if not lines:
        return ""
    words = [word for line in lines for word in line.words]
    if sum(word.source is Source.OCR for word in words) * 2 > len(words):
        return "scan"
    if sum(line.cell is not None for line in lines) * 2 > len(lines):
        return "table"
    return "columns" if any(map(_has_columns, pages)) else "plain"


def _has_columns(page: Page) -> bool:
    blocks: dict[int, list[Box]] = {}
    for line in page.lines:
        if line.box is not None:
            blocks.setdefault(line.block, []).append(line.box)
    extents = [extent for boxes in blocks.values() if len(boxes) > 1 and (extent := union_box(boxes))]
    return any(_beside(one, other) for at, one in enumerate(extents) for other in extents[at + 1 :])


def _beside(one: Box, other: Box) -> bool:
    shared = min(one.y1, other.y1) - max(one.y0, other.y0)
    apart = min(one.x1, other.x1) <= max(one.x0, other.x0)
    return apart and shared > _BESIDE * min(one.height, other.height)
