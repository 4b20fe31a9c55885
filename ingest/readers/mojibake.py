"""Text that went through the wrong encoding before it was stored: UTF-8 read as Windows-1252, KOI8-R read as Windows-1251.

The bytes behind such text are still there: written out again in the encoding it was taken for and read in the one it was
in, it is writing again. What reads no better is left alone.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence

from resumes.charset import likeness

_UNICODE, _CYRILLIC, _HAN = ("utf-8",), ("cp1251", "koi8-r", "cp866", "mac_cyrillic", "iso8859-5"), ("gb18030", "big5hkscs")
_LATIN = ("cp1252", "mac_roman", "cp850")
_TAKEN_FOR = {
    "cp1252": (*_UNICODE, *_CYRILLIC, *_HAN, "cp850", "mac_roman"),
    "mac_roman": (*_UNICODE, *_CYRILLIC, *_HAN, "cp1252"),
    "cp437": (*_UNICODE, *_CYRILLIC, *_HAN, *_LATIN),
    "cp850": (*_UNICODE, *_CYRILLIC, *_HAN, *_LATIN),
    "cp1250": (*_UNICODE, *_CYRILLIC, *_HAN),
    **dict.fromkeys(_CYRILLIC, (*_UNICODE, *_CYRILLIC, *_HAN, *_LATIN)),
    "gb18030": _UNICODE,
    "big5hkscs": _UNICODE,
    "cp949": _UNICODE,
    "cp932": _UNICODE,
}
"""What text was taken for, and what it may have been."""
_SAMPLE = 500
_LEAST = 4
"""Characters beyond ASCII from which anything can be told."""
_LEAST_KINDS = 3
"""Different ones among them: a sign of money does not make a text."""
_FINE = 0.65
"""Likeness of text that needs no second look."""
_WRITING = 0.55
"""Likeness that text has to have after it was mended, unless it was UTF-8."""
_BETTER = 0.3
"""By how much it has to be more like writing than before."""
_KEPT = 0.8
"""Share of the characters beyond ASCII that must read: others were added later, or lost a byte on the way."""
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_WORD = re.compile(r"\S{3,}")
"""Letters that stand alone are a list of letters."""
_PASSED_ON = "ingest.passed_on"


def _pass_on(error: UnicodeError) -> tuple[bytes, int]:
    """Code pages have gaps; programs let bytes in them through as the control characters of that number."""
    if isinstance(error, UnicodeEncodeError):
        gap = error.object[error.start : error.end]
        if all("\x80" <= char <= "\x9f" or char == "\xa0" for char in gap):
            return gap.encode("latin-1"), error.end
    raise error


codecs.register_error(_PASSED_ON, _pass_on)


def mended(text: str) -> str:
    """The text as it was before it was read in the wrong encoding; as it is where it was not."""
    pair = misreading(text)
    if pair is None:
        return text
    taken_for, was = pair
    return "\n".join(_reread(line, taken_for, was) or line for line in text.split("\n"))


def misreading(text: str) -> tuple[str, str] | None:
    """The encoding that text was taken for and the one it was in; None for ordinary text."""
    sample = _sample(text)
    beyond = _BEYOND_ASCII.findall("".join(_WORD.findall(sample)))
    if len(beyond) < _LEAST or len(set(beyond)) < _LEAST_KINDS or not any(map(str.isalpha, beyond)):
        return None
    usual = likeness(sample)
    if usual >= _FINE:
        return None
    best, pair = 0.0, None
    for taken_for, was, again in _rereadings(sample):
        value = likeness(again)
        # Hardly anything that was not UTF-8 happens to be.
        if was == "utf-8":
            sure = value > usual + _BETTER / 1.5
        else:
            sure = value > usual + _BETTER and value >= _WRITING and _is_of_letters(again)
        if sure and value > best:
            best, pair = value, (taken_for, was)
    return pair


def _is_of_letters(text: str) -> bool:
    beyond = _BEYOND_ASCII.findall(text)
    return sum(map(str.isalpha, beyond)) * 2 > len(beyond)


def _sample(text: str) -> str:
    """The lines around the first characters beyond ASCII."""
    first = _BEYOND_ASCII.search(text)
    if first is None:
        return ""
    start = text.rfind("\n", 0, first.start()) + 1
    sample = text[start : start + _SAMPLE]
    end = max(sample.rfind("\n"), sample.rfind(" "))
    return sample if len(sample) < _SAMPLE or end < _SAMPLE / 2 else sample[:end]


def _rereadings(sample: str) -> Iterator[tuple[str, str, str]]:
    lines = [line for line in sample.split("\n") if _BEYOND_ASCII.search(line)]
    weights = [len(_BEYOND_ASCII.findall(line)) for line in lines]
    for taken_for, candidates in _TAKEN_FOR.items():
        written = [_written(line, taken_for) for line in lines]
        for was in candidates if _is_enough(written, weights) else ():
            again = [None if data is None else _decoded(data, was) for data in written]
            if was != taken_for and _is_enough(again, weights):
                yield taken_for, was, "\n".join(filter(None, again))


def _is_enough(lines: Sequence[object], weights: Sequence[int]) -> bool:
    kept = sum(weight for line, weight in zip(lines, weights, strict=True) if line is not None)
    return kept >= max(_LEAST, _KEPT * sum(weights))


def _reread(line: str, taken_for: str, was: str) -> str | None:
    """A line written in one encoding and read in another, None where that cannot be."""
    data = _written(line, taken_for)
    return None if data is None else _decoded(data, was)


def _written(line: str, codec: str) -> bytes | None:
    try:
        return line.encode(codec, _PASSED_ON)
    except UnicodeError:
        return None


def _decoded(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except UnicodeError:
        return None
