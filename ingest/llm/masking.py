"""Masking: what of a document's lines is left out before a model elsewhere is shown them, so that nobody can be reached by it.

The rules' finders know addresses and numbers that are broken over lines or disguised; what looks like one, and what a label
calls one, is left out too, whoever it is of. A number too many left out costs nothing: the rules have read it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from ingest.fields.dates import find_ranges
from ingest.fields.document import Document
from ingest.fields.emails import find_addresses
from ingest.fields.labels import labelled
from ingest.fields.links import find_links
from ingest.fields.phones import find_phones

MASK = "[contact]"
_LABELS = frozenset({"email", "phone", "link", "messenger", "address"})
_LIKELY_LINK = 0.5
_FEWEST_DIGITS = 7
_MOST = 50
"""Looked at on one line."""
_LIKE_ADDRESSES = re.compile(
    r"[^\s@|<>(\[]+ ?@ ?[^\s@|<>)\]]+(?: ?\. ?[^\W_]{2,12}\b)*"  # an e-mail address, with spaces around its signs
    r"|[^\s@|]+\s*[(\[{<]\s*(?:at|собака|@|#)\s*[)\]}>]\s*[^\s|]+(?:\s*[(\[{<]\s*(?:dot|точка|\.)\s*[)\]}>]\s*[^\s|]+)*"
    r"|\b[\w.+-]+(?: dot [\w-]+)* at [\w-]+(?: dot [\w-]+)+"
    r"|(?<![^\s(:：,])@[^\W_][\w.]{2,}"  # a name on a messenger
    r"|\b(?:https?|ftp|mailto|tel|skype|callto) ?: ?(?:// ?)?\S+|\bwww\.\S+"
    r"|(?<![\w@])(?:[^\W_](?:[\w-]{0,62})\.){1,5}(?!js/)[^\W\d_]{2,24}/[^\s|]+",  # a link without its scheme
    re.IGNORECASE,
)
_LIKE_NUMBERS = re.compile(r"[+(]{0,2}\d(?:[\s().\-–—−‑~/·•]{0,4}\d){6,24}")


def contacts(document: Document) -> Iterator[tuple[int, str]]:
    """Addresses, numbers and links the rules see, by line index."""
    parts = [part for address in find_addresses(document) for part in address.parts]
    parts += [part for link in find_links(document, parts) if link.confidence >= _LIKELY_LINK for part in link.parts]
    parts += [part for phone in find_phones(document, ()) for part in phone.parts]
    parts += [found.row for found in labelled(document) if found.key in _LABELS]
    yield from ((part.index, part.text) for part in parts)


def masked(text: str, values: Sequence[str] = ()) -> str:
    """A text without these values, and without what looks like an address or a number by which somebody can be reached."""
    spans = [found.span() for found in _LIKE_ADDRESSES.finditer(text)]
    spans += [found.span() for found in _LIKE_NUMBERS.finditer(text) if not _is_date(found.group())]
    spans += [found.span() for value in values for found in occurrences(text, value)]
    end = 0
    pieces: list[str] = []
    for start, stop in sorted(spans):
        if start >= end:
            pieces += [text[end:start], MASK]
        end = max(end, stop)
    return "".join([*pieces, text[end:]])


def _is_date(text: str) -> bool:
    """Whether all digits of a text are dates'."""
    dates = [range(*date.span) for date in islice(find_ranges(text, day_first=True), _MOST)]
    return all(any(at in date for date in dates) for at, char in enumerate(text) if char.isdigit())


def occurrences(text: str, value: str) -> Iterator[re.Match[str]]:
    """Where a value stands in a text, wherever its words are parted by another space or by a bar."""
    words = [re.escape(word) for word in value.split()]
    return re.finditer(r"\s*(?:\|\s*)?".join(words), text) if words else iter(())
