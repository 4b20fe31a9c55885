"""Work: the jobs of the document in the order printed, each with employer, position, dates and description."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ingest.fields.apart import one_a_line
from ingest.fields.bilingual import in_own_language, is_bilingual
from ingest.fields.datelines import DateLine, Edges, Piece, date_lines
from ingest.fields.dates import DateRange, day_comes_first, is_duration
from ingest.fields.document import Document, Row
from ingest.fields.draft import Draft, Value
from ingest.fields.entries import MOST, Entry, entries
from ingest.fields.forms import labelled
from ingest.fields.gaps import is_gap
from ingest.fields.groups import ungrouped
from ingest.fields.labels import label_key
from ingest.fields.labels import labelled as labels_of
from ingest.fields.prose import Told, is_told, told_jobs
from ingest.fields.roles import Roles, work_roles
from ingest.fields.sections import loose_lines, sections
from ingest.fields.studies import HAN_SCHOOL
from ingest.fields.wording import degree_spans, employer_score, position_score, school_score
from ingest.fields.words import simplified
from ingest.fields.wraps import right_edges
from resumes.profile import Work, WorkMeta

REVERSED, IN_FUTURE = "work_ends_before_it_begins", "work_dates_in_the_future"
"""Warnings: the dates of a job are kept as printed and cannot be right."""
_DOUBTED = 0.4
_MOST_HIGHLIGHTS = 40
_CLOSE = 0.75
"""A margin under which employer and position may well be the other way round."""


def find(document: Document, draft: Draft) -> None:
    """Fill `work` and `meta.gleaner.work` from the work sections; without any, from lines that are surely jobs."""
    day_first = day_comes_first([row.text for row in document.rows]) is not False
    edges, as_of = right_edges(document.rows), document.hints.as_of.isoformat()
    found = [section for section in sections(document) if section.kind == "work"]
    bilingual = is_bilingual(document)
    mixed = all(section.kind != "education" for section in sections(document))
    for section in found:
        if len(draft.profile.work) >= MOST:
            break
        printed = list(_with_open_end(jobs(section.rows, edges, day_first=day_first)))
        told = told_jobs(section.rows)
        if _are_told(told, printed):
            for job in told[:MOST]:
                _add_told(draft, job)
            continue
        for entry, roles in printed:
            if not (mixed and is_study(entry)):
                _add(draft, entry, _own(roles) if bilingual else roles, as_of)
    if not found:
        for job in told_jobs(loose_lines(document))[:MOST]:
            _add_told(draft, job)
    if not draft.profile.work:
        wanted = {found.row.index for found in labels_of(document) if found.key == "position"}
        loose = [row for row in loose_lines(document) if row.index not in wanted]
        for entry, roles in jobs(loose, edges, day_first=day_first):
            if _is_surely_job(entry, roles):
                _add(draft, entry, roles, as_of)


def _are_told(told: Sequence[Told], printed: Sequence[tuple[Entry, Roles]]) -> bool:
    """Whether a section tells its jobs in sentences, so that what looks like entries are pieces of them."""
    return len(told) > len(printed) or (bool(told) and any(is_told(piece.text) for entry, _ in printed for piece in entry.pieces))


def jobs(rows: Sequence[Row], edges: Edges, *, day_first: bool) -> list[tuple[Entry, Roles]]:
    """The jobs in the lines of a section with the roles of their pieces."""
    rows = one_a_line([row for row in rows if not _is_contact(row)], _is_job)
    lines = _without_trades(_employed_for(labelled(date_lines(rows, edges, day_first=day_first))))
    printed = entries(lines, singles=False, heads=lambda text: position_score(text) >= 3)
    found = ungrouped([entry for entry in printed if not is_gap(entry)])
    return list(_inherited(list(zip(found, work_roles(found), strict=True))))


def _is_job(text: str) -> bool:
    return position_score(text) >= 2 or employer_score(text) >= 2


def _is_contact(row: Row) -> bool:
    """Whether a line of a form that follows a list of jobs holds the person's address or number, or is the label of it."""
    return label_key(row.text) in ("email", "phone") or _ADDRESS_ALONE.fullmatch(row.text) is not None


