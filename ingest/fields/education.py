"""Education: schools and studies in the order printed, each with institution, degree, area and dates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ingest.fields.apart import one_a_line
from ingest.fields.bilingual import in_own_language, is_bilingual
from ingest.fields.datelines import Edges, date_lines
from ingest.fields.dates import DateRange, day_comes_first
from ingest.fields.document import Document, Row
from ingest.fields.draft import Draft, Value
from ingest.fields.entries import MOST, Entry, entries
from ingest.fields.forms import labelled
from ingest.fields.prose import Told, told_studies
from ingest.fields.sections import loose_lines, sections
from ingest.fields.studies import Study, studies
from ingest.fields.wording import degree_spans, school_score
from ingest.fields.work import is_study
from ingest.fields.wraps import right_edges
from resumes.profile import Education

_SURELY_A_SCHOOL = 3


def find(document: Document, draft: Draft) -> None:
    """Fill `education` from the education sections; without any, from lines that name both a school and a degree."""
    day_first = day_comes_first([row.text for row in document.rows]) is not False
    edges = right_edges(document.rows)
    found = [section for section in sections(document) if section.kind == "education"]
    bilingual = is_bilingual(document)
    for section in found:
        if len(draft.profile.education) >= MOST:
            break
        sentences = told_studies(section.rows)
        for told in sentences[:MOST]:
            _add_told(draft, told)
        for entry, study in schools(section.rows, edges, day_first=day_first) if not sentences else ():
            _add(draft, entry, _own(study) if bilingual else study)
    if not found:
        _elsewhere(document, draft, edges, day_first=day_first)
    if not draft.profile.education:
        for entry, study in schools(loose_lines(document), edges, day_first=day_first):
            if study.institution is None or school_score(study.institution.text) < _SURELY_A_SCHOOL:
                continue
            if study.degree or is_study(entry):
                _add(draft, entry, study)


def _elsewhere(document: Document, draft: Draft, edges: Edges, *, day_first: bool) -> None:
    """Studies of a document without a section for them: told in sentences, among the jobs, else in loose lines."""
    for told in told_studies(loose_lines(document))[:MOST]:
        _add_told(draft, told)
    if draft.profile.education:
        return
    for section in (section for section in sections(document) if section.kind == "work"):
        for entry, study in schools(section.rows, edges, day_first=day_first, singles=False):
            if study.institution is not None and is_study(entry):
                _add(draft, entry, study)


def schools(rows: Sequence[Row], edges: Edges, *, day_first: bool, singles: bool = True) -> list[tuple[Entry, Study]]:
    """The entries of an education section; courses without a school or a degree are none, unless nothing in it has."""
    lines = labelled(date_lines(one_a_line(rows, _is_study), edges, day_first=day_first))
    found = entries(lines, singles=singles, heads=lambda text: school_score(text) >= 3)
    read = list(zip(found, studies(found), strict=True))
    sure = [(entry, study) for entry, study in read if study.sure or _is_short_name(entry, study)]
    return sure or [(entry, study) for entry, study in read if study.institution or study.area]


def _is_short_name(entry: Entry, study: Study) -> bool:
    """Whether a school in letters alone, such as `ВСГУТУ`, has an area and a period like the others."""
    period = entry.date is not None and not entry.date.single
    return period and study.area is not None and study.institution is not None and school_score(study.institution.text) > 0


def _is_study(text: str) -> bool:
    return school_score(text) >= 2 or bool(degree_spans(text))


def _own(study: Study) -> Study:
    institution, degree, area = map(in_own_language, (study.institution, study.degree, study.area))
    return replace(study, institution=institution, degree=degree, area=area)


def _add_told(draft: Draft, told: Told) -> None:
    path = f"education[{len(draft.profile.education)}]"
    made = Education()
    for name, value in (*told.values.items(), *told.dates.items()):
        setattr(made, name, value.value)
        draft.note(f"{path}.{name}", value)
    draft.profile.education.append(made)


def _add(draft: Draft, entry: Entry, study: Study) -> None:
    path = f"education[{len(draft.profile.education)}]"
    made = Education()
    confidence = 0.93 if study.sure else 0.6
    for name, piece in (("institution", study.institution), ("studyType", study.degree), ("area", study.area)):
        if piece is not None:
            setattr(made, name, piece.text)
            draft.note(f"{path}.{name}", Value(piece.text, confidence, piece.page, piece.words))
    start, end = _dates(entry.date)
    for name, date in (("startDate", start), ("endDate", end)):
        if date is not None:
            setattr(made, name, date)
            draft.note(f"{path}.{name}", Value(date, 0.95, entry.page, entry.date_words))
    draft.profile.education.append(made)


def _dates(date: DateRange | None) -> tuple[str | None, str | None]:
    """Start and end; a single date is that of graduation."""
    if date is None:
        return None, None
    return (None, date.start) if date.single else (date.start, date.end)
