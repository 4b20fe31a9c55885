"""What is left to read by OCR, and in which scripts: told from a document's stored pages alone.

Pages here are in their stored form (`ingest.page.to_data`). What an engine made of a page stays in the page's notes:
`worth_<channel>` is how far its reading can be believed (0 to 1), and the name of a script is the share of the writing that
must be in that script because the engine, which knows the others, saw it and could not read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ingest.ocr import Script
from ingest.page import TextQuality

MAX_PAGES = 20
"""Nobody's resume has more; the rest of a longer scan is left to the reviewer and said so."""
FOREIGN = 0.4
"""Share of a page's writing that stays unread from which it is in a script the engine does not know."""
_A_GOOD_PART = 0.1
_WORTH = "worth_"


def worth_note(channel: str) -> str:
    """Name of the note that says how far a channel's reading of a page can be believed."""
    return f"{_WORTH}{channel}"


def pages_to_read(reading: Mapping[str, Any] | None, channel: str = "") -> tuple[int, ...]:
    """Numbers of the pages whose text is not to be relied on, `MAX_PAGES` at most with those read before; without those
    that `channel` has read already."""
    return tuple(page["n"] for page in _within(reading) if _is_unread(page) and worth_note(channel) not in page["notes"])


def has_more(reading: Mapping[str, Any] | None) -> bool:
    """Whether there are more pages to read than are read."""
    return len(_candidates(reading)) > MAX_PAGES


def expected_scripts(reading: Mapping[str, Any] | None) -> frozenset[Script]:
    """The scripts of the document as far as they are known: from its good text, else from what engines could not read."""
    pages = reading["pages"] if reading else ()
    known = scripts_in(_text(page) for page in pages if TextQuality(page["q"]) is TextQuality.GOOD)
    told = frozenset(script for script in Script for page in pages if page["notes"].get(script.value, 0.0) >= FOREIGN)
    return known | told


def scripts_in(texts: Iterable[str]) -> frozenset[Script]:
    """The scripts a good part of the letters is in."""
    counts = dict.fromkeys(Script, 0.0)
    for text in texts:
        for char in text:
            if "㐀" <= char <= "鿿":
                counts[Script.HAN] += 2.5  # one says as much as two or three letters
            elif "Ѐ" <= char <= "ӿ":
                counts[Script.CYRILLIC] += 1
            elif "a" <= char.lower() <= "z":
                counts[Script.LATIN] += 1
    total = sum(counts.values())
    return frozenset(script for script, count in counts.items() if total and count >= _A_GOOD_PART * total)


def _within(reading: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    return _candidates(reading)[:MAX_PAGES]


def _candidates(reading: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """Pages that are to be read or have been."""
    pages = reading["pages"] if reading else ()
    return [page for page in pages if _is_unread(page) or any(note.startswith(_WORTH) for note in page["notes"])]


def _is_unread(page: Mapping[str, Any]) -> bool:
    return TextQuality(page["q"]).wants_ocr


def _text(page: Mapping[str, Any]) -> str:
    return " ".join(word[0] for line in page["l"] for word in line["w"])
