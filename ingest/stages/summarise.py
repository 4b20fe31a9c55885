"""Summarise: a few lines a recruiter reads first, put together from evidenced values only.

This one is always made; where a model is on, `narrate` tells the same in sentences later.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ingest.dossier import Dossier
from ingest.stages import Part, Stage, Tools

_MAX_SKILLS = 8
_MAX_JOBS = 2


def run(dossier: Dossier, tools: Tools) -> Dossier:  # noqa: ARG001 - the shape of a stage
    """Set `summary`: headline and years, the latest jobs, the highest education named first, the first skills."""
    profile = dossier.draft["profile"] if dossier.draft else {}
    return replace(dossier, summary=summary_of(profile), summary_source="rules")


def summary_of(profile: dict[str, Any]) -> str:
    """A summary of a JSON Resume document in its own words, one thought a line; empty for an empty document."""
    basics, gleaner = profile.get("basics", {}), profile.get("meta", {}).get("gleaner", {})
    years = gleaner.get("yearsOfExperience")
    head = _join(" · ", basics.get("label"), basics.get("location", {}).get("city"), f"{years:g}+" if years else None)
    jobs = [
        _join(", ", job.get("position"), job.get("name"), _join("–", job.get("startDate"), job.get("endDate")))
        for job in profile.get("work", [])[:_MAX_JOBS]
    ]
    schools = [
        _join(", ", school.get("studyType"), school.get("area"), school.get("institution"))
        for school in profile.get("education", [])[:1]
    ]
    skills = [", ".join(skill["name"] for skill in profile.get("skills", [])[:_MAX_SKILLS])]
    return "\n".join(line for line in (head, *jobs, *schools, *skills) if line)


def _join(separator: str, *parts: str | None) -> str:
    return separator.join(part for part in parts if part)


STAGE = Stage(
    name="summarise",
    queue="cpu",
    run=run,
    state=None,
    needs=frozenset({Part.DRAFT}),
    gives=frozenset({Part.SUMMARY}),
    deadline_s=3.0,
    reads=False,
)
