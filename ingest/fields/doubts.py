"""Doubts: e-mail addresses that an OCR engine has probably misread, seen from the person's name.

`Jane Whitfield` with `jane.whitfie1d@…` or `jane.whitfeld@…`: a letter off the name is a letter misread. Nobody can say from the
picture's text alone which is right, so the value stays and its confidence falls below what the quality gate takes for known.
"""

from __future__ import annotations

import re

from ingest.fields.document import Document
from ingest.fields.draft import Draft
from ingest.fields.persons import latinised
from ingest.page import Source

_EMAIL = "basics.email"
_DOUBTED = 0.4
_SHORTEST = 4
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f .'-]+")
_HOSTS_MISREAD = re.compile(r"grnail|gmai1|hotrnail|0utlook|out1ook|yah00|exarnp|examp1e|\.c0m|\.corn$|\.con$", re.IGNORECASE)


def find(document: Document, draft: Draft) -> None:
    """Lower the confidence of `basics.email` where an OCR engine read it a letter off the name or a known host."""
    address, evidence, name = draft.profile.basics.email, draft.evidence.get(_EMAIL), draft.profile.basics.name
    if not address or evidence is None or not _read_by_ocr(document, evidence.page):
        return
    local, _, host = address.partition("@")
    off = bool(name) and _LATIN.fullmatch(name or "") is not None and _nearly_says(local, name or "")
    if off or _HOSTS_MISREAD.search(host) is not None:
        draft.evidence[_EMAIL] = evidence.model_copy(update={"confidence": min(evidence.confidence or 0.0, _DOUBTED)})


def _read_by_ocr(document: Document, number: int | None) -> bool:
    lines = (line for page in document.pages if page.number == number for line in page.lines)
    return any(word.source is Source.OCR for line in lines for word in line.words)


def _nearly_says(local: str, name: str) -> bool:
    """Whether a part of the address is one letter off a part of the name that it does not say."""
    pieces = [piece for piece in re.split(r"[._+-]", local.casefold()) if piece]
    names = [part for part in map(latinised, re.split(r"[\s-]+", name)) if len(part) >= _SHORTEST]
    said = latinised(local)
    return any(part not in said and any(_one_off(piece, part) for piece in pieces if len(piece) >= _SHORTEST) for part in names)


def _one_off(one: str, two: str) -> bool:
    """Whether two words differ by one letter put in, left out or changed; `rn` and `m` count as one letter."""
    one, two = (latinised(word.translate(_DIGITS).replace("rn", "m").replace("vv", "w")) for word in (one, two))
    if one == two:
        return True
    if abs(len(one) - len(two)) > 1:
        return False
    short, long = sorted((one, two), key=len)
    start = next((at for at, (left, right) in enumerate(zip(short, long, strict=False)) if left != right), len(short))
    return short[start + (len(short) == len(long)) :] == long[start + 1 :]


_DIGITS = str.maketrans("015", "ols")
