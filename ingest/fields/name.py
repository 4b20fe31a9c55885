"""The person's name: a labelled one, else what looks like a name and stands like one (large, on top, alone on its line).

E-mail address, user names and the file's name support a candidate; they never make one. No name is better than a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import median

from ingest.fields.document import Document, Row, normalise
from ingest.fields.draft import Draft
from ingest.fields.headings import wording
from ingest.fields.labels import label_key, labelled
from ingest.fields.others import OF_ANOTHER, of_another
from ingest.fields.persons import Person, read_person, shows_in
from ingest.fields.segments import segments
from ingest.fields.spaced import unspaced
from ingest.fields.spans import clip, value_of
from ingest.fields.wording import degree_score, employer_score, position_score
from ingest.fields.words import fold, phrases
from ingest.fields.zone import Zone, zones
from ingest.page import Word, join_words

_SEPARATORS = re.compile(
    r"\s*[|•·●▪◆■/;:,_]\s*|\s+[-–—]+\s+|\s*——\s*|(?<=[\u3400-\u9fff])\s+(?=\d|[男女](?:\s|$)|[A-Z])|"
    r"(?<=[A-Za-z.)])\s+(?=[\u3400-\u9fff])"
)
_CONTACT = re.compile(r"\S@\S|\d[\d ()-]{6,}\d|linkedin|github")
_DETAIL = re.compile(r"[男女]$|[男女][\s|,·]|\d")
"""What follows a Chinese name on its line: a gender, an age."""
_GENDER_BEHIND = re.compile(r"(?P<name>[\u3400-\u9fff]{2,4})[男女]\s?(?=[|·,/\d])")
"""`王小明女 | 31岁`"""
_HAN_WORD = re.compile(r"[\u3400-\u9fff·]{2,6}(?![\u3400-\u9fff])")
_ENOUGH = 0.55
"""Score from which a candidate is output; below, it is kept for the reviewer."""
_NEAR_TOP = 15
_TOP = 3
"""Lines from the top on which a name need not be set apart."""
_ROWS = 60
_LARGE = 1.2
"""Of the text's size: what is set off by size."""
_SET_OFF = 1.3
_HIGH = 0.4
"""Share of the page's height above which the name stands."""
_SAME_SIZE = 0.06
_LANGUAGE_SCRIPTS = {"en": "latin", "ru": "cyrillic", "zh": "han"}
_MOST_TOKENS = 5
_SHOWN = 0.8
"""How well an address must agree with a name in small letters."""
_SURELY_A_TITLE = 3
_TOLD = 0.68
"""Score of a name that a sentence says or a letter is signed with."""
_LONGEST_NAME = 50
_NAME_ENDS = re.compile(r"[,.;!?，。；！(（]|\s(?:and|from|but|a|an|the|i|и|из|мне)\s", re.IGNORECASE)
_VOUCHED = 0.5
"""Likeness of a rare name that its profession stands behind."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    person: Person
    parts: tuple[Row, ...]
    score: float


def find(document: Document, draft: Draft) -> None:
    """Fill `basics.name`."""
    candidates = sorted(
        (_judged(document, found) for found in _candidates(document, draft)),
        key=lambda found: (-found.score, found.parts[0].index, -len(found.person.name)),
    )
    values = []
    seen: set[str] = set()
    for found in candidates:
        if found.person.name.casefold() not in seen:
            seen.add(found.person.name.casefold())
            values.append(value_of(found.person.name, max(min(found.score, 0.99), 0.05), *found.parts))
    if candidates and candidates[0].score >= _ENOUGH:
        draft.profile.basics.name = values[0].value
        draft.note("basics.name", values.pop(0))
    if values:
        draft.alternatives["basics.name"] = values[:5]


def _judged(document: Document, found: _Candidate) -> _Candidate:
    """Below what is output where the text speaks of somebody else."""
    return replace(found, score=found.score - OF_ANOTHER) if of_another(document, found.parts[0]) else found


def _candidates(document: Document, draft: Draft) -> Iterator[_Candidate]:
    yield from _labelled(document)
    yield from (found for row in document.rows[:_ROWS] if (found := _behind_heading(row)) is not None)
    yield from (found for row in document.rows[:_ROWS] if (found := _said(row)) is not None)
    yield from _signed(document)
    yield from _printed(document, draft)


# -- told ---------------------------------------------------------------------------------------------------------


@cache
def _introduction() -> re.Pattern[str]:
    words = sorted(phrases("introductions"), key=len, reverse=True)
    texts = (re.escape(word) + ("" if word[0] >= "\u3400" else r"\s") for word in words)
    return re.compile(rf"(?:^|[.!?,。！，]\s?)(?:{'|'.join(texts)})")


def _said(row: Row) -> _Candidate | None:
    """`My name is Jane Roe and I live in Leeds.`"""
    said = _introduction().search(fold(row.text))
    if said is None:
        return None
    rest = row.text[said.end() :]
    name = _NAME_ENDS.split(rest, maxsplit=1)[0]
    person = read_person(name) if 1 < len(name) <= _LONGEST_NAME else None
    if person is None or person.start or person.likeness < _VOUCHED:
        return None
    return _Candidate(person, (clip(row, said.end(), said.end() + person.end),), _TOLD)


def _signed(document: Document) -> Iterator[_Candidate]:
    """Who signs a letter, below its closing words."""
    for at, row in enumerate(document.rows[:-1]):
        if fold(row.text).strip(" ,.!") not in phrases("closings"):
            continue
        below = document.rows[at + 1]
        person = read_person(below.text)
        if person is not None and person.end - person.start == len(below.text) and person.likeness >= _VOUCHED:
            yield _Candidate(person, (below,), _TOLD)


# -- labelled -----------------------------------------------------------------------------------------------------


def _labelled(document: Document) -> Iterator[_Candidate]:
    """`姓名：…`, `Name: …`, `ФИО: …`, and surname, given name and patronymic with labels of their own."""
    place = zones(document)
    parts: dict[str, Row] = {}
    own = [found for found in labelled(document) if place[found.row.index] >= Zone.NEUTRAL]
    split = any(found.key == "family" for found in own)
    for found in own:
        if found.key in ("family", "given", "middle"):
            parts.setdefault(found.key, found.row)
        elif found.key == "name":
            if split and "given" not in parts and len(found.row.text.split()) == 1:
                parts["given"] = found.row
                continue
            person = read_person(found.row.text) or _first_reading(found.row.text)
            sure = 0.97 if found.inline else 0.9
            if person is None and found.inline:
                person, sure = _any_reading(found.row.text), 0.8
            if person is not None:
                yield _Candidate(person, (clip(found.row, person.start, person.end),), sure - 0.1 * (person.likeness < 0.4))
    if {"family", "given"} <= parts.keys():
        rows = tuple(parts[key] for key in ("family", "given", "middle") if key in parts)
        joiner = "" if all(re.match(r"[\u3400-\u9fff]", row.text) for row in rows) else " "
        whole = joiner.join(row.text for row in rows)
        if (person := read_person(whole)) is not None:
            yield _Candidate(person, rows, 0.95)


def _any_reading(text: str) -> Person | None:
    """What a label calls a name although it looks like none known: a rare surname, small letters, a trade in front."""
    han = _HAN_WORD.match(text)
    end = han.end() if han is not None else len(_SEPARATORS.split(text, maxsplit=1)[0].rstrip())
    name = text[:end]
    words = name.split()
    fits = 2 <= len(name) <= 40 and len(words) <= 5 and all(char.isalpha() or char in " .-'’·" for char in name)
    if not fits or wording(name) is not None or label_key(name) is not None or employer_score(name):
        return None
    return Person(name, 0, end, 0.5, "han" if han is not None else "latin")


def _first_reading(text: str) -> Person | None:
    """The person at the start of a longer text: `张伟 男 28岁`, `Jane Roe, born 1990`."""
    head = _SEPARATORS.split(text, maxsplit=1)[0]
    person = read_person(head) if head and head != text else None
    return person if person is not None and person.start == 0 else None


# -- printed ------------------------------------------------------------------------------------------------------


def _printed(document: Document, draft: Draft) -> Iterator[_Candidate]:
    place = zones(document)
    sizes = [row.line.size for row in document.rows if row.line.size for _ in range(1 + len(row.text) // 20)]
    body = median(sizes) if sizes else None
    set_off = _set_off(document, body)
    rows = [row for row in document.rows if row.index in set_off or _may_hold_name(row, place[row.index])][:_ROWS]
    sizes_of_names = [
        segment.line.size
        for row in rows
        if row.page.number == 1
        for segment in segments(row)
        if segment.line.size and read_person(segment.text)
    ]
    largest = max(sizes_of_names, default=None)
    address = _address(draft)
    beside_contacts = {at for at in range(len(rows)) if any(_CONTACT.search(other.text) for other in rows[at : at + 4])}
    named = {(found.row.index, found.row.text) for found in labelled(document) if found.inline}
    for order, row in enumerate(rows):
        for person, parts in _readings(rows, order, body, address, set_off):
            score = person.likeness * 0.6
            score += _standing(row, person, parts, 0 if row.index in set_off else order, body, largest)
            score += _support(person, document, draft) + 0.06 * (order in beside_contacts)
            size = parts[0].line.size
            large = bool(largest and size and size >= largest * (1 - _SAME_SIZE))
            score -= 0.15 * (place[row.index] is Zone.NEUTRAL and row.index > 5 and not large)
            score -= 0.2 * ((row.index, parts[0].text) in named)
            score -= 0.2 * (person.script == "latin" and document.language != "en" and _has_own_script(rows, document))
            score -= 0.1 * (person.script != _LANGUAGE_SCRIPTS[document.language])
            if person.script != "han" and " " not in person.name and not shows_in(person.name, address):
                score = min(score, _ENOUGH - 0.05)  # a heading in words of its own stands like a name, too
            yield _Candidate(person, parts, min(score, 0.96))


def _address(draft: Draft) -> str:
    """What the e-mail address says in letters: the user's name, and the first part of the host, which may be the person's own."""
    local, _, host = (draft.profile.basics.email or "").partition("@")
    return f"{local} {host.partition('.')[0]}"


def _may_hold_name(row: Row, zone: Zone) -> bool:
    """Whether a line speaks of the person, or stands so near the top that a heading beside it may have claimed it."""
    if zone is Zone.OWN:
        return row.page.number <= 2
    return zone is Zone.NEUTRAL and row.page.number == 1 and row.index < _NEAR_TOP


def _set_off(document: Document, body: float | None) -> frozenset[int]:
    """The lines of the first page set in its largest type, high on the page: a name beside a sidebar stands there too,
    though other columns with headings of their own are read before it.
    """
    rows = [row for row in document.rows if row.page.number == 1 and row.line.size and wording(row.text) is None]
    largest = max((row.line.size or 0.0 for row in rows), default=0.0)
    if not body or largest < body * _SET_OFF:
        return frozenset()
    return frozenset(
        row.index
        for row in rows
        if (row.line.size or 0.0) >= largest * (1 - _SAME_SIZE) and (row.line.box is None or row.line.box.y0 < _HIGH)
    )


def _has_own_script(rows: Sequence[Row], document: Document) -> bool:
    """Whether a name in the document's main script stands near the top, so that a romanised one is its translation."""
    script = _LANGUAGE_SCRIPTS[document.language]
    return any(
        person.script == script and person.likeness > 0.5
        for row in rows[:12]
        for segment in segments(row)
        if (person := read_person(segment.text) or _first_reading(segment.text)) is not None
    )


