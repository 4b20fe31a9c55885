"""The headline: the position the person wants or says to have; labelled, under an objective heading, or by the name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ingest.fields.document import Document, Row
from ingest.fields.draft import Draft
from ingest.fields.entry_labels import label_of
from ingest.fields.headings import wording
from ingest.fields.labels import label_key, labelled
from ingest.fields.persons import read_person
from ingest.fields.places import city_in
from ingest.fields.sections import sections
from ingest.fields.segments import segments
from ingest.fields.spaced import unspaced
from ingest.fields.spans import below, clip, value_of
from ingest.fields.wording import employer_score, place_score, position_score
from ingest.fields.words import fold, phrases
from ingest.fields.zone import Zone, zones

_ENOUGH = 0.5
_LONGEST = 70
_CONTACT = re.compile(r"@|https?:|www\.|\.(?:com|org|net|example)\b|\d{4,}|\+\d")
_SENTENCE = re.compile(
    r"[.!?。！？]\s|[.!?。！？]$|\b(?:i|my|am|is|are|was|have|has|who|dear|sir|madam|уважаемый|уважаемая|я|мой|моя|имею|ищу|хочу)\b|，|我",
    re.IGNORECASE,
)
_SPLIT = re.compile(r"\s*[|•●▪◆■]\s*|\s+[·–—-]+\s+|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])")
_AFTER = re.compile(
    r"\s*(?:[,;，；]\s*(?:зарплата|з/п|зп\b|оклад|salary|от|full|part|remote|полная|на).*|"
    r"\((?:remote|hybrid|full|part|удал|полн|гибрид|远程|全职|兼职)[^()]*\)|"
    r"[-–—(]\s*(?:от\s)?\d.*|\s*[,;，；]\s*\d[\d\s]*\s*(?:руб|р\.|₽|тыс|k\b|€|\$|元).*|\s\d+\s*-\s*\d+\s*[kк].*|[/|·]\s*\d+\+?\s*(?:年|years|лет).*)$",
    re.IGNORECASE,
)
_WISH = re.compile(r"\b(?:roles?|positions?|jobs?|opportunit(?:y|ies))\b", re.IGNORECASE)
"""`CFO roles in family firms` says what is looked for; the headline by the name says what the person is."""
_EDGES = " ,;:|/-–—•·*●▪"
_HAN = re.compile(r"[\u3400-\u9fff]")
_ABILITY = re.compile(r"^\d{1,2}\s*(?:岁|лет|years?)|^(?:男|女|мужчина|женщина|male|female)\b", re.IGNORECASE)
_WANTED = re.compile(
    r"(?:соискание|замещение|получение|поиск)\s(?:вакантной\s)?(?:должности|позиции|места|работы)\s", re.IGNORECASE
)
"""What stands before the position that is asked for."""
_HAN_COMMA = re.compile(r"(?<=[\u3400-\u9fff])[,，]\s?(?=[\u3400-\u9fff])")
_STREET = re.compile(r"\d{1,5}[A-Za-z]?,?\s[A-Z]")
_TRADE_WORDS = 3
_HARDLY_A_NAME = 0.4
_NEAR = 3
"""Lines under the name that are looked at."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    text: str
    parts: tuple[Row, ...]
    score: float


def find(document: Document, draft: Draft) -> None:
    """Fill `basics.label`."""
    found = sorted(_candidates(document, draft), key=lambda item: -item.score)
    unique: dict[str, _Candidate] = {}
    for item in found:
        unique.setdefault(fold(item.text), item)
    best = list(unique.values())
    if best and best[0].score >= _ENOUGH:
        first = best.pop(0)
        draft.profile.basics.label = first.text
        draft.note("basics.label", value_of(first.text, first.score, *first.parts))
    if best:
        draft.alternatives["basics.label"] = [value_of(item.text, item.score, *item.parts) for item in best[:3]]


def _candidates(document: Document, draft: Draft) -> Iterator[_Candidate]:
    place = zones(document)
    for found in labelled(document):
        if (
            found.key == "position"
            and label_of(found.row.text) is None
            and place[found.row.index] >= Zone.NEUTRAL
            and (title := _title(found.row)) is not None
        ):
            yield _Candidate(title.text, (title,), 0.95 if found.inline else 0.9)
    for section in sections(document):
        if section.kind == "objective":
            yield from _objective(section.rows)
    yield from _by_the_name(document, draft)


