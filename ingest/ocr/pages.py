"""Reading a page by OCR: its picture is prepared, read by one engine, put in reading order, and judged.

What engines do is theirs; which of them is asked is `ingest.ocr.channels`; whether the result replaces a text layer is
the stage's decision. The same picture gives the same page: no clocks, no chance.
"""

from __future__ import annotations

import io
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from ingest import layout, ocr, readers
from ingest.judgement import BLANK_INK, INK_PIXELS, edges
from ingest.layout.ruling import ruled_lines
from ingest.ocr.light import evened, without_grain
from ingest.ocr.mend import mended
from ingest.ocr.missed import missed_writing, without_ruled
from ingest.ocr.orientation import ragged_left, sideways, turned, upright
from ingest.ocr.plan import FOREIGN
from ingest.ocr.plausible import plausibility
from ingest.ocr.prepare import Prepared, prepare
from ingest.ocr.strips import Sheet
from ingest.ocr.weight import is_small, weighed
from ingest.page import Box, Line, Page, Reading, TextQuality, Word, from_data, to_data
from resumes.taxonomy import ResumeError

_DPI = 200
_WORTH = 0.65
"""Confidence times plausibility from which a reading is relied on: good ones have 0.8 and more on scans and photos, readings
in the wrong script or upside down 0.55 and less."""
_SURE = 0.8
"""Confidence of an engine that sees the page upright, in whatever script; turned pages give 0.7 and less."""
_LIES = 2.0
"""Of `sideways`, from which a page is turned before it is read."""
_LONG = 4
"""Letters from which a word is wider than high."""
_A4_POINTS = 842
_CLEAR = 0.7
"""Confidence from which writing that had been overlooked is some: from what is no writing less is read."""
_ROUND = frozenset("oо0")
"""What rows of dots are read as."""
_OVERLAP = 0.4
"""Share of a word read from the picture that lies on words of the text layer, from which it is one of them."""


def read_pages(
    path: Path,
    media_type: str,
    numbers: Sequence[int],
    *,
    channel: str,
    scripts: Sequence[str],
    limits: readers.ReadLimits,
    layers: Sequence[Mapping[str, Any]] = (),
) -> list[dict[str, Any]]:
    """Read pages (numbers from 1) by one channel; gives them as `page.to_data` has them.

    `scripts` is what is known of the document's scripts, empty for nothing. `layers` are stored pages whose text is right
    as far as it goes: what is read from their pictures is added to it. Raises ResumeError.
    """
    images = readers.page_images_for(media_type)
    if images is None:
        raise ResumeError("no_text_layer", "nothing to render")
    engine = ocr.engine(channel)
    known = frozenset(ocr.Script(script) for script in scripts)
    kept = {page.number: page for page in from_data({"pages": layers, "warnings": [], "title": ""}).pages}
    pages = []
    for number in numbers:
        with Image.open(io.BytesIO(images.page_image(path, number, limits, _DPI))) as image:
            pages.append(read_page(image, number, engine, known, kept.get(number)))
    return list(to_data(Reading(tuple(pages)))["pages"])


def read_page(
    image: Image.Image,
    number: int,
    engine: ocr.Engine,
    known: frozenset[ocr.Script] = frozenset(),
    layer: Page | None = None,
) -> Page:
    """Read the picture of a page. Raises what the engine raises.

    A page that makes no sense as it lies is turned; then its boxes are those of the turned page and `notes["turned"]`
    has the degrees (clockwise). With a `layer` the picture is that of a page whose text is right as far as it goes.
    """
    ability = engine.ability()
    able = ability.scripts
    scripts = known & able
    if known and not scripts:
        return _page(number, image.size, _Attempt(()), {"unable": 1.0})
    # Latin letters stand on every page: addresses, products, degrees.
    scripts = scripts | (able & {ocr.Script.LATIN}) if scripts else able
    if layer is not None:
        return _completed(layer, image, engine, scripts, able)
    prepared = prepare(image)
    lies = sideways(prepared.image) > _LIES
    turned_up = None
    if lies or ragged_left(prepared.image):  # a reading as it lies would be a waste
        turned_up = _turned_up(prepared.image, engine, scripts, 0.0 if lies else _WORTH)
    attempt = _Attempt(()) if turned_up else _read(engine, prepared, scripts)
    doubtful = attempt.seen and attempt.worth < _WORTH and attempt.confidence < ability.upright_confidence
    if not lies and (attempt.lying or doubtful):
        turned_up = _turned_up(prepared.image, engine, scripts, attempt.worth)
    if turned_up and turned_up.attempt.worth > attempt.worth:
        notes = {"turned": float(turned_up.degrees)} | _foreign(turned_up.attempt, able)
        return _page(number, turned_up.size, turned_up.attempt, notes)
    page = _page(number, image.size, attempt, _foreign(attempt, able))
    return replace(page, quality=TextQuality.BLANK) if not attempt.seen and _is_blank(image) else page


