"""Mark-up typed into plain text: what Markdown and its like say by signs is put as readers say it, by style and weight.

`## Work` is a heading, `*2019 - now*` only the date, `> quoted` what is quoted, `Name ......... Jane` a label with its value.
Only signs that cannot be anything else are taken for mark-up; a document without them is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ingest.page import Line, Word

_HASHES = re.compile(r"#{1,6}")
_LEADERS = re.compile(r"[.…·_]{3,}:?")
_OPENS = re.compile(r"^(\*{1,3}|_{1,2}|`)(?=[^\s*_`])")
_CLOSES = re.compile(r"(?<=[^\s*_`])(\*{1,3}|_{1,2}|`)(?=[.,;:]?$)")
_FEWEST = 2
"""Headings in hashes that make a text Markdown."""


def is_marked_up(lines: Sequence[Line]) -> bool:
    """Whether lines begin with the hashes of Markdown's headings often enough."""
    return sum(_is_heading(line) for line in lines) >= _FEWEST


def _is_heading(line: Line) -> bool:
    return len(line.words) > 1 and _HASHES.fullmatch(line.words[0].text) is not None


def plain(line: Line) -> Line:
    """A line of Markdown without its signs."""
    words, style = line.words, line.style
    if _is_heading(line):
        style = f"heading{len(words[0].text)}"
        words = _without_first(words)
    elif len(words) > 1 and words[0].text == ">":
        words = _without_first(words)
    return replace(line, words=_without_emphasis(words), style=style)


def _without_first(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words behind a sign; the next one begins where the sign stood, so that lines keep their edge."""
    sign, first = words[0], words[1]
    box = first.box.union(sign.box) if first.box is not None and sign.box is not None else first.box
    return (replace(first, box=box), *words[2:])


def _without_emphasis(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words without the stars around one or several of them, bold where there were two."""
    result = list(words)
    start, sign = -1, ""
    for at, word in enumerate(words):
        if start < 0 and (opened := _OPENS.match(word.text)) is not None:
            start, sign = at, opened[1]
        if start < 0:
            continue
        closed = _CLOSES.search(word.text)
        if closed is None or closed[1] != sign:
            continue
        bold = sign in ("**", "***", "__")
        for inside in range(start, at + 1):
            text = result[inside].text
            text = text.removeprefix(sign) if inside == start else text
            text = _CLOSES.sub("", text) if inside == at else text
            result[inside] = replace(result[inside], text=text, bold=bold or result[inside].bold)
        start = -1
    return tuple(word for word in result if word.text)


def without_leaders(line: Line) -> Line:
    """`Name ......... Jane` as `Name: Jane`: dots that lead the eye from a label to its value."""
    if not any(_LEADERS.fullmatch(word.text) for word in line.words):
        return line
    words: list[Word] = []
    for word, after in pairwise((*line.words, None)):
        if word is None:
            continue
        if words and after is not None and _LEADERS.fullmatch(word.text) and words[-1].text[-1:].isalpha():
            words[-1] = replace(words[-1], text=f"{words[-1].text}:", space=True)
        else:
            words.append(word)
    return replace(line, words=tuple(words))
