"""Words set large across others: watermarks and monograms, which belong to no line of the text they lie over."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from ingest.layout.pieces import Piece
from ingest.page import Source

_LARGE = 2.0
"""Times the usual size of type; headings are as large, but lie over nothing."""
_CAPITAL_EM = 0.7
"""Height of capitals above the baseline, in sizes of type."""
_MOST = 60
"""Words of a page. Where more are set large, that is how the page is set."""


def apart_from_overlays(pieces: list[Piece]) -> tuple[list[Piece], list[Piece]]:
    """The pieces that stand in lines, and those that lie over others. Nothing lies over anything in what pixels show."""
    if not pieces or pieces[0].word.source is Source.OCR:
        return pieces, []
    sizes = [piece.word.size for piece in pieces if piece.word.size]
    least = _LARGE * statistics.median_low(sizes) if sizes else 0.0
    large = [piece for piece in pieces if least and (piece.word.size or 0.0) >= least]
    if len(large) > _MOST:
        return pieces, []
    places = {(piece.word.size, round(piece.base)) for piece in large if _lies_over_any(piece, pieces)}
    if not places:
        return pieces, []
    over = [piece for piece in large if (piece.word.size, round(piece.base)) in places]
    taken = {id(piece) for piece in over}
    return [piece for piece in pieces if id(piece) not in taken], over


def _lies_over_any(large: Piece, pieces: Sequence[Piece]) -> bool:
    """Whether the letters of a large piece run through the middle of one of half its size or less."""
    size = large.word.size or 0.0
    top = large.base - _CAPITAL_EM * size
    for piece in pieces:
        if top < (piece.y0 + piece.y1) / 2 < large.base and (piece.word.size or size) * _LARGE <= size:
            shared = min(large.x1, piece.x1) - max(large.x0, piece.x0)
            if shared > 0.5 * (piece.x1 - piece.x0):
                return True
    return False
