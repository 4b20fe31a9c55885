"""Two readings of one picture made into one: where both saw something the surer words, where one did its words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ingest.ocr.plausible import plausibility
from ingest.page import Box, Word

_SAME = 0.4
"""Share of the smaller of two boxes that lies in the other, from which both hold the same writing."""
_SURE = 0.5
"""Confidence from which what the second reading alone has seen is taken for writing, if it is more than a mark."""
_BY_LOOKS = 0.7
"""How much of the belief in a reading hangs on whether its words look like any."""


def combined(first: Sequence[Word], second: Sequence[Word]) -> tuple[Word, ...]:
    """The words of the first reading in its order, those of the second in their stead where they are better.

    What is the same writing is compared as a whole, since one reading may have cut in two what the other has in one.
    """
    places = _places(first, second)
    ours: dict[int, list[Word]] = {}
    theirs: dict[int, list[Word]] = {}
    order: list[int] = []
    for word, place in zip(first, places, strict=False):
        ours.setdefault(place, []).append(word)
        if place not in order:
            order.append(place)
    after = -1
    for word, place in zip(second, places[len(first) :], strict=True):
        theirs.setdefault(place, []).append(word)
        if place not in ours and place not in order and word.confidence >= _SURE and len(word.text) > 1:
            order.insert(order.index(after) + 1 if after >= 0 else 0, place)
        after = place if place in order else after
    return tuple(word for place in order for word in _better(ours.get(place, []), theirs.get(place, [])))


def _better(first: list[Word], second: list[Word]) -> list[Word]:
    return first if _belief(first) >= _belief(second) else second


def _belief(words: list[Word]) -> float:
    letters = sum(len(word.text) for word in words)
    if not letters:
        return -1.0
    confidence = sum(word.confidence * len(word.text) for word in words) / letters
    return confidence * (1 - _BY_LOOKS + _BY_LOOKS * plausibility(" ".join(word.text for word in words)))


def _places(first: Sequence[Word], second: Sequence[Word]) -> list[int]:
    """For each word of the first and then of the second a number: the same where they stand for the same writing."""
    places = list(range(len(first) + len(second)))

    def root(index: int) -> int:
        while places[index] != index:
            index = places[index]
        return index

    for here, there in np.argwhere(_overlap(first, second) >= _SAME):
        one, other = sorted((root(int(here)), root(len(first) + int(there))))
        places[other] = one
    return [root(index) for index in range(len(places))]


def _overlap(first: Sequence[Word], second: Sequence[Word]) -> npt.NDArray[np.float64]:
    """Of each word with each: the share of the smaller box that lies in the other."""
    a, b = _boxes(first)[:, None, :], _boxes(second)[None, :, :]
    shared = np.clip(np.minimum(a[..., 2:], b[..., 2:]) - np.maximum(a[..., :2], b[..., :2]), 0, None).prod(axis=-1)
    least = np.minimum((a[..., 2:] - a[..., :2]).prod(axis=-1), (b[..., 2:] - b[..., :2]).prod(axis=-1))
    return np.asarray(shared / np.maximum(least, 1e-12), dtype=np.float64)


def _boxes(words: Sequence[Word]) -> npt.NDArray[np.float64]:
    nowhere = Box(0.0, 0.0, 0.0, 0.0)
    return np.array([tuple(word.box or nowhere) for word in words], dtype=np.float64).reshape(-1, 4)
