"""Headings: the lines that name a section, told by wording and typography.

Wording decides what a heading is (`words/<language>/headings.txt`); typography decides whether a line that could be
one is: where a document's sure headings are larger, bold or in capitals, a plain line with the same words is text.
Headings whose wording is unknown are found by looking like the known ones.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from ingest.fields.dates import find_ranges
from ingest.fields.document import Row
from ingest.fields.entry_labels import BODY, label_of
from ingest.fields.heading_wording import JOINTS, LONGEST, NUMBERING, bare_heading, guess, wording
from ingest.fields.segments import cut, segments
from ingest.fields.spans import clip
from ingest.fields.wording import degree_spans, employer_score, position_score, school_score
from ingest.fields.words import fold, phrases

__all__ = [
    "UNKNOWN",
    "Heading",
    "Look",
    "body_look",
    "headings",
    "is_item",
    "look",
    "names_a_language",
    "with_whole_headings",
    "wording",
]

UNKNOWN = "other"
_SKILLS = "skills"
_ENTRIES = frozenset({"work", "education"})
_WITH_LABELS = frozenset({"", "contact", "work", "projects"})
"""Sections with labels of their own, such as `Technologies:` in an entry; and what stands before the first heading."""
_HAN = re.compile(r"[㐀-鿿]")
_DASHES = ("-", "–", "—", "•", "*", "·")


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


# -- typography ---------------------------------------------------------------------------------------------------


def look(row: Row) -> Look:
    if not row.looks:
        row.looks.append(_look(row))
    found: Look = row.looks[0]
    return found


def _look(row: Row) -> Look:
    line = row.line
    letters = [char for char in row.text if char.isalpha()]
    cased = [char for char in letters if char.upper() != char.lower()]
    capitals = len(cased) >= 3 and all(char.isupper() for char in cased)
    size = round(line.size * 5) / 5 if line.size else None
    return Look(size, line.bold, capitals, line.style if line.style.startswith(("heading", "title")) else "")


def body_look(rows: Sequence[Row]) -> Look:
    """How most of the text is set."""
    weights: Counter[Look] = Counter()
    for row in rows:
        weights[look(row)] += len(row.text)
    return (
        max(weights, key=lambda found: (weights[found], found.size or 0.0, *found[1:]))
        if weights
        else Look(None, False, False, "")
    )


def _stands_out(found: Look, body: Look) -> bool:
    larger = bool(found.size and body.size and found.size >= body.size + 0.5)
    return larger or (found.bold and not body.bold) or (found.capitals and not body.capitals) or bool(found.style)


_BULLET = re.compile(r"^[•●○◦▪■□◆◇►▶➢✓✔–—*·-]\s*\S|^[>»›]\s+\S|^\d{1,2}[.)、](?!\d)\s*\S|^(?:\d{1,2}\.){2,3}\s+\S")


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
    if row.index != above.index + 1 or row.line.gap >= _CLOSE or len(above.text) + len(row.text) > LONGEST:
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
    inline: bool = False
    """Whether that is text behind a colon."""
    guessed: bool = False
    """Whether no list has the wording: then its look has to be that of a heading."""


def headings(rows: Sequence[Row]) -> dict[int, Heading]:
    """The headings among the rows, by the rows' index."""
    body = body_look(rows)
    cells = _cells(rows)
    candidates = [found for row in rows if row.index not in cells.values and (found := _candidate(row)) is not None]
    candidates = [found for found in candidates if not (found.heading.row.index in cells.labels and _is_of_a_job(found))]
    banded = {found.heading.row.index for found in candidates if _is_band(found, cells)}
    wrapped = _wrapped(rows)
    by_index = {row.index: row for row in rows}
    borne = _borne_out(rows, candidates)
    no_headings = (cells.labels - banded - borne) | wrapped
    torn = {index for index in wrapped if _stands_out(look(by_index[index]), body)} - _below(candidates)
    candidates = [found for found in candidates if found.heading.row.index not in (torn if found.sure else no_headings)]
    marks = _marks(rows, candidates)
    outstanding = [found for found in candidates if not found.label and found.sure and _stands_out(found.look, body)]
    guesses = [found for found in candidates if found.guessed and _stands_out(found.look, body)]
    known = {found.look for found in outstanding}
    alike = [found for found in guesses if found.look in known or found.look.style]
    typographic = len(outstanding) + len(alike) >= 2 if outstanding else False
    looks = known | _own_looks([found for found in alike if found.look.style]) if typographic else set()
    if not any(found.sure and not found.label for found in candidates):
        looks = _own_looks(guesses)
    airy = set() if looks else _airy(rows, candidates)
    inline = _inline_labels(candidates)
    result: dict[int, Heading] = {}
    current = ""
    for found in candidates:
        index = found.heading.row.index
        taken = (
            found.inline
            and found.sure
            and inline
            and (current not in _WITH_LABELS or bool(current and _MARKED.match(found.heading.row.text)))
        )
        if found.inline:
            taken = taken or index in borne
        else:
            taken = index in airy or index in banded or index in borne or _accept(found, body, looks, candidates, marks)
        taken = taken and not (found.heading.kind == current == _SKILLS and _is_listed(by_index, found, result))
        taken = taken and not (found.heading.kind == "languages" and current == _SKILLS and _are_of_programs(by_index, found))
        if taken and not (found.guessed and _is_smaller(found.heading.row, result)):
            result[index] = found.heading
            current = found.heading.kind
    if typographic:
        _add_unknown(rows, body, result)
    for row in rows:
        if row.text[0] in marks and row.index not in result and row.line.gap >= 1 and _is_title(row.text[1:].strip()):
            result[row.index] = Heading(row, UNKNOWN)
    return result


