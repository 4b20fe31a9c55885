"""OCR engines ("channels"): one file per engine, one line per engine in this registry.

An engine turns the picture of one upright page into words with boxes and confidences. It runs inside the sandbox
and loads its model on first use there, never before a fork.
"""

from __future__ import annotations

import enum
import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, cast

from ingest.page import Word

if TYPE_CHECKING:
    from PIL import Image


UNREAD = "\ufffd"
"""Text of a word that stands for writing an engine saw and could not read; it tells what was missed, and is never shown."""


class Script(enum.StrEnum):
    LATIN = "latin"
    HAN = "han"
    CYRILLIC = "cyrillic"


def gettext_noop(text: str) -> str:
    """Mark a text for translation. It is translated where people read it, for Django does not run where engines do."""
    return text


@dataclass(frozen=True, slots=True)
class Lack:
    """What an engine misses on this machine: a sentence in English with one `%s`, and the names that stand there."""

    text: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return self.text % ", ".join(self.names)


@dataclass(frozen=True, slots=True)
class Ability:
    """What an engine can do on this machine."""

    scripts: frozenset[Script]
    available: bool
    why_not: str = ""
    """One sentence for operators: what is missing and which package brings it."""
    seconds_per_page: float = 5.0
    """Usual cost of an A4 page on one thread; orders channels of equal quality and sets what "slow" means."""
    deadline_s: float = 30.0
    upright_confidence: float = 0.8
    """From which a page surely lies the right way up, however little sense it makes: above what the engine gives turned ones."""
    lack: Lack | None = None
    """What `why_not` says in parts, which can be translated."""


class Engine(Protocol):
    """The shape of an engine's module."""

    def ability(self) -> Ability:
        """What it can do here; cheap, loads no model."""
        ...

    def read(self, image: Image.Image, scripts: frozenset[Script]) -> tuple[Word, ...]:
        """Words of the page in any order, boxes as fractions, source OCR; `UNREAD` for what it saw and could not read.

        Raises ResumeError.
        """
        ...


# channel → module. A new engine is one file and one line.
ENGINES: Mapping[str, str] = MappingProxyType(
    {
        "rapidocr": "ingest.ocr.rapidocr",
        "tesseract": "ingest.ocr.tesseract",
        "easyocr": "ingest.ocr.easyocr",
        "null": "ingest.ocr.null",
    }
)


def engine(channel: str) -> Engine:
    """The engine of a channel; imported when first used, since engines load libraries of hundreds of megabytes."""
    return cast("Engine", importlib.import_module(ENGINES[channel]))
