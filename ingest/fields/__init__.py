"""Fields: from the pages of a document to a profile in which every value has evidence.

Pure and deterministic: no Django, no clock, no network. The same pages and hints give the same draft, byte for byte.
A field is one file with `find(document, draft)` and one name in `FIELDS`. Order matters: a field may look at what
earlier ones have put into the draft (years of experience needs work).
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from ingest.fields.document import Document
from ingest.fields.draft import Draft, Hints
from ingest.fields.strangers import own_pages
from ingest.page import Page

# Modules of this package, in the order they run.
FIELDS: tuple[str, ...] = (
    "contact",
    "name",
    "doubts",
    "label",
    "city",
    "work",
    "education",
    "skills",
    "languages",
    "projects",
    "certificates",
    "experience",
    "family",
)


def extract_fields(pages: Sequence[Page], hints: Hints) -> Draft:
    """Run every field of the registry over the pages."""
    document = Document(own_pages(pages), hints)
    draft = Draft(language=document.language)
    if document.text:
        draft.profile.meta.gleaner.language = document.language
        draft.derive("meta.gleaner.language", ["pages"], 0.95)
    for name in FIELDS:
        importlib.import_module(f"{__name__}.{name}").find(document, draft)
    return draft
