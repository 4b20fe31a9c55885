"""Groups: several positions held at one employer, printed once above them with the whole period.

The employer's line has a date of its own, so it looks like an entry; what tells is that it has no description and the
entries below it lie within its period. It is no job: its name goes to each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ingest.fields.dates import DateRange
from ingest.fields.entries import Entry
from ingest.fields.roles import ABOUT_THE_FIRM
from ingest.fields.wording import employer_score, place_score, position_score

_LATER = "9999-12"


def ungrouped(found: Sequence[Entry]) -> list[Entry]:
    """The entries without those that only head a group; its members begin with the employer, labelled as such."""
    result: list[Entry] = []
    at = 0
    while at < len(found):
        members = _members(found, at)
        if not members:
            result.append(found[at])
            at += 1
            continue
        pieces = found[at].pieces
        named = (*pieces[:1], *(piece for piece in pieces[1:] if not ABOUT_THE_FIRM.search(piece.text)))
        header = tuple(replace(piece, label=piece.label or _label(piece.text)) for piece in named)
        result.extend(replace(entry, head=(header, *entry.head), anchor=entry.anchor + 1) for entry in members)
        at += 1 + len(members)
    return result


def _label(text: str) -> str:
    return "place" if place_score(text) >= 2 else "employer"


def _members(found: Sequence[Entry], at: int) -> Sequence[Entry]:
    """The entries below `found[at]` that it heads; none where it is a job of its own."""
    header = found[at]
    said = [piece.text for piece in header.pieces if place_score(piece.text) < 2]
    names = [*said[:1], *(text for text in said[1:] if not ABOUT_THE_FIRM.search(text))]
    if (
        any(not ABOUT_THE_FIRM.search(piece.text) for piece in header.body)
        or header.date is None
        or len(names) != 1
        or any(piece.label not in ("", "employer") for piece in header.pieces)
    ):
        return ()
    if any(position_score(part) >= 2 and employer_score(part) < 2 for part in names[0].split(", ")):
        return ()
    end = at + 1
    while end < len(found) and _is_member(found[end], header.date):
        end += 1
    members = found[at + 1 : end]
    if _fills(members, header.date):
        return members
    if not members or not (employer_score(names[0]) >= 1 or any(_names_a_position(entry) for entry in members)):
        return ()
    return members


def _is_member(entry: Entry, whole: DateRange) -> bool:
    """Whether an entry names one thing, not an employer, in a period within the whole."""
    names = [piece.text for piece in entry.pieces if place_score(piece.text) < 2]
    if len(names) != 1 or entry.date is None or any(piece.label for piece in entry.pieces):
        return False
    if any(employer_score(part) >= 2 and position_score(part) < 2 for part in names[0].split(", ")):
        return False
    return _within(entry.date, whole)


def _fills(members: Sequence[Entry], whole: DateRange) -> bool:
    """Whether two or more periods, one after the other, begin and end with the whole: no wording is needed then."""
    dates = [entry.date for entry in members if entry.date is not None]
    if len(dates) < 2 or not whole.start:
        return False
    starts = [date.start or "" for date in dates]
    in_turn = starts in (sorted(starts), sorted(starts, reverse=True))
    return in_turn and min(starts) == whole.start and max(date.end or _LATER for date in dates) == (whole.end or _LATER)


def _names_a_position(entry: Entry) -> bool:
    return any(position_score(piece.text) >= 1 for piece in entry.pieces)


def _within(part: DateRange, whole: DateRange) -> bool:
    if not part.start or not whole.start:
        return False
    last, end = part.end or _LATER, whole.end or _LATER
    return part.start >= whole.start[: len(part.start)] and last[: len(end)] <= end
