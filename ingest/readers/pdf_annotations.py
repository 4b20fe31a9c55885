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
_WRITTEN = frozenset((pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_STAMP))


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


def has_written_annotations(page: Any) -> bool:
    """Whether form fields, typed notes or stamps lie on the page: text people see and the page's own text lacks."""
    count = min(pdfium.FPDFPage_GetAnnotCount(page), _MAX_ANNOTATIONS)
    return any(_kind(page, index) in _WRITTEN for index in range(count))


def _kind(page: Any, index: int) -> int:
    annotation = pdfium.FPDFPage_GetAnnot(page, index)
    if not annotation:
        return int(pdfium.FPDF_ANNOT_UNKNOWN)
    kind = pdfium.FPDFAnnot_GetSubtype(annotation)
    pdfium.FPDFPage_CloseAnnot(annotation)
    return int(kind)
