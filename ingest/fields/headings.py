"""Headings: the lines that name a section, told by wording and typography.

Wording decides what a heading is (`words/<language>/headings.txt`); typography decides whether a line that could be
one is: where a document's sure headings are larger, bold or in capitals, a plain line with the same words is text.
Headings whose wording is unknown are found by looking like the known ones.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from ingest.fields.document import Row
from ingest.fields.heading_nouns import noun_kind
from ingest.fields.segments import cut, segments, type_size
from ingest.fields.words import keys

UNKNOWN = "other"
_SKILLS = "skills"
_MIXED = frozenset({_SKILLS, "certificates", "languages", "interests", UNKNOWN})
"""Kinds that a section of skills takes in where its heading names both: `Tickets & Skills`."""
_LONGEST = 60
"""Characters; longer lines are sentences."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its row (only the words of the heading), its kind, and what else stands on its line."""

    row: Row
    kind: str
    rest: Row | None = None


class Look(NamedTuple):
    """How a line is set, as far as headings differ in it."""

    size: float | None
    bold: bool
    capitals: bool
    style: str


# -- wording ------------------------------------------------------------------------------------------------------

_DECORATION = re.compile(r"^(?:[^\w]|_)+|(?:[^\w)]|_)+$")
_NUMBERING = re.compile(
    r"^(?:\(?(?:\d{1,2}|[一二三四五六七八九十]{1,3})[.、)．:]\s*|[IVX]{1,4}\.\s+|[一二三四五六七八九十]{1,3}\s+)"
)
_LENGTH = re.compile(
    r"\s*[-–—:(,]?\s*\(?(?:(?:около|более|свыше|over|about|total|总共|共|约)\s*:?\s*)?\d[\d.,+\s]{0,6}"
    r"(?:years?|yrs?|months?|лет|год[а]?|г\.|мес[а-яё.]*|年|个月).{0,30}$",
    re.IGNORECASE,
)
_CONTINUED = re.compile(r"\s*\(?\s*(?:continued|cont['’]?d?\.?|продолжение|续)\s*\)?$", re.IGNORECASE)
_JOINTS = re.compile(r"\s*(?:[/&|,+·•]|\band\b|\bи\b|[与和及、])\s*", re.IGNORECASE)
_SCRIPTS = re.compile(r"[㐀-鿿][㐀-鿿\s]*|[A-Za-z][A-Za-z\s&/'.,-]*")
_DIGIT = re.compile(r"\d")
_NOT_LETTERS = re.compile(r"[\W_]+")
_HAN = re.compile(r"[㐀-鿿]")
# Words that may stand before the noun of a heading without changing what it is.
_MODIFIERS = re.compile(
    r"^(?:my|relevant|selected|key|core|main|additional|other|further|recent|professional|personal|relevant|general|major|full|brief|"
    r"мо[йия]|основн\w+|ключев\w+|дополнительн\w+|профессиональн\w+|прочи[ей]|друг[иа][ея]|кратк\w+|"
    r"主要|个人|其他|其它|相关|我的|本人|部分)\s*",
    re.IGNORECASE,
)


def squeeze(text: str) -> str:
    """Letters and digits only, case folded: the same for `E X P E R I E N C E`, `Experience:` and `experience`."""
    return _NOT_LETTERS.sub("", text.casefold().replace("ё", "е"))


@cache
def _known() -> dict[str, str]:
    return {squeeze(phrase): kind for phrase, kind in reversed(list(keys("headings").items()))}


def wording(text: str) -> str | None:
    """The kind a heading of this wording has, with a `?` where wording alone is not enough; None for other text."""
    if not text or len(text) > _LONGEST:
        return None
    bare = _bare(text)
    if not bare or any(char.isdigit() for char in bare):
        return None
    return _lookup(bare) or _composite(bare) or _bilingual(bare)


def _bare(text: str) -> str:
    """The words of a heading without numbers, marks, lengths of time and the like around them."""
    bare = _LENGTH.sub("", text) if _DIGIT.search(text) else text
    bare = _DECORATION.sub("", _CONTINUED.sub("", bare))
    return _DECORATION.sub("", _NUMBERING.sub("", bare))


def _guess(text: str) -> str | None:
    """The kind a line would have as a heading by the nouns in it, where no list knows its wording."""
    if not text or len(text) > _LONGEST:
        return None
    bare = _bare(text)
    kind = noun_kind(bare)
    if kind is not None:
        return kind
    parts = [part for part in _JOINTS.split(bare) if part]
    kinds = [(_lookup(part) or "").rstrip("?") or noun_kind(part) for part in parts]
    if len(kinds) < 2 or None in kinds:
        return None
    return _SKILLS if _SKILLS in kinds and set(kinds) <= _MIXED else kinds[0]


def _lookup(text: str) -> str | None:
    key = squeeze(text)
    kind = _known().get(key)
    if kind is None and (shorter := _MODIFIERS.sub("", text)) != text and shorter:
        kind = _known().get(squeeze(shorter))
    return kind