_MARKED = re.compile(rf"{NUMBERING.pattern}|【", re.IGNORECASE)
"""How a heading begins that no label inside an entry does."""


def _is_of_a_job(found: _Candidate) -> bool:
    """Whether a label of a form says what somebody did in a job, not in spare time: `Main activities and responsibilities`."""
    return found.heading.kind == "interests" and label_of(found.heading.row.text) == BODY


def _wrapped(rows: Sequence[Row]) -> set[int]:
    """Lines that go on with the line above, set alike and close below it: the end of a school's name is no heading."""
    return {
        row.index
        for above, row in pairwise(rows)
        if row.line.box is not None
        and row.line.gap < _CLOSE
        and (above.page.number, above.line.block, above.line.cell) == (row.page.number, row.line.block, row.line.cell)
        and look(above) == look(row)
    }


def _is_listed(rows: Mapping[int, Row], found: _Candidate, result: Mapping[int, Heading]) -> bool:
    """Whether a line in a list of skills is one of them, set as those around it: `Software` between two others."""
    row = found.heading.row
    above, below = rows.get(row.index - 1), rows.get(row.index + 1)
    if found.label or above is None or below is None or above.index in result or row.text[-1] in ":：":
        return False
    alike = look(above) == look(row) == look(below) and above.line.cell == row.line.cell == below.line.cell
    return alike and row.line.gap < 1 and not any(mark in below.text for mark in ",;、|:")


def _are_of_programs(rows: Mapping[int, Row], found: _Candidate) -> bool:
    """Whether `Languages` in a list of skills names a group of them: nothing below or beside it is a language people speak."""
    index = found.heading.row.index
    held = (
        [found.heading.rest] if found.heading.rest is not None else [rows[at] for at in range(index + 1, index + 4) if at in rows]
    )
    return bool(held) and not names_a_language([row.text for row in held])


def names_a_language(texts: Sequence[str]) -> bool:
    """Whether one of the texts names a language that people speak, or is in Chinese, where this cannot be told by words."""
    names = phrases("languages")
    return any(_HAN.search(text) or any(name in names for name in _LIST_SIGNS.split(fold(text))) for text in texts)


_LIST_SIGNS = re.compile(r"[\s,;:/()|·•–—-]+")


def _below(candidates: Sequence[_Candidate]) -> set[int]:
    """The lines right below those that may be headings."""
    return {found.heading.row.index + 1 for found in candidates}


def _is_band(found: _Candidate, cells: _Cells) -> bool:
    """Whether an unsure heading heads rows of a table, or one wide cell; a label such as `学历` beside a wide value does not."""
    index = found.heading.row.index
    if found.sure or found.label or found.heading.kind == UNKNOWN or index not in cells.bands:
        return False
    return index not in cells.labels or found.heading.kind not in _ENTRIES


def _own_looks(guesses: Sequence[_Candidate]) -> set[Look]:
    """The look of the headings of a document that has none in known words: several unlike lines set apart in the same way."""
    kinds: dict[Look, set[str]] = defaultdict(set)
    for found in guesses:
        kinds[found.look].add(found.heading.kind)
    return {found for found, kind in kinds.items() if len(kind) >= 2 and kind & _ENTRIES}


def _airy(rows: Sequence[Row], candidates: Sequence[_Candidate]) -> set[int]:
    """Unsure headings of a document that sets its headings apart by white space only: above them, as above the sure ones."""
    sure = [found for found in candidates if found.sure and not found.label and found.heading.row.line.cell is None]
    if not sure or sum(found.heading.row.line.gap >= 1 for found in sure) * 3 < len(sure) * 2:
        return set()
    kinds = {found.heading.kind for found in sure}
    after = {row.index: row.line.gap for row in rows}
    close = any(after.get(found.heading.row.index + 1, 0.0) < 1 for found in sure)
    result = set()
    for found in candidates:
        row = found.heading.row
        if found.sure or found.label or found.heading.kind == UNKNOWN or row.line.gap < 1 or row.line.cell is not None:
            continue
        new = found.heading.kind not in kinds or len(JOINTS.split(bare_heading(row.text))) > 1
        leads = row.index + 1 in after and (not close or after[row.index + 1] < 1)
        if new and leads and row.line.style != "list" and not row.text.startswith(_DASHES):
            result.add(row.index)
            kinds.add(found.heading.kind)
    return result


