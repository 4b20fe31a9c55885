"""Roles: which piece of an entry's heading lines is the employer, the position and the place.

The strongest clue is that all entries of a section are built alike. Each piece stands in slots (how many pieces stand
before it, how it is set); what the wording of all entries says about a slot counts for each piece in it. Labels decide
where there are any.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import permutations

from ingest.fields.cuts import coarse_cuts, fine_cuts, separators, split_bare
from ingest.fields.datelines import Piece
from ingest.fields.entries import Entry
from ingest.fields.wording import employer_score, is_deed, is_department, is_faculty, place_score, position_score

ABOUT_THE_FIRM = re.compile(
    r"\d+\s?[-–~]\s?\d+\s?人|\d+人以上|少于\d+人|(?:^|[|/·\s])(?:民营|外资|国企|国有企业|合资|上市公司|事业单位|股份制企业|私营)"
    r"|\d[\d,]*\+?\s+employees|численность|сотрудников$",
    re.IGNORECASE,
)
"""Size and kind of ownership, which job boards print in a line below the employer together with the industry."""


_TRADES = re.compile(r"\s*[•·]\s+")
_SITE = re.compile(r"(?<![\w@])(?:[\w-]+\.)+[a-z]{2,}(?!\w)")
_DASHES = frozenset("–—―-")
_NO_VALUES = ("body", "skip", "?", "period")
_HAN = re.compile(r"[㐀-鿿]")
_PLAIN_WORD = re.compile(r"(?<![\w'’-])(?!(?:and|of|for|the|in|at|to|with|by|on|from)\b)[a-z]+(?![\w.])")
"""English names and titles are in capitals: several other words make a sentence."""
_SENTENCE = re.compile(r"^(?:\S+\s){3,}\S*[a-zа-яё]{3,}[.;]$")
_SURELY_A_TITLE = 3.0
_TITLE_FIRST = 0.2
"""Where nothing else tells, the first of two is the title; in Chinese it is the employer."""


@dataclass(frozen=True, slots=True)
class Roles:
    """The pieces of one entry by what they are; None where there is none."""

    employer: Piece | None
    position: Piece | None
    place: Piece | None
    margin: float
    """How much better the chosen reading is than the one with employer and position exchanged."""


def work_roles(found: Sequence[Entry]) -> list[Roles]:
    """The roles in each entry."""
    usual = _usual_separators(found)
    coarse = [_coarse(entry, usual) for entry in found]
    fine = _lines_of_both(found, coarse)
    return _assign([list(_pieces(entry, lines, fine)) for entry, lines in zip(found, coarse, strict=True)])


# -- pieces ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Placed:
    """A piece with where it stands in its entry."""

    piece: Piece
    line: int
    """Line relative to the date."""
    order: int


def _pieces(entry: Entry, coarse: _Lines, fine: AbstractSet[int]) -> Iterator[_Placed]:
    """The pieces of an entry; the lines in `fine` are cut at commas too."""
    order = 0
    for number, line in enumerate(coarse):
        alone = _is_alone(line)
        for piece in line:
            for cut in fine_cuts(piece) if alone and number - entry.anchor in fine else (piece,):
                yield _Placed(cut, number - entry.anchor, order)
                order += 1


def _is_alone(line: Sequence[Piece]) -> bool:
    """Whether a line holds one piece, places aside."""
    return sum(place_score(piece.text) < 2 for piece in line) == 1


_Lines = list[list[Piece]]
"""The pieces of each heading line of an entry."""


def _usual_separators(found: Sequence[Entry]) -> AbstractSet[str]:
    """The separators that at least half of the entries have, dashes more than half: what only some have stands inside values."""
    counts: Counter[str] = Counter()
    for entry in found:
        counts.update({sign for piece in entry.pieces for sign in separators(piece.text)})
    least = {sign: len(found) + (sign in _DASHES and len(found) > 1) for sign in counts}
    return {sign for sign, count in counts.items() if count * 2 >= least[sign]}


def _coarse(entry: Entry, usual: AbstractSet[str]) -> _Lines:
    """The pieces of each heading line, without those whose label says they are nothing of ours."""
    plain = [
        []
        if number and number != entry.anchor and _are_trades(line, entry.head[number - 1])
        else [
            piece
            for piece in _without_facts([bare for whole in line for bare in _bare(whole)], dated=number == entry.anchor)
            if piece.label not in _NO_VALUES
        ]
        for number, line in enumerate(entry.head)
    ]
    alone = sum(place_score(piece.text) < 2 for line in plain for piece in line) == 1
    employed = any(employer_score(piece.text) >= 2 or piece.label == "employer" for line in plain for piece in line)
    return [[cut for piece in line for cut in _cut(piece, usual, alone=alone, employed=employed)] for line in plain]


def _bare(piece: Piece) -> Sequence[Piece]:
    return [piece] if piece.label else split_bare(piece)


def _are_trades(line: Sequence[Piece], above: Sequence[Piece]) -> bool:
    """`Agriculture • Crops` below a line with the place or page of a firm: the trades it is in, as job boards print them."""
    text = " ".join(piece.text for piece in line)
    if not _TRADES.search(text) or not any(place_score(piece.text) >= 2 or _SITE.search(piece.text) for piece in above):
        return False
    return not any(employer_score(cut) >= 3 or position_score(cut) >= 2 for cut in _TRADES.split(text))


def _without_facts(line: Sequence[Piece], *, dated: bool) -> Sequence[Piece]:
    """The line without what it says of the firm's size and kind: on the line with the date, the employer before it."""
    if not any(ABOUT_THE_FIRM.search(piece.text) for piece in line):
        return line
    if not dated:
        return _before_brackets(line)
    first = next(coarse_cuts(line[0]))
    named = employer_score(first.text) >= 2 and not ABOUT_THE_FIRM.search(first.text)
    return [*([first] if named else []), *(piece for piece in line[1:] if position_score(piece.text) >= 3)]


