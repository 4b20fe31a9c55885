"""Exports of a batch: results, and everything else with its reason, apart from each other.

Row by row in every format, so that a batch of any size costs no memory. Cells that a spreadsheet would take for a
formula are escaped. What is made in the background is in `ingest.export_jobs`.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import IO, Any

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import FileResponse, HttpResponseBase, StreamingHttpResponse
from openpyxl import Workbook

from ingest.models import Batch, BatchEntry
from resumes.messages import advice, sentence
from resumes.models import Extraction
from resumes.profile import value_at
from resumes.states import SUCCEEDED, TERMINAL, WAITING, State

_CHUNK = 200
# Spreadsheets take the wide signs too, and signs behind what cannot be seen. Where a comma stands for the decimal point,
# Excel splits a line at its semicolons, so that a cell can begin in the middle of a value.
_FORMULA = re.compile(r"[\t\r\n]|[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]*[=+\-@＝＋－＠]")
_INNER_FORMULA = re.compile(r"(?<=[;\t\r\n])(?=[^\S\t\r\n]*[=+\-@＝＋－＠])")
_UNWRITABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What neither XML nor UTF-8 can hold; one such sign must not cost a batch its export."""


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


@dataclass(frozen=True, slots=True)
class Format:
    """How a batch is written down."""

    media_type: str
    ending: str
    """Of the file's name."""
    write: Callable[[Iterable[Row], IO[bytes]], None]


def export(batch: Batch, name: str) -> HttpResponseBase:
    """The batch in one of `FORMATS`, as a download."""
    if name == "jsonl":
        lines = StreamingHttpResponse(_lines(rows(batch)), content_type=FORMATS[name].media_type)
        lines["Content-Disposition"] = f'attachment; filename="{file_name(batch, name)}"'
        lines["Cache-Control"] = "private, no-store"
        return lines
    target = tempfile.TemporaryFile(prefix="gleaner-export-")  # noqa: SIM115 - the response closes it
    FORMATS[name].write(rows(batch), target)
    target.seek(0)
    return download(batch, name, target)


def download(batch: Batch, name: str, content: IO[bytes]) -> FileResponse:
    """An export that has been written, on its way out."""
    answer = FileResponse(content, as_attachment=True, filename=file_name(batch, name), content_type=FORMATS[name].media_type)
    answer["Cache-Control"] = "private, no-store"
    return answer


def file_name(batch: Batch, name: str) -> str:
    return f"gleaner-batch-{str(batch.pk)[:8]}.{FORMATS[name].ending}"


def items_of(batch: Batch) -> QuerySet[BatchEntry]:
    """What an export holds: every item in order, unpacked archives left out."""
    return batch.entries.filter(unpacked_at=None).order_by("number", "id")


def rows(batch: Batch) -> Iterator[Row]:
    """Every item of the batch in order.

    Read in chunks, each in full: SQLite lets nobody write inside a read that another writer has overtaken, and a job
    writes down how far it is.
    """
    found = Extraction.objects.filter(resume=OuterRef("resume"), run=OuterRef("resume__run")).values("profile")[:1]
    entries = items_of(batch).select_related("resume").annotate(found=Subquery(found))
    rest = entries
    while chunk := list(rest[:_CHUNK]):
        for entry in chunk:
            outcome = _outcome(entry)
            profile = json.loads(entry.found) if isinstance(entry.found, str) else entry.found
            yield Row(entry, outcome, profile if outcome in ("completed", "reviewed") else None)
        last = chunk[-1]
        rest = entries.filter(Q(number__gt=last.number) | Q(number=last.number, pk__gt=last.pk))


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


def _jsonl(found: Iterable[Row], target: IO[bytes]) -> None:
    target.writelines(_lines(found))


def _lines(found: Iterable[Row]) -> Iterator[bytes]:
    return (_json(_line(row)) + b"\n" for row in found)


def _json(value: Any, indent: int | None = None) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=indent).encode("utf-8", "replace")


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


def _csv(found: Iterable[Row], target: IO[bytes]) -> None:
    """Two tables in a ZIP: an archive is written one member after the other, so the second waits in a file of its own."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive, tempfile.TemporaryFile(prefix="gleaner-export-") as other:
        with archive.open("results.csv", "w") as results:
            into = {True: _table(results, RESULT_COLUMNS), False: _table(other, OTHER_COLUMNS)}
            for row in found:
                into[row.succeeded](row)
        other.seek(0)
        with archive.open("others.csv", "w") as others:
            shutil.copyfileobj(other, others)


def _table(target: IO[bytes], columns: Mapping[str, Callable[[Row], Any]]) -> Callable[[Row], None]:
    """Write the head of a table; what writes a row of it."""
    text = codecs.getwriter("utf-8")(target)
    target.write(codecs.BOM_UTF8)  # the mark Excel looks for
    writer = csv.writer(text)
    writer.writerow(columns)
    return lambda row: writer.writerow([safe_cell(column(row)) for column in columns.values()])


def _json_resume(found: Iterable[Row], target: IO[bytes]) -> None:
    """A ZIP of a JSON Resume document for each result, named by its item, and `others.jsonl`."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive, tempfile.TemporaryFile(prefix="gleaner-export-") as other:
        for row in found:
            if row.succeeded:
                archive.writestr(f"{row.entry.number:06}-{row.entry.pk}.json", _json(row.profile, indent=2))
            else:
                other.writelines(_lines([row]))
        other.seek(0)
        with archive.open("others.jsonl", "w") as others:
            shutil.copyfileobj(other, others)


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


def _xlsx(found: Iterable[Row], target: IO[bytes]) -> None:
    book = Workbook(write_only=True)
    results, others = book.create_sheet("Results"), book.create_sheet("Others")
    results.append(list(RESULT_COLUMNS))
    others.append(list(OTHER_COLUMNS))
    for row in found:
        sheet, columns = (results, RESULT_COLUMNS) if row.succeeded else (others, OTHER_COLUMNS)
        sheet.append([_xlsx_cell(column(row)) for column in columns.values()])
    book.save(target)


def safe_cell(value: Any) -> Any:
    """A value of a CSV file that no spreadsheet takes for a formula: an apostrophe goes before what would start one."""
    if isinstance(value, str):
        return _INNER_FORMULA.sub("'", _as_text(value))
    return "" if value is None else value


def _as_text(value: str) -> str:
    text = _UNWRITABLE.sub("", value)
    return f"'{text}" if _FORMULA.match(text) else text


def _xlsx_cell(value: Any) -> Any:
    return _as_text(value)[:32_000] if isinstance(value, str) else value


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "jsonl": Format("application/jsonl; charset=utf-8", "jsonl", _jsonl),
        "csv": Format("application/zip", "csv.zip", _csv),
        "jsonresume": Format("application/zip", "jsonresume.zip", _json_resume),
        "xlsx": Format("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx", _xlsx),
    }
)
