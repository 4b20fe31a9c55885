"""The quality gate: what a draft is worth. Pure; the decision that follows is `ingest.routing`.

A core field counts when it is valid and evidenced; a way to reach the person also when it is known well enough: where an address
or a number may be misread a person looks. Completeness is the share of the six that count. Whether a text is a
resume at all follows from a resume's marks (headings, entries, periods, contact data) against those of invoices,
contracts, letters and the like.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ingest.fields.headings import wording
from ingest.fields.words import fold, keys
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


_CONTACTS = frozenset({"email", "phone"})
_KNOWN = 0.5
"""Confidence from which an e-mail address or a phone number counts."""


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
    # A wrong address is worse than none: where one was found and does not count, the gate is not passed.
    doubtful = any(name in missing and value_at(profile, _PATHS[name]) for name in _CONTACTS)
    reachable = "name" in counted and bool(_CONTACTS & counted.keys()) and not doubtful
    if not text.strip():
        code = "blank_document"
    elif not looks_like_resume(profile, text):
        code = "not_a_resume"
    else:
        code = "" if reachable and completeness >= threshold else "low_completeness"
    return Quality(completeness, round(sum(sure) / len(sure), 3) if sure else 0.0, missing, code)


def _sources(name: str, profile: Mapping[str, Any], evidence: Mapping[str, Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    path = _PATHS[name]
    value = value_at(profile, path)
    if not value or not _valid(name, value):
        return []
    found = [entry for key, entry in evidence.items() if key == path or key.startswith((f"{path}.", f"{path}["))]
    if name in _CONTACTS:
        return [entry for entry in found if entry["confidence"] >= _KNOWN or entry["source"] == "person"]
    return found


# -- validity -----------------------------------------------------------------------------------------------------

_EMAIL = re.compile(r"[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+")
_FEWEST_DIGITS = 7


def _valid(name: str, value: Any) -> bool:
    """Whether a value can be what its field says, whoever put it there."""
    if name in ("name", "email", "phone"):
        return _valid_text(name, str(value))
    if name == "work":
        return bool(value.get("name") or value.get("position"))
    if name == "education":
        return bool(value.get("institution") or value.get("area") or value.get("studyType"))
    return bool(value.get("name"))


def _valid_text(name: str, value: str) -> bool:
    if name == "name":
        return any(char.isalpha() for char in value) and not any(char.isdigit() or char == "@" for char in value)
    if name == "email":
        return _EMAIL.fullmatch(value) is not None
    return sum(char.isdigit() for char in value) >= _FEWEST_DIGITS


# -- is it a resume -----------------------------------------------------------------------------------------------

_RESUME_HEADINGS = frozenset(
    {"work", "education", "skills", "languages", "objective", "certificates", "awards", "interests", "projects"}
)
_PERIOD = re.compile(
    r"(?:19|20)\d\d.{0,14}?(?:[-–—~]|\bto\b|至|到|\bпо\b).{0,16}?(?:(?:19|20)\d\d|present|current|now|today|至今|今|наст|н\.\s?в)",
    re.IGNORECASE,
)
_TITLED = re.compile(
    r"^\W*(?:curriculum\s+vitae|r[eé]sum[eé]|cv|(?:个人|求职)?简历|резюме|анкета соискателя)\b|(?:简历|履历)\W*$", re.IGNORECASE
)
_HEADING_LENGTH = 60
_HAN = re.compile(r"[\u3400-\u9fff]")
_NEEDED, _NEEDED_AGAINST, _NEEDED_OF_THE_KNOWN = 3, 6, 4
"""Marks of a resume that a text must show; where two phrases of another kind of document speak against it; and where they do
though a person with an address and a dated job are known.
"""
_SHORT_TEXT = 1200
"""Characters of a note in which somebody asks for work, without headings and dates."""
_WORKS = re.compile(
    r"\b(?:experience|years?|yrs|worked|work as|working|looking for (?:a )?(?:job|work)|seeking|licen[cs]e|hire|can start)\b"
    r"|\b(?:опыт|стаж|ищу (?:работу|подработку|место)|работал[аи]?|работаю|работать|умею)\b"
    r"|求职|应聘|工作|经验|做过|干过|找活|上班",
    re.IGNORECASE,
)


def looks_like_resume(profile: Mapping[str, Any], text: str) -> bool:
    """Whether a text has the marks of a resume. `profile` is what was found in it."""
    lines = [line.strip() for line in text.splitlines()]
    kinds = {wording(line) for line in lines if 1 < len(line) <= _HEADING_LENGTH} & _RESUME_HEADINGS
    entries = sum(bool(profile.get(name)) for name in ("work", "education"))
    reachable = any(value_at(profile, path) for path in ("basics.email", "basics.phone"))
    known = reachable and bool(value_at(profile, "basics.name"))
    other = _other_kind(_without_descriptions(profile, text))
    if not kinds and not entries:
        return known and not other and len(text) <= _SHORT_TEXT and _WORKS.search(text) is not None
    marks = len(kinds) + entries + min(len(_PERIOD.findall(text)), 2)
    marks += 2 * any(_TITLED.search(line) for line in lines[:8] if len(line) <= _HEADING_LENGTH)
    marks += reachable
    dated = any(job.get("startDate") or job.get("endDate") for job in profile.get("work") or ())
    against = _NEEDED_OF_THE_KNOWN if known and dated else _NEEDED_AGAINST
    return marks >= (against if other else _NEEDED)


def _without_descriptions(profile: Mapping[str, Any], text: str) -> str:
    """The text without what the jobs say was done there: a clerk's work may well be invoices and contracts."""
    for job in profile.get("work") or ():
        for done in job.get("highlights") or ():
            text = text.replace(done, "")
    return text


def _other_kind(text: str) -> bool:
    """Whether two different phrases of one other kind of document occur."""
    folded = fold(text)
    said = Counter(kind for phrase, kind in keys("documents").items() if phrase in folded and _as_words(phrase, folded))
    return any(count > 1 for count in said.values())


def _as_words(phrase: str, text: str) -> bool:
    """Whether a phrase stands in a text as whole words; Chinese has no spaces to bound them."""
    return _HAN.match(phrase) is not None or re.search(rf"\b{re.escape(phrase)}\b", text) is not None