def _before_brackets(line: Sequence[Piece]) -> Sequence[Piece]:
    """What stands before facts in brackets, `白桦电器　（10000人以上 | 家电）`; nothing where the line holds facts only."""
    at = next(at for at, piece in enumerate(line) if ABOUT_THE_FIRM.search(piece.text))
    words = line[at].words
    bracketed = at > 0 and bool(words) and (words[0].text[:1] in "(（[【" or words[-1].text[-1:] in ")）]】")
    return line[:at] if bracketed else ()


def _cut(piece: Piece, usual: AbstractSet[str], *, alone: bool, employed: bool) -> list[Piece]:
    """The piece at its usual separators; at the others too where they part employer and position.

    `alone`: the entry has no other piece. `employed`: one of its pieces reads like an employer.
    """
    every = list(coarse_cuts(piece))
    if len(every) < 2 or piece.label:
        return every
    if employed and not alone and _is_one_position(piece, every):
        return [piece]
    unusual = separators(piece.text) - usual
    without = list(coarse_cuts(piece, unusual)) if unusual else every
    apart = len(without) > 1 or len(list(fine_cuts(piece))) > 1 or not alone
    return without if apart and (len(without) > 1 or not _both(every)) else every


def _is_one_position(piece: Piece, cuts: Sequence[Piece]) -> bool:
    """`Team Lead / Architect`, `Staff Nurse – Intensive Care`: beside an employer, a title and its parts."""
    if position_score(piece.text) < 2 or all(_HAN.search(cut.text) for cut in cuts):
        return False
    parts = (piece, *cuts)
    return all(not cut.label and not _is_employer(cut.text) and place_score(cut.text) < 2 for cut in parts)


def _is_employer(text: str) -> bool:
    return employer_score(text) >= max(2, position_score(text))


def _lines_of_both(found: Sequence[Entry], coarse: Sequence[_Lines]) -> set[int]:
    """The heading lines, counted from the date, that hold employer and position with a comma between them.

    Told by wording in some entries, it holds for the same line of all of them.
    """
    votes: Counter[int] = Counter()
    whole: Counter[int] = Counter()
    for entry, lines in zip(found, coarse, strict=True):
        single = sum(place_score(piece.text) < 2 for line in lines for piece in line) == 1
        named = {number for number, line in enumerate(lines) if _is_name_with_place(line)}
        for number, line in enumerate(lines):
            for piece in line:
                cuts = list(fine_cuts(piece))
                if named - {number} and position_score(cuts[0].text) >= 3 and not _is_name_with_place(line):
                    cuts = [piece]  # its employer stands on the other line
                if len(cuts) > 1 and (_both(cuts) or (single and len(cuts) == 2) or (single and _a_position(cuts))):
                    votes[number - entry.anchor] += 1
                elif _is_alone(line) and _either(piece) and not _either_place(cuts):
                    whole[number - entry.anchor] += 1
    return {line for line in votes if votes[line] >= max(1, whole[line])}


def _is_name_with_place(line: Sequence[Piece]) -> bool:
    """`Example Living, Melbourne`: what stands before a place and is no position is an employer."""
    scores = [place_score(piece.text) >= 2 for piece in line]
    return scores == [False, True] and position_score(line[0].text) < 2


def _both(cuts: Sequence[Piece]) -> bool:
    """Whether one of the cuts reads like an employer and another like a position, or like a part of that employer."""
    scores = [(employer_score(cut.text), position_score(cut.text)) for cut in cuts]
    faculties = [is_faculty(cut.text) for cut in cuts]
    if any(faculties) and any(score[0] >= 2 and not faculty for score, faculty in zip(scores, faculties, strict=True)):
        return True
    return any(
        one[0] >= 2 and other[1] >= 2 and one[0] > other[0]
        for at, one in enumerate(scores)
        for other in scores[:at] + scores[at + 1 :]
    )


