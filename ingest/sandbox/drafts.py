"""A draft as plain data, the way it leaves the sandbox and is stored."""

from __future__ import annotations

from typing import Any

from ingest.fields.draft import Draft, Value


def draft_to_data(draft: Draft) -> dict[str, Any]:
    """`{profile, evidence, alternatives, language, warnings}`; profile and evidence in their own JSON forms."""
    return {
        "profile": draft.profile.to_json(),
        "evidence": {path: evidence.to_json() for path, evidence in draft.evidence.items()},
        "alternatives": {path: [_value_data(value) for value in values] for path, values in draft.alternatives.items()},
        "language": draft.language,
        "warnings": list(draft.warnings),
    }


def _value_data(value: Value) -> dict[str, Any]:
    """`{value, source, confidence, page, bbox, quote}`: what an evidence says, with the value it would stand for."""
    return {"value": value.value, **value.evidence().to_json()}
