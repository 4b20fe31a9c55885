"""Derived values: what the rules compute from other values is computed again once the model has added to those."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ingest.fields import experience, family
from ingest.fields.document import Document
from ingest.fields.draft import Draft
from ingest.sandbox.drafts import draft_to_data
from resumes.profile import Profile

_COMPUTED = {"yearsOfExperience": experience.find, "jobFamily": family.find}


def derive_again(data: Mapping[str, Any], document: Document) -> dict[str, Any]:
    """A draft (as `ingest.sandbox.drafts` writes it) with years of experience and job family as its jobs now say.

    What a person has set stays.
    """
    names = [name for name in _COMPUTED if data["evidence"].get(_path(name), {}).get("source") != "person"]
    draft = Draft(profile=Profile.model_validate(data["profile"]), language=data["language"])
    for name in names:
        setattr(draft.profile.meta.gleaner, name, None)
        _COMPUTED[name](document, draft)
    computed = draft_to_data(draft)
    stale = {_path(name) for name in names}
    return {
        **data,
        "profile": computed["profile"],
        "warnings": [*(code for code in data["warnings"] if code != family.AMBIGUOUS), *computed["warnings"]],
        **{
            part: {path: value for path, value in data[part].items() if path not in stale} | computed[part]
            for part in ("evidence", "alternatives")
        },
    }


def _path(name: str) -> str:
    return f"meta.gleaner.{name}"
