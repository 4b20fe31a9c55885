"""Opening a PDF: its header, its password, its damage, its page count."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pypdf
import pypdf.errors
import pypdfium2
import pypdfium2.raw as pdfium

from ingest.readers import ReadLimits
from resumes.taxonomy import ResumeError

_HEADER_WITHIN = 1024
"""Bytes. The standard's own readers accept junk up to there before `%PDF-`."""
_BAD_FILE = (pypdf.errors.PyPdfError, OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError)
"""What pypdf lets out for damaged files, as seen with the files of its own and other projects' test suites."""

logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it quotes the file's content in warnings


@contextmanager
def opened(path: Path, limits: ReadLimits) -> Iterator[tuple[Any, bool]]:
    """The document (pypdfium2's PdfDocument) and whether it had to be repaired first.

    An owner's password alone is no obstacle. Raises ResumeError: encrypted, corrupt, too_many_pages.
    """
    with path.open("rb") as file:
        if b"%PDF-" not in file.read(_HEADER_WITHIN + 5):
            raise ResumeError("corrupt", "no PDF header")
    repaired = False
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as exc:
        if exc.err_code in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY):
            raise ResumeError("encrypted") from exc
        document = _repaired(path, limits)
        repaired = True
    try:
        if len(document) > limits.max_pages:
            raise ResumeError("too_many_pages", f"{len(document)} pages")
        yield document, repaired
    finally:
        document.close()


def _repaired(path: Path, limits: ReadLimits) -> Any:
    """The document after pypdf has gone through it object by object and written it anew."""
    buffer = io.BytesIO()
    try:
        reader = pypdf.PdfReader(path, strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise ResumeError("encrypted")
        writer = pypdf.PdfWriter()
        for number, page in enumerate(reader.pages):
            if number >= limits.max_pages:
                raise ResumeError("too_many_pages", f"more than {limits.max_pages} pages")
            writer.add_page(page)
        writer.write(buffer)
    except _BAD_FILE as exc:
        raise ResumeError("corrupt", "cannot be repaired") from exc
    try:
        return pypdfium2.PdfDocument(buffer.getvalue())
    except pypdfium2.PdfiumError as exc:
        raise ResumeError("corrupt", "cannot be repaired") from exc