_ADDRESS_ALONE = re.compile(r"\S+@\S+\.\w+")
_STUDYING = re.compile(
    r"(?:学习|就读|读书|在读|攻读|毕业|专业|研究生)|(?<!\w)(?:учился|училась|учёба|учеба|обучение|студент\w*|окончил\w*|studied|student|pupil)(?!\w)",
    re.IGNORECASE,
)


def is_study(entry: Entry) -> bool:
    """Whether an entry of a life told in order, jobs and studies in one list, is a study: a school, and learning there."""
    text = simplified(" ".join(piece.text for piece in entry.pieces))
    taught = _STUDYING.search(text) is not None or bool(degree_spans(text))
    schools = any(school_score(part) >= 3 or HAN_SCHOOL.match(part) for part in re.split(r"[\s,，。;；]+|^在", text) if part)
    return taught and schools and not any(position_score(piece.text) >= 3 for piece in entry.pieces)


def _employed_for(lines: Sequence[DateLine]) -> list[DateLine]:
    """The lines without those that only say how long somebody was with the employer above, which it labels as one."""
    result: list[DateLine] = []
    for line in lines:
        above = result[-1] if result else None
        if line.date is None and is_duration(line.text) and above is not None and above.date is None and len(above.pieces) == 1:
            only = above.pieces[0]
            result[-1] = replace(above, pieces=(replace(only, label=only.label or "employer"),))
            continue
        result.append(line)
    return result


def _without_trades(lines: Sequence[DateLine]) -> list[DateLine]:
    """The lines without the trades of a firm, as job boards print them between its place and the position: one line in
    plain words and an item for each branch of it.
    """
    result: list[DateLine] = []
    at = 0
    while at < len(lines):
        end = at + 1
        while end < len(lines) and lines[end].item and lines[end].date is None and len(lines[end].text) <= _LONGEST_TRADE:
            end += 1
        if end > at + 1 and end < len(lines) and _are_trades(lines, at, end):
            at = end
            continue
        result.append(lines[at])
        at += 1
    return result


_LONGEST_TRADE = 60
_LINES_OF_FIRM = 3


def _are_trades(lines: Sequence[DateLine], at: int, end: int) -> bool:
    head, position = lines[at], lines[end]
    if head.item or head.date is not None or position.date is not None or len(position.pieces) != 1:
        return False
    if any(piece.label for line in lines[at : end + 1] for piece in line.pieces):
        return False
    if position_score(head.text) >= 2 or position_score(position.text) < 2 or not position.row.line.bold >= head.row.line.bold:
        return False
    return any(line.date is not None for line in lines[max(0, at - _LINES_OF_FIRM) : at])


def _is_surely_job(entry: Entry, roles: Roles) -> bool:
    """Whether an entry outside any section is a job: a range of dates, employer and position, one of them by its wording."""
    if entry.date is None or entry.date.single or any(_is_degree(piece.text) for piece in entry.pieces):
        return False
    if roles.employer is None or roles.position is None:
        return False
    employed = employer_score(roles.employer.text) >= 2 and school_score(roles.employer.text) < 3
    return employed or position_score(roles.position.text) >= 2


def _is_degree(text: str) -> bool:
    """Whether a text names a degree and no title that has a degree's word in it, such as `Master Electrician`."""
    return bool(degree_spans(text)) and position_score(text) < 2


def _with_open_end(found: Sequence[tuple[Entry, Roles]]) -> Iterator[tuple[Entry, Roles]]:
    """`2019 –` with nothing behind the dash goes on, where no other job begins later."""
    starts = [entry.date.start for entry, _ in found if entry.date and entry.date.start]
    for entry, roles in found:
        date = entry.date
        if date is not None and date.open and date.end is None and date.start == max(starts):
            yield replace(entry, date=replace(date, current=True)), roles
        else:
            yield entry, roles


