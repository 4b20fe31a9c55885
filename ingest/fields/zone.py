"""Zone: whom a line speaks of. The person's own contact data stand in the header, not in a reference or an employer's entry."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from weakref import WeakKeyDictionary

from ingest.fields.document import Document, Row
from ingest.fields.sections import sections


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
        for section in sections(document):
            zone = _KINDS.get(section.kind, Zone.NEUTRAL)
            for row in (*((section.heading,) if section.heading else ()), *section.rows):
                result[row.index] = zone
        result.update((row.index, Zone.OWN) for row in document.rows if _is_edge(row))
        found = _CACHE[document] = result
    return found


def _is_edge(row: Row) -> bool:
    box = row.line.box
    return row.line.style in ("header", "footer") or (box is not None and box.y0 > _FOOT and row.line.gap >= _APART)
