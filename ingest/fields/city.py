"""The city where the person lives: labelled, or standing among the contact data."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass

from ingest.fields.document import Document, Row
from ingest.fields.draft import Draft
from ingest.fields.emails import ADDRESS_LIKE
from ingest.fields.headings import wording
from ingest.fields.labels import label_key, labelled
from ingest.fields.places import city_in, is_wider, without_remarks
from ingest.fields.segments import segments
from ingest.fields.spans import below, clip, value_of
from ingest.fields.wording import employer_score, position_score, school_score
from ingest.fields.words import fold, keys, phrases
from ingest.fields.zone import Zone, zones
from resumes.profile import Location

_ENOUGH = 0.5
_SEPARATORS = re.compile(r"\s*[|•·●▪◆■;]\s*|\s{2,}|\s[-–—]\s|(?<=[\u3400-\u9fff]),|,(?=[\u3400-\u9fff])")
_CONTACT = re.compile(
    rf"{ADDRESS_LIKE}|(?:https?://|www\.)\S+|(?<![\w.-])[\w-]{{1,63}}(?:\.[\w-]{{1,63}}){{1,5}}/\S*|"
    r"\+?\(?\d[\d ().\u2010-\u2015-]{6,24}\d|\b[\w-]{1,63}\.example\b"
)
_LIVES_IN = re.compile(
    r"^(?:现居住?[于在]?|居住[于在]?|现住(?!址)在?|坐标|base|проживает в|живу в|based in|lives in|living in)\s*:?\s*"
    r"(?P<place>[^\s,，;].{1,40})$",
    re.IGNORECASE,
)
_WORKS_IN = re.compile(r"\s(?:in|from|из|в)\s(?P<place>[^\W\d_][^\d,;|.]{1,30})\.?$")
"""`motion designer in Rotterdam.`"""
_HAN = re.compile(r"[\u3400-\u9fff]")
_LABEL_BEHIND = re.compile(r"[\s,;]+(?P<label>[^\s,;:：]{1,20})\s*[:：.]*\s*$")
"""The label of the number that follows a place: `昆明市　电话：`, `г. Уфа, тел.`"""
_MASK = "\x00"
_PARTS = re.compile(rf"(?P<text>[^{_MASK}]+)(?P<data>{_MASK}?)")
_SYMBOLS = re.compile(r"^[^\w(]+|[^\w).]+$")
_POSITION = re.compile(r"(?:^|(?<=[,;|.] ))[^\W\d_][^,;|.]{0,24}$")
_NEAR = 6
"""Lines: how far from an e-mail, phone or link a place without a label may stand."""
_PARTS_OF_ADDRESS = 3
_HEADLINE = 3
"""Lines under the name that may hold its place."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    city: str
    parts: tuple[Row, ...]
    score: float


def find(document: Document, draft: Draft) -> None:
    """Fill `basics.location.city`."""
    candidates = sorted(_candidates(document, draft), key=lambda found: (-found.score, found.parts[0].index))
    unique: dict[str, _Candidate] = {}
    for found in candidates:
        unique.setdefault(fold(found.city), found)
    best = list(unique.values())
    if best and best[0].score >= _ENOUGH:
        city = best.pop(0)
        draft.profile.basics.location = Location(city=city.city)
        draft.note("basics.location.city", value_of(city.city, min(city.score, 0.99), *city.parts))
    if best:
        draft.alternatives["basics.location.city"] = [
            value_of(found.city, min(found.score, 0.99), *found.parts) for found in best[:4]
        ]


def _candidates(document: Document, draft: Draft) -> Iterator[_Candidate]:
    place = zones(document)
    for found in labelled(document):
        if found.key in ("city", "address") and place[found.row.index] >= Zone.NEUTRAL:
            change = 0.0 if found.key == "city" else -0.05
            whole = _over_two(document, found.row)
            if whole is not None:
                yield _Candidate(*whole, 0.94 + change)
            for piece in _pieces(found.row):
                if (city := city_in(piece.text, labelled=True)) is not None:
                    yield _candidate(city, piece, change)
                    break
    yield from _unlabelled(document, draft)


