"""PDF: pages with words, boxes, links, pictures and a verdict on each page's text layer.

pdfium reads characters and renders; pypdf mends what pdfium cannot open. What stands where on the page becomes lines in
`ingest.layout`; whether the text layer can be relied on is `ingest.judgement`.
"""

from __future__ import annotations

import collections
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from ingest.judgement import INK_PIXELS, Facts, Ink, edges, judge
from ingest.layout import mark_running, read_order
from ingest.page import Box, Line, Page, Picture, Reading, TextQuality, Word
from ingest.readers import ReadLimits
from ingest.readers.pdf_annotations import Link, links_of, settle_annotations
from ingest.readers.pdf_file import REPAIRED, opened
from ingest.readers.pdf_frame import Frame, turned
from ingest.readers.pdf_glyphs import Glyph, Run, TextPage, glyphs_of, runs_of, words_of
from ingest.readers.pdf_marks import without_false_marks
from ingest.readers.pdf_scene import Scene, scene_of
from ingest.readers.pdf_traits import Traits, traits_of
from ingest.readers.pdf_vertical import turned_columns
from ingest.readers.pdf_visibility import Sight, pixels_of, sorted_by_sight
from resumes.taxonomy import ResumeError

HIDDEN_TEXT = "hidden_text"

_MIN_PICTURE = 0.01
"""Share of the page: smaller pictures are icons and rules."""
_A4_INCHES = 11.7
"""The long side of A4."""
_MIN_SCALE = 0.2
"""Pixels per point below which a page is too large to be shown within the limit."""


def read(path: Path, limits: ReadLimits) -> Reading:
    """Read the document at `path`.

    Raises ResumeError: empty_file, encrypted, corrupt, too_many_pages, and too_large where a picture that would have to be
    looked at unpacks to more pixels than allowed.
    """
    with opened(path, limits) as (document, mended):
        pages = _pages(document, limits, traits_of(path))
        warning = mended or (REPAIRED if len(pages) < len(document) else "")
        title = document.get_metadata_value("Title")
    # A layer of text with a scan over or under it is how scanners write, and no attempt to be found by words nobody sees.
    cheats = any(page.hidden and page.quality is not TextQuality.CONTRADICTING for page in pages)
    warnings = tuple(code for code in (warning, HIDDEN_TEXT if cheats else "") if code)
    return Reading(mark_running(pages), warnings, title.strip())


def page_image(path: Path, page: int, limits: ReadLimits, dpi: int = 200) -> bytes:
    """Page number `page` (from 1), upright, as PNG bytes, with fewer dots per inch where the pixel limit asks for it.

    Raises ResumeError: as `read`, and too_large where even a thumbnail would exceed the limit.
    """
    with opened(path, limits) as (document, _), _loaded(document, page - 1) as (loaded, _):
        width, height = loaded.get_size()
        if min(width, height) <= 0:
            raise ResumeError("corrupt", f"page {page} has no area")
        # Of a page larger than two of A4 in a row (a poster, a drawing) no more than a picture of that many pixels.
        fitting = 2 * _A4_INCHES * dpi / max(width, height)
        scale = min(dpi / 72, fitting, (limits.max_pixels / max(1.0, width * height)) ** 0.5)
        if scale < _MIN_SCALE or scene_of(loaded).most_pixels > limits.max_pixels:
            raise ResumeError("too_large", f"page {page}")
        frame = _frame(loaded, _glyphs(loaded, Scene()))
        turn = (frame.turns - loaded.get_rotation() // 90) % 4 * 90
        buffer = io.BytesIO()
        loaded.render(scale=scale, rotation=turn).to_pil().save(buffer, "PNG")
    return buffer.getvalue()


@contextmanager
def _loaded(document: Any, index: int) -> Iterator[tuple[Any, list[Link]]]:
    """A page with its links. What fields and notes hold or cover becomes part of it, as people see it."""
    if not 0 <= index < len(document):
        raise ResumeError("corrupt", f"no page {index + 1}")
    page = _load(document, index)
    try:
        links = links_of(document, page)
        if settle_annotations(page) and pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY) == pdfium.FLATTEN_SUCCESS:
            page.close()
            page = _load(document, index)
        yield page, links
    finally:
        page.close()


def _load(document: Any, index: int) -> Any:
    try:
        return document[index]
    except pypdfium2.PdfiumError as exc:
        raise _NoPage("corrupt", f"page {index + 1}") from exc


class _NoPage(ResumeError):
    """A page the document counts and does not hold."""


def _pages(document: Any, limits: ReadLimits, traits: Traits) -> list[Page]:
    """The pages there are. Some documents count more, which is no reason to lose the others."""
    pages: list[Page] = []
    missing: _NoPage | None = None
    for index in range(min(len(document), limits.max_pages)):
        try:
            pages.append(_page(document, index, limits, traits))
        except _NoPage as exc:
            missing = missing or exc
    if missing and not pages:
        raise missing
    return pages


