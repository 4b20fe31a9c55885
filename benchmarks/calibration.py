"""Whether confidence means what it says: of the values said to be 90 % sure, about 90 % should be right.

A value is right when the benchmark's truth names it for the same field (any entry of the same list); what is compared
follows score.py: case and punctuation do not count, phones by their last eight digits, dates exactly.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from resumes.profile import value_at

_BANDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.001)
_DERIVED = "derived"
_FIELDS: dict[str, str] = {
    r"basics\.name": "name",
    r"basics\.email": "email",
    r"basics\.phone": "phone",
    r"basics\.location\.city": "city",
    r"basics\.label": "label",
    r"work\[\d+\]\.(name|position|startDate|endDate)": "work",
    r"education\[\d+\]\.(institution|studyType|area|startDate|endDate)": "education",
    r"skills\[\d+\]\.name": "skills",
    r"languages\[\d+\]\.language": "languages",
}


@dataclass(frozen=True, slots=True)
class Judged:
    """One value the parser output: how sure it was, and whether it was right."""

    field: str
    confidence: float
    right: bool


def judge(document: dict[str, Any], truth: dict[str, Any]) -> Iterator[Judged]:
    """Every value of a parse document for which the truth says something of its field."""
    for path, evidence in document["evidence"].items():
        for pattern, name in _FIELDS.items():
            match = re.fullmatch(pattern, path)
            if not match or evidence["source"] == _DERIVED:
                continue
            expected = set(_expected(truth, name, match.group(1) if match.groups() else ""))
            if expected:
                yield Judged(name, evidence["confidence"], _same(value_at(document["resume"], path), name) in expected)


def table(judged: Iterable[Judged]) -> list[tuple[str, int, float, float]]:
    """Per band of confidence: its name, how many values, their mean confidence, the share that is right."""
    bands: dict[int, list[Judged]] = defaultdict(list)
    for value in judged:
        bands[max(index for index, least in enumerate(_BANDS[:-1]) if value.confidence >= least)].append(value)
    rows = []
    for index in sorted(bands):
        values = bands[index]
        mean = sum(value.confidence for value in values) / len(values)
        right = sum(value.right for value in values) / len(values)
        rows.append((f"{_BANDS[index]:.2f} – {min(_BANDS[index + 1], 1):.2f}", len(values), mean, right))
    return rows


def _expected(truth: dict[str, Any], name: str, part: str) -> Iterator[str]:
    basics = truth.get("basics", {})
    match name:
        case "city":
            values: list[Any] = [(basics.get("location") or {}).get("city")]
        case "name" | "email" | "phone" | "label":
            values = [basics.get(name)]
        case "skills":
            values = [skill["name"] for skill in truth.get("skills", [])]
        case "languages":
            values = [language["language"] for language in truth.get("languages", [])]
        case _:
            values = [entry.get(part) for entry in truth.get(name, [])]
    yield from (_same(value, name) for value in values if value)


def _same(value: Any, name: str) -> str:
    text = unicodedata.normalize("NFKC", str(value or "")).casefold()
    if name == "phone":
        return re.sub(r"\D", "", text)[-8:]
    return re.sub(r"[^\w]+", "", text)
