"""Studies: what the heading lines of an education entry say: institution, degree, area.

Degrees are told by their names (`words/<language>/degrees.txt`), institutions by their words and by standing where
institutions stand in the other entries; the area is what is left beside the degree.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from ingest.fields.cuts import by_weight, han_cuts, split
from ingest.fields.datelines import Piece
from ingest.fields.entries import Entry
from ingest.fields.entry_labels import label_of
from ingest.fields.forms import part
from ingest.fields.wording import (
    MORE_OF_A_NAME,
    degree_spans,
    is_bare_kind,
    is_faculty,
    place_score,
    position_score,
    school_score,
    school_with_place,
)
from ingest.fields.words import fold, simplified

_STRONG = re.compile(
    r"\s+[|·•∙]\s*|\s*[|•∙]\s+|\s*\|\s*|\s+(?:[–—―-]|--)\s+|\s+(?://?|::)\s+|\s*[;；]\s+|\s*、\s*|(?<=[a-zа-яё]{3})\.\s+(?=[A-ZА-ЯЁ])"
)
_COMMA = re.compile(rf"\s*,\s+(?!{MORE_OF_A_NAME})|,(?=[А-Яа-яЁё㐀-鿿])|，")
_HAN = re.compile(r"[㐀-鿿]")
_IN = re.compile(
    r"^\s*(?:degree|diploma|программа|по специальности|по направлению(?: подготовки)?|специальность|направление|专业)?"
    r"\s*"
    r"(?:(?:in|of|по|в области|on)(?!\w)|[:–—,(-])\s*(?=\S)|^\s*(?:degree)?\s+",
    re.IGNORECASE,
)
_BRACKETS_AT_END = re.compile(r"\s*\(([^()]{2,40})\)$")
_CONNECTORS = ("in", "of", "по", "degree", "on", "学历", "学位")
_LABELLED_IN_BRACKETS = re.compile(r"\s*\([^():]{2,20}:[^()]*\)")
"""`(导师:…)`: a fact of its own."""
_SCHOOL_COLON = re.compile(r"\s?:\s+")
_GRADE_BEHIND = re.compile(r"[,;]\s*(?:c?gpa|grade|средний балл|绩点)\b.*$", re.IGNORECASE)
_HAN_STUDIED = re.compile(r"^(?:就读于|毕业于|就读|考入|在(?=.{2,20}(?:就读|学习)))")
_DEGREE_BEHIND = re.compile(r"\s*[;,(/|–—-]\s*$")
_IN_AREA = re.compile(r"\s(?:in|по)\s", re.IGNORECASE)
_AND = re.compile(r"\s(?:and|&|и)\s")
_QUOTED = re.compile(r"[«“\"]([^«»“”\"]{2,})[»”\"]")
_NAMED_SCHOOL = re.compile(r"[А-ЯЁA-Z]{3,8}\s[«“\"][^«»“”\"]{2,40}[»”\"]$")
"""`НГТИ «Академ»`: letters that stand for a kind of school, and its name."""
_TITLES = frozenset({"简历", "个人简历", "履历", "резюме", "resume", "cv", "curriculum vitae"})
_OTHER = re.compile(r"[:@]|://|\d{5,}")
"""Labels, addresses and numbers, which no area holds."""
_FROM = re.compile(r"\s+(?:from|at|@|в)\s+(?=\S)")
_GRADE = re.compile(
    r"\bc?gpa\b|绩点|средний балл"
    r"|\bgrade\b|\d(?:\.\d+)?\s*/\s*\d|\d{2}(?:\.\d+)?\s?%|(?:first|second|third)[- ]class|2:[12]\b|\bcum laude\b"
    r"|с отличием|\bhons?\b\.?$|distinction|排名|均分|专业前|\brank\b",
    re.IGNORECASE,
)
_SPECIALITY = re.compile(
    r"^(?:специальность|направление(?: подготовки)?|факультет|по специальности|major(?:ed)?(?: in)?"
    r"|专业(?=为)|专业|主修(?=为)|主修)(?:为|\s*:?\s+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Study:
    """The pieces of one entry by what they are; None where there is none."""

    institution: Piece | None
    degree: Piece | None
    area: Piece | None
    sure: bool
    """Whether wording or labels say that this is an education."""


def studies(found: Sequence[Entry]) -> list[Study]:
    """What each entry says."""
    pieces = [list(_pieces(entry)) for entry in found]
    slots = _school_slots(pieces)
    return [_study(placed, slots) for placed in pieces]


@dataclass(frozen=True, slots=True)
class _Cut:
    """A piece with its place among those of its entry."""

    piece: Piece
    line: int
    order: int


def _pieces(entry: Entry) -> Iterator[_Cut]:
    order = 0
    for number, line in enumerate(entry.head):
        for piece in line:
            if piece.label in ("body", "skip", "?", "period"):
                continue
            for cut in _named(list(cuts(piece))):
                yield _Cut(cut, number - entry.anchor, order)
                order += 1


def _named(found: Sequence[Piece]) -> Iterator[Piece]:
    """`специальность – экономика`: a cut that is only a label says what the next one is."""
    label = ""
    for at, cut in enumerate(found):
        own = label_of(cut.text) if not (cut.label or is_bare_kind(cut.text) or degree_spans(cut.text)) else None
        if own in ("area", "institution", "degree") and at + 1 < len(found):
            label = own
            continue
        yield replace(cut, label=label) if label and not cut.label else cut
        label = ""


def cuts(piece: Piece) -> Iterator[Piece]:
    """The piece cut into institution, degree with its area, and the rest."""
    if piece.label:
        yield piece
        return
    if prose := _HAN_STUDIED.match(piece.text):
        piece = part(piece, prose.end(), len(piece.text)) or piece
    for strong in (cut for run in by_weight(piece) for half in _colon_apart(run) for cut in split(half, _STRONG)):
        for han in _han_schools(strong) if _HAN.search(strong.text) else _degree_apart(strong):
            yield from (cut for whole in _grade_apart(han) for cut in _commas(whole))


HAN_SCHOOL = re.compile(
    r"^(.{2,}?(?:大学|学院|研究院|研究所|职业学校|技工学校|学校|中学|党校|技校|中专|教育中心))"
    r"(?!大学|学院|附属|附中|附小|分校|校区|研究生院|院|系$|[（(]|第.附)(.{2,})$"
)
"""A school with something written right behind it."""
_HAN_FACULTY = re.compile(r"^[㐀-鿿]{1,12}?(?:研究生院|学院|学系|系|学部|分院)(?=[㐀-鿿]{2})")
_HAN_MAJOR_END = re.compile(
    r"(?:专业)?(?:[（(][^（()）]{1,12}[)）])?(?:脱产|在职|全日制|函授|研究生)*(?:学习|就读|毕业|读书|深造|在读)?$"
)


def _han_schools(piece: Piece) -> Iterator[Piece]:
    """The piece at its spaces, and a school apart from what is written right behind it: `白桦大学会计学`."""
    for cut in han_cuts(piece):
        text = simplified(cut.text)
        match = HAN_SCHOOL.match(text)
        if match is None or school_score(match[2]) >= 3 or is_faculty(match[2]) or _is_place(match[2]):
            yield cut
            continue
        start, end = match.start(2), len(text)
        if (faculty := _HAN_FACULTY.match(match[2])) is not None:
            start += faculty.end()
        if not degree_spans(match[2]) and (last := _HAN_MAJOR_END.search(text, start)) is not None and last.start() > start:
            end = last.start()
        yield from (found for span in (match.span(1), (start, end)) if (found := part(cut, *span)))


def _degree_apart(piece: Piece) -> Iterator[Piece]:
    """`Example University BSc Physics` in two: a school and the degree right behind it."""
    spans = degree_spans(piece.text)
    start = spans[0][0] if spans else 0
    before = piece.text[:start]
    if start and before.endswith(" ") and "," not in before and before.rstrip()[-1:].isalpha() and school_score(before) >= 3:
        yield from (found for span in ((0, start), (start, len(piece.text))) if (found := part(piece, *span)))
    else:
        yield piece


def _colon_apart(piece: Piece) -> list[Piece]:
    """`Example Institute: Higher Certificate in Cookery` in two; without what brackets at the end say of somebody else."""
    if labelled := _LABELLED_IN_BRACKETS.search(piece.text):
        piece = part(piece, 0, labelled.start()) or piece
    colon = _SCHOOL_COLON.search(piece.text)
    if colon is None:
        return [piece]
    before, after = piece.text[: colon.start()], piece.text[colon.end() :]
    apart = school_score(before) >= 3 > school_score(after) and bool(degree_spans(after)) and not degree_spans(before)
    apart = apart or (bool(degree_spans(before)) and school_score(before) < 2 <= school_score(after))
    return split(piece, _SCHOOL_COLON) if apart else [piece]


_HONOURS = re.compile(r"^hon(?:ou?r)?s\.?$", re.IGNORECASE)
"""Part of the degree as printed: `BA (Hons)`."""
_NOTE = re.compile(
    r"^(?:[IVX]{1,4}|\d{1,2}(?:th|st|nd|rd)?)$|(?<!\w)(?:expected|anticipated|ongoing|in progress|double major|dual degree|minor"
    r"|part[- ]time|full[- ]time|distance|online|evening|hons?\.?|honou?rs|second upper|second lower|first class|incl|including"
    r"|ожид|заочн|очн|вечерн|дистанц|экстернат|незаконч|неоконч|с отличием|бюджет|платн|план)"
    r"|荣誉|兼读|全日制|在职|脱产|硕博连读|本硕连读|直博|辅修|双学位|预计|应届|统招|自考|函授|成教|业余|成人教育|保送|保研|推免|专升本|肄业|结业|毕业|在读",
    re.IGNORECASE,
)
"""What brackets behind a school, a degree or an area say of the way of studying: none of the three."""


def _is_note(text: str) -> bool:
    return _NOTE.search(simplified(text)) is not None


def _grade_apart(piece: Piece) -> Iterator[Piece]:
    """`University of Example (Distinction)` without what stands in the brackets."""
    match = _BRACKETS_AT_END.search(piece.text)
    if match and (
        _GRADE.search(match[1]) or place_score(match[1]) >= 2 or (_is_note(match[1]) and not _HONOURS.search(match[1]))
    ):
        if cut := part(piece, 0, match.start()):
            yield cut
    else:
        yield piece


def _commas(piece: Piece) -> Iterator[Piece]:
    """Cut at commas where the parts are of different kinds; `University of California, Berkeley` stays whole."""
    spans = list(_spans(piece.text))
    if _only_degree_in_brackets(piece.text) or _is_place(piece.text):
        yield piece
        return
    kinds = [_kind(piece.text[start:end]) for start, end in spans]
    if "degree" in kinds[1:] and not kinds[0] and school_score(piece.text[slice(*spans[0])]):
        kinds[0] = "school"  # `СПбГУ, экономика, бакалавр`
    if (len(set(kinds)) < 2 and "degree" not in kinds) or (
        school_with_place(piece.text) and len(spans) == 2 and "degree" not in kinds
    ):
        yield from _from(piece)
        return
    kinds = _with_lists(piece.text, spans, kinds)
    at = 0
    for kind, group in groupby(kinds):
        count = len(list(group))
        whole = kind in ("", "listed")
        runs = [(spans[at][0], spans[at + count - 1][1])] if whole else spans[at : at + count]
        at += count
        for start, end in runs:
            if cut := part(piece, start, end):
                yield from _from(cut)


def _with_lists(text: str, spans: Sequence[tuple[int, int]], kinds: list[str]) -> list[str]:
    """`BSc in Food, Nutrition and Dietetics`: the parts of a list that ends in `and` belong to the degree before it."""
    result = list(kinds)
    for at, kind in enumerate(kinds):
        end = at + 1
        while end < len(kinds) and not kinds[end]:
            end += 1
        if (
            kind == "degree"
            and end > at + 1
            and _IN_AREA.search(text[slice(*spans[at])])
            and _AND.search(text[slice(*spans[end - 1])])
        ):
            result[at:end] = ["listed"] * (end - at)
    return result


def _only_degree_in_brackets(text: str) -> bool:
    """`Accounting, Audit and Tax (BSc)`: the commas are those of the area."""
    match = _BRACKETS_AT_END.search(text)
    if match is None or not degree_spans(match[1]):
        return False
    return not any(_kind(text[start:end]) for start, end in _spans(text[: match.start()]))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """The stretches between the commas that are not in brackets."""
    start = 0
    for match in _COMMA.finditer(text):
        if text.count("(", 0, match.start()) <= text.count(")", 0, match.start()):
            yield start, match.start()
            start = match.end()
    yield start, len(text)


def _kind(text: str) -> str:
    """What the wording of a part says it is; empty where it says nothing, as areas do."""
    if degree_spans(text):
        return "degree"
    if is_faculty(text):
        return "faculty"
    if school_score(text) >= 2 or _NAMED_SCHOOL.match(text):
        return "school"
    return "place" if place_score(text) >= 2 else "grade" if _GRADE.search(text) else ""


def _from(piece: Piece) -> list[Piece]:
    """`BSc in Physics from the University of …` in two."""
    match = next((match for match in _FROM.finditer(piece.text) if degree_spans(piece.text[: match.start()])), None)
    if match is None or not school_score(piece.text[match.end() :]):
        return [piece]
    return [cut for cut in (part(piece, 0, match.start()), part(piece, match.end(), len(piece.text))) if cut]


def _school_slots(pieces: Sequence[Sequence[_Cut]]) -> dict[tuple[int, int, bool], float]:
    """How often a place in an entry holds what reads like a school."""
    hits: Counter[tuple[int, int, bool]] = Counter()
    every: dict[tuple[int, int, bool], int] = defaultdict(int)
    for placed in pieces:
        for cut in placed:
            every[_slot(cut)] += 1
            text = cut.piece.text
            hits[_slot(cut)] += school_score(text) >= 3 and not degree_spans(text) and not is_faculty(text)
    return {slot: hits[slot] / count for slot, count in every.items()}


def _slot(cut: _Cut) -> tuple[int, int, bool]:
    return (cut.line, cut.order, cut.piece.bold)


def _study(placed: Sequence[_Cut], slots: dict[tuple[int, int, bool], float]) -> Study:
    by_label = {cut.piece.label: cut.piece for cut in reversed(placed) if cut.piece.label}
    institution = by_label.get("institution")
    degree, area = _degree_and_area(by_label["degree"]) if "degree" in by_label else (None, None)
    if "area" in by_label:
        degree, area = _area_with_degree(by_label["area"], degree)
    free = [cut for cut in placed if not cut.piece.label and len(cut.piece.text) > 1 and not _GRADE.fullmatch(cut.piece.text)]
    if institution is None:
        institution = _institution(free, slots)
    rest = [cut.piece for cut in free if cut.piece is not institution and not _is_place(cut.piece.text)]
    if degree is None:
        degree, more = next(
            ((found, more) for piece in rest for found, more in (_degree_and_area(piece),) if found), (None, None)
        )
        if degree is not None:
            rest = [piece for piece in rest if not _inside(degree, piece)]
            area = area or more
    if institution is None and degree is not None:
        beside, elsewhere = _around(degree, free, rest)
        area = area or (beside if elsewhere else None)
        institution = _unknown_school(elsewhere or rest, area)
        rest = [piece for piece in rest if piece is not institution]
    if area is None:
        plain = (piece for piece in rest if not _is_grade(piece) and not degree_spans(piece.text) and not is_faculty(piece.text))
        plain = (piece for piece in plain if school_score(piece.text) < 3 and not _OTHER.search(piece.text))
        plain = (piece for piece in plain if fold(piece.text) not in _TITLES)
        told = sorted(
            (piece for piece in plain if not _is_only_note(piece.text)), key=lambda piece: position_score(piece.text) >= 2
        )
        area = next((cleaned for piece in told if (cleaned := _without_label(piece))), None)
    area = _without_calling(area or _of_department(rest)) if "area" not in by_label else area
    sure = bool(by_label) or degree is not None or (institution is not None and school_score(institution.text) >= 3)
    return Study(institution, degree, area, sure)


def _is_only_note(text: str) -> bool:
    return len(text) <= 12 and _NOTE.match(simplified(text)) is not None


_HAN_DEPARTMENT = re.compile(r"^(.{2,12}?)(?:研究所|系)$")


def _of_department(rest: Sequence[Piece]) -> Piece | None:
    """The area a department is of, where nothing else says it: `會計學系`."""
    for piece in rest:
        if (match := _HAN_DEPARTMENT.match(simplified(piece.text))) is not None and school_score(match[1]) < 2:
            return part(piece, *match.span(1))
    return None


def _without_calling(area: Piece | None) -> Piece | None:
    """`лечебное дело, врач` without what one may call oneself after it."""
    if area is None or "," not in area.text:
        return area
    parts = split(area, _COMMA)
    plain = [cut for cut in parts if position_score(cut.text) < 2]
    if not plain or len(plain) == len(parts) or len(plain) > 1:
        return area
    return _without_label(plain[0])


def _area_with_degree(piece: Piece, degree: Piece | None) -> tuple[Piece | None, Piece | None]:
    """`Специальность: Менеджмент; бакалавр`: what is labelled as the area may name the degree behind it."""
    spans = degree_spans(piece.text)
    apart = _DEGREE_BEHIND.search(piece.text[: spans[-1][0]]) if spans and spans[-1][1] >= len(piece.text.rstrip(") .")) else None
    if degree is not None or apart is None or apart.start() == 0:
        grade = _GRADE_BEHIND.search(piece.text)
        return degree, part(piece, 0, grade.start()) if grade else piece
    return part(piece, spans[-1][0], len(piece.text)), part(piece, 0, apart.start())


def _is_place(text: str) -> bool:
    """Whether a text is a place: `MA` alone may be a degree, `Cambridge, MA` is none."""
    return place_score(text) >= 2 and all(start > 0 for start, _ in degree_spans(text))


def _around(degree: Piece, free: Sequence[_Cut], rest: Sequence[Piece]) -> tuple[Piece | None, list[Piece]]:
    """What stands right behind a degree on its line, which is its area, and what stands on other lines."""
    own = next((cut for cut in free if _inside(degree, cut.piece)), None)
    left = [cut for cut in free if any(cut.piece is piece for piece in rest)]
    if own is None:
        return None, []
    beside = next((cut.piece for cut in left if cut.line == own.line and cut.order == own.order + 1), None)
    return beside, [cut.piece for cut in left if cut.line != own.line] if beside else []


def _unknown_school(rest: Sequence[Piece], area: Piece | None) -> Piece | None:
    """What must be the school beside a degree and its area, though its wording says nothing."""
    free = [piece for piece in rest if not _is_grade(piece) and not degree_spans(piece.text) and not is_faculty(piece.text)]
    if not free or (area is None and len(free) < 2):
        return None
    return max(free, key=lambda piece: (piece.size or 0.0, piece.bold, -free.index(piece)))


def _institution(free: Sequence[_Cut], slots: dict[tuple[int, int, bool], float]) -> Piece | None:
    def score(cut: _Cut) -> float:
        text = cut.piece.text
        own = school_score(text) - (2 if degree_spans(text) else 0) - (1.5 if is_faculty(text) else 0)
        return (
            own
            + 2 * slots.get(_slot(cut), 0.0)
            - (3 if place_score(text) >= 2 and not school_score(text) else 0)
            - 0.01 * cut.order
        )

    best = max(free, key=score, default=None)
    return best.piece if best is not None and score(best) >= 1 else None


def _inside(found: Piece, piece: Piece) -> bool:
    return (
        bool(found.words)
        and bool(piece.words)
        and any(word is other for word in found.words for other in piece.words)
        and found.text in piece.text
    )


def _degree_and_area(piece: Piece) -> tuple[Piece | None, Piece | None]:
    """`BSc (Hons) in Economics` → `BSc (Hons)`, `Economics`; `Машиностроение, бакалавр` the other way round."""
    spans = degree_spans(piece.text)
    if not spans:
        return None, None
    start, end = spans[0][0], max(span[1] for span in spans if span[0] <= spans[0][1] + 3)
    if piece.text[end : end + 1] == ")" and "(" in piece.text[start:end]:
        end += 1
    before, after = piece.text[:start], piece.text[end:]
    degree = part(piece, start, end)
    match = _IN.match(after)
    area = None
    note = re.fullmatch(r"\s*\(([^()]*)\)?\s*", after)
    if note is not None and (_is_note(note[1]) or degree_spans(note[1])):
        after = ""
    if after.strip(" .,;)("):
        offset = end + (match.end() if match else 0)
        area = part(piece, offset, len(piece.text))
    elif before.strip(" .,;)("):
        area = part(piece, 0, start)
    if area is not None and (_is_grade(area) or school_score(area.text) >= 3 or area.text.casefold() in _CONNECTORS):
        area = None
    return degree, _without_label(area) if area else None


def _is_grade(piece: Piece) -> bool:
    return bool(_GRADE.search(piece.text)) and len(piece.text) < 40


def _without_label(piece: Piece) -> Piece | None:
    match = _SPECIALITY.match(piece.text)
    start = match.end() if match else 0
    end = len(piece.text) - (2 if len(piece.text) > 4 and piece.text.endswith("专业") else 0)
    cleaned = part(piece, start, end)
    quoted = _QUOTED.fullmatch(cleaned.text) if cleaned else None
    return part(cleaned, *quoted.span(1)) if cleaned and quoted else cleaned
