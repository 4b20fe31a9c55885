"""Opening a PDF: its header, its password, its damage, its page count."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pypdf
import pypdf.errors
import pypdfium2
import pypdfium2.raw as pdfium

from ingest.page import CUT_OFF
from ingest.readers import ReadLimits
from ingest.readers.pdf_bombs import check_streams
from resumes.taxonomy import ResumeError

REPAIRED = "repaired"

_HEADER_WITHIN = 1024
"""Bytes. The standard's own readers accept junk up to there before `%PDF-`."""
_BAD_FILE = (
    *(pypdf.errors.PyPdfError, OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError),
    *(OverflowError, NotImplementedError, AssertionError),
)
"""What pypdf lets out for damaged files, as seen with the files of other projects' test suites and with `make fuzz`."""
_LOCKED = (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY)

logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it quotes the file's content in warnings


@contextmanager
def opened(path: Path, limits: ReadLimits) -> Iterator[tuple[Any, str]]:
    """The document (pypdfium2's PdfDocument) and a warning where it had to be mended first: `repaired` or `cut_off`.

    An owner's password alone is no obstacle. Raises ResumeError: empty_file, encrypted, corrupt, too_large, too_many_pages.
    """
    with path.open("rb") as file:
        start = file.read(_HEADER_WITHIN + 5)
    if not start:
        raise ResumeError("empty_file")
    if b"%PDF-" not in start:
        raise ResumeError("corrupt", "no PDF header")
    check_streams(path.read_bytes())
    warning = ""
    try:
        document = _loaded(path)
    except pypdfium2.PdfiumError:
        document, warning = _mended(path, limits)
    try:
        with suppress(pypdfium2.PdfiumError):  # a form that cannot be set up is a page without it
            document.init_forms()  # gives fields without a look of their own one, so that what they hold can be read
        if len(document) > limits.max_pages and _holds(document, limits.max_pages):
            raise ResumeError("too_many_pages", f"{len(document)} pages")
        yield document, warning
    finally:
        document.close()


def _loaded(source: Path | bytes) -> Any:
    """The document as pdfium reads it. Raises PdfiumError, and ResumeError `encrypted` where it asks for a password.

    pdfium has one error code for all, which a failure may leave as the one before set it: for the document of somebody
    else, say, that had a password. So a failure that does set it goes first.
    """
    pypdfium2.raw.FPDF_LoadMemDocument(b"", 0, None)
    try:
        return pypdfium2.PdfDocument(source)
    except pypdfium2.PdfiumError as exc:
        if exc.err_code in _LOCKED:
            raise ResumeError("encrypted") from exc
        raise


def _holds(document: Any, index: int) -> bool:
    """Whether the document has the page, and does not only count it."""
    try:
        document[index].close()
    except pypdfium2.PdfiumError:
        return False
    return True


def _mended(path: Path, limits: ReadLimits) -> tuple[Any, str]:
    """The document rewritten object by object, or, where its end is lost, with a page tree made anew."""
    for mend, warning in ((_rewritten, REPAIRED), (_with_new_tree, CUT_OFF)):
        content = mend(path, limits)
        if content:
            with suppress(pypdfium2.PdfiumError):
                return _loaded(content), warning
    raise ResumeError("corrupt", "cannot be repaired")


def _rewritten(path: Path, limits: ReadLimits) -> bytes:
    """What pypdf makes of the document, nothing where it can make nothing of it."""
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
    except _BAD_FILE:
        return b""
    return buffer.getvalue() if writer.pages else b""


_OBJECT = re.compile(rb"(?<!\d)(\d{1,7})\s+\d{1,5}\s+obj\b")
_PAGE = re.compile(rb"/Type\s*/Page(?![A-Za-z])")
_LOCK = re.compile(rb"/Filter\s*/Standard\b")
_IDENTITY = re.compile(rb"/ID\s*(\[\s*(?:<[0-9A-Fa-f\s]*>\s*){2}\])")
"""What the file is called by its trailer: a part of the key up to AES-128."""


def _with_new_tree(path: Path, limits: ReadLimits) -> bytes:
    """The file with a catalogue and a page tree of its own at the end: what a cut-off download still has of its pages."""
    whole = path.read_bytes()
    content = whole[: whole.rfind(b"endobj") + len(b"endobj")]  # the object after it is cut off itself
    starts = [(match.start(), int(match[1])) for match in _OBJECT.finditer(content)]
    ends = [*(start for start, _ in starts[1:]), len(content)][: len(starts)]
    pages: list[int] = []
    lock = b""
    for (start, number), end in zip(starts, ends, strict=True):
        entries = content[start:end].partition(b"stream")[0]
        if _PAGE.search(entries):
            pages.append(number)
        elif _LOCK.search(entries):
            identity = _IDENTITY.search(whole)
            lock = b" /Encrypt %d 0 R /ID %s" % (number, identity[1] if identity else b"[<> <>]")
    if not pages:
        return b""
    if len(pages) > limits.max_pages:
        raise ResumeError("too_many_pages", f"{len(pages)} pages")
    return _with_tree(content, {number: start for start, number in starts}, pages, lock)


def _with_tree(content: bytes, places: dict[int, int], pages: list[int], lock: bytes) -> bytes:
    """Append catalogue, page tree and cross-reference table; `places` tells where each object of the file starts.

    `lock` holds the trailer's entries on encryption: without them what is encrypted would look like a blank page.
    """
    tree = max(places) + 1
    kids = b" ".join(b"%d 0 R" % number for number in pages)
    out = bytearray(content + b"\n")
    for number, body in (
        (tree, b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(pages), kids)),
        (tree + 1, b"<< /Type /Catalog /Pages %d 0 R >>" % tree),
    ):
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for number, place in sorted(places.items()):
        out += b"%d 1\n%010d 00000 n \n" % (number, place)
    trailer = b"/Root %d 0 R /Size %d" % (tree + 1, tree + 2) + lock
    out += b"trailer\n<< %s >>\nstartxref\n%d\n%%%%EOF\n" % (trailer, start)
    return bytes(out)
