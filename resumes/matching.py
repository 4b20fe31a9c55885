"""How well a candidate fits a vacancy: a transparent score between 0 and 1 with its reasons.

Pure. Skills weigh most, then experience, title and place; a criterion the vacancy does not name does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from rapidfuzz import fuzz

_WEIGHTS = {"skills": 0.6, "title": 0.2, "years": 0.1, "city": 0.1}
_TOKEN = re.compile(r"[a-zа-яё0-9+#.]+|[㐀-鿿]", re.IGNORECASE)
_SAME = 90
"""Similarity (0 to 100) from which two spellings of a skill are one."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a vacancy asks for."""

    title: str
    skills: tuple[str, ...] = ()
    city: str = ""
    min_years: float | None = None


@dataclass(frozen=True, slots=True)
class Offered:
    """What a candidate brings."""

    label: str = ""
    positions: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    city: str = ""
    years: float | None = None


@dataclass(frozen=True, slots=True)
class Fit:
    score: float
    reasons: dict[str, Any] = field(default_factory=dict)


def fit(wanted: Wanted, offered: Offered) -> Fit:
    """Score a candidate; `reasons` holds per criterion its share and, for skills, which were found and which not."""
    parts: dict[str, float] = {}
    reasons: dict[str, Any] = {}
    if wanted.skills:
        found = [skill for skill in wanted.skills if _has(skill, offered.skills)]
        parts["skills"] = len(found) / len(wanted.skills)
        reasons["skills"] = {"found": found, "missing": [skill for skill in wanted.skills if skill not in found]}
    titles = [title for title in (offered.label, *offered.positions) if title]
    if wanted.title and titles:
        parts["title"] = max(_overlap(wanted.title, title) for title in titles)
    if wanted.min_years is not None and offered.years is not None:
        parts["years"] = min(1.0, offered.years / wanted.min_years) if wanted.min_years else 1.0
    if wanted.city and offered.city:
        parts["city"] = 1.0 if wanted.city.strip().casefold() == offered.city.strip().casefold() else 0.0
    weight = sum(_WEIGHTS[name] for name in parts)
    score = sum(_WEIGHTS[name] * value for name, value in parts.items()) / weight if weight else 0.0
    reasons |= {"parts": {name: round(value, 3) for name, value in parts.items()}}
    return Fit(round(score, 4), reasons)


def _has(skill: str, offered: Iterable[str]) -> bool:
    wanted = skill.casefold()
    return any(
        wanted == other.casefold() or (len(wanted) > 3 and fuzz.ratio(wanted, other.casefold()) >= _SAME) for other in offered
    )


def _overlap(one: str, other: str) -> float:
    left, right = (frozenset(_TOKEN.findall(text.casefold())) for text in (one, other))
    return len(left & right) / len(left | right) if left and right else 0.0
