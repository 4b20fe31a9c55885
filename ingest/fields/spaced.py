"""Letter-spaced lines: `J O H N  S M I T H`, as designers set names and headlines."""

from __future__ import annotations

from itertools import pairwise

from ingest.fields.document import Row
from ingest.fields.segments import cut
from ingest.page import Word


def unspaced(row: Row) -> Row | None:
    """`J O H N  S M I T H` as `JOHN SMITH`: words apart where the gap is wider. None where nothing is spaced out."""
    words = [word for word in row.line.words if word.text.strip()]
    singles = sum(len(word.text) == 1 for word in words)
    if len(words) < 4 or singles < 3 or any(word.box is None for word in words):
        return None
    gaps = [right.box.x0 - left.box.x1 for left, right in pairwise(words) if left.box and right.box]
    narrow, wide = min(gaps), max(gaps)
    limit = (narrow + wide) / 2 if wide > 1.35 * max(narrow, 1e-6) else float("inf")
    joined: list[Word] = []
    for number, word in enumerate(words):
        ends = number == len(gaps) or gaps[number] >= limit
        joined.append(Word(word.text, word.box, word.size, word.bold, None, word.source, word.confidence, space=ends))
    return cut(row, tuple(joined))
