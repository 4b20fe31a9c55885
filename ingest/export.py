"""Exports of a batch: results, and everything else with its reason, apart from each other.

Row by row in every format, so that a batch of any size costs no memory. Cells that a spreadsheet would take for a
formula are escaped.
"""

from __future__ import annotations

import csv
import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import IO, Any

from django.db.models import OuterRef, Subquery
from django.http import FileResponse, HttpResponseBase, StreamingHttpResponse
from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

from ingest.models import Batch, BatchEntry
from resumes.messages import advice, sentence
from resumes.models import Extraction
from resumes.profile import value_at
from resumes.states import SUCCEEDED, TERMINAL, WAITING, State

_CHUNK = 200
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class Row:
    """One item: `profile` where it has succeeded, else why not."""

    entry: BatchEntry
    outcome: str
    """completed, reviewed, failed, skipped, waiting, open or missing."""
    profile: Mapping[str, Any] | None

    @property
    def succeeded(self) -> bool:
        return self.outcome in ("completed", "reviewed")


RESULT_COLUMNS: Mapping[str, Callable[[Row], Any]] = MappingProxyType(
    {
        "filename": lambda row: row.entry.filename,
        "outcome": lambda row: row.outcome,
        "resume": lambda row: str(row.entry.resume_id),
        "external_id": lambda row: row.entry.resume.external_id if row.entry.resume else "",
        "name": lambda row: value_at(row.profile, "basics.name"),
        "email": lambda row: value_at(row.profile, "basics.email"),
        "phone": lambda row: value_at(row.profile, "meta.gleaner.phoneE164") or value_at(row.profile, "basics.phone"),
        "city": lambda row: value_at(row.profile, "basics.location.city"),
        "headline": lambda row: value_at(row.profile, "basics.label"),
        "years": lambda row: value_at(row.profile, "meta.gleaner.yearsOfExperience"),
        "job_family": lambda row: value_at(row.profile, "meta.gleaner.jobFamily"),
        "language": lambda row: value_at(row.profile, "meta.gleaner.language"),
        "employer": lambda row: value_at(row.profile, "work[0].name"),
        "position": lambda row: value_at(row.profile, "work[0].position"),
        "work": lambda row: _entries(row, "work", "position", "name"),
        "education": lambda row: _entries(row, "education", "studyType", "area", "institution"),
        "skills": lambda row: "; ".join(skill.get("name", "") for skill in (row.profile or {}).get("skills", [])),
        "completeness": lambda row: row.entry.resume.completeness if row.entry.resume else None,
        "confidence": lambda row: row.entry.resume.confidence if row.entry.resume else None,
        "level": lambda row: row.entry.resume.level if row.entry.resume else "",
    }
)
OTHER_COLUMNS: Mapping[str, Callable[[Row], Any]] = MappingProxyType(
    {
        "filename": lambda row: row.entry.filename,
        "outcome": lambda row: row.outcome,
        "resume": lambda row: str(row.entry.resume_id) if row.entry.resume_id else "",
        "external_id": lambda row: row.entry.resume.external_id if row.entry.resume else "",
        "state": lambda row: row.entry.resume.state if row.entry.resume else "",
        "class": lambda row: row.entry.resume.failure_class if row.entry.resume else "",
        "code": lambda row: _code(row),  # noqa: PLW0108 - defined below
        "message": lambda row: sentence(_code(row)),
        "advice": lambda row: advice(_code(row)),
    }
)


def export(batch: Batch, name: str) -> HttpResponseBase:
    """The batch in one of `FORMATS`, as a download."""
    return FORMATS[name](batch)


def rows(batch: Batch) -> Iterator[Row]:
    """Every item of the batch in order, unpacked archives left out."""
    found = Extraction.objects.filter(resume=OuterRef("resume"), run=OuterRef("resume__run")).values("profile")[:1]
    entries = batch.entries.filter(unpacked_at=None).select_related("resume").annotate(found=Subquery(found))
    for entry in entries.iterator(_CHUNK):
        outcome = _outcome(entry)
        found_profile = getattr(entry, "found", None)
        profile = json.loads(found_profile) if isinstance(found_profile, str) else found_profile
        yield Row(entry, outcome, profile if outcome in ("completed", "reviewed") else None)


def _outcome(entry: BatchEntry) -> str:
    if entry.resume is None:
        return "missing"
    state = State(entry.resume.state)
    if state in SUCCEEDED:
        return state.value.lower()
    if state is State.REJECTED:
        return "failed"
    if state in TERMINAL:
        return "skipped"
    return "waiting" if state in WAITING else "open"


