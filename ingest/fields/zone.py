"""Zone: whom a line speaks of. The person's own contact data stand in the header, not in a reference or an employer's entry."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from weakref import WeakKeyDictionary

from ingest.fields.document import Document, Row
from ingest.fields.labels import label_key
from ingest.fields.sections import sections
from ingest.fields.spans import columns


class Zone(enum.IntEnum):
    """Ordered by how likely a line's e-mail, phone or link is the person's own."""

    REFERENCES = 0
    OTHERS = 1
    """Employers, schools, projects."""
    NEUTRAL = 2
    OWN = 3
    """What stands before the first heading or under a contact heading, and running headers and footers."""


# Shares of the page's height, and heights of the line: a line far below everything else at the foot of a page is a footer.
_FOOT, _APART = 0.9, 4.0
_OTHERS = frozenset({"work", "education", "projects", "certificates", "awards", "publications"})
_KINDS = {"contact": Zone.OWN, "references": Zone.REFERENCES, **dict.fromkeys(_OTHERS, Zone.OTHERS)}
_CACHE: WeakKeyDictionary[Document, Mapping[int, Zone]] = WeakKeyDictionary()


def zones(document: Document) -> Mapping[int, Zone]:
    """The zone of every row, by its index; found once per document."""
    found = _CACHE.get(document)
    if found is None:
        result = {row.index: Zone.OWN for row in document.rows}
        zone = Zone.OWN
        for section in sections(document):
            if section.heading is None or not _is_label(document, section.heading):
                zone = _KINDS.get(section.kind, Zone.NEUTRAL)
            for row in (*((section.heading,) if section.heading else ()), *section.rows):
                result[row.index] = zone
        result.update((row.index, Zone.OWN) for row in (*_edges(document), *_above_headings(document)))
        found = _CACHE[document] = result
    return found


def _is_label(document: Document, heading: Row) -> bool:
    """Whether a heading is only the label of the cell to its right, such as `学历` in a form."""
    after = document.rows[heading.index + 1] if heading.index + 1 < len(document.rows) else None
    one, two = heading.line.cell, after.line.cell if after is not None else None
    beside = one is not None and two is not None and (one.table, one.row) == (two.table, two.row)
    return beside and label_key(heading.text) is not None


def _above_headings(document: Document) -> Iterator[Row]:
    """What stands higher on the first page than any heading, in whatever column: contact data beside the name."""
    headed = [section for section in sections(document) if section.heading is not None]
    boxes = [section.heading.line.box for section in headed if section.heading is not None and section.heading.page.number == 1]
    highest = min((box.y0 for box in boxes if box is not None), default=0.0)
    for row in document.rows:
        if row.page.number == 1 and row.line.box is not None and row.line.box.y1 <= highest:
            yield row


def _edges(document: Document) -> Iterator[Row]:
    """Headers and footers: by style, or by standing apart from everything else at the top or foot of their page."""
    extents = columns(document)
    for row in document.rows:
        box, block = row.line.box, extents.get((row.page.number, row.line.block))
        if row.line.style in ("header", "footer"):
            yield row
        elif box is not None and block is not None:
            apart = block.y0 > _FOOT or block.y1 < 1 - _FOOT
            if apart or (box.y0 > _FOOT and row.line.gap >= _APART):
                yield row
