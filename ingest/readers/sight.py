"""Measures below which text is not seen, and places where nobody sees it: one judgement for every format.

Colours are judged in `ingest.readers.colors`; what pages of PDF and HTML can do besides stands with their readers.
"""

from __future__ import annotations

TINY_POINTS = 2.0
"""Nobody reads letters this small, and nobody but a cheat sets them; nor shows a box this low or narrow any."""
A4_POINTS = (595.0, 842.0)
_THIN_PER_CENT = 5.0
"""Letters drawn this narrow, in per cent of their width, are strokes."""


def is_tiny(points: float | None) -> bool:
    """Whether letters, lines or boxes of this size show nothing; None where the size is not known."""
    return points is not None and points <= TINY_POINTS


def is_thin(per_cent: float | None) -> bool:
    """Whether letters of this width in per cent of the usual are strokes only."""
    return per_cent is not None and 0 < per_cent <= _THIN_PER_CENT


def is_beyond(start: float, length: float, page: float, *, from_edge: bool = False) -> bool:
    """Whether a box stands beyond a page of that width or height, all in one unit.

    Counted from a paragraph or a column, not from the edge of the page, a place may be up to a page further on.
    """
    slack = 0.0 if from_edge else page
    return page > 0 and (start + length <= -slack or start >= page + slack)
