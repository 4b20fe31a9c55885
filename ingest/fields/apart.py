"""Apart: entries printed one behind the other in one line, as lines of their own.

`J.D., Eastbrook Law School, 2015; B.A., Wexford College, 2012` are two studies. A semicolon parts them only where each
part is an entry by itself, with a date of its own; whether it is, the fields say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ingest.fields.document import Row
from ingest.fields.spans import clip

_JOINT = re.compile(r"\s*[;；]\s*")
_YEAR = re.compile(r"(?:19[4-9]\d|20[0-4]\d)")


def one_a_line(rows: Sequence[Row], is_entry: Callable[[str], bool]) -> list[Row]:
    """The rows, those with several entries cut at their semicolons. `is_entry` judges a part by its wording."""
    following = [*rows[1:], None]
    return [part for row, below in zip(rows, following, strict=False) for part in _parts(row, below, is_entry)]


def _parts(row: Row, below: Row | None, is_entry: Callable[[str], bool]) -> Iterator[Row]:
    joints = list(_JOINT.finditer(row.text))
    starts = [0, *(joint.end() for joint in joints)]
    ends = [*(joint.start() for joint in joints), len(row.text)]
    texts = [row.text[start:end] for start, end in zip(starts, ends, strict=True)]
    if len(texts) > 1 and not texts[-1]:
        texts.pop()
    whole = list(texts)
    if below is not None and below.line.block == row.line.block and not _YEAR.search(texts[-1]):
        whole[-1] = f"{texts[-1]} {below.text}"  # the last one may go on on the next line
    if len(texts) < 2 or not all(_YEAR.search(text) and is_entry(text) for text in whole):
        yield row
        return
    yield from (clip(row, start, end) for start, end, _ in zip(starts, ends, texts, strict=False))