@dataclass(frozen=True, slots=True)
class _TurnedUp:
    """A page read turned."""

    degrees: int
    size: tuple[int, int]
    attempt: _Attempt


def _turned_up(image: Image.Image, engine: ocr.Engine, scripts: frozenset[ocr.Script], now: float) -> _TurnedUp | None:
    """The page turned the way up in which it reads better than `now`; None where there is none."""
    degrees = upright(image, lambda part: _read(engine, Prepared(part), scripts).worth, now)
    if not degrees:
        return None
    page = turned(image, degrees)
    attempt = _read(engine, Prepared(page), scripts)
    return _TurnedUp(degrees, page.size, attempt) if attempt.worth else None


def _is_blank(image: Image.Image) -> bool:
    """Whether there is nothing to read on a picture, which an engine that has read nothing cannot tell."""
    small = image.convert("L")
    small.thumbnail((INK_PIXELS, INK_PIXELS))
    return float(edges(np.asarray(small, dtype=np.int16)).mean()) < BLANK_INK


def _completed(
    layer: Page, image: Image.Image, engine: ocr.Engine, scripts: frozenset[ocr.Script], able: frozenset[ocr.Script]
) -> Page:
    """A page whose text is right as far as it goes, with what can be believed of its pictures' writing in its place."""
    attempt = _read(engine, Prepared(_pictures_only(image.convert("RGB"), layer)), scripts, layer)
    notes = _foreign(attempt, able)
    if notes:
        return replace(_page(layer.number, image.size, attempt, notes), quality=TextQuality.SPARSE)
    page = _page(layer.number, image.size, attempt, {})
    # Portraits and ornaments give nothing to believe: then the text is all there is.
    return replace(page, quality=TextQuality.GOOD, lines=page.lines if attempt.worth >= _WORTH else layer.lines)


def _pictures_only(image: Image.Image, layer: Page) -> Image.Image:
    """The page white but for its pictures, which is where text may be missing; all of it where it has none."""
    boxes = [picture.box for picture in layer.pictures if picture.box]
    if not boxes:
        return image
    white = Image.new("RGB", image.size, "white")
    width, height = image.size
    for box in boxes:
        left, top = round(box.x0 * width), round(box.y0 * height)
        white.paste(image.crop((left, top, round(box.x1 * width), round(box.y1 * height))), (left, top))
    return white


def _foreign(attempt: _Attempt, able: frozenset[ocr.Script]) -> dict[str, float]:
    """Which scripts the writing must be in that an engine saw, upright, and could not read: those it does not know."""
    if attempt.unread < FOREIGN or attempt.lying or (attempt.letters and attempt.confidence < _SURE):
        return {}
    return {script.value: round(attempt.unread, 3) for script in ocr.Script if script not in able}


@dataclass(frozen=True, slots=True)
class _Attempt:
    """What one reading of a picture gave, and how far it can be believed."""

    lines: tuple[Line, ...]
    confidence: float = 0.0
    """The engine's own, mean over letters."""
    plausibility: float = 0.0
    unread: float = 0.0
    """Share of the writing the engine saw and could not read."""
    lying: bool = False
    """Whether the words stand on end: engines read such too, but nothing that follows could put them in order."""

    @property
    def worth(self) -> float:
        return 0.0 if self.lying else self.confidence * self.plausibility * (1.0 - self.unread)

    @property
    def seen(self) -> bool:
        return bool(self.letters or self.unread)

    @property
    def letters(self) -> int:
        return sum(len(word.text) for line in self.lines for word in line.words)


