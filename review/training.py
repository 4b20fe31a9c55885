"""Corrections as labelled data: for each closed case the document's lines, and what of them people have put right."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Prefetch

from ingest.fields.words import fold
from ingest.page import Line, from_data
from resumes.models import Extraction
from review.models import Case, Correction

_CHUNK = 100


def examples(*, since: dt.date | None = None, fields: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """`{case, resume, run, language, media_type, layout, code, lines, corrections}` a case; one query for a hundred of them.

    `lines` are `{page, text, bbox}` in reading order. A correction is `{field, before, after, source, confidence, seconds,
    reviewer, at, spans}`; a span `{line, start, end}` says where in a line's text the right value stands. A value that a
    person knew from elsewhere has none.
    """
    chosen = Correction.objects.order_by("id")
    if fields:
        chosen = chosen.filter(field__regex=rf"^({'|'.join(map(_escaped, fields))})($|[.\[])")
    cases = Case.objects.filter(pk__in=chosen.values("case"), resume__erased_at=None)
    if since is not None:
        cases = cases.filter(closed_at__date__gte=since)
    rows = (
        cases.select_related("resume__document")
        .prefetch_related(Prefetch("corrections", queryset=chosen))
        .order_by("opened_at", "pk")
    )
    for case in rows.iterator(chunk_size=_CHUNK):
        yield _example(case)


def _escaped(name: str) -> str:
    return name.replace(".", r"\.").replace("[", r"\[").replace("]", r"\]")


def _example(case: Case) -> dict[str, Any]:
    resume = case.resume
    found = Extraction.objects.filter(resume=resume, run=case.run).first()
    reading = found.reading if found else None
    lines = [(page.number, line) for page in from_data(reading).pages for line in page.lines] if reading else []
    return {
        "case": str(case.pk),
        "resume": str(resume.pk),
        "run": case.run,
        "language": resume.language,
        "media_type": resume.document.media_type if resume.document else "",
        "layout": resume.layout,
        "code": case.code,
        "lines": [
            {"page": number, "text": line.text, "bbox": list(line.box.rounded()) if line.box else None} for number, line in lines
        ],
        "corrections": [
            {
                "field": correction.field,
                "before": correction.before,
                "after": correction.after,
                "source": correction.source,
                "confidence": correction.confidence,
                "seconds": correction.seconds,
                "reviewer": correction.reviewer_id,
                "at": correction.at.isoformat(),
                "spans": list(_spans(correction, lines)),
            }
            for correction in case.corrections.all()
        ],
    }


def _spans(correction: Correction, lines: list[tuple[int, Line]]) -> Iterator[dict[str, int]]:
    """Where the right value stands: where the person took it from the page, else on every line that holds it as it is."""
    place = correction.evidence.get("after") or {}
    for text in dict.fromkeys((str(correction.after or ""), str(place.get("quote") or ""))):
        if not text:
            continue
        found = [
            {"line": index, "start": at, "end": at + len(text)}
            for index, (page, line) in enumerate(lines)
            if _may_stand(place, page, line) and (at := _find(line.text, text)) >= 0
        ]
        if found:
            yield from found
            return


def _may_stand(place: Mapping[str, Any], page: int, line: Line) -> bool:
    bbox, box = place.get("bbox"), line.box
    if not bbox or box is None:
        return place.get("page") in (None, page)
    return place.get("page") == page and bool(min(box.y1, bbox[3]) > max(box.y0, bbox[1]))


def _find(line: str, text: str) -> int:
    """The place of a text on a line, letters' case aside where that changes no length."""
    at = line.find(text)
    if at < 0 and len(fold(line)) == len(line):
        return fold(line).find(fold(text))
    return at
