"""What a PDF says its drawn text stands for (`/ActualText`), and whether that is what is drawn.

pdfium gives it in place of the drawn text. Writers mean well by it: ligatures, hyphens, letters without a character map.
Where the drawn letters are known and others, they are what people see.
"""

from __future__ import annotations

import codecs
import ctypes
import re
import unicodedata
from typing import Any

import pypdfium2.raw as pdfium

from ingest.layout.direction import runs_left
from ingest.readers import pdf_raw as raw
from ingest.readers.pdf_glyphs import TextPage
from ingest.readers.pdf_scene import Scene

_BYTE_ORDERS = {codecs.BOM_UTF16_BE: "utf-16-be", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF8: "utf-8"}
_ONE_SHAPE = ".{1,4}"
"""What a shape without a character map may stand for: a letter or a ligature."""


def without_false_marks(scene: Scene, copy: Any, copied: Scene) -> list[str]:
    """Take from a page, told by its scene, the marks whose text is not the drawn one; what they said.

    `copy` is the same page loaded once more, `copied` its scene; it loses all its marks, so that pdfium tells what is drawn.
    """
    for item, mark, _ in copied.marked:
        raw.remove_mark(item, mark)
    drawn: dict[int, list[str]] = {}
    with TextPage(copy) as handle:
        address = ctypes.cast(handle, ctypes.c_void_p).value
        for index in range(pdfium.FPDFText_CountChars(handle)):
            owner = raw.text_object_of(address, index)
            if owner:
                drawn.setdefault(owner, []).append(chr(raw.unicode_of(address, index)))
    shown: dict[int, str] = {}
    for (_, mark, _), (item, _, _) in zip(scene.marked, copied.marked, strict=True):
        shown[mark] = shown.get(mark, "") + "".join(drawn.get(item, ()))
    said = {mark: _readings(text) for _, mark, text in scene.marked}
    false = {mark for mark, texts in said.items() if not any(_agree(shown[mark], text) for text in texts)}
    for item, mark, _ in scene.marked:
        if mark in false:
            raw.remove_mark(item, mark)
    return [said[mark][0] for mark in said if mark in false]


def _readings(text: bytes) -> list[str]:
    """What a string of a PDF may mean. Some writers leave out the mark of UTF-16, and pdfium then goes by what is drawn."""
    for mark, encoding in _BYTE_ORDERS.items():
        if text.startswith(mark):
            return [text[len(mark) :].decode(encoding, "replace")]
    return [text.decode("latin-1"), text.decode("utf-16-be", "replace")]


def _agree(drawn: str, said: str) -> bool:
    letters = _letters(said)
    if runs_left(said):
        return sorted(letters) == sorted(_letters(drawn))  # drawn in the order they stand or in that of reading
    pattern = "".join(_ONE_SHAPE if _is_unmapped(char) else re.escape(_letters(char)) for char in drawn)
    return not letters or re.fullmatch(pattern, letters) is not None


def _letters(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def _is_unmapped(char: str) -> bool:
    if char == "\ufffd" or "\u2e80" <= char <= "\u2fdf":  # radicals, to which fonts map the ideographs of the same shape
        return True
    return not char.isspace() and unicodedata.category(char) in ("Co", "Cc", "Cn", "Cs")