def _objective(rows: tuple[Row, ...]) -> Iterator[_Candidate]:
    """The first line under `Objective` or `Желаемая должность`, where it is no sentence and no labelled value."""
    for row in rows[:1]:
        first = segments(row)[0]
        title = _title(first)
        runs_on = len(rows) > 1 and rows[1].text[0].islower()
        if title is not None and ":" not in first.text and not runs_on:
            named = _is_title(title.text) and _WISH.search(title.text) is None
            yield _Candidate(title.text, (title,), 0.9 if named else 0.6)


def _by_the_name(document: Document, draft: Draft) -> Iterator[_Candidate]:
    """What stands behind the name on its line, or on the lines right under it."""
    place = zones(document)
    name = draft.profile.basics.name
    if name is None:
        return
    rows = _name_rows(document, name)
    if not rows:
        return
    headings = {section.heading.index for section in sections(document) if section.heading is not None}
    last = rows[-1]
    behind = last.text[last.text.find(name) + len(name) :] if name in last.text else ""
    for piece in _SPLIT.split(behind.strip(_EDGES + "()")):
        if (
            _is_title(piece)
            and (at := last.text.find(piece)) >= 0
            and (title := _title(clip(last, at, at + len(piece)))) is not None
        ):
            yield _Candidate(title.text, (title,), 0.88)
    yield from _above(document, rows[0], headings)
    under: Row | None = last
    for step in range(_NEAR):
        under = _next(document, under) if under is not None else None
        if under is None or place[under.index] < Zone.NEUTRAL or under.index in headings:
            return
        yield from _under(document, under, step, name)


def _above(document: Document, name: Row, headings: set[int]) -> Iterator[_Candidate]:
    """A position on the line over the name, in smaller type where sizes are known."""
    above = document.rows[name.index - 1] if name.index and name.index - 1 not in headings else None
    if above is None or above.page is not name.page or above.line.block != name.line.block or above.line.cell != name.line.cell:
        return
    smaller = not above.line.size or not name.line.size or above.line.size < name.line.size
    title = _title(above) if smaller and wording(above.text) is None and label_key(above.text) is None else None
    if title is not None and _is_title(title.text):
        yield _Candidate(title.text, (title,), 0.84)


def _under(document: Document, under: Row, step: int, name: str) -> Iterator[_Candidate]:
    if wording(under.text) is not None or label_key(under.text) is not None:
        return
    alone = len(segments(under)) == 1 or unspaced(under) is not None
    under = unspaced(under) or segments(under)[0]
    if label_key(under.text) is not None:
        return
    whole = _title(under)
    if whole is None or fold(whole.text) in fold(name) or city_in(whole.text, labelled=False):
        return
    if not _is_title(whole.text) or whole.text.endswith("-"):
        more = below(document, document.rows[under.index], under)
        if (
            more is not None
            and more.line.size == under.line.size
            and more.line.bold == under.line.bold
            and not _CONTACT.search(more.text)
        ):
            joined = whole.text + ("" if whole.text.endswith("-") or _HAN.match(whole.text) else " ") + more.text.strip(_EDGES)
            if _is_title(joined) and wording(more.text) is None and len(joined) <= _LONGEST:
                yield _Candidate(joined, (whole, more), 0.8 - 0.1 * step)
                return
    if _is_title(whole.text):
        more = below(document, document.rows[under.index], under)
        if more is not None and _goes_on(under, more) and len(whole.text) + len(more.text) < _LONGEST:
            yield _Candidate(f"{whole.text} {more.text.strip(_EDGES)}", (whole, more), 0.89 - 0.08 * step)
            return
        yield _Candidate(whole.text, (whole,), 0.88 - 0.08 * step)
    elif step == 0 and alone and whole.text == under.text and _may_be_a_calling(whole.text):
        person = read_person(whole.text)
        if person is None or person.likeness < _HARDLY_A_NAME:
            yield _Candidate(whole.text, (whole,), 0.52)


