"""What a person has set stays: a later automatic run lays its findings under it, never over it. Pure.

A lock is a value of the basics (`basics.email`) or a whole list (`work`): entries have no identity of their own by which one
of them could be found again in what a new run reads. The value comes with its evidence, so its provenance stays too.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ingest import page, quality
from ingest.dossier import Dossier, Locked
from resumes.profile import value_at

_ALONG = {"basics.phone": ("meta.gleaner.phoneE164",), "work": ("meta.gleaner.work", "meta.gleaner.yearsOfExperience")}
"""What is derived from a value, or says more about it, and goes with it."""


def keep(dossier: Dossier, threshold: float) -> Dossier:
    """The dossier with what is locked laid over its draft, which is judged anew."""
    locked, draft = dossier.locked, dossier.draft
    if locked is None or draft is None:
        return dossier
    profile, evidence = over(draft["profile"], draft["evidence"], locked)
    text = page.from_data(dossier.reading).text if dossier.reading else ""
    judged = quality.assess(profile, evidence, text=text, threshold=threshold)
    return replace(dossier, draft={**draft, "profile": profile, "evidence": evidence}, quality=judged)


def over(profile: Mapping[str, Any], evidence: Mapping[str, Any], locked: Locked) -> tuple[dict[str, Any], dict[str, Any]]:
    """Profile and evidence with the locked values in the place of what was found."""
    new, proofs = copy.deepcopy(dict(profile)), dict(evidence)
    for lock in locked.paths:
        for path in (lock, *_ALONG.get(lock, ())):
            _put(new, path.split("."), value_at(locked.profile, path))
            proofs = {at: proof for at, proof in proofs.items() if not _below(at, path)}
            proofs |= {at: dict(proof) for at, proof in locked.evidence.items() if _below(at, path)}
    return new, proofs


def _put(document: dict[str, Any], keys: Sequence[str], value: Any) -> None:
    *way, last = keys
    for key in way:
        document = document.setdefault(key, {})
    if value is None:
        document.pop(last, None)
    else:
        document[last] = copy.deepcopy(value)


def _below(at: str, path: str) -> bool:
    return at == path or at.startswith((f"{path}.", f"{path}["))
