"""Readers: one file per format, one line per format in this registry.

A reader turns the bytes of a document into a `Reading`. It runs inside the sandbox: no Django, no database, no
network, no files but the one it is given. It raises `ResumeError` with the right code and lets nothing else out
that its libraries raise for a bad file.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, cast

from ingest.page import Reading
from resumes.taxonomy import ResumeError


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """What a reader may spend. Checked before the work, not after."""

    max_pages: int = 200
    max_pixels: int = 80_000_000
    """Of one picture or one rendered page."""
    max_unpacked_bytes: int = 1_000_000_000
    """Sum of what a container (ZIP, DOCX, ODT) unpacks to."""
    max_ratio: int = 100
    """Unpacked to packed, for the same containers."""
    max_entries: int = 1_000
    max_depth: int = 2
    """Archives inside archives."""
    max_file_bytes: int = 20 << 20
    """Of one document inside an archive or a mail."""


class Reader(Protocol):
    """The shape of a reader's module."""

    def read(self, path: Path, limits: ReadLimits) -> Reading:
        """Read the document at `path`. Raises ResumeError."""
        ...


class PageImages(Protocol):
    """What a reader's module offers besides, where its pages or pictures can be rendered for OCR and for people."""

    def page_image(self, path: Path, page: int, limits: ReadLimits, dpi: int = 200) -> bytes:
        """Page number `page` (from 1), upright, as PNG bytes. Raises ResumeError."""
        ...


@dataclass(frozen=True, slots=True)
class Member:
    """One document found inside a container (an archive or a mail)."""

    name: str
    """Its name inside the container, decoded; personal data like every file name."""
    content: bytes
    failure: str = ""
    """A failure code where this entry alone cannot be used (encrypted, too large); then `content` is empty."""
    warnings: tuple[str, ...] = ()
    """What its container tells of it and it may not tell itself (`cut_off`)."""


class Container(Protocol):
    """The shape of the module of a container format."""

    def members(self, path: Path, limits: ReadLimits) -> Iterator[Member]:
        """The documents inside, litter of desktop systems left out. Raises ResumeError (archive_unsafe, corrupt, encrypted)."""
        ...


# media type → module. A new format is one file and one line here (and its signature in `resumes.sniff`).
READERS: Mapping[str, str] = MappingProxyType(
    {
        "application/pdf": "ingest.readers.pdf",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "ingest.readers.docx",
        "application/msword": "ingest.readers.doc",
        "application/rtf": "ingest.readers.rtf",
        "application/vnd.oasis.opendocument.text": "ingest.readers.odt",
        "text/html": "ingest.readers.html",
        "multipart/related": "ingest.readers.mhtml",
        "text/plain": "ingest.readers.text",
        "image/jpeg": "ingest.readers.image",
        "image/png": "ingest.readers.image",
        "image/tiff": "ingest.readers.image",
        "image/webp": "ingest.readers.image",
        "image/heic": "ingest.readers.image",
        "message/rfc822": "ingest.readers.mail",
        "application/vnd.ms-outlook": "ingest.readers.msg",
    }
)
# A mail is both: its attachments are the resumes; one without attachments is read as a document.
CONTAINERS: Mapping[str, str] = MappingProxyType(
    {
        "application/zip": "ingest.readers.archive",
        "message/rfc822": "ingest.readers.mail",
        "application/vnd.ms-outlook": "ingest.readers.msg",
    }
)
# Media types whose pages can be turned into pictures: their reader's module has `page_image`.
RENDERED = frozenset(
    {
        "application/pdf",
        "image/jpeg",
        "image/png",
        "image/tiff",
        "image/webp",
        "image/heic",
        # These have pages where a picture in them may be a scan; page 1 is their text.
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/msword",
        "application/rtf",
        "application/vnd.oasis.opendocument.text",
    }
)


def can_render(media_type: str) -> bool:
    """Whether pages of this media type can be rendered; answered without loading the reader."""
    return media_type in RENDERED


def reader_for(media_type: str) -> Reader:
    """The reader of a media type. Raises ResumeError(unsupported_format).

    Readers are imported when first used: their libraries cost up to half a second each, and a worker that reads no
    Word file need not load one.
    """
    try:
        name = READERS[media_type]
    except KeyError:
        raise ResumeError("unsupported_format", media_type) from None
    return cast("Reader", importlib.import_module(name))


def container_for(media_type: str) -> Container | None:
    """The module that opens a container of this media type, None where the type holds no other documents."""
    name = CONTAINERS.get(media_type)
    return cast("Container", importlib.import_module(name)) if name else None


def page_images_for(media_type: str) -> PageImages | None:
    """The module that renders pages of this media type, None where it has no pages to render."""
    module = importlib.import_module(READERS[media_type])
    return cast("PageImages", module) if hasattr(module, "page_image") else None
