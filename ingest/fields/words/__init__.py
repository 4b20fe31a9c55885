"""Word lists: what a language calls things, as data that people can edit without code.

A list is a text file `<language>/<name>.txt` (`en`, `zh`, `ru`; `any` for what no language owns). One entry a line;
lines that begin with `#` are comments. An entry is a phrase, or `key: phrase; phrase`, the key being what the phrases
stand for. Lists raise confidence and tell kinds of text apart; no value is output only because it is listed, or
withheld because it is not.

An installation lays lists of its own over these: files of the same names below the folder that the environment names
`GLEANER_WORDS` (see `docs/word-lists.md`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path
from types import MappingProxyType

from ingest.fields.document import normalise

_FOLDER = Path(__file__).parent
LANGUAGES = ("any", "en", "zh", "ru")
VARIABLE = "GLEANER_WORDS"
"""Names the folder of an installation's own lists. The sandbox passes it on to its child."""
ALONE = "# alone"
"""First line of an own list that is to take the place of the shipped one."""
_WITHOUT = "- "
_HAN = re.compile("[㐀-鿿]")


def fold(text: str) -> str:
    """The form in which phrases are compared: normalised, case folded, ё as е, straight apostrophes, simplified characters.

    A Chinese character stays one, so that places in the folded text are places in the text.
    """
    folded = normalise(text).casefold()
    return folded if folded.isascii() else simplified(folded.replace("ё", "е").replace("’", "'"))


def simplified(text: str) -> str:
    """Chinese in simplified characters, one for one, so that lists and patterns need no second spelling."""
    return text.translate(_variants()) if _HAN.search(text) else text


@cache
def _variants() -> dict[int, str]:
    """Traditional characters and what they are compared as."""
    pairs = _parsed((_FOLDER / "zh" / "variants.txt").read_text(encoding="utf-8").splitlines(), frozenset())
    return {ord(variant): plain for plain, variants in pairs for variant in variants}


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


def phrases_for(name: str, key: str) -> tuple[str, ...]:
    """The folded phrases of a list with keys that stand for this one."""
    return tuple(phrase for phrase, found in keys(name).items() if found == key)


def any_of(found: Iterable[str]) -> str:
    """A pattern for any of these phrases, the longest first. One in letters ends with a word, Chinese ones end anywhere."""
    longest_first = sorted(found, key=len, reverse=True)
    return "|".join(re.escape(phrase) + ("" if _HAN.match(phrase) else r"(?!\w)") for phrase in longest_first)


def _entries(name: str, language: str | None) -> Iterator[tuple[str, list[str]]]:
    """The entries of a list, an installation's own before the shipped ones, so that they win."""
    for folder in LANGUAGES if language is None else (language,):
        own = _own_lines(f"{folder}/{name}.txt")
        without = {fold(line.removeprefix(_WITHOUT)) for line in own if line.startswith(_WITHOUT)}
        yield from _parsed((line for line in own if not line.startswith(_WITHOUT)), frozenset())
        path = _FOLDER / folder / f"{name}.txt"
        if path.exists() and own[:1] != [ALONE]:
            yield from _parsed(path.read_text(encoding="utf-8").splitlines(), without)


def _own_lines(path: str) -> list[str]:
    """The lines of an installation's own list; none where it has none. However it was saved: people edit it."""
    folder = os.environ.get(VARIABLE, "")
    if not folder:
        return []
    try:
        content = Path(folder, path).read_bytes()
    except OSError:
        return []
    return [line.strip() for line in content.decode("utf-8-sig", "replace").splitlines()]


def _parsed(lines: Iterable[str], without: AbstractSet[str]) -> Iterator[tuple[str, list[str]]]:
    for line in lines:
        entry = line.strip()
        if not entry or entry.startswith("#"):
            continue
        key, colon, rest = entry.partition(": ")
        found = [part.strip() for part in rest.split(";") if part.strip()] if colon else [entry]
        kept = [phrase for phrase in found if fold(phrase) not in without] if without else found
        if kept:
            yield (key.strip() if colon else "", kept)
