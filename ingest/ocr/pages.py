"""Reading a page by OCR: its picture is prepared, read by one engine, put in reading order, and judged.

What engines do is theirs; which of them is asked is `ingest.ocr.channels`; whether the result replaces a text layer is
the stage's decision. The same picture gives the same page: no clocks, no chance.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PIL import Image

from ingest import layout, ocr, readers
from ingest.layout.ruling import ruled_lines
from ingest.ocr.mend import mended
from ingest.ocr.plausible import plausibility
from ingest.ocr.prepare import Prepared, prepare, sideways, turned, upright
from ingest.page import Line, Page, Reading, TextQuality, to_data
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


def read_pages(
    path: Path, media_type: str, numbers: Sequence[int], *, channel: str, scripts: Sequence[str], limits: readers.ReadLimits
) -> dict[str, Any]:
    """Read pages (numbers from 1) by one channel.

    `scripts` is what is known of the document's scripts, empty for nothing. Gives `{"pages": […], "scripts": […]}`: pages
    as `page.to_data` has them, and the scripts that were read, where the readings can be relied on. Raises ResumeError.
    """
    images = readers.page_images_for(media_type)
    if images is None:
        raise ResumeError("no_text_layer", "nothing to render")
    engine = ocr.engine(channel)
    known = frozenset(ocr.Script(script) for script in scripts)
    pages = []
    for number in numbers:
        with Image.open(io.BytesIO(images.page_image(path, number, limits, _DPI))) as image:
            pages.append(read_page(image, number, engine, known))
    found = scripts_in(page.text for page in pages if page.quality is TextQuality.GOOD) or known
    return {"pages": to_data(Reading(tuple(pages)))["pages"], "scripts": sorted(found)}


def read_page(image: Image.Image, number: int, engine: ocr.Engine, known: frozenset[ocr.Script] = frozenset()) -> Page:
    """Read the picture of a page. Raises what the engine raises.

    A page that makes no sense as it lies is turned; then its boxes are those of the turned page and `notes["turned"]`
    has the degrees (clockwise).
    """
    able = engine.ability().scripts
    scripts = known & able
    if known and not scripts:
        return _page(number, image.size, _Attempt(()), {"unable": 1.0})
    # Latin letters stand on every page: addresses, products, degrees.
    scripts = scripts | (able & {ocr.Script.LATIN}) if scripts else able
    prepared = prepare(image)
    lies = sideways(prepared.image) > _LIES
    if lies:
        attempt = _Attempt(())  # a reading as it lies would be a waste
    else:
        attempt = _read(engine, prepared, scripts)
    if lies or attempt.lying or (attempt.letters and attempt.worth < _WORTH and attempt.confidence < _SURE):
        degrees = upright(prepared.image, lambda part: _read(engine, Prepared(part), scripts).worth, attempt.worth)
        if degrees:
            upright_page = Prepared(turned(prepared.image, degrees))
            again = _read(engine, upright_page, scripts)
            if again.worth > attempt.worth:
                return _page(number, upright_page.image.size, again, {"turned": float(degrees)})
        if lies:
            attempt = _read(engine, prepared, scripts)
    return _page(number, image.size, attempt, {})


@dataclass(frozen=True, slots=True)
class _Attempt:
    """What one reading of a picture gave, and how far it can be believed."""

    lines: tuple[Line, ...]
    confidence: float = 0.0
    """The engine's own, mean over letters."""
    plausibility: float = 0.0
    lying: bool = False
    """Whether the words stand on end: engines read such too, but nothing that follows could put them in order."""

    @property
    def worth(self) -> float:
        return 0.0 if self.lying else self.confidence * self.plausibility

    @property
    def letters(self) -> int:
        return sum(len(word.text) for line in self.lines for word in line.words)


def _read(engine: ocr.Engine, prepared: Prepared, scripts: frozenset[ocr.Script]) -> _Attempt:
    """One reading: words mended, in reading order found on the prepared picture, boxes put back to the page's own."""
    words = tuple(mended(engine.read(prepared.image, scripts)))
    letters = sum(len(word.text) for word in words)
    if not letters:
        return _Attempt(())
    width, height = prepared.image.size
    shapes = [word.box.width * width > word.box.height * height for word in words if word.box and len(word.text) >= _LONG]
    lines = layout.read_order(words, _points(prepared.image.size), ruled_lines(prepared.image))
    return _Attempt(
        lines=tuple(replace(line, words=tuple(prepared.put_back(word) for word in line.words)) for line in lines),
        confidence=sum(word.confidence * len(word.text) for word in words) / letters,
        plausibility=plausibility("\n".join(line.text for line in lines)),
        lying=2 * sum(shapes) < len(shapes),
    )


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
        **notes,
    }
    return Page(number, attempt.lines, width=width, height=height, quality=quality, notes=figures)


def _points(size: tuple[int, int]) -> tuple[float, float]:
    """The size of the paper: pictures say nothing reliable about it, so the long side counts as that of A4."""
    scale = _A4_POINTS / max(size)
    return round(size[0] * scale, 1), round(size[1] * scale, 1)


def scripts_in(texts: Iterable[str]) -> frozenset[ocr.Script]:
    """The scripts a good part of the letters is in."""
    counts = dict.fromkeys(ocr.Script, 0.0)
    for text in texts:
        for char in text:
            if "㐀" <= char <= "鿿":
                counts[ocr.Script.HAN] += 2.5  # one says as much as two or three letters
            elif "Ѐ" <= char <= "ӿ":
                counts[ocr.Script.CYRILLIC] += 1
            elif "a" <= char.lower() <= "z":
                counts[ocr.Script.LATIN] += 1
    total = sum(counts.values())
    return frozenset(script for script, count in counts.items() if total and count >= 0.1 * total)
