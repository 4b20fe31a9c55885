"""Bilingual: values that a resume in two languages prints twice, reduced to the language of the resume.

Only where the resume is written in both throughout, which its headings show (`工作经历 Work Experience`): elsewhere Latin
words behind a Chinese or Russian name are part of it.
"""

from __future__ import annotations

import re

from ingest.fields.datelines import Piece
from ingest.fields.document import Document
from ingest.fields.forms import part
from ingest.fields.sections import sections

_BOTH = re.compile(r"[㐀-鿿Ѐ-ӿ].*[A-Za-z]{4}|[A-Za-z]{4}.*[㐀-鿿Ѐ-ӿ]")
_TRANSLATED = re.compile(
    r"^(?P<own>[㐀-鿿][^A-Za-z]*?[㐀-鿿)）])\s*/?\s*[A-Z][A-Za-z.,&'’() -]*$"
    r"|^(?P<ru>[^/A-Za-z]*[Ѐ-ӿ][^/A-Za-z]*?)\s*/\s*[A-Z][A-Za-z\d.,&'’() -]*$"
)


def is_bilingual(document: Document) -> bool:
    """Whether two or more headings, or the only one, are in Latin letters and in others."""
    texts = [section.heading.text for section in sections(document) if section.heading is not None]
    both = sum(_BOTH.search(text) is not None for text in texts)
    return both >= min(2, len(texts)) and both > 0


def in_own_language(piece: Piece | None) -> Piece | None:
    """The piece without its translation."""
    match = _TRANSLATED.match(piece.text) if piece is not None else None
    if piece is None or match is None:
        return piece
    return part(piece, *match.span("own" if match["own"] else "ru")) or piece