def _readings(
    rows: Sequence[Row], order: int, body: float | None, address: str, set_off: frozenset[int]
) -> Iterator[tuple[Person, tuple[Row, ...]]]:
    """The names a row may hold: whole, one of its parts, or one of them together with the lines below it."""
    row = rows[order]
    whole = unspaced(row)
    if whole is not None:
        person = read_person(whole.text)
        if person is not None:
            yield person, (whole,)
        return
    for segment in segments(row):
        person = read_person(segment.text) or _vouched(segment, address, set_off) or _before_title(segment.text)
        if person is not None and label_key(segment.text) is None:
            yield person, (clip(segment, person.start, person.end),)
            continue
        for lead in _leads(segment):
            if (person := read_person(lead.text)) is not None and label_key(lead.text) is None:
                yield person, (clip(lead, person.start, person.end),)
        at = 0
        named = True  # the first piece, or one behind a name in other letters: `Wong Ka Yan 黃嘉欣`
        for piece in _SEPARATORS.split(segment.text):
            at = segment.text.index(piece, at) if piece else at
            person = read_person(piece) if named and len(piece) > 1 and piece != segment.text else None
            named = person is not None
            if person is not None:
                yield person, (clip(segment, at + person.start, at + person.end),)
            at += len(piece)
    for start in segments(row):  # a column of a header may hold the name, which goes on between the lines of the others
        yield from _over_two([*rows[:order], start, *rows[order + 1 :]], order, body, address)