def _code(row: Row) -> str:
    return row.entry.resume.failure_code if row.entry.resume else ""


def _entries(row: Row, section: str, *keys: str) -> str:
    entries = (row.profile or {}).get(section, [])
    return "; ".join(
        " ".join(
            part
            for part in (
                ", ".join(entry[key] for key in keys if entry.get(key)),
                "–".join(entry[key] for key in ("startDate", "endDate") if entry.get(key)),
            )
            if part
        )
        for entry in entries
    )


def _jsonl(batch: Batch) -> HttpResponseBase:
    answer = StreamingHttpResponse(
        (json.dumps(_line(row), ensure_ascii=False) + "\n" for row in rows(batch)),
        content_type="application/jsonl; charset=utf-8",
    )
    answer["Content-Disposition"] = f'attachment; filename="{_stem(batch)}.jsonl"'
    return answer


def _line(row: Row) -> dict[str, Any]:
    if row.succeeded:
        resume = row.entry.resume
        return {
            "outcome": row.outcome,
            "id": str(row.entry.pk),
            "filename": row.entry.filename,
            "external_id": resume.external_id if resume else "",
            "resume_id": str(row.entry.resume_id),
            "completeness": resume.completeness if resume else None,
            "confidence": resume.confidence if resume else None,
            "resume": row.profile,
        }
    return {"id": str(row.entry.pk)} | {name: column(row) for name, column in OTHER_COLUMNS.items()}


def _csv(batch: Batch) -> HttpResponseBase:
    target = tempfile.TemporaryFile(prefix="gleaner-export-")  # noqa: SIM115 - the response closes it
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, columns, succeeded in (("results.csv", RESULT_COLUMNS, True), ("others.csv", OTHER_COLUMNS, False)):
            with archive.open(name, "w") as member:
                _write_csv(member, columns, (row for row in rows(batch) if row.succeeded is succeeded))
    target.seek(0)
    return FileResponse(target, as_attachment=True, filename=f"{_stem(batch)}.csv.zip", content_type="application/zip")


def _write_csv(target: IO[bytes], columns: Mapping[str, Callable[[Row], Any]], wanted: Iterator[Row]) -> None:
    text = io.TextIOWrapper(target, encoding="utf-8-sig", newline="", write_through=True)  # with the mark Excel looks for
    writer = csv.writer(text)
    writer.writerow(columns)
    for row in wanted:
        writer.writerow([safe_cell(column(row)) for column in columns.values()])
    text.detach()


def report_csv(data: Mapping[str, Any]) -> bytes:
    """A reconciliation report: its figures, then each item it names."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(("kind", "id", "resume", "filename", "value"))
    writer.writerows((name, "", "", "", value) for name, value in data.items() if isinstance(value, int | str))
    for kind, items in data["anomalies"].items():
        for item in items:
            named = (item["id"], item.get("resume") or "", item.get("filename", ""), item.get("result", ""))
            writer.writerow((kind, *map(safe_cell, named)))
    return text.getvalue().encode("utf-8-sig")


def _xlsx(batch: Batch) -> HttpResponseBase:
    book = Workbook(write_only=True)
    results, others = book.create_sheet("Results"), book.create_sheet("Others")
    results.append(list(RESULT_COLUMNS))
    others.append(list(OTHER_COLUMNS))
    for row in rows(batch):
        sheet, columns = (results, RESULT_COLUMNS) if row.succeeded else (others, OTHER_COLUMNS)
        sheet.append([_xlsx_cell(column(row)) for column in columns.values()])
    target = tempfile.TemporaryFile(prefix="gleaner-export-")  # noqa: SIM115 - the response closes it
    book.save(target)
    target.seek(0)
    return FileResponse(
        target,
        as_attachment=True,
        filename=f"{_stem(batch)}.xlsx",
        content_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    )


def safe_cell(value: Any) -> Any:
    """A value no spreadsheet takes for a formula: an apostrophe goes before what would start one."""
    if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA):
        return f"'{value}"
    return "" if value is None else value


def _xlsx_cell(value: Any) -> Any:
    safe = safe_cell(value)
    return ILLEGAL_CHARACTERS_RE.sub("", safe)[:32_000] if isinstance(safe, str) else safe


def _stem(batch: Batch) -> str:
    return f"gleaner-batch-{str(batch.pk)[:8]}"


FORMATS: Mapping[str, Callable[[Batch], HttpResponseBase]] = MappingProxyType({"jsonl": _jsonl, "csv": _csv, "xlsx": _xlsx})