def _unlabelled(document: Document, draft: Draft) -> Iterator[_Candidate]:
    place = zones(document)
    anchors = [row.index for row in document.rows if place[row.index] is Zone.OWN and _CONTACT.search(row.text)]
    contacts = frozenset(anchors)
    # On a line of contact data, between two of them, or beside one where the headline is known to be another line.
    anchored = {*anchors, *(index + 1 for index in anchors if index + 2 in contacts)}
    if draft.profile.basics.label:
        anchored |= {index + step for index in anchors for step in (-1, 1)}
    marked: dict[int, tuple[str, int]] = {}
    for value in labelled(document):
        if value.inline:
            row = document.rows[value.row.index]
            marked.setdefault(row.index, (value.key, max(row.text.find(value.label), 0)))
    taken = {fold(text) for text in (draft.profile.basics.name, draft.profile.basics.label) if text}
    headline = _under_name(document, draft.profile.basics.name)
    for row in document.rows:
        if place[row.index] is not Zone.OWN and (row.index not in headline or place[row.index] < Zone.NEUTRAL):
            continue
        at = bisect(anchors, row.index)
        distance = min((abs(row.index - anchor) for anchor in anchors[max(at - 1, 0) : at + 1]), default=_NEAR)
        distance = min(distance, _NEAR) if row.index in headline else distance
        for piece in _pieces(row):
            if (
                fold(piece.text) in taken
                or _in_headline(piece, row, draft)
                or label_key(piece.text.partition(":")[0])
                or wording(piece.text)
            ):
                continue
            mark, labelled_from = marked.get(row.index, (None, 0))
            if mark is not None and row.text.find(piece.text) + len(piece.text) <= labelled_from:
                mark = None  # `Leeds • Age: 29`: the label names what follows it
            if (
                mark not in ("city", "address")
                and (found := _LIVES_IN.match(piece.text))
                and (city := city_in(found["place"], labelled=True))
            ):
                yield _candidate(city, piece, -0.03)
            elif (whole := _over_two(document, piece)) is not None and distance <= _NEAR:
                yield _Candidate(*whole, 0.8)
            elif mark in (None, "email", "phone", "link"):
                yield from _piece(piece, distance, anchored=row.index in anchored)


def _in_headline(piece: Row, row: Row, draft: Draft) -> bool:
    """Whether a piece is part of the headline on its line: `Driver – Class A`."""
    label = draft.profile.basics.label
    return label is not None and position_score(label) > 0 and label in row.text and piece.text in label


def _under_name(document: Document, name: str | None) -> frozenset[int]:
    """The lines right under the name, up to the next heading: a place stands there though the contacts have a column of
    their own.
    """
    at = next((row.index for row in document.rows if name and name in row.text), None)
    if at is None:
        return frozenset()
    found = []
    for row in document.rows[at + 1 : at + 1 + _HEADLINE]:
        if row.line.block != document.rows[at].line.block or row.page is not document.rows[at].page or wording(row.text):
            break
        found.append(row.index)
    return frozenset(found)


def _piece(piece: Row, distance: int, *, anchored: bool) -> Iterator[_Candidate]:
    city = city_in(piece.text, labelled=False)
    if city is None and (found := _WORKS_IN.search(piece.text)) and fold(found["place"]) in keys("cities"):
        yield _candidate((found["place"], 0.8), piece, -0.1 - 0.3 * (distance > _NEAR))
    if _HAN.search(piece.text) and max(school_score(piece.text), employer_score(piece.text)) > 1:
        return  # `宜春市第三中学`: the place is part of its name
    if city is not None and _whole_place(piece.text, city[0]):
        yield _candidate(city, piece, -0.05 - 0.3 * (distance > _NEAR))
    elif (anchored or distance <= 2) and len(piece.text) <= 40:
        # Not listed: between other contact data a capitalised word or two that is no title is where the person lives.
        other = city_in(piece.text, labelled=True)
        if other is not None and not _is_title(piece.text) and len(piece.text.split()) <= 3:
            yield _candidate(other, piece, -0.3 if anchored else -0.42)


