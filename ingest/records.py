"""Between the dossier and the database: what a stage needs is loaded, what it gives is saved. One function a part."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from django.db.models import F

from ingest import parking
from ingest.dossier import Dossier, Locked
from ingest.failures import Failure
from ingest.layout_class import layout_class
from ingest.quality import Quality
from ingest.stages import Part, Stage
from resumes import pool_matches
from resumes.models import Candidate, Extraction, Resume


def load(resume: Resume, stage: Stage, scratch: contextlib.ExitStack) -> Dossier:
    """The dossier of a claimed resume with the parts the stage needs. Raises ResumeError where the storage fails."""
    document = resume.document
    dossier = Dossier(
        media_type=document.media_type if document else "",
        path=parking.fetch(document, scratch) if document and Part.FILE in stage.needs else None,
        filename=resume.filename,
        as_of=resume.received_at.astimezone(dt.UTC).date(),
        route=tuple(resume.route),
        channels=tuple(resume.channels),
        as_pictures=resume.as_pictures,
        setback=Failure.of(resume.failure_code) if resume.failure_code else None,
        warnings=tuple(resume.warnings),
        alone=resume.alone,
        locked=_locked(resume) if resume.run > 1 else None,
    )
    if stage.needs & {Part.READING, Part.DRAFT}:
        extraction = Extraction.objects.filter(resume=resume, run=resume.run).first()
        if extraction is not None:
            dossier = replace(
                dossier,
                reading=extraction.reading if Part.READING in stage.needs else None,
                draft=_draft(extraction) if Part.DRAFT in stage.needs else None,
                quality=Quality.from_data(extraction.quality) if extraction.quality else None,
                summary=extraction.summary,
                summary_source=extraction.summary_source or "rules",
            )
    return dossier


def _locked(resume: Resume) -> Locked | None:
    """What people have set in the last run in which they set something."""
    runs = Extraction.objects.filter(resume=resume, run__lt=resume.run).exclude(locked=[]).defer("packed_reading")
    last = runs.order_by("-run").first()
    return Locked(tuple(last.locked), last.profile or {}, last.evidence) if last else None


def save(resume: Resume, stage: Stage, dossier: Dossier) -> dict[str, Any]:
    """Save what the stage gives, inside the caller's transaction; the columns of the resume to set with the next move."""
    columns = columns_of(dossier)
    for part in sorted(stage.gives):
        columns |= _SAVERS[part](resume, dossier)
    return columns


def columns_of(dossier: Dossier) -> dict[str, Any]:
    """The columns every outcome of a stage sets, good or bad."""
    setback = dossier.setback
    return {
        "route": list(dossier.route),
        "channels": list(dossier.channels),
        "warnings": list(dossier.warnings),
        "failure_class": setback.failure_class.value if setback else "",
        "failure_code": setback.code if setback else "",
    }


def _draft(extraction: Extraction) -> dict[str, Any] | None:
    if extraction.profile is None:
        return None
    return {
        "profile": extraction.profile,
        "evidence": extraction.evidence,
        "alternatives": extraction.alternatives,
        "language": extraction.profile["meta"].get("gleaner", {}).get("language", "en"),
        "warnings": [],
    }


def _save_reading(resume: Resume, dossier: Dossier) -> dict[str, Any]:
    if dossier.reading is None:
        return {}
    _upsert(resume, packed_reading=Extraction.pack(dict(dossier.reading)))
    return {"pages": len(dossier.reading["pages"]), "layout": layout_class(dossier.reading)}


def _upsert(resume: Resume, **columns: Any) -> None:
    """Set columns of the run's extraction, which may not exist yet, in one statement."""
    Extraction.objects.bulk_create(
        [Extraction(resume=resume, run=resume.run, **columns)],
        update_conflicts=True,
        unique_fields=["resume", "run"],
        update_fields=list(columns),
    )


def _save_draft(resume: Resume, dossier: Dossier) -> dict[str, Any]:
    if dossier.draft is None or dossier.quality is None:
        return {}
    _upsert(
        resume,
        locked=list(dossier.locked.paths) if dossier.locked else [],
        profile=dossier.draft["profile"],
        evidence=dossier.draft["evidence"],
        alternatives=dossier.draft["alternatives"],
        quality=dossier.quality.to_data(),
    )
    gleaner = dossier.draft["profile"].get("meta", {}).get("gleaner", {})
    return {
        "language": dossier.draft["language"],
        "job_family": gleaner.get("jobFamily") or "",
        "completeness": dossier.quality.completeness,
        "confidence": dossier.quality.confidence,
    }


def _save_summary(resume: Resume, dossier: Dossier) -> dict[str, Any]:
    columns = {"summary": dossier.summary, "summary_source": dossier.summary_source}
    Extraction.objects.filter(resume=resume, run=resume.run).update(**columns)
    if resume.candidate_id:
        Candidate.objects.filter(pk=resume.candidate_id).update(**columns, updated_at=F("updated_at"))
    return {}


def _save_matches(resume: Resume, dossier: Dossier) -> dict[str, Any]:  # noqa: ARG001 - the shape of a saver
    if resume.candidate_id:
        pool_matches.match_candidate(resume.candidate_id)
    return {}


_SAVERS: Mapping[Part, Callable[[Resume, Dossier], dict[str, Any]]] = MappingProxyType(
    {
        Part.READING: _save_reading,
        Part.DRAFT: _save_draft,
        Part.SUMMARY: _save_summary,
        Part.MATCHES: _save_matches,
    }
)
