"""The quality gate: what a draft is worth. Pure; the decision that follows is `ingest.routing`.

A core field counts when it is valid and evidenced. Completeness is the share of the six that count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from resumes.profile import value_at

THRESHOLD = 0.6
"""Least completeness that passes, unless the installation says otherwise."""
CORE: tuple[str, ...] = ("name", "phone", "email", "work", "education", "skills")
_PATHS = {
    "name": "basics.name",
    "phone": "basics.phone",
    "email": "basics.email",
    "work": "work[0]",
    "education": "education[0]",
    "skills": "skills[0]",
}


@dataclass(frozen=True, slots=True)
class Quality:
    """What a draft is worth."""

    completeness: float
    """Share of the core fields that count, 0 to 1."""
    confidence: float
    """Mean confidence of the evidence of the core fields, 0 to 1."""
    missing: tuple[str, ...]
    """Names of the core fields that do not count, in the order of `CORE`."""
    code: str
    """Empty where the gate is passed, else a code of `resumes.taxonomy` (low_completeness, not_a_resume)."""

    @property
    def passed(self) -> bool:
        return not self.code

    def to_data(self) -> dict[str, Any]:
        return asdict(self) | {"missing": list(self.missing)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Quality:
        return cls(**{**data, "missing": tuple(data["missing"])})


def assess(
    profile: Mapping[str, Any], evidence: Mapping[str, Mapping[str, Any]], *, text: str, threshold: float = THRESHOLD
) -> Quality:
    """Judge a draft in its plain-data form (`Profile.to_json`, `Evidence.to_json`) against the document's `text`."""
    counted = {name: sources for name in CORE if (sources := _sources(name, profile, evidence))}
    missing = tuple(name for name in CORE if name not in counted)
    completeness = round(len(counted) / len(CORE), 3)
    sure = [max(entry["confidence"] for entry in sources) for sources in counted.values()]
    reachable = "name" in counted and bool({"email", "phone"} & counted.keys())
    code = "" if reachable and completeness >= threshold else "low_completeness"
    if code and not text.strip():
        code = "blank_document"
    return Quality(completeness, round(sum(sure) / len(sure), 3) if sure else 0.0, missing, code)


def _sources(
    name: str, profile: Mapping[str, Any], evidence: Mapping[str, Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    path = _PATHS[name]
    if not value_at(profile, path):
        return []
    return [entry for key, entry in evidence.items() if key == path or key.startswith((f"{path}.", f"{path}["))]