def _inherited(found: Sequence[tuple[Entry, Roles]]) -> Iterator[tuple[Entry, Roles]]:
    """Several positions under one employer: a position without an employer has the one above it."""
    above: Piece | None = None
    for entry, roles in found:
        if roles.employer is not None:
            above = roles.employer
        elif roles.position is not None and above is not None:
            roles = replace(roles, employer=above)  # noqa: PLW2901 - the job as it is to be read
        if roles.employer is not None or roles.position is not None:
            yield entry, roles


def _add(draft: Draft, entry: Entry, roles: Roles, as_of: str) -> None:
    work = draft.profile.work
    path = f"work[{len(work)}]"
    confidence = _confidence(roles)
    job = Work(highlights=[item.text for item in entry.body[:_MOST_HIGHLIGHTS]])
    for index, item in enumerate(entry.body[:_MOST_HIGHLIGHTS]):
        draft.note(f"{path}.highlights[{index}]", _value(item, 0.9))
    for name, piece in (("name", roles.employer), ("position", roles.position), ("location", roles.place)):
        if piece is not None:
            setattr(job, name, piece.text)
            draft.note(f"{path}.{name}", _value(piece, confidence))
    if roles.employer and roles.position and roles.margin < _CLOSE:
        draft.alternatives[f"{path}.name"] = [_value(roles.position, 1 - confidence)]
        draft.alternatives[f"{path}.position"] = [_value(roles.employer, 1 - confidence)]
    current = None
    if entry.date is not None:
        current = entry.date.current
        doubts = list(_doubts(entry.date, as_of))
        draft.warnings.extend(code for code in doubts if code not in draft.warnings)
        for name, date in (("startDate", entry.date.start), ("endDate", entry.date.end)):
            if date is not None:
                setattr(job, name, date)
                draft.note(f"{path}.{name}", Value(date, _DOUBTED if doubts else 0.95, entry.page, entry.date_words))
        if current is not None:
            sure = _DOUBTED if doubts else 0.6 if entry.date.open else 0.95
            shown = Value(str(current).lower(), sure, entry.page, entry.date_words)
            draft.note(f"meta.gleaner.work[{len(work)}].current", shown)
    work.append(job)
    draft.profile.meta.gleaner.work.append(WorkMeta(current=current))


def _doubts(date: DateRange, as_of: str) -> Iterator[str]:
    """Codes of what cannot be right about dates that are kept as printed; no day is judged more finely than it is printed."""
    if date.reversed:
        yield REVERSED
    if any(day is not None and day > as_of[: len(day)] for day in (date.start, date.end)):
        yield IN_FUTURE


def _own(roles: Roles) -> Roles:
    return replace(roles, employer=in_own_language(roles.employer), position=in_own_language(roles.position))


def _add_told(draft: Draft, told: Told) -> None:
    path = f"work[{len(draft.profile.work)}]"
    job = Work(highlights=[])
    for name, value in (*told.values.items(), *told.dates.items()):
        setattr(job, name, value.value)
        draft.note(f"{path}.{name}", value)
    if told.date.current is not None:
        draft.note(f"meta.gleaner.{path}.current", replace(told.date_value, value=str(told.date.current).lower()))
    draft.profile.work.append(job)
    draft.profile.meta.gleaner.work.append(WorkMeta(current=told.date.current))


def _confidence(roles: Roles) -> float:
    """How sure employer and position are; measured on the benchmark, also with names and titles made unreadable."""
    sure = 0.97 if roles.margin >= 3 else 0.92 if roles.margin >= _CLOSE else 0.5
    return sure if roles.employer and roles.position else min(sure, 0.8)


def _value(piece: Piece, confidence: float) -> Value:
    return Value(piece.text, confidence, piece.page, piece.words)
