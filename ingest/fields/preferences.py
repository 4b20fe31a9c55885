"""Preferences: which of several addresses or numbers a document asks to use, by the words beside them."""

from __future__ import annotations

import re
from functools import cache

from ingest.fields.words import any_of, fold, keys

_NEAR = 34
"""Characters before and behind a value that may speak of it."""
_NEXT = re.compile(r"\S+@\S|\+?\d[\d ()-]{6,}\d|[;|]")
"""Another value, which the words behind it belong to."""
_LABEL = re.compile(r"[^,;|]*$")
PREFERRED, SPARE = 0.04, -0.12


def preference(text: str, start: int, end: int) -> float:
    """What the words beside `text[start:end]` add to its score: in a label before it, in brackets or behind a dash after it."""
    before, after = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    label = _LABEL.search(
        before.rpartition(")")[2] if ")" in before and not before.rstrip().endswith((")", ":", "：")) else before
    )
    found = _word(after[: following.start()] if (following := _NEXT.search(after)) else after, behind=True)
    if found is None and label is not None and not _NEXT.search(label[0]):
        found = _word(label[0], behind=False)
    return {"preferred": PREFERRED, "spare": SPARE}.get(found or "", 0.0)


def _word(text: str, *, behind: bool) -> str | None:
    match = _pattern(behind=behind).search(fold(text))
    return keys("preferences").get(match["word"]) if match is not None else None


@cache
def _pattern(*, behind: bool) -> re.Pattern[str]:
    lead = r"^\s?(?:[(（\[][^()（）\]]{0,20}?|[–—-]\s?)" if behind else r"(?:^|[\s(（])"
    return re.compile(rf"{lead}(?P<word>{any_of(keys('preferences'))})")