def _leads(segment: Row) -> Iterator[Row]:
    """The beginnings of a line that stand out from the rest of it: by type, by letters of another script, by capitals, or as
    a Chinese word before a gender or an age.
    """
    words = [word for word in segment.line.words if word.text.strip()]
    if len(words) < 2:
        return
    first = words[0]
    count = next((at for at, word in enumerate(words) if _other_type(first, word)), len(words))
    ends = {count} if count < len(words) else set()
    if _HAN_WORD.fullmatch(first.text) and _DETAIL.match(words[1].text):
        ends.add(1)
    if _HAN_WORD.match(words[-1].text) and not _HAN_WORD.match(first.text):
        ends.add(next(at for at, word in enumerate(words) if _HAN_WORD.match(word.text)))
    capitals = next((at for at, word in enumerate(words) if not word.text.isupper()), len(words))
    if 2 <= capitals < len(words) and words[capitals].text.islower():
        ends.add(capitals)
    for end in sorted(ends):
        text = normalise(join_words(words[:end]))
        if segment.text.startswith(text):
            yield clip(segment, 0, len(text))
    if gender := _GENDER_BEHIND.match(segment.text):
        yield clip(segment, 0, gender.end("name"))


def _other_type(one: Word, two: Word) -> bool:
    """Whether two words of a line are set in clearly different sizes."""
    return bool(one.size and two.size and abs(one.size - two.size) > one.size * _SAME_SIZE * 2)