def _read(engine: ocr.Engine, prepared: Prepared, scripts: frozenset[ocr.Script], layer: Page | None = None) -> _Attempt:
    """One reading: words mended, in reading order found on the prepared picture, boxes put back to the page's own.

    What is judged is what was read; the words of a `layer` are set among it.
    """
    even = evened(prepared.image)
    rules = ruled_lines(even)  # in the page's own colours, white type in panels looks ruled
    found = _found(engine, prepared.image, scripts, even, rules)
    missed = sum(word.box.width for word in found if word.text == ocr.UNREAD and word.box)
    words = tuple(mended(word for word in found if word.text != ocr.UNREAD))
    there = tuple(word for line in layer.lines for word in line.words) if layer else ()
    words = tuple(word for word in words if not _stands_on(word, there))
    letters = sum(len(word.text) for word in words)
    unread = missed / (missed + sum(word.box.width for word in words if word.box)) if missed else 0.0
    if not letters:
        return _Attempt(layer.lines if layer else (), unread=unread)
    width, height = prepared.image.size
    shapes = [word.box.width * width > word.box.height * height for word in words if word.box and len(word.text) >= _LONG]
    small = is_small(words, prepared.image.height)
    words = weighed(words, evened(prepared.image, specks=True) if small else even, small=small)
    size = _points(prepared.image.size)
    level = tuple(prepared.levelled(word) for word in words)
    read = layout.read_order(level, size, rules)
    lines = layout.read_order((*there, *level), size, rules) if there else read
    return _Attempt(
        lines=tuple(
            replace(line, words=tuple(prepared.put_back(prepared.as_read(word)) for word in line.words)) for line in lines
        ),
        confidence=sum(word.confidence * len(word.text) for word in words) / letters,
        plausibility=plausibility("\n".join(line.text for line in read)),
        unread=unread,
        lying=2 * sum(shapes) < len(shapes),
    )


def _found(
    engine: ocr.Engine, image: Image.Image, scripts: frozenset[ocr.Script], even: Image.Image, rules: Sequence[Box]
) -> list[Word]:
    """What an engine reads on a picture, and in a second look at the writing that it has overlooked."""
    words = without_ruled(engine.read(image, scripts), rules)
    if any(word.text == ocr.UNREAD for word in words):
        return words  # in letters that the engine does not know, in a second look too
    clean = without_grain(even)
    boxes = missed_writing(clean, words, rules)
    if not boxes:
        return words
    sheet = Sheet.of(clean, boxes)
    try:
        again = engine.read(sheet.image, scripts)
    except ResumeError:
        return words  # the page has been read, whatever happens to its last few words
    for part in sheet.put_back(again):
        letters = {char for word in part for char in word.text.casefold() if char.isalnum()}
        if len(letters - _ROUND) > 1 and statistics.mean(word.confidence for word in part) >= _CLEAR:
            words += part
    return words


def _stands_on(word: Word, others: Sequence[Word]) -> bool:
    """Whether a good part of the word lies on others."""
    if word.box is None:
        return False
    area = max(1e-9, word.box.width * word.box.height)
    return sum(_shared(word.box, other.box) for other in others if other.box) >= _OVERLAP * area


def _shared(one: Box, other: Box) -> float:
    width, height = min(one.x1, other.x1) - max(one.x0, other.x0), min(one.y1, other.y1) - max(one.y0, other.y0)
    return width * height if width > 0 and height > 0 else 0.0


def _page(number: int, size: tuple[int, int], attempt: _Attempt, notes: dict[str, float]) -> Page:
    width, height = _points(size)
    if not attempt.letters:
        quality = TextQuality.ABSENT
    else:
        quality = TextQuality.GOOD if attempt.worth >= _WORTH else TextQuality.GARBLED
    figures = {
        "confidence": round(attempt.confidence, 3),
        "plausibility": round(attempt.plausibility, 3),
        "letters": float(attempt.letters),
        "unread": round(attempt.unread, 3),
        "worth": round(attempt.worth, 3),
        **notes,
    }
    return Page(number, attempt.lines, width=width, height=height, quality=quality, notes=figures)


def _points(size: tuple[int, int]) -> tuple[float, float]:
    """The size of the paper: pictures say nothing reliable about it, so the long side counts as that of A4."""
    scale = _A4_POINTS / max(size)
    return round(size[0] * scale, 1), round(size[1] * scale, 1)