def _composite(text: str) -> str | None:
    """`Education & Training`, `Навыки и технологии`: every part is a heading, the first says the kind."""
    parts = [part for part in _JOINTS.split(text) if part]
    kinds = [_lookup(part) for part in parts]
    if len(kinds) < 2 or None in kinds:
        return None
    return next((kind for kind in kinds if kind and not kind.endswith("?")), kinds[0])


def _bilingual(text: str) -> str | None:
    """`工作经历 Work Experience`: the same heading in two languages."""
    if not _HAN.search(text) or re.search(r"[:：]\s*\S", text):
        return None
    parts = [part.strip() for part in _SCRIPTS.findall(text)]
    if len(parts) != 2:
        return None
    first, second = (_lookup(part) or _composite(part) for part in parts)
    han = first if _HAN.search(parts[0]) else second
    return han if first and second else (first or second if han and len(text) <= 40 else None)


# -- typography ---------------------------------------------------------------------------------------------------


def look(row: Row) -> Look:
    line = row.line
    letters = [char for char in row.text if char.isalpha()]
    cased = [char for char in letters if char.upper() != char.lower()]
    capitals = len(cased) >= 3 and all(char.isupper() for char in cased)
    size = type_size(line.words)
    size = round(size * 5) / 5 if size else None
    return Look(size, line.bold, capitals, line.style if line.style.startswith(("heading", "title")) else "")


def body_look(rows: Sequence[Row]) -> Look:
    """How most of the text is set."""
    weights: Counter[Look] = Counter()
    for row in rows:
        weights[look(row)] += len(row.text)
    return max(weights, key=lambda found: (weights[found], found)) if weights else Look(None, False, False, "")


def _stands_out(found: Look, body: Look) -> bool:
    larger = bool(found.size and body.size and found.size >= body.size + 0.5)
    return larger or (found.bold and not body.bold) or (found.capitals and not body.capitals) or bool(found.style)


_BULLET = re.compile(r"^[•●○◦▪■□◆◇►▶➢✓✔–—*·-]\s*\S|^\d{1,2}[.)、](?!\d)\s*\S")


def is_item(row: Row) -> bool:
    """Whether the row is an item of a list."""
    return row.line.style == "list" or bool(_BULLET.match(row.text))


# -- broken headings ----------------------------------------------------------------------------------------------

_CLOSE = 0.6
"""In heights of the line: the white space between the lines of one heading is less."""


def with_whole_headings(rows: Sequence[Row]) -> list[Row]:
    """The rows with headings that a narrow column has broken over two lines put together."""
    body = body_look(rows)
    result: list[Row] = []
    for row in rows:
        above = result[-1] if result else None
        if above is not None and _goes_on(above, row, body):
            line = replace(above.line, words=(*above.line.words, *row.line.words))
            result[-1] = replace(above, line=line, text=f"{above.text} {row.text}")
        else:
            result.append(row)
    return result


def _goes_on(above: Row, row: Row, body: Look) -> bool:
    """Whether two lines set alike, and unlike the text, are a heading together."""
    if row.index != above.index + 1 or row.line.gap >= _CLOSE or len(above.text) + len(row.text) > _LONGEST:
        return False
    one, two = above.line, row.line
    if (above.page.number, one.block, one.cell) != (row.page.number, two.block, two.cell) or look(above) != look(row):
        return False
    if not _stands_out(look(row), body) or wording(f"{above.text} {row.text}") is None:
        return False
    alone = [wording(text) for text in (above.text, row.text)]
    return None in alone or any(kind is not None and kind.endswith("?") for kind in alone)


# -- finding ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Candidate:
    heading: Heading
    look: Look
    sure: bool
    """Whether the wording is unambiguous."""
    label: bool = False
    """Whether something else stands to its right."""
    guessed: bool = False
    """Whether no list has the wording: then its look has to be that of a heading."""


def headings(rows: Sequence[Row]) -> dict[int, Heading]:
    """The headings among the rows, by the rows' index."""
    body = body_look(rows)
    inner = _inner_cells(rows)
    candidates = [found for row in rows if row.index not in inner and (found := _candidate(row)) is not None]
    marks = _marks(rows, candidates)
    outstanding = [found for found in candidates if not found.label and found.sure and _stands_out(found.look, body)]
    guesses = [found for found in candidates if found.guessed and _stands_out(found.look, body)]
    known = {found.look for found in outstanding}
    alike = [found for found in guesses if found.look in known or found.look.style]
    typographic = bool(outstanding) and len(outstanding) + len(alike) >= 2
    looks = known | {found.look for found in alike if found.look.style and not known} if typographic else set()
    result: dict[int, Heading] = {}
    for found in candidates:
        if _accept(found, body, looks, candidates, marks) and not (found.guessed and _is_smaller(found.heading.row, result)):
            result[found.heading.row.index] = found.heading
    if typographic:
        _add_unknown(rows, body, result)
    return result


