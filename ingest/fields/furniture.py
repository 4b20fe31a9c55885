"""Page furniture: running headers, footers and page numbers, which belong to no section.

Entries must not be told from one another by a line that is on every page. What furniture says about the person (a header with the
name and the phone) is for those fields to read; they look at all rows.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from ingest.fields.document import Row

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"^(?:[-–—|\s]*(?:page|p\.|pg\.?|стр\.?|страница|лист|第)?\s*\d{1,3}\s*(?:页|[/|]|of|из|/?\s*共)?\s*(?:\d{1,3})?\s*页?[-–—|\s]*)$",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\w@\w|https?://|www\.|\w\.\w{2,8}/\w")
_EDGE = 0.1
"""Share of the page's height at the top and bottom where running lines stand."""


def furniture(rows: Sequence[Row]) -> frozenset[int]:
    """Indices of the rows that are page furniture."""
    found = {row.index for row in rows if row.line.style in ("header", "footer")}
    places: dict[tuple[str, bool], dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        box = row.line.box
        if box is None:
            continue
        top, bottom = box.y1 <= _EDGE, box.y0 >= 1 - _EDGE
        if top or bottom:
            places[_DIGITS.sub("0", row.text), bottom][row.page.number].append(row.index)
            if bottom and row.line.gap >= 1 and (_PAGE_NUMBER.match(row.text) or _ADDRESS.search(row.text)):
                found.add(row.index)
    for pages in places.values():
        if len(pages) > 1:
            found.update(index for indices in pages.values() for index in indices)
    return frozenset(found)
