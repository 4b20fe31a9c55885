"""Gaps: times between jobs that people state among them, such as parental leave; they are no jobs and no experience."""

from __future__ import annotations

import re
from functools import cache

from ingest.fields.entries import Entry
from ingest.fields.wording import employer_score, position_score
from ingest.fields.words import fold, phrases

_EDGES = ' -–—•·*(（[«"“'
_SURE = 3


def is_gap(entry: Entry) -> bool:
    """Whether an entry says why there was no job: every piece that says anything is a gap's, and none names an employer."""
    texts = [piece.text for piece in entry.pieces]
    gaps = [text for text in texts if _is_gap_text(text)]
    others = [text for text in texts if text not in gaps]
    return bool(gaps) and not any(employer_score(text) >= _SURE - 1 or position_score(text) >= _SURE for text in others)


def _is_gap_text(text: str) -> bool:
    found = _pattern().match(fold(text).lstrip(_EDGES))
    return found is not None and employer_score(text) < _SURE


@cache
def _pattern() -> re.Pattern[str]:
    """A phrase of the list at the start of a text, as words of their own."""
    words = sorted(phrases("gaps"), key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(map(re.escape, words))})(?![^\W\d_㐀-鿿])")
