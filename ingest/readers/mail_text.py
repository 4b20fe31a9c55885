"""Which form of a mail's text is read: the plain one, unless it only says that there is another."""

from __future__ import annotations

import re

from ingest.readers.flow import Flow
from ingest.readers.html import html_into
from ingest.readers.text import text_into
from resumes.taxonomy import ResumeError

_ADDRESS = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_LETTER = re.compile(r"[^\W_]")
_DENSE = "\u2e80"
_LETTERS_OF_DENSE = 3
"""An ideograph says as much as so many letters."""
_LEAST_SHARE = 0.5
"""Mail programs write the same text twice; a plain form that says less than half is a stub ("view this in a browser")."""


def forms_into(flow: Flow, plain: str, page: bytes | str | None, charset: str | None = None) -> None:
    """Add the text of a mail that has a plain form, an HTML page or both to a flow. Raises ResumeError(corrupt)."""
    if page is None or not page.strip():
        text_into(flow, plain)
        return
    shown = Flow()
    try:
        html_into(shown, page, charset)
    except ResumeError:
        if not plain.strip():
            raise
    if _weight(plain) < _LEAST_SHARE * _weight("\n".join(line.text for line in shown.lines)) or not plain.strip():
        html_into(flow, page, charset)
    else:
        text_into(flow, plain)


def _weight(text: str) -> int:
    letters = _LETTER.findall(_ADDRESS.sub("", text))
    return sum(_LETTERS_OF_DENSE if letter >= _DENSE else 1 for letter in letters)
