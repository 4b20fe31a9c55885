"""PDF: pages with words, boxes, links, pictures and a verdict on each page's text layer.

pdfium reads characters and renders; pypdf mends what pdfium cannot open. What stands where on the page becomes lines in
`ingest.layout`; whether the text layer can be relied on is `ingest.judgement`.
"""

from __future__ import annotations

import ctypes
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

from ingest.judgement import Facts, Ink, judge
from ingest.layout import mark_running, read_order
from ingest.page import Box, Page, Picture, Reading, Word
from ingest.readers import ReadLimits
from ingest.readers.pdf_glyphs import Glyph, Place, TextPage, glyphs_of, words_of
from ingest.readers.pdf_scene import Area, Scene, scene_of
from resumes.taxonomy import ResumeError

_HEADER_WITHIN = 1024
_MIN_PICTURE = 0.01
"""Share of the page: smaller pictures are icons and rules."""
_INK_PIXELS = 700
"""Long side of the rendering the judgement looks at."""


def read(path: Path, limits: ReadLimits) -> Reading:
    """Read the document at `path`. Raises ResumeError: encrypted, corrupt, too_many_pages."""
    with _opened(path, limits) as (document, repaired):
        pages = [_page(document, index, limits) for index in range(len(document))]
        title = document.get_metadata_value("Title")
    warnings = [code for code, holds in (("repaired", repaired), ("hidden_text", any(page.hidden for page in pages))) if holds]
    return Reading(mark_running(pages), tuple(warnings), title.strip())


def page_image(path: Path, page: int, limits: ReadLimits, dpi: int = 200) -> bytes:
    """Page number `page` (from 1), upright, as PNG bytes. Raises ResumeError: as `read`, and too_large."""
    with _opened(path, limits) as (document, _):
        if not 1 <= page <= len(document):
            raise ResumeError("corrupt", "no such page")
        with _loaded(document, page - 1) as loaded:
            width, height = loaded.get_size()
            scale = min(dpi / 72, (limits.max_pixels / max(1.0, width * height)) ** 0.5)
            if max(width, height) * scale > 60_000 or scale < 0.2:
                raise ResumeError("too_large", "page size")
            buffer = io.BytesIO()
            loaded.render(scale=scale).to_pil().save(buffer, "PNG")
    return buffer.getvalue()


@contextmanager
def _opened(path: Path, limits: ReadLimits) -> Iterator[tuple[Any, bool]]:
    with path.open("rb") as file:
        if b"%PDF-" not in file.read(_HEADER_WITHIN):
            raise ResumeError("corrupt", "no PDF header")
    repaired = False
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as exc:
        if exc.err_code in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY):
            raise ResumeError("encrypted") from exc
        raise ResumeError("corrupt", "pdfium cannot open it") from exc
    try:
        if len(document) > limits.max_pages:
            raise ResumeError("too_many_pages", f"{len(document)} pages")
        yield document, repaired
    finally:
        document.close()


@contextmanager
def _loaded(document: Any, index: int) -> Iterator[Any]:
    try:
        page = document[index]
    except pypdfium2.PdfiumError as exc:
        raise ResumeError("corrupt", f"page {index + 1}") from exc
    try:
        yield page
    finally:
        page.close()


def _page(document: Any, index: int, limits: ReadLimits) -> Page:
    with _loaded(document, index) as page, TextPage(page) as text:
        width, height = page.get_size()
        place = _placer(page)
        scene = scene_of(page)
        glyphs = list(glyphs_of(text.handle, scene, place))
        seen, invisible, hidden = _told_apart(glyphs)
        words = words_of(seen, width, height)
        unseen = words_of(invisible, width, height)
        words = _with_links(words, _links(document, page, place))
        pictures = [_inside(place(*area)) for area in scene.pictures]
        facts = Facts(words, unseen, pictures, scene.paths, partial(_ink, page, limits))
        quality, notes = judge(facts)
        rules = [place(*area) for area in scene.rules]
        lines = read_order(words, (width, height), rules)
    return Page(
        number=index + 1,
        lines=lines,
        width=width,
        height=height,
        quality=quality,
        pictures=tuple(
            Picture(box, str(index + 1), round(box.width * box.height, 3))
            for box in pictures
            if box.width * box.height >= _MIN_PICTURE
        ),
        hidden=_texts([*unseen, *words_of(hidden, width, height)]),
        notes=notes,
    )


