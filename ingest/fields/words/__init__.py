"""Word lists: what a language calls things, as data that people can edit without code.

A list is a text file `<language>/<name>.txt` (`en`, `zh`, `ru`; `any` for what no language owns). One entry a line;
lines that begin with `#` are comments. An entry is a phrase, or `key: phrase; phrase`, the key being what the phrases
stand for. Lists raise confidence and tell kinds of text apart; no value is output only because it is listed, or
withheld because it is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from ingest.fields.document import normalise

_FOLDER = Path(__file__).parent
LANGUAGES = ("any", "en", "zh", "ru")


def fold(text: str) -> str:
    """The form in which phrases are compared: normalised, case folded, ё as е, straight apostrophes."""
    return normalise(text).casefold().replace("ё", "е").replace("’", "'")


@cache
def phrases(name: str, language: str | None = None) -> frozenset[str]:
    """All phrases of a list, folded; of every language unless one is named. Keys are left out."""
    return frozenset(fold(phrase) for _, found in _entries(name, language) for phrase in found)


@cache
def keys(name: str, language: str | None = None) -> Mapping[str, str]:
    """Folded phrase → key, for lists with keys. The first of two lines that claim a phrase wins."""
    result: dict[str, str] = {}
    for key, found in _entries(name, language):
        for phrase in found:
            result.setdefault(fold(phrase), key)
    return MappingProxyType(result)


def _entries(name: str, language: str | None) -> Iterator[tuple[str, list[str]]]:
    for folder in LANGUAGES if language is None else (language,):
        path = _FOLDER / folder / f"{name}.txt"
        if not path.exists():
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            entry = line.strip()
            if not entry or entry.startswith("#"):
                continue
            key, colon, rest = entry.partition(": ")
            yield (key.strip(), [part.strip() for part in rest.split(";") if part.strip()]) if colon else ("", [entry])
