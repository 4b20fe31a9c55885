"""Splits RTF into its tokens: groups, control words, text bytes. Knows the grammar, not what the words mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

_TOKEN = re.compile(
    rb"(?P<open>\{)|(?P<close>\})|\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?|\\'(?P<hex>[0-9a-fA-F]{2})"
    rb"|\\(?P<symbol>[^a-zA-Z])|(?P<end>[\r\n]+)|(?P<text>[^\\{}\r\n]+)",
    re.DOTALL,
)


class Kind(Enum):
    OPEN = auto()
    CLOSE = auto()
    WORD = auto()
    SYMBOL = auto()
    """A control symbol; `word` is the character."""
    BYTES = auto()


@dataclass(frozen=True, slots=True)
class Token:
    kind: Kind
    word: str = ""
    number: int | None = None
    data: bytes = b""


_OPEN, _CLOSE = Token(Kind.OPEN), Token(Kind.CLOSE)


def tokens(data: bytes) -> Iterator[Token]:
    """The tokens of an RTF document. Line ends mean nothing; `\\bin` data is left out; rubbish is skipped."""
    at = 0
    while at < len(data):
        match = _TOKEN.match(data, at)
        if match is None:  # a backslash at the very end
            return
        at = match.end()
        kind = match.lastgroup
        if kind == "open":
            yield _OPEN
        elif kind == "close":
            yield _CLOSE
        elif kind in ("word", "number"):
            word, number = match["word"].decode("ascii"), match["number"]
            if word == "bin":
                at += max(0, int(number or 0))
                continue
            yield Token(Kind.WORD, word, None if number is None else int(number))
        elif kind == "hex":
            yield Token(Kind.BYTES, "hex", data=bytes.fromhex(match["hex"].decode("ascii")))
        elif kind == "symbol":
            yield Token(Kind.SYMBOL, match["symbol"].decode("latin-1"))
        elif kind == "text":
            yield Token(Kind.BYTES, data=match["text"])
