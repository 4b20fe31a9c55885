"""Labels of entries: which words say of the text beside or below them that it is an employer, a position, a school.

They are data: `words/<language>/entry_labels.txt`.
"""

from __future__ import annotations

import re

from ingest.fields.words import fold, keys

BODY, SKIP, PERIOD = "body", "skip", "period"
LONGEST = 48
"""Characters of a label."""
_JOINTS = re.compile(r"\s*[,/(]\s*|\s+(?:and|и)\s+")


def label_of(text: str) -> str | None:
    """What a text is the label of, None where it is none; `Организация, адрес` is of what its first part is."""
    if len(text) > LONGEST:
        return None
    known, bare = keys("entry_labels"), fold(text).strip(" :*•-–—()")
    if (whole := known.get(bare)) is not None:
        return whole
    parts = [known.get(part.strip(" )")) for part in _JOINTS.split(bare)]
    return parts[0] if len(parts) > 1 and None not in parts else None


def names_duties_too(text: str) -> bool:
    """Whether a column heading such as `Должность, обязанности` names a value and, behind it, a description."""
    parts = [label_of(part) for part in _JOINTS.split(text)]
    return len(parts) > 1 and BODY in parts[1:] and parts[0] not in (None, BODY)


def are_column_heads(texts: list[str]) -> bool:
    """Whether these are the column headings of a table of entries."""
    found = [label for label in map(label_of, texts) if label]
    return len(found) >= 2 and len(found) * 3 >= len(texts) * 2 and len(set(found)) > 1