def _borne_out(rows: Sequence[Row], candidates: Sequence[_Candidate]) -> set[int]:
    """Unsure headings of a kind nothing else heads that what stands behind or below them bears out: a school or a degree with
    its years below `学历`, a period below `曾任`, a school behind `Образование:`.
    """
    kinds = {found.heading.kind for found in candidates if found.sure and not found.inline}
    at = {row.index: place for place, row in enumerate(rows)}
    result: set[int] = set()
    for found in candidates:
        row, kind = found.heading.row, found.heading.kind
        if kind not in _ENTRIES or kind in kinds or (found.sure and not found.inline) or found.label != found.inline:
            continue
        if found.inline and found.heading.rest is None:
            continue
        place = at[row.index]
        if row.line.cell is not None and not found.inline:
            if kind == "work" and _heads_a_list(rows[place : place + _MOST_IN_CELL]):
                result.add(row.index)
                kinds.add(kind)
            continue
        below = rows[place + 1] if place + 1 < len(rows) else None
        if found.inline:
            held = found.heading.rest.text if found.heading.rest is not None else ""
        elif below is None or below.page is not row.page or below.line.cell is not None or below.text[0].islower():
            continue
        else:
            held = below.text
        colon = row.text.rstrip()[-1:] in (":", "：")
        if _holds(kind, held, inline=found.inline, dated=not found.inline or not colon):
            result.add(row.index)
            kinds.add(kind)
    return result


_MOST_IN_CELL = 40


def _heads_a_list(rows: Sequence[Row]) -> bool:
    """Whether the cell to the right of the first row, the label of a form, holds two or more lines that begin with a period."""
    cell = rows[0].line.cell
    beside = [
        row for row in rows[1:] if cell and row.line.cell and (row.line.cell.table, row.line.cell.row) == (cell.table, cell.row)
    ]
    starts = [ranges[0] for row in beside if (ranges := find_ranges(row.text))]
    return sum(not date.single and date.span[0] == 0 for date in starts) >= 2


_PARTS = re.compile(r"[\s,;()]+")


def _holds(kind: str, text: str, *, inline: bool, dated: bool) -> bool:
    """Whether a text is one that stands in a section of this kind, and in hardly any other."""
    if dated and not find_ranges(text):
        return False
    if kind == "education":
        return any(school_score(part) >= 2 for part in (text, *_PARTS.split(text))) or (not inline and bool(degree_spans(text)))
    return not inline and (position_score(text) >= 1 or employer_score(text) >= 2) and not degree_spans(text)


def _inline_labels(candidates: Sequence[_Candidate]) -> bool:
    """Whether labels with text behind them head sections here: where the headings end in a colon too."""
    whole = [found.heading.row.text for found in candidates if found.sure and not found.label]
    return bool(whole) and all(text[-1] in ":：】" for text in whole)


def _marks(rows: Sequence[Row], candidates: Sequence[_Candidate]) -> frozenset[str]:
    """Characters that begin headings in this document and hardly anything else, such as the ◆ in front of each."""
    starts = Counter(row.text[0] for row in rows if not row.text[0].isalnum())
    after = {above.index: below.text[0] for above, below in pairwise(rows)}
    over_text = [found for found in candidates if after.get(found.heading.row.index) != found.heading.row.text[0]]
    headed = Counter(found.heading.row.text[0] for found in over_text if not found.label)
    return frozenset(mark for mark, count in starts.items() if count >= 2 and headed[mark] * 3 >= count * 2)


class _Cells(NamedTuple):
    """Lines of tables by where they stand, as their indices."""

    values: set[int]
    """Alone in their cell with another at its left: values, column headings."""
    labels: set[int]
    """Alone in their cell with another at its right only: labels of a form."""
    bands: set[int]
    """Alone in a row of a table that has several columns, or beside one wide cell: what heads the rows or the cell."""


