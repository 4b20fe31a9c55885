"""Entries: the jobs or studies of a section, told from one another by their dates and their repeated structure.

An entry is anchored by a date. How many lines stand above the date and still belong to it is the same in all entries of
a section, and so is where the heading lines of an entry end and its description begins. Which piece is the employer and
which the position is for `ingest.fields.roles`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ingest.fields.datelines import DateLine, Piece
from ingest.fields.dates import DateRange, is_duration
from ingest.fields.entry_labels import BODY, SKIP
from ingest.fields.headings import look
from ingest.fields.segments import type_size
from ingest.fields.wording import employer_score, place_score, position_score
from ingest.page import Word

MOST = 100
"""Entries of a kind; what has more is a directory or a table and no life."""
_LONGEST_TITLE = 110
_LONGEST_STUDY = 220
"""A school with its full name, the speciality and the degree in one paragraph."""
_VALUES = frozenset({"employer", "position", "institution", "degree", "area"})
_MOST_LEAD = 4
_SURELY_A_PLACE = 3
_MOST_AFTER = 4
_DEEPEST = 0.2
_INDENT = 0.011
"""Of the page's width; less is how boxes of one left edge scatter."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One job or study: its date, the pieces of its heading lines, and its description."""

    date: DateRange | None
    date_words: tuple[Word, ...]
    head: tuple[tuple[Piece, ...], ...]
    """The pieces of each heading line, top to bottom."""
    anchor: int
    """Which of the heading lines the date stands on; the number of lines above it."""
    body: tuple[Piece, ...]
    """Items and paragraphs of the description, each with its continuation lines."""
    page: int

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return tuple(piece for line in self.head for piece in line)


def entries(lines: Sequence[DateLine], *, singles: bool, heads: Callable[[str], bool]) -> list[Entry]:
    """The entries of a section, in order.

    `singles`: whether a single date (a year of graduation) anchors an entry. `heads` says of a text whether it reads like
    the head of an entry; asked only where the section has no dates.
    """
    anchors = _anchors(lines, singles=singles) or [at for at, line in enumerate(lines) if _may_head(line, heads)]
    if not anchors:
        return []
    if len(anchors) > MOST:
        lines, anchors = lines[: anchors[MOST]], anchors[:MOST]
    margin = None if singles else _margin(lines, anchors)
    starts = _starts(lines, anchors, margin)
    ends = [*starts[1:], len(lines)]
    after = _after(lines, anchors, ends, margin)
    return [
        _entry(lines, start, anchor, min(end, anchor + 1 + count), end)
        for start, anchor, end, count in zip(starts, anchors, ends, after, strict=True)
    ]


# -- anchors --------------------------------------------------------------------------------------------------------


def _anchors(lines: Sequence[DateLine], *, singles: bool) -> list[int]:
    found = [at for at, line in enumerate(lines) if line.date is not None and _may_anchor(line, singles=singles)]
    ranges = [at for at in found if not lines[at].date.single]  # type: ignore[union-attr]  # filtered just above
    if singles:
        chosen = found
    elif ranges:
        margin = _margin(lines, ranges)
        chosen = [at for at in found if at in set(ranges) or _like_anchor(lines, at, ranges, margin)]
    else:
        chosen = found
    plain = [at for at in chosen if not lines[at].item]
    listed = [at for at in chosen if lines[at].item and lines[at].alone and not _names_nothing(lines[at])]
    if len(listed) > len(plain):
        plain = []  # a list of entries with a dated remark among them
    return (plain or chosen) if singles else _without_deeds(lines, plain or chosen)


def _without_deeds(lines: Sequence[DateLine], chosen: list[int]) -> list[int]:
    """Without the dated lines that are set further in than most and name neither employer nor title: parts of descriptions."""
    edges = {at: edge for at in chosen if (edge := _left(lines[at])) is not None}
    if len(edges) < len(chosen) or len(chosen) < 2:
        return chosen
    base = edges[chosen[0]]
    inner = {at for at, edge in edges.items() if _INDENT < edge - base < _DEEPEST and _names_nothing(lines[at])}
    return [at for at in chosen if at not in inner] if len(inner) * 2 <= len(chosen) else chosen


def _left(line: DateLine) -> float | None:
    """Where the line begins, its date included."""
    boxes = (line.row.line.box, *(word.box for word in line.date_words))
    return min((box.x0 for box in boxes if box is not None), default=None)


def _names_nothing(line: DateLine) -> bool:
    return bool(line.pieces) and all(
        not piece.label and employer_score(piece.text) < 2 and position_score(piece.text) < 2 for piece in line.pieces
    )


def _may_anchor(line: DateLine, *, singles: bool) -> bool:
    """Whether the date is an entry's and not part of a sentence."""
    text = " ".join(piece.text for piece in line.pieces if piece.label != BODY)
    if line.pieces and line.pieces[0].label in (BODY, "skip"):
        return False
    if _BRACKETED.match(line.row.text) and len(text) > _SHORT:
        return False  # `(including a year of service, 2016–2018)` is a remark on the entry above
    if line.date is not None and line.date.single and not singles and (line.item or not line.alone):
        return False
    longest = _LONGEST_STUDY if singles else _LONGEST_TITLE
    return len(text) <= longest and (line.alone or not _is_sentence(text)) and not (line.item and _is_sentence(line.text))