def _page(document: Any, index: int, limits: ReadLimits, traits: Traits) -> Page:
    with _loaded(document, index) as (page, links):
        scene = scene_of(page, mixed=traits.mixed)
        said = _said_falsely(document, index, scene) if scene.marked else []
        glyphs, frame = _upright_glyphs(page, scene)
        drawable = scene.most_pixels <= limits.max_pixels
        sight = sorted_by_sight(page, glyphs, frame, drawable=drawable, layers_off=traits.layers_off)
        seen = turned_columns(sight.seen, frame)
        runs = runs_of(_along(seen, frame.turns), frame)
        words = _with_links(words_of(runs, frame), [(frame.box(area), target) for area, target in links])
        hidden = words_of(runs_of(_along(sight.hidden, frame.turns), frame), frame)
        pictures = [_inside(frame.box(area)) for area in scene.pictures]

        def ink() -> Ink:
            if not drawable:
                raise ResumeError("too_large", f"picture on page {index + 1}")
            return edges(pixels_of(page, frame, INK_PIXELS)[:, :, 0])

        size = (frame.width, frame.height)
        lines = read_order(words, size, [frame.box(area) for area in scene.rules])
        others = list(_other_ways(seen, frame, lines[-1].block + 1 if lines else 0))
        every = [*words, *(word for line in others for word in line.words)]
        quality, notes = judge(Facts(_by_font(runs), every, hidden, pictures, scene.paths, ink))
    return Page(
        number=index + 1,
        lines=(*lines, *others),
        width=frame.width,
        height=frame.height,
        quality=quality,
        pictures=tuple(_pictures(pictures, index + 1)),
        hidden=(*_hidden(sight, frame), *said),
        notes=notes,
    )


def _upright_glyphs(page: Any, scene: Scene) -> tuple[list[Glyph], Frame]:
    """Every character, told apart into words with the page turned so that its text stands upright, and how it stands then.

    pdfium supposes spaces by how the page is shown: between all letters where it is shown upside down.
    """
    glyphs = _glyphs(page, scene)
    frame = _frame(page, glyphs)
    shown, upright = page.get_rotation(), 90 * frame.turns
    if shown == upright:
        return glyphs, frame
    page.set_rotation(upright)
    try:
        return _glyphs(page, scene), frame
    finally:
        page.set_rotation(shown)


def _glyphs(page: Any, scene: Scene) -> list[Glyph]:
    with TextPage(page) as text:
        return glyphs_of(page, text, scene)


def _said_falsely(document: Any, index: int, scene: Scene) -> list[str]:
    copy = _load(document, index)
    try:
        return without_false_marks(scene, copy, scene_of(copy))
    finally:
        copy.close()


def _frame(page: Any, glyphs: Sequence[Glyph]) -> Frame:
    """The page as people should see it: the way most of its text runs; /Rotate where there is no text to tell."""
    left, bottom, right, top = page.get_bbox()
    ways = collections.Counter(glyph.face.turns for glyph in glyphs)
    turns, count = max(ways.items(), key=lambda item: item[1], default=(None, 0))
    if turns is None or count * 2 <= len(glyphs):
        turns = page.get_rotation() // 90
    return Frame(left, bottom, right, top, turns)


def _along(glyphs: Sequence[Glyph], turns: int | None) -> Iterator[Glyph]:
    return (glyph for glyph in glyphs if glyph.face.turns == turns)


def _by_font(runs: Sequence[Run]) -> list[str]:
    """The page's text as the file maps it, font by font."""
    texts: dict[int, list[str]] = {}
    for run in runs:
        texts.setdefault(run.face.font, []).append(run.text)
    return [" ".join(parts) for parts in texts.values()]


def _other_ways(glyphs: Sequence[Glyph], frame: Frame, start: int) -> Iterator[Line]:
    """Lines of text that runs another way than the page does (a name down the margin, a watermark), after the rest."""
    for turns in sorted({glyph.face.turns for glyph in glyphs if glyph.face.turns != frame.turns}, key=str):
        group = list(_along(glyphs, turns))
        if turns is None:
            text = "".join(glyph.text for glyph in group).strip()
            if text:
                yield Line((Word(text, _inside(frame.box(group[0].area)), round(group[0].face.size, 1)),), block=start, gap=1.0)
            continue
        aside = replace(frame, turns=turns)
        back = (frame.turns - turns) % 4
        for line in read_order(words_of(runs_of(group, aside), aside), (aside.width, aside.height)):
            words = tuple(replace(word, box=turned(word.box, back) if word.box else None) for word in line.words)
            yield replace(line, words=words, block=start + line.block)


def _hidden(sight: Sight, frame: Frame) -> tuple[str, ...]:
    texts = []
    for turns in sorted({glyph.face.turns for glyph in sight.hidden}, key=str):
        aside = replace(frame, turns=turns or 0)
        texts.append(" ".join(word.text for word in words_of(runs_of(_along(sight.hidden, turns), aside), aside)))
    return tuple(text for text in texts if any(char.isalnum() for char in text))


def _pictures(boxes: Sequence[Box], number: int) -> Iterator[Picture]:
    for box in boxes:
        share = box.width * box.height
        if share >= _MIN_PICTURE:
            yield Picture(box, str(number), round(share, 3))


def _inside(box: Box) -> Box:
    return Box(*(min(1.0, max(0.0, edge)) for edge in box))


def _with_links(words: list[Word], links: Sequence[tuple[Box, str]]) -> list[Word]:
    if not links:
        return words
    return [replace(word, link=target) if (target := _target(word, links)) else word for word in words]


def _target(word: Word, links: Sequence[tuple[Box, str]]) -> str | None:
    if word.box is None:
        return None
    x, y = (word.box.x0 + word.box.x1) / 2, (word.box.y0 + word.box.y1) / 2
    return next((target for box, target in links if box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1), None)