def _may_be_a_calling(text: str) -> bool:
    """Whether a line that no list knows may say what somebody is: short, no address and no closing words of a letter."""
    short = len(text.split()) <= 5 and len(text) <= 40 and not any(map(str.isdigit, text))
    return short and place_score(text) < 2 and fold(text).strip(" ,.!") not in phrases("closings")


def _goes_on(under: Row, more: Row) -> bool:
    """Whether a narrow column has broken a title: what stands under it is set alike and begins with a small letter."""
    alike = more.line.box is not None and more.line.size == under.line.size and more.line.bold == under.line.bold
    plain = not _CONTACT.search(more.text) and not _SENTENCE.search(more.text) and label_key(more.text) is None
    return alike and plain and more.text[0].islower() and len(more.text.split()) <= _TRADE_WORDS


def _name_rows(document: Document, name: str) -> list[Row]:
    """The first line that holds the name, or the lines its words stand on."""
    wanted = fold(name).replace(" ", "")
    for row in document.rows:
        text = fold(row.text).replace(" ", "")
        if wanted in text and (fold(name) in fold(row.text) or not _CONTACT.search(row.text) or _HAN.match(wanted)):
            return [row]
        if len(text) > 1 and wanted.startswith(text):
            rows, rest = [row], wanted.removeprefix(text)
            for after in document.rows[row.index + 1 : row.index + 5]:
                more = fold(after.text).replace(" ", "")
                if rest.startswith(more):
                    rows.append(after)
                    rest = rest.removeprefix(more)
            if not rest:
                return rows
    return []


def _next(document: Document, row: Row) -> Row | None:
    """The next line of the row's own column."""
    box = row.line.box
    for after in document.rows[row.index + 1 : row.index + 5]:
        if after.page is not row.page:
            return None
        other = after.line.box
        if box is None or other is None:
            return after
        beside = other.x0 >= box.x1 or other.x1 <= box.x0
        if other.y0 >= (box.y1 - box.height / 8 if beside and after.line.block != row.line.block else box.y0 + box.height / 2):
            return after
    return None


def _title(row: Row) -> Row | None:
    """The part of a row that may be a position; None for contact data, sentences, half of one, and anything too long."""
    text = row.text
    if text[-1] in ",，、":
        return None
    end = len(_AFTER.sub("", text).rstrip(_EDGES + "("))
    if (
        (comma := _HAN_COMMA.search(text)) is not None
        and _is_title(text[: comma.start()])
        and employer_score(text[comma.end() :]) >= 2
    ):
        end = min(end, comma.start())  # `博士后，某某大学`
    pieces = [piece for piece in _SPLIT.split(text[:end]) if piece.strip(_EDGES)]
    if pieces and not (_one_title(pieces) and not _CONTACT.search(text[:end])):
        end = len(pieces[0]) + text.index(pieces[0])
    start = len(text) - len(text.lstrip(_EDGES))
    if (wish := _WANTED.match(text, start)) is not None:
        start = wish.end()
    text = text[start : max(end, start)].strip()
    if not 2 <= len(text) <= _LONGEST or _CONTACT.search(text) or _SENTENCE.search(text) or _ABILITY.search(text):
        return None
    if _STREET.match(text) or len(text.split()) > 9 or ":" in text or not any(char.isalpha() for char in text):
        return None
    return clip(row, start, start + len(text))


def _one_title(pieces: list[str]) -> bool:
    """Whether the pieces are titles, or a title and the trade it is for: `Lead Hand – Fabrication`."""
    if all(_is_title(piece) for piece in pieces):
        return True
    field = pieces[-1].strip(_EDGES)
    words = field.split()
    trade = len(words) <= _TRADE_WORDS and all(word[0].isupper() for word in words) and field.replace(" ", "").isalpha()
    other = _HAN.search(field) is not None or city_in(field, labelled=False) is not None or place_score(field) > 1
    return len(pieces) == 2 and _is_title(pieces[0]) and trade and not other and not employer_score(field)


def _is_title(text: str) -> bool:
    return position_score(text) > 0