def _may_head(line: DateLine, heads: Callable[[str], bool]) -> bool:
    text = " ".join(piece.text for piece in line.pieces)
    if not 0 < len(text) <= _LONGEST_TITLE or _is_sentence(text):
        return False
    return heads(text) or any(heads(piece.text) for piece in line.pieces)


def _like_anchor(lines: Sequence[DateLine], at: int, ranges: Sequence[int], margin: float | None) -> bool:
    """Whether a single date stands just where the ranges of its section stand."""
    line, edge = lines[at], _edge(lines[at])
    if not line.alone or len(line.text) > 80:
        return False
    if margin is not None and edge is not None and abs(edge - margin) > _INDENT:
        return False
    count = len(line.pieces)
    return any(
        len(lines[other].pieces) == count and look(lines[other].row) == look(line.row) and lines[other].alone for other in ranges
    )


_BRACKETED = re.compile(r"^[(（].*[)）]$")
_SHORT, _LONG_REMARK = 6, 24
_SENTENCE_END = re.compile(r"[.。;；!！?？]$")
_ABBREVIATED = re.compile(r"(?:\b[A-Za-zА-Яа-я]{1,4}\.|\b(?:Inc|Corp|Ltd|Co|Bros)\.)$")


def _is_sentence(text: str) -> bool:
    return bool(_SENTENCE_END.search(text)) and not _ABBREVIATED.search(text)


# -- where entries begin and their heading lines end ------------------------------------------------------------------


def _margin(lines: Sequence[DateLine], anchors: Sequence[int]) -> float | None:
    """The left edge of the entries' own lines, None without boxes or indents.

    That is where the text beside the dates begins, or the dates themselves where the other lines begin left of that text.
    """
    edge = _median([edge for at in anchors if (edge := _edge(lines[at])) is not None])
    if edge is None:
        return None
    own = set(anchors)
    others = [other for at, line in enumerate(lines) if at not in own and (other := _edge(line)) is not None]
    if others and sum(other < edge - _INDENT for other in others) > 0.6 * len(others):
        return _median([box.x0 for at in anchors if (box := lines[at].row.line.box) is not None])
    return edge