def _vouched(segment: Row, address: str, set_off: frozenset[int]) -> Person | None:
    """A text that only its place makes a name: set off, and in an alphabet with the e-mail address agreeing in two words."""
    if segment.index not in set_off:
        return None
    if segment.text.islower():
        # `jane roe`, as designers write it: the same words in capitals, output as printed.
        person = read_person(segment.text.title(), vouched=True)
        if person is None or " " not in person.name or shows_in(person.name, address) < _SHOWN:
            return None
        return replace(person, name=segment.text[person.start : person.end])
    person = read_person(segment.text, vouched=True)
    return person if person is not None and (person.script == "han" or shows_in(person.name, address) >= 1.0) else None


def _before_title(text: str) -> Person | None:
    """`张伟　博士　主治医师`: a Chinese name with only professions and degrees behind it, which vouch for a rare surname."""
    name, _, rest = text.partition(" ")
    titles = [word for word in rest.split() if word not in phrases("degrees", "zh") and not degree_score(word)]
    alone = _HAN_WORD.fullmatch(name) is not None and rest and all(_is_title(title) for title in titles)
    person = read_person(name) if alone else None
    return replace(person, likeness=max(person.likeness, _VOUCHED)) if person is not None else None


def _is_title(text: str) -> bool:
    return position_score(text) >= _SURELY_A_TITLE > employer_score(text)


def _behind_heading(row: Row) -> _Candidate | None:
    """`PERSONAL INFORMATION Jane Roe`: a name on the line of a contact heading, as forms have it."""
    words = row.text.split()
    for count in range(1, min(len(words) - 1, 4)):
        prefix = " ".join(words[:count])
        person = read_person(row.text[len(prefix) + 1 :]) if wording(prefix) == "contact" else None
        if person is not None:
            start = len(prefix) + 1 + person.start
            return _Candidate(person, (clip(row, start, start + len(person.name)),), 0.85)
    return None


