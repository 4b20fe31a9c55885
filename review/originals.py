"""The original on the workbench: its pages as pictures made in the sandbox, its words with their places.

Nothing of the file itself reaches the browser here, so nothing in it can run there.
"""

from __future__ import annotations

import base64
from collections import Counter
from dataclasses import asdict
from typing import Any

from ingest.options import current_options
from ingest.page import Page, from_data
from ingest.readers import can_render
from ingest.sandbox.pool import sandbox_for
from resumes import files
from resumes.models import Document, Extraction

DPI = 110
_DEADLINE_S = 20.0
_DEFAULT_PT = 12.0
"""Size of text that says nothing of it, as browsers have it."""


def turned(found: Extraction | None, page: int) -> int:
    """By how many degrees clockwise OCR turned the page upright: the words' places are those of the turned page."""
    reading = found.reading if found else None
    pages = reading["pages"] if reading else []
    return next((int(entry["notes"].get("turned", 0)) for entry in pages if entry["n"] == page), 0)


def etag(document: Document, page: int, degrees: int, *, blind: bool = False) -> str:
    """A page's picture never changes: it is named by the file's digest."""
    return f'"{document.sha256[:32]}-{page}-{degrees}-{DPI}{"-blind" if blind else ""}"'


def picture(document: Document, page: int, degrees: int) -> bytes:
    """A page as PNG, turned clockwise. Raises ResumeError."""
    with files.local_copy(document) as path:
        answer = sandbox_for("reader").call(
            "page_image",
            {
                "path": str(path),
                "media_type": document.media_type,
                "limits": asdict(current_options().limits),
                "page": page,
                "dpi": DPI,
                "turned": degrees,
            },
            deadline_s=_DEADLINE_S,
        )
    return base64.b64decode(answer["png"])


def pages(document: Document | None, found: Extraction | None) -> list[dict[str, Any]]:
    """`[{number, picture, ratio, lines: [{words: [[text, box | null, space, bold], …], style, cell, size, …}]}]`.

    In reading order; `cell` is `[table, row, column, span]` or null, `size` a font size in proportion to that of most of the
    page's text, `gap`, `indent` and `block` as in `ingest.page.Line`. A document nobody has read yet still has a first page to
    show, where it can be rendered at all.
    """
    drawable = document is not None and can_render(document.media_type)
    reading = found.reading if found else None
    if reading is None:
        return [{"number": 1, "picture": drawable, "ratio": None, "lines": []}] if document else []
    return [_sheet(page, picture=drawable and _has_places(page)) for page in from_data(reading).pages]


def _sheet(page: Page, *, picture: bool) -> dict[str, Any]:
    usual = _usual_size(page)
    return {
        "number": page.number,
        "picture": picture,
        "ratio": round(page.height / page.width, 4) if page.width and page.height else None,
        "lines": [
            {
                "words": [
                    [word.text, list(word.box.rounded()) if word.box else None, word.space, word.bold] for word in line.words
                ],
                "style": line.style,
                "cell": list(line.cell) if line.cell else None,
                "size": round((line.size or _DEFAULT_PT) / usual, 2),
                "gap": line.gap,
                "indent": line.indent,
                "block": line.block,
            }
            for line in page.lines
        ],
    }


def _usual_size(page: Page) -> float:
    """The size of most letters of a page, in points."""
    letters: Counter[float] = Counter()
    for line in page.lines:
        for word in line.words:
            letters[word.size or _DEFAULT_PT] += len(word.text)
    return letters.most_common(1)[0][0] if letters else _DEFAULT_PT


def _has_places(page: Page) -> bool:
    """Whether a picture of the page says where its words stand; an unread page is shown as a picture too."""
    return not page.lines or any(word.box for line in page.lines for word in line.words)