def _cells(rows: Sequence[Row]) -> _Cells:
    cells: dict[tuple[int, int, int], dict[int, list[Row]]] = defaultdict(lambda: defaultdict(list))
    widths: dict[tuple[int, int], int] = defaultdict(int)
    for row in rows:
        cell = row.line.cell
        if cell is not None:
            cells[row.page.number, cell.table, cell.row][cell.column].append(row)
            widths[row.page.number, cell.table] = max(widths[row.page.number, cell.table], cell.column + cell.span)
    found = _Cells(set(), set(), set())
    for (page, table, _), columns in cells.items():
        first, last = min(columns), max(columns)
        wide = len(columns) == 2 and any(row.line.cell is not None and row.line.cell.span > 1 for row in columns[last])
        for column, lines in columns.items():
            if len(lines) != 1:
                continue
            if len(columns) > 1:
                (found.labels if column == first else found.values).add(lines[0].index)
            if column == first == 0 and (wide or (len(columns) == 1 and widths[page, table] > 2)):
                found.bands.add(lines[0].index)
    return found


def _candidate(row: Row) -> _Candidate | None:
    kind = wording(row.text)
    if kind is not None:
        sure = not kind.endswith("?")
        return _Candidate(Heading(row, kind.rstrip("?")), look(row), sure)
    if (label := _label_candidate(row) or _inline_candidate(row)) is not None:
        return label
    guessed = guess(row.text)
    return _Candidate(Heading(row, guessed), look(row), sure=False, guessed=True) if guessed else None


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


_HAN_LABEL = re.compile(r"^(?:[㐀-鿿]{2,12}(?::\s?|\s)|【[㐀-鿿]{2,12}】\s?)(?=\S)")


def _inline_candidate(row: Row) -> _Candidate | None:
    """A heading with a colon and its text on the same line: `Languages: English, German`; in Chinese a space may do."""
    words = row.line.words
    size = next((index for index, word in enumerate(words[:7], 1) if word.text[-1:] in (":", "：")), len(words))
    if row.line.style == "list":
        return None
    if size < len(words):
        label, rest = cut(row, words[:size]), cut(row, words[size:])
    elif (joined := _HAN_LABEL.match(row.text)) is not None:
        label, rest = clip(row, 0, joined.end()), clip(row, joined.end(), len(row.text))
    else:
        return None
    kind = wording(label.text)
    if not kind:
        return None
    colon = label.text.rstrip()[-1:] in (":", "：", "】")
    sure = colon and not kind.endswith("?") and row.line.cell is None
    return _Candidate(Heading(label, kind.rstrip("?"), rest), look(label), sure, label=True, inline=True)


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
        return bool(NUMBERING.match(row.text)) and row.line.style != "list" and (outstanding or not typographic)
    if not found.sure:
        return typographic and found.look in looks
    return outstanding or not typographic or found.look in looks


def _add_unknown(rows: Sequence[Row], body: Look, result: dict[int, Heading]) -> None:
    """Lines set exactly like known headings, where hardly anything else is set like that; none before the first known one."""
    known = Counter(look(heading.row) for heading in result.values() if heading.rest is None)
    first = min(result, default=0)
    following = {above.index: below for above, below in pairwise(rows)}
    for main, count in known.items():
        alike = [row for row in rows if look(row) == main]
        if count < 2 or count * 2 < len(alike) or not _stands_out(main, body):
            continue
        gaps = sorted(heading.row.line.gap for heading in result.values() if look(heading.row) == main)
        least = gaps[len(gaps) // 2] * 0.5
        for row in alike:
            if _heads_an_entry(row, following.get(row.index)):
                continue
            fits = row.index not in result and row.index > first and _title_like(row) and row.line.gap >= least
            if fits and not _is_smaller(row, result):
                result[row.index] = Heading(row, _kind_beside(row, result))


def _heads_an_entry(row: Row, below: Row | None) -> bool:
    """Whether a line in the type of the headings is the title of a job or study: by its wording, or by the period below it."""
    text = row.text
    if max(position_score(text), employer_score(text), school_score(text)) >= 2 or degree_spans(text):
        return True
    dates = find_ranges(below.text) if below is not None else ()
    return any(not date.single and date.span[0] == 0 for date in dates)


def _kind_beside(row: Row, result: Mapping[int, Heading]) -> str:
    """The kind of a heading in words nobody knows: that of those level with it, where they are several of one kind."""
    box = row.line.box
    level = [
        heading.kind
        for heading in result.values()
        if box is not None
        and heading.row.page is row.page
        and (other := heading.row.line.box) is not None
        and abs(other.y0 - box.y0) < box.height / 2
        and look(heading.row) == look(row)
    ]
    return level[0] if len(level) > 1 and set(level) == {_SKILLS} else UNKNOWN


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
    return _is_title(row.text) and not is_item(row) and len(segments(row)) == 1


def _is_title(text: str) -> bool:
    return (
        2 < len(text) <= 45
        and len(text.split()) <= 5
        and not any(char.isdigit() or char in "@,;|" for char in text)
        and text[-1] not in ".!?"
    )
