"""Running headers and footers: lines that stand at the same edge of several pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import repeat

from ingest.page import Line, Page

_EDGE = 0.09
"""Share of the page's height in which a running line may stand."""
PAGE_NUMBER = re.compile(
    r"\W*(?:(?:page|p\.|стр(?:аница|\.)?|第)\s*)?\d{1,3}(?:\s*(?:of|из|/|页|共|[-–—])[\s,，/共]*(?:\d{1,3}\s*页?)?)?\W*",
    re.IGNORECASE,
)


def mark_running(pages: Sequence[Page]) -> tuple[Page, ...]:
    """Pages with the style `header` or `footer` on lines repeated at one edge of several pages, and on page numbers."""
    edges = [[_edge(line) for line in page.lines] for page in pages]
    seen: dict[tuple[str, str], set[int]] = {}
    for page, along in zip(pages, edges, strict=True):
        for line, edge in zip(page.lines, along, strict=True):
            if edge:
                seen.setdefault((edge, _key(line)), set()).add(page.number)
    return tuple(
        replace(page, lines=tuple(map(_marked, page.lines, along, repeat(seen)))) if any(along) else page
        for page, along in zip(pages, edges, strict=True)
    )


def _marked(line: Line, edge: str, seen: dict[tuple[str, str], set[int]]) -> Line:
    if edge and (len(seen[edge, _key(line)]) > 1 or PAGE_NUMBER.fullmatch(line.text)):
        return replace(line, style=edge)
    return line


def _edge(line: Line) -> str:
    box = line.box
    if box is None or line.style or line.cell:
        return ""
    if box.y1 < _EDGE:
        return "header"
    return "footer" if box.y0 > 1 - _EDGE else ""


def _key(line: Line) -> str:
    return re.sub(r"\d+", "0", line.text).casefold()
