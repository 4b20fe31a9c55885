"""Mending of single words as OCR engines leave them: what can be told from the word alone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ingest.page import Box, Word

# Letters that are drawn alike in both scripts.
_CYRILLIC_TO_LATIN = str.maketrans("АВЕКМНОРСТХЅІЈаеорсухѕіј", "ABEKMHOPCTXSIJaeopcyxsij")
_LATIN_TO_CYRILLIC = str.maketrans("ABEKMHOPCTXaeopcyx", "АВЕКМНОРСТХаеорсух")
_LATIN = re.compile(r"[A-Za-z]")
_CYRILLIC = re.compile(r"[Ѐ-ӿ]")
_QUOTED = re.compile(r"[«\"“„]\W*[Ѐ-ӿ]")
"""The start of a name in quotation marks that is written in Cyrillic."""
_FORM = re.compile(r"[AHOTao0]{2,4}")
"""A company's legal form read in Latin letters and zeros: ООО, ОАО, АО, НАО, ТОО. CEO and CTO have other letters."""
_PART = re.compile(r"[^\W_]+|[\W_]+")
_ADDRESS = re.compile(r"@|://|\bwww\.|\.(?:com|org|net|io|example)\b")
_DOLLAR = re.compile(r"\$(?=[A-ZА-Я])")
_BARS = re.compile(r"([|｜]|(?<=[㐀-鿿])@(?=[㐀-鿿]))")
"""Upright bars, and the `at` between a position and a company in Chinese, which no address has."""
_HAN_DASH = re.compile(r"(?<=[\d年月日])一(?=\d|至今|现在|今)")
"""The ideograph `one` where only a dash can stand: after a date and before the next."""


def mended(words: Iterable[Word]) -> Iterator[Word]:
    """The words with one script in each part, plain letters in addresses, dashes in periods, and upright bars apart.

    What stands before a Cyrillic name in quotation marks, and looks like it, is Cyrillic as well: ООО «Вектор».
    """
    before: Word | None = None
    for word in words:
        for part in _apart(word):
            text = _address(part.text) if _ADDRESS.search(part.text) else _one_script(_HAN_DASH.sub("—", part.text))
            if before is not None:
                yield _form(before) if _QUOTED.match(text) and _FORM.fullmatch(before.text) else before
            before = part if text == part.text else replace(part, text=text)
    if before is not None:
        yield before


def _form(word: Word) -> Word:
    return replace(word, text=word.text.translate(_LATIN_TO_CYRILLIC).replace("0", "О").upper())


def _one_script(text: str) -> str:
    """Put the look-alikes of a part that mixes two scripts into the script of its other letters."""
    text = _DOLLAR.sub("S", text)
    return "".join(_unmixed(part) for part in _PART.findall(text))


def _unmixed(part: str) -> str:
    if not (_LATIN.search(part) and _CYRILLIC.search(part)):
        return part
    as_latin, as_cyrillic = part.translate(_CYRILLIC_TO_LATIN), part.translate(_LATIN_TO_CYRILLIC)
    if not _CYRILLIC.search(as_latin):
        return as_latin
    return part if _LATIN.search(as_cyrillic) else as_cyrillic


def _address(text: str) -> str:
    """E-mail and web addresses have neither accents nor Cyrillic look-alikes."""
    plain = unicodedata.normalize("NFKD", text.translate(_CYRILLIC_TO_LATIN))
    return "".join(char for char in plain if not unicodedata.combining(char))


def _apart(word: Word) -> Iterator[Word]:
    """Split a word at upright bars: they stand between things, whatever space the engine saw."""
    parts = [part for part in _BARS.split(word.text) if part]
    if len(parts) < 2:
        yield word
        return
    done, length = 0, len(word.text)
    for index, part in enumerate(parts):
        box = word.box
        if box is not None:
            box = Box(box.x0 + box.width * done / length, box.y0, box.x0 + box.width * (done + len(part)) / length, box.y1)
        done += len(part)
        yield replace(word, text=part, box=box, space=word.space if index + 1 == len(parts) else True)