def _over_two(rows: Sequence[Row], order: int, body: float | None, address: str) -> Iterator[tuple[Person, tuple[Row, ...]]]:
    """A name set on two or three lines: the lines look alike and stand out, or hold one word each."""
    parts = [rows[order]]
    for below in _lines_under(rows, order):
        shown = bool(address) and all(shows_in(part.text, address) for part in (*parts, below))
        if not _same_look(parts[-1], below, body, shown=shown) or wording(below.text) is not None:
            return
        parts.append(below)
        texts = [part.text.strip(" ,") for part in parts]
        whole = "".join(texts) if all(re.fullmatch(r"[\u3400-\u9fff]{1,2}", text) for text in texts) else " ".join(texts)
        person = read_person(whole) if len(whole.split()) <= _MOST_TOKENS else None
        if person is not None and person.start == 0 and person.end == len(whole):
            yield person, tuple(parts)


def _lines_under(rows: Sequence[Row], order: int) -> list[Row]:
    """The next two lines of the same column; lines of columns beside it may stand between them."""
    box = rows[order].line.box
    below = rows[order + 1 : order + 5]
    if box is None:
        return list(below[:2])
    parts = [part for row in below for part in (segments(row) if row.line.box else (row,))]
    return [part for part in parts if not (other := part.line.box) or (other.x0 < box.x1 and other.x1 > box.x0)][:2]


def _same_look(one: Row, two: Row, body: float | None, *, shown: bool) -> bool:
    """Whether two lines look like the parts of one name. `shown`: the e-mail address has words of both."""
    if one.page is not two.page or one.line.block != two.line.block or one.line.cell != two.line.cell or two.line.gap > 1.5:
        return False
    if len(segments(one)) > 1 or len(segments(two)) > 1:
        return False
    if one.line.size and two.line.size and body:
        large = min(one.line.size, two.line.size) >= body * _LARGE
        alike = abs(one.line.size - two.line.size) <= one.line.size * _SAME_SIZE
        single = len(one.text.split()) == len(two.text.split()) == 1 and min(one.line.size, two.line.size) >= body * _LARGE
        return large and (alike or single or shown)
    return one.index == 0 and len(one.text.split()) == len(two.text.split()) == 1


def _standing(row: Row, person: Person, parts: Sequence[Row], order: int, body: float | None, largest: float | None) -> float:
    """What size, place and style say for a candidate."""
    score = max(0.16 - 0.02 * order, 0.0)
    size = max((part.line.size or 0.0 for part in parts), default=row.line.size)
    if size and body:
        if largest and size >= largest * (1 - _SAME_SIZE) and size >= body * 1.1:
            score += 0.28
        elif size >= body * _LARGE:
            score += 0.12
        elif largest and largest >= body * 1.3:
            score -= 0.12
        elif order < _TOP:
            score += 0.12
    elif order < _TOP:
        score += 0.15 if order == 0 else 0.1
    score += 0.12 * row.line.style.startswith(("title", "heading1")) + 0.03 * row.line.bold
    if len(parts) > 1:
        score += 0.12
    alone = parts[-1].text == row.text or len(parts) > 1 or person.end - person.start >= len(row.text) * 0.6
    return score if alone else score - 0.06


def _support(person: Person, document: Document, draft: Draft) -> float:
    """What addresses and the file's name say for a candidate."""
    basics = draft.profile.basics
    score = 0.0
    if basics.email:
        score += 0.15 * shows_in(person.name, basics.email.partition("@")[0])
    users = [profile.username for profile in basics.profiles if profile.username]
    if users:
        score += 0.06 * max(shows_in(person.name, user) for user in users)
    stem = document.hints.filename.rpartition(".")[0] or document.hints.filename
    if stem and (person.name.replace(" ", "") in re.sub(r"[\s_-]+", "", stem) or shows_in(person.name, stem) >= 1.0):
        score += 0.1
    return score
