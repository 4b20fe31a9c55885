"""What lies on a PDF page without being part of it: link areas, form fields, notes."""

from __future__ import annotations

import ctypes
from typing import Any

import pypdfium2.raw as pdfium

from ingest.readers.links import followable
from ingest.readers.pdf_frame import Area

Link = tuple[Area, str]
"""Area of a link in page coordinates, and its target as it stands in the file."""

_MAX_ANNOTATIONS = 500
_ON_THE_PAGE = frozenset(
    (
        *(pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_STAMP),  # text of their own
        *(pdfium.FPDF_ANNOT_SQUARE, pdfium.FPDF_ANNOT_CIRCLE, pdfium.FPDF_ANNOT_POLYGON, pdfium.FPDF_ANNOT_INK),
        *(pdfium.FPDF_ANNOT_LINE, pdfium.FPDF_ANNOT_POLYLINE, pdfium.FPDF_ANNOT_REDACT),
    )
)
"""What people see text in, or may not see it under."""


def links_of(document: Any, page: Any) -> list[Link]:
    """Links that lead out of the document, to where people may follow them."""
    links: list[Link] = []
    position = ctypes.c_int(0)
    link = pdfium.FPDF_LINK()
    area = pdfium.FS_RECTF()
    while len(links) < _MAX_ANNOTATIONS and pdfium.FPDFLink_Enumerate(page, position, link):
        action = pdfium.FPDFLink_GetAction(link)
        if action and pdfium.FPDFAction_GetType(action) == pdfium.PDFACTION_URI and pdfium.FPDFLink_GetAnnotRect(link, area):
            size = pdfium.FPDFAction_GetURIPath(document, action, None, 0)
            buffer = ctypes.create_string_buffer(size)
            pdfium.FPDFAction_GetURIPath(document, action, buffer, size)
            target = followable(buffer.value.decode("utf-8", "replace"))
            if target:
                links.append(((area.left, area.bottom, area.right, area.top), target))
    return links


def settle_annotations(page: Any) -> bool:
    """Whether form fields, typed notes, stamps or shapes lie on the page, which its own text knows nothing of.

    Those for print alone are marked as hidden, and those that only unknown readers would not show as shown: pdfium takes the
    flags at their word when it makes them part of the page.
    """
    count = min(pdfium.FPDFPage_GetAnnotCount(page), _MAX_ANNOTATIONS)
    return sum(_settle(page, index) for index in range(count)) > 0


def _settle(page: Any, index: int) -> bool:
    annotation = pdfium.FPDFPage_GetAnnot(page, index)
    if not annotation:
        return False
    lies_on = pdfium.FPDFAnnot_GetSubtype(annotation) in _ON_THE_PAGE
    flags = pdfium.FPDFAnnot_GetFlags(annotation)
    if lies_on and flags & (pdfium.FPDF_ANNOT_FLAG_NOVIEW | pdfium.FPDF_ANNOT_FLAG_INVISIBLE):
        flags &= ~pdfium.FPDF_ANNOT_FLAG_INVISIBLE
        hidden = pdfium.FPDF_ANNOT_FLAG_HIDDEN if flags & pdfium.FPDF_ANNOT_FLAG_NOVIEW else 0
        pdfium.FPDFAnnot_SetFlags(annotation, flags | hidden)
    pdfium.FPDFPage_CloseAnnot(annotation)
    return lies_on