def _marks(rows: Sequence[Row], candidates: Sequence[_Candidate]) -> frozenset[str]:
    """Characters that begin headings and nothing else in this document, such as the ◆ in front of each."""
    starts = Counter(row.text[0] for row in rows if not row.text[0].isalnum())
    headed = Counter(found.heading.row.text[0] for found in candidates if not found.label)
    return frozenset(mark for mark, count in starts.items() if count >= 2 and headed[mark] == count)


def _inner_cells(rows: Sequence[Row]) -> set[int]:
    """Lines that fill a cell by themselves with another cell at their left: values or column headings of a table."""
    cells: dict[tuple[int, int, int], dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        cell = row.line.cell
        if cell is not None:
            cells[row.page.number, cell.table, cell.row][cell.column].append(row.index)
    return {
        lines[0]
        for columns in cells.values()
        for column, lines in columns.items()
        if len(lines) == 1 and any(other < column for other in columns)
    }


def _candidate(row: Row) -> _Candidate | None:
    kind = wording(row.text)
    if kind is not None:
        sure = not kind.endswith("?")
        return _Candidate(Heading(row, kind.rstrip("?")), look(row), sure)
    if (label := _label_candidate(row)) is not None:
        return label
    guess = _guess(row.text)
    return _Candidate(Heading(row, guess), look(row), sure=False, guessed=True) if guess else None


def _label_candidate(row: Row) -> _Candidate | None:
    """A heading at the left of its line with text beside it: `Work    Engineer`, `Languages: English`."""
    parts = segments(row)
    if len(parts) > 1:
        kind = wording(parts[0].text)
        if kind and not kind.endswith("?") and not wording(parts[1].text):
            size = len(parts[0].line.words)
            words = row.line.words[size:]
            return _Candidate(Heading(parts[0], kind, cut(row, words)), look(parts[0]), True, label=True)
    return None


def _accept(found: _Candidate, body: Look, looks: set[Look], candidates: Sequence[_Candidate], marks: frozenset[str]) -> bool:
    """`looks` are those of the sure headings, empty where the document does not set them apart; `marks` begin headings only."""
    row = found.heading.row
    typographic = bool(looks)
    outstanding = _stands_out(found.look, body)
    if found.label:
        alike = sum(other.label and other.look == found.look for other in candidates)
        return outstanding or row.line.cell is not None or (alike >= 2 and not typographic)
    if row.text[0] in marks:
        return True
    if is_item(row) and not found.look.style and not (outstanding and found.look in looks and row.line.style != "list"):
        return bool(_NUMBERING.match(row.text)) and row.line.style != "list" and (outstanding or not typographic)
    if not found.sure:
        return typographic and found.look in looks
    return outstanding or not typographic or found.look in looks


def _add_unknown(rows: Sequence[Row], body: Look, result: dict[int, Heading]) -> None:
    """Lines set exactly like known headings, where hardly anything else is set like that; none before the first known one."""
    known = Counter(look(heading.row) for heading in result.values() if heading.rest is None)
    first = min(result, default=0)
    for main, count in known.items():
        alike = [row for row in rows if look(row) == main]
        if count < 2 or count * 2 < len(alike) or not _stands_out(main, body):
            continue
        gaps = sorted(heading.row.line.gap for heading in result.values() if look(heading.row) == main)
        least = gaps[len(gaps) // 2] * 0.5
        for row in alike:
            fits = row.index not in result and row.index > first and _title_like(row) and row.line.gap >= least
            if fits and not _is_smaller(row, result):
                result[row.index] = Heading(row, UNKNOWN)


def _is_smaller(row: Row, result: dict[int, Heading]) -> bool:
    """Whether the heading above in the same column is set larger, so that the line is the title of an entry below it."""
    above = [heading.row for index, heading in result.items() if index < row.index and _in_column(heading.row, row)]
    if not above:
        return False
    own, other = look(row), look(max(above, key=lambda found: found.index))
    if own.size and other.size and other.size >= own.size + 0.5:
        return True
    return bool(own.style.startswith("heading") and other.style.startswith("heading") and own.style > other.style)


def _in_column(above: Row, row: Row) -> bool:
    """Whether a line stands above another, left and right of it other columns may stand."""
    one, two = above.line.box, row.line.box
    if one is None or two is None:
        return (above.page.number, above.line.block) == (row.page.number, row.line.block)
    return one.x0 < two.x1 and two.x0 < one.x1


def _title_like(row: Row) -> bool:
    text = row.text
    return (
        2 < len(text) <= 45
        and len(text.split()) <= 5
        and not any(char.isdigit() or char in "@,;|" for char in text)
        and not is_item(row)
        and len(segments(row)) == 1
        and text[-1] not in ".!?"
    )
