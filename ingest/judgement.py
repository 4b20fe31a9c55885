"""What a page's own text layer is worth: read it, or look at the picture.

Judges from plain facts (words, pictures, a small rendering made only on demand), so it serves any reader with pages.
Where the verdict leads (OCR, review) is decided elsewhere; the figures behind it stay in `Page.notes`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ingest.garble import garble_of
from ingest.page import Box, TextQuality, Word

Ink = npt.NDArray[np.bool_]
"""A small rendering, True at edges: where a pixel differs much from the one to its left. Type is all edges, areas of
colour have few."""

_LETTER = re.compile(r"[^\W_]")
_GARBLED_SHARE = 0.1
"""A tenth: enough for a name and the headings, which is what a font without a character map usually sets."""
_FEW_LETTERS = 40
_LARGE_PICTURE = 0.35
"""Share of the page from which a picture may be a scan with the text in it."""
_CARRIER = 0.1
"""Share of the page from which a picture beside the text may carry text of its own; portraits cover a fortieth."""
_FEW_INSIDE = 0.1
"""Share of the words that may stand on a picture that carries text of its own."""
_LINES_INK = 0.002
"""Share of the page's edges that about three short lines of type make."""
BLANK_INK = 0.0004
"""Share of edges up to which a page counts as blank: dust of a scanner, a stray rule."""
_EDGE = 50
"""Grey levels (of 255) between neighbours that make an edge: above the grain of scanned paper, below faint type."""
_DENSE_INK = 0.01
"""Share of edges that a few lines of type make; less beside the words is decoration."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a reader knows of a page before judging it. Boxes are fractions of the page."""

    texts: Sequence[str]
    """What people can see, as the file maps it, font by font."""
    words: Sequence[Word]
    """Words people can see."""
    invisible: Sequence[Word]
    """Words in the file that nobody sees: an OCR layer where a picture stands in their place."""
    pictures: Sequence[Box]
    drawings: int
    """How many vector paths the page draws."""
    ink: Callable[[], Ink]
    """Renders the page small; costs about a hundredth of a second, so it is called for suspicious pages only."""


def judge(facts: Facts) -> tuple[TextQuality, Mapping[str, float]]:
    """The quality of the page's text layer and the figures it rests on."""
    letters = sum(len(_LETTER.findall(word.text)) for word in facts.words)
    # Scanners cut pages into strips, so it is the sum that counts.
    picture = min(1.0, sum(box.width * box.height for box in facts.pictures))
    notes: dict[str, float] = {"letters": letters, "picture": round(picture, 3)}
    garble = garble_of(facts.texts)
    if garble.letters:
        notes["garbled"] = round(garble.share, 3)
    if garble.share >= _GARBLED_SHARE:
        return TextQuality.GARBLED, notes
    if letters >= _FEW_LETTERS and not any(box.width * box.height >= _CARRIER for box in facts.pictures):
        return TextQuality.GOOD, notes
    if not letters and not facts.pictures and not facts.drawings and not facts.invisible:
        return TextQuality.BLANK, notes
    return _judged_by_ink(facts, letters, picture, notes), notes


def _judged_by_ink(facts: Facts, letters: int, picture: float, notes: dict[str, float]) -> TextQuality:
    ink = facts.ink()
    notes["ink"] = round(float(ink.mean()), 5)
    invisible = sum(len(word.text) for word in facts.invisible)
    notes["invisible"] = invisible
    if notes["ink"] < BLANK_INK and not letters:
        return TextQuality.HIDDEN if invisible else TextQuality.BLANK
    covered = ink.copy()
    _blank_out(covered, facts.words)
    rest = float(covered.mean())
    notes["uncovered"] = round(rest, 5)
    if invisible > letters and picture >= _LARGE_PICTURE:
        return TextQuality.CONTRADICTING
    if not letters:
        return TextQuality.ABSENT
    if rest > max(_DENSE_INK, 0.5 * notes["ink"]) and (picture >= _LARGE_PICTURE or letters < _FEW_LETTERS):
        return TextQuality.SPARSE
    notes["pictured"] = round(_ink_in(covered, [box for box in facts.pictures if _is_beside(box, facts.words)]), 5)
    return TextQuality.SPARSE if notes["pictured"] >= _LINES_INK else TextQuality.GOOD


INK_PIXELS = 700
"""Longer side of the small rendering."""


def edges(pixels: npt.NDArray[np.int16]) -> Ink:
    """The edges in a grey rendering (rows by columns, 0 to 255), as `Facts.ink` gives them."""
    ink: Ink = np.zeros(pixels.shape, dtype=np.bool_)
    ink[:, 1:] = np.abs(np.diff(pixels, axis=1)) > _EDGE
    return ink


def _is_beside(picture: Box, words: Sequence[Word]) -> bool:
    """Whether the text stands beside the picture and not on it, as it does on a page's background."""
    boxes = [word.box for word in words if word.box]
    inside = sum(
        picture.x0 <= (box.x0 + box.x1) / 2 <= picture.x1 and picture.y0 <= (box.y0 + box.y1) / 2 <= picture.y1 for box in boxes
    )
    return inside <= _FEW_INSIDE * len(boxes)


def _ink_in(ink: Ink, pictures: Sequence[Box]) -> float:
    """The edges in pictures that may carry text, as a share of the page."""
    height, width = ink.shape
    inside: Ink = np.zeros(ink.shape, dtype=np.bool_)
    for x0, y0, x1, y1 in pictures:
        if (x1 - x0) * (y1 - y0) >= _CARRIER:
            # Not the rim: the edge of a picture is no writing.
            inside[int(y0 * height) + 2 : int(y1 * height) - 1, int(x0 * width) + 2 : int(x1 * width) - 1] = True
    return float((ink & inside).mean())


def _blank_out(ink: Ink, words: Sequence[Word]) -> None:
    height, width = ink.shape
    for word in words:
        if word.box is not None:
            x0, y0, x1, y1 = word.box
            ink[max(0, int(y0 * height) - 1) : int(y1 * height) + 2, max(0, int(x0 * width) - 1) : int(x1 * width) + 2] = False