def _whole_place(text: str, city: str) -> bool:
    """Whether the text says little besides the place: no sentence that mentions a city."""
    text = without_remarks(text)
    parts = [part for part in re.split(r"\s*[,;/():↔→⇄]\s*", text) if part and not is_wider(part) and wording(part) != "contact"]
    words = [word for part in parts if fold(part) not in keys("cities") for word in part.split()]
    rest = [word for word in words if fold(word) not in fold(city)]
    unknown = [word for word in rest if not is_wider(word) and not any(char.isdigit() for char in word)]
    most = 2 if not any(char.isdigit() for char in text) else 6 if len(parts) < _PARTS_OF_ADDRESS else 10
    return len(unknown) <= most and len(text) <= 90 and text[-1:] not in ".!"


def _is_title(text: str) -> bool:
    words = re.split(r"[\s/-]+", fold(text))
    return any(
        word in keys("preferences") or word in phrases("titles") or word in phrases("not_names") or word in phrases("credentials")
        for word in words
    )


def _pieces(row: Row) -> Iterator[Row]:
    """The parts of a line between separators, wide gaps, and data of other kinds."""
    for segment in segments(row):
        text = _CONTACT.sub(lambda match: _MASK * len(match.group()), segment.text)
        at = 0
        for piece in [*_SEPARATORS.split(text), ""]:
            if len(piece.strip(f" {_MASK},")) > 1:
                start = text.index(piece, at)
                at = start
                for part in _PARTS.finditer(piece):
                    bare = _before_label(part["text"]) if part["data"] else part["text"]
                    inner = _SYMBOLS.sub("", bare)
                    if len(inner) > 1 and (bare != part["text"] or not _names_what_follows(part, inner)):
                        begin = text.index(inner, start + part.start())
                        yield clip(segment, begin, begin + len(inner))


def _before_label(text: str) -> str:
    """A text without the label at its end; the whole text where it ends with none, or is one."""
    found = _LABEL_BEHIND.search(text)
    return text[: found.start()] if found is not None and found.start() and label_key(found["label"]) is not None else text


def _names_what_follows(part: re.Match[str], inner: str) -> bool:
    """Whether a text is a label, in whatever language: it ends with a colon, or stands right before a number and is no place."""
    text = part["text"].rstrip()
    if text.endswith((":", "：", "...", "…", "__")):
        return True
    place = _LIVES_IN.match(inner) is not None or city_in(inner, labelled=False) is not None
    return bool(part["data"]) and text[-1:].isalnum() and not place


def _candidate(found: tuple[str, float], part: Row, change: float) -> _Candidate:
    city, score = found
    at = part.text.find(city)
    return _Candidate(city, (clip(part, at, at + len(city)) if at >= 0 else part,), score + change)


def _over_two(document: Document, part: Row) -> tuple[str, tuple[Row, ...]] | None:
    """A listed city that a narrow column has broken: `Ростов-на-` above `Дону`, `San` above `Francisco`."""
    head = _POSITION.search(part.text)
    if head is None or (under := below(document, document.rows[part.index], part)) is None:
        return None
    first = part.text[head.start() :].strip()
    for words in (1, 2):
        tail = " ".join(under.text.split()[:words]).strip(" ,;|")
        whole = first + ("" if first.endswith("-") else " ") + tail
        if fold(whole) in keys("cities") and fold(first) not in keys("cities"):
            return whole, (clip(part, head.start(), len(part.text)), clip(under, 0, len(tail)))
    return None