def _median(values: Sequence[float]) -> float | None:
    return sorted(values)[len(values) // 2] if values else None


def _edge(line: DateLine) -> float | None:
    words = line.pieces[0].words if line.pieces else line.date_words
    if line.pieces and line.pieces[0].label and line.whole:
        words = line.whole[0].words  # a labelled value begins with its label
    box = words[0].box if words else None
    return box.x0 if box else None


def _is_body(line: DateLine, margin: float | None) -> bool:
    """Whether a line is description: an item, a labelled description, a sentence, or set further in than the entries."""
    if any(piece.label and piece.label not in (BODY, SKIP, "?") for piece in line.pieces):
        return False
    if line.item or (line.pieces and line.pieces[0].label == BODY):
        return True
    text = line.text
    if len(text) > _LONGEST_TITLE or _is_sentence(text) or (_BRACKETED.match(line.row.text) and len(text) > _LONG_REMARK):
        return True
    edge = _edge(line)
    return margin is not None and edge is not None and _INDENT < edge - margin < 0.2 and line.date is None


def _starts(lines: Sequence[DateLine], anchors: Sequence[int], margin: float | None) -> list[int]:
    leads = [_lead(lines, at, anchors[index - 1] if index else -1, margin) for index, at in enumerate(anchors)]
    first = leads[0]
    if first > _MOST_LEAD:
        first = min(_MOST_LEAD, min(leads[1:], default=1))
    result: list[int] = []
    for index, at in enumerate(anchors):
        lead = min(first, leads[index])
        if index:
            lead = _matching_lead(lines, anchors[0], at, lead, first)
            if anchors[0] or not _all_employed(lines, anchors):  # else the dated lines hold what else could head an entry
                lead = max(lead, _lead_below_text(lines, anchors[index - 1], at, leads[index]))
        if not lead and not lines[at].pieces and (at + 1 == len(lines) or _is_body(lines[at + 1], margin)):
            lead = min(leads[index], 2)  # a date by itself over a description: what it dates stands above
        result.append(at - _lead_by_gap(lines, at, lead, leads[index]))
    usual = min((at - start for at, start in zip(anchors[1:], result[1:], strict=True)), default=0)
    if anchors[0] - result[0] < usual <= leads[0]:
        result[0] = anchors[0] - usual  # white space below the first title: all others have theirs above the date too
    if len(anchors) == 1:
        result[0] = anchors[0] - min(leads[0], _MOST_LEAD)
    return result


def _all_employed(lines: Sequence[DateLine], anchors: Sequence[int]) -> bool:
    """Whether an employer stands on each of the dated lines."""
    return all(any(employer_score(piece.text) >= 2 for piece in lines[at].pieces) for at in anchors)


def _lead(lines: Sequence[DateLine], at: int, previous: int, margin: float | None) -> int:
    """How many lines directly above the anchor could be heading lines."""
    count = 0
    for above in range(at - 1, previous, -1):
        if _is_body(lines[above], margin) or lines[above].date is not None:
            break
        if count and above == previous + 1 and place_score(lines[above].text) >= _SURELY_A_PLACE:
            break  # where the job before was, printed below its date
        count += 1
    return count


def _lead_below_text(lines: Sequence[DateLine], previous: int, at: int, most: int) -> int:
    """As many lines above as stand between the description of the entry before and this anchor: they can only head it.

    Not so where they may be the rest of its last line.
    """
    above = at - most - 1
    if not 0 < most <= 2 or above <= previous or lines[above].date is not None:
        return 0
    text, head = lines[above], lines[at - most]
    if text.pieces and text.pieces[0].label == BODY:
        return 0
    if text.row.line.style == "list" or _face(text) != _face(head) or _is_sentence(text.text):
        return most
    edge, start = _edge(text), _edge(head)
    if edge is not None and start is not None and edge - start > _INDENT:
        return most
    longest = max(len(line.text) for line in lines)
    wrapped = len(text.text) + len(head.text.split(" ", 1)[0]) >= 0.85 * longest or head.text[:1].islower()
    return 0 if wrapped else most


def _lead_by_gap(lines: Sequence[DateLine], at: int, lead: int, most: int) -> int:
    """Begin where there is clearly more white space above a line than above the others, if that is near."""
    window = range(at - min(most, lead + 2), at + 1)
    gaps = [(lines[line].row.line.gap, line) for line in window]
    if len(gaps) < 2:
        return lead
    widest, line = max(gaps)
    rest = sorted(gap for gap, other in gaps if other != line)
    return at - line if widest >= 0.8 and widest >= 2 * max(rest[-1], 0.1) else lead


def _matching_lead(lines: Sequence[DateLine], first: int, at: int, lead: int, most: int) -> int:
    """As many of the lines above as are set like the lines above the first anchor, of which there are `most`.

    A line set like the topmost of those, and unlike the others, is the topmost here too, though less stands below it.
    """
    top = _face(lines[first - most]) if most else None
    for offset in range(1, lead + 1):
        model, face = _face(lines[first - offset]), _face(lines[at - offset])
        if model[0] is not None and model != face:
            return offset if face == top and lines[at - offset].row.line.gap > 0 else offset - 1
    return lead


def _face(line: DateLine) -> tuple[float | None, bool]:
    """How a line begins to be set: size and weight of its first word."""
    word = line.row.line.words[0]
    size = type_size((word,))
    return (round(size, 1) if size else None, word.bold)


def _after(lines: Sequence[DateLine], anchors: Sequence[int], ends: Sequence[int], margin: float | None) -> list[int]:
    """How many lines below each anchor are still heading lines."""
    counts: list[int] = []
    closed: list[int] = []
    for at, end in zip(anchors, ends, strict=True):
        count = 0
        while at + 1 + count < end and count < _MOST_AFTER and not _is_body(lines[at + 1 + count], margin):
            count += 1
        counts.append(count)
        if at + 1 + count < end:
            closed.append(count)
    most = max(closed, default=_MOST_AFTER)
    return [min(count, most) if at + 1 + count >= end else count for count, at, end in zip(counts, anchors, ends, strict=True)]


def _entry(lines: Sequence[DateLine], start: int, anchor: int, body: int, end: int) -> Entry:
    line = lines[anchor]
    head = tuple(
        tuple(piece for piece in lines[at].pieces if not is_duration(piece.text)) for at in range(start, max(body, anchor + 1))
    )
    below = lines[max(body, anchor + 1) : end]
    late = [line.pieces for line in below if _is_value(line, head)]
    texts = _paragraphs([line for line in below if line.pieces not in late])
    return Entry(line.date, line.date_words, (*head, *late), anchor - start, texts, line.row.page.number)


def _is_value(line: DateLine, head: Sequence[Sequence[Piece]]) -> bool:
    """Whether a line below the description holds, by its label, what the lines above it do not: the employer, in a form."""
    labels = {piece.label for pieces in head for piece in pieces}
    return bool(labels - {""}) and len(line.pieces) == 1 and line.pieces[0].label in _VALUES - labels


def _paragraphs(lines: Sequence[DateLine]) -> tuple[Piece, ...]:
    """Items with their continuation lines; a label such as `Responsibilities:` alone on its line is left out."""
    result: list[Piece] = []
    items = any(line.item for line in lines)
    for line in lines:
        if not line.whole or (len(line.pieces) == 1 and line.pieces[0].label == BODY and len(line.text) < 30):
            continue
        words = tuple(word for piece in line.whole for word in piece.words)
        if result and items and not line.item:
            before = result[-1]
            result[-1] = replace(before, text=f"{before.text} {line.text}", words=(*before.words, *words))
        else:
            result.append(replace(line.whole[0], text=line.text, words=words))
    return tuple(result)