def _a_position(cuts: Sequence[Piece]) -> bool:
    """Whether just one of the cuts reads like a position, so that another may be an employer nobody knows."""
    return sum(position_score(cut.text) >= 2 for cut in cuts) == 1


def _either(piece: Piece) -> bool:
    return employer_score(piece.text) >= 2 or position_score(piece.text) >= 2


def _either_place(cuts: Sequence[Piece]) -> bool:
    return any(place_score(cut.text) >= 2 for cut in cuts)


# -- assignment -----------------------------------------------------------------------------------------------------


def _assign(entries: Sequence[Sequence[_Placed]]) -> list[Roles]:
    means = _slot_means(entries)
    return [_best(placed, means) for placed in entries]


def _slots(placed: _Placed) -> tuple[Hashable, ...]:
    piece = placed.piece
    size = round(piece.size * 2) if piece.size else 0
    return (("order", placed.order), ("line", placed.line, placed.order), ("look", size, piece.bold, placed.line))


def _slot_means(entries: Sequence[Sequence[_Placed]]) -> dict[Hashable, tuple[float, float, float]]:
    sums: dict[Hashable, list[tuple[float, float, float]]] = defaultdict(list)
    for placed in entries:
        for one in placed:
            own = _own(one.piece)
            for slot in _slots(one):
                sums[slot].append(own)
    return {slot: tuple(sum(own[role] for own in found) / len(found) for role in range(3)) for slot, found in sums.items()}  # type: ignore[misc]


def _own(piece: Piece) -> tuple[float, float, float]:
    """What the wording of a piece says for employer, position and place."""
    text = piece.text
    if piece.label:
        return tuple(9.0 if piece.label == role else -9.0 for role in ("employer", "position", "place"))  # type: ignore[return-value]
    employer, position, place = float(employer_score(text)), float(position_score(text)), float(place_score(text))
    if place >= 3 or (place >= 2 and employer < 2 and position < 2):
        return (-2.0, -2.0, place)
    if employer >= 3 and position:
        position -= 1.5
    if is_faculty(text):
        employer -= 2
    if is_department(text) and position < 3:
        employer, position = employer - 1, position - 1
    if len(text) > 70 or "http" in text or "www." in text or "@" in text:
        employer, position = employer - 3, position - 3
    if text[:1].islower():
        employer, position = employer - 1, position - 1
    if len(_PLAIN_WORD.findall(text)) >= 3 or _SENTENCE.search(text) or is_deed(text):
        employer, position = employer - 2, position - 2
    return (employer, position, place)


def _best(placed: Sequence[_Placed], means: dict[Hashable, tuple[float, float, float]]) -> Roles:
    full = sum(one.line == 0 for one in placed) >= 2
    totals: list[tuple[float, float, float]] = []
    for one in placed:
        own = _own(one.piece)
        slots = [means[slot] for slot in (_slots(one) if len(placed) > 1 else _slots(one)[-1:])]
        shared = tuple(sum(mean[role] for mean in slots) / len(slots) for role in range(3))
        early = -0.05 * one.order - 0.1 * max(one.line, 0) - (0.4 * one.line if full and one.line > 0 else 0.0)
        if one.order == 0 and not _HAN.search(one.piece.text):
            own = (own[0], own[1] + _TITLE_FIRST, own[2])
        totals.append((own[0] + 1.5 * shared[0] + early, own[1] + 1.5 * shared[1] + early, own[2] + 0.5 * shared[2]))
    place_at = max((at for at in range(len(placed)) if totals[at][2] >= 2), key=lambda at: totals[at][2], default=None)
    usable = [at for at in range(len(placed)) if at != place_at or max(totals[at][0], totals[at][1]) > totals[at][2]]
    if len(usable) == 1:
        only = usable[0]
        said = _own(placed[only].piece)  # a title alone is one, whatever stands there in the other entries
        titled = said[1] >= _SURELY_A_TITLE and said[1] > said[0]
        employer, position = (only, None) if totals[only][0] > totals[only][1] and not titled else (None, only)
        margin = abs(totals[only][0] - totals[only][1])
    elif usable:
        pairs = {pair: totals[pair[0]][0] + totals[pair[1]][1] for pair in permutations(usable[:8], 2)}
        employer, position = max(pairs, key=lambda pair: pairs[pair])
        margin = pairs[employer, position] - pairs[position, employer]
    else:
        return Roles(None, None, placed[place_at].piece if place_at is not None else None, 0.0)
    if place_at in (employer, position):
        place_at = None
    return Roles(
        placed[employer].piece if employer is not None else None,
        placed[position].piece if position is not None else None,
        placed[place_at].piece if place_at is not None else None,
        margin,
    )