def _told_apart(glyphs: Sequence[Glyph]) -> tuple[list[Glyph], list[Glyph], list[Glyph]]:
    """Characters people see, those drawn without a mark, those off the page."""
    seen: list[Glyph] = []
    invisible: list[Glyph] = []
    hidden: list[Glyph] = []
    for glyph in glyphs:
        x0, y0, x1, y1 = glyph.box
        if x1 <= 0 or y1 <= 0 or x0 >= 1 or y0 >= 1:
            hidden.append(glyph)
        elif glyph.face.invisible:
            invisible.append(glyph)
        else:
            seen.append(glyph)
    return seen, invisible, hidden


def _texts(words: Sequence[Word]) -> tuple[str, ...]:
    return (" ".join(word.text for word in words),) if words else ()


def _placer(page: Any) -> Place:
    """From page coordinates to fractions of the page as it is shown, /Rotate applied."""
    left, bottom, right, top = page.get_bbox()
    width, height = max(right - left, 1.0), max(top - bottom, 1.0)
    turns = page.get_rotation() // 90

    def straight(x0: float, y0: float, x1: float, y1: float) -> Box:
        return Box((x0 - left) / width, (top - y1) / height, (x1 - left) / width, (top - y0) / height)

    def turned(x0: float, y0: float, x1: float, y1: float) -> Box:
        box = straight(x0, y0, x1, y1)
        for _ in range(turns):
            box = Box(1 - box.y1, box.x0, 1 - box.y0, box.x1)
        return box

    return turned if turns else straight


def _inside(box: Box) -> Box:
    return Box(*(min(1.0, max(0.0, edge)) for edge in box))


def _ink(page: Any, limits: ReadLimits) -> Ink:
    scale = _INK_PIXELS / max(page.get_size())
    pixels = page.render(scale=scale, grayscale=True).to_numpy().squeeze().astype(np.int16)
    paper = int(np.median(pixels))
    return np.abs(pixels - paper) > 60


def _links(document: Any, page: Any, place: Place) -> list[tuple[Box, str]]:
    found: list[tuple[Box, str]] = []
    position = ctypes.c_int(0)
    link = pdfium.FPDF_LINK()
    area = pdfium.FS_RECTF()
    while len(found) < 500 and pdfium.FPDFLink_Enumerate(page, position, link):
        action = pdfium.FPDFLink_GetAction(link)
        if action and pdfium.FPDFAction_GetType(action) == pdfium.PDFACTION_URI and pdfium.FPDFLink_GetAnnotRect(link, area):
            size = pdfium.FPDFAction_GetURIPath(document, action, None, 0)
            buffer = ctypes.create_string_buffer(size)
            pdfium.FPDFAction_GetURIPath(document, action, buffer, size)
            target = buffer.value.decode("utf-8", "replace")
            if target:
                found.append((place(area.left, area.bottom, area.right, area.top), target))
    return found


def _with_links(words: list[Word], links: Sequence[tuple[Box, str]]) -> list[Word]:
    if not links:
        return words
    return [replace(word, link=target) if (target := _target(word, links)) else word for word in words]


def _target(word: Word, links: Sequence[tuple[Box, str]]) -> str | None:
    if word.box is None:
        return None
    x, y = (word.box.x0 + word.box.x1) / 2, (word.box.y0 + word.box.y1) / 2
    return next((target for box, target in links if box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1), None)
