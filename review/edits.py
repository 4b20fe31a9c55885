"""What a person's form says, put together with what automation had found: the corrected document, its evidence, the changes.

Pure. A form holds the editable part of the document; each entry of `work` and `education` names the entry it was made
from (`origin`), so that what the form does not show (highlights, links) and the evidence go along when entries move.
"""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import phonenumbers
from phonenumbers import PhoneNumberFormat

from ingest.fields import experience
from ingest.fields.document import Document
from ingest.fields.draft import Draft, Hints
from resumes.profile import Profile, leaf_paths, value_at

BASICS = ("name", "email", "phone", "label", "url", "summary")
ENTRIES: Mapping[str, tuple[str, ...]] = {
    "work": ("name", "position", "startDate", "endDate", "summary"),
    "education": ("institution", "studyType", "area", "startDate", "endDate", "score"),
}
_LISTS = {"skills": "name", "languages": "language"}
_DERIVED = ("meta.gleaner.yearsOfExperience", "meta.gleaner.phoneE164")
_REGIONS = {"zh": "CN", "ru": "RU", "en": "US"}


@dataclass(frozen=True, slots=True)
class Change:
    """One field a person changed."""

    path: str
    before: Any
    after: Any
    source: str = ""
    confidence: float | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)
    """Where the old value stood (`before`) and, as far as the person took it from the page, the new one stands (`after`)."""

    @property
    def lock(self) -> str:
        """What automation must leave alone from now on: one of the basics, or a whole list of entries."""
        path = self.path.removeprefix("meta.gleaner.")
        return "basics.location" if path.startswith("basics.location") else path.partition("[")[0]


@dataclass(slots=True)
class Edited:
    """The document after a person has been over it."""

    profile: Profile
    evidence: dict[str, Any]
    changes: list[Change] = field(default_factory=list)


def apply(
    form: Mapping[str, Any], profile: Mapping[str, Any], evidence: Mapping[str, Any], *, as_of: dt.date, language: str = "en"
) -> Edited:
    """The corrected document. Raises pydantic.ValidationError where a value has no possible form (a date, mostly).

    `form`: `{basics: {name, email, phone, label, url, summary, city}, work: [{origin, current, …}], education: [{origin, …}],
    skills: [name, …], languages: [name, …], sources: {path: {page, bbox, quote}}}`. What it leaves out stays as it is.
    """
    document = copy.deepcopy(dict(profile))
    kept: dict[str, Any] = {path: value for path, value in evidence.items() if path not in _DERIVED}
    moved = {
        place: place
        for section in (*ENTRIES, *_LISTS)
        if section not in form
        for place in (f"{section}[{index}]" for index in range(len(profile.get(section) or [])))
    }
    _basics(document, form)
    for section in ENTRIES:
        if section in form:
            kept = _entries(document, profile, form, section, kept, moved)
    for section, key in _LISTS.items():
        if section in form:
            kept = _names(document, profile, form[section], section, key, kept, moved)
    _drop_empty(document)
    edited = Edited(Profile.model_validate(document), kept)
    _note_changes(edited, profile, evidence, form.get("sources") or {}, moved)
    _derive(edited, evidence, as_of, language)
    return edited


def _basics(document: dict[str, Any], form: Mapping[str, Any]) -> None:
    basics = document.setdefault("basics", {})
    given = form.get("basics") or {}
    for name in BASICS:
        if name in given:
            basics[name] = _text(given[name])
    if "city" in given:
        basics["location"] = {**(basics.get("location") or {}), "city": _text(given["city"])}


def _entries(
    document: dict[str, Any],
    profile: Mapping[str, Any],
    form: Mapping[str, Any],
    section: str,
    kept: dict[str, Any],
    moved: dict[str, str],
) -> dict[str, Any]:
    before = profile.get(section) or []
    meta = document.setdefault("meta", {}).setdefault("gleaner", {})
    current = list(value_at(profile, "meta.gleaner.work") or [])
    entries: list[dict[str, Any]] = []
    flags: list[dict[str, Any]] = []
    for given in form[section]:
        values = {name: _text(given[name]) for name in ENTRIES[section] if name in given}
        if not any(values.values()):
            continue
        origin = given.get("origin")
        known = isinstance(origin, int) and not isinstance(origin, bool) and 0 <= origin < len(before)
        if known:
            moved[f"{section}[{len(entries)}]"] = f"{section}[{origin}]"
        flag = given.get("current")
        if flag is None and known and section == "work" and origin < len(current):
            flag = current[origin].get("current")
        if flag:
            values["endDate"] = None
        elif values.get("endDate"):
            flag = False
        entries.append({**(before[origin] if known else {}), **values})
        flags.append({"current": flag if isinstance(flag, bool) else None})
    document[section] = entries
    if section == "work":
        meta["work"] = flags
        kept = _move(kept, "meta.gleaner.work", {f"meta.gleaner.{new}": f"meta.gleaner.{old}" for new, old in moved.items()})
    return _move(kept, section, moved)


def _names(
    document: dict[str, Any],
    profile: Mapping[str, Any],
    names: list[Any],
    section: str,
    key: str,
    kept: dict[str, Any],
    moved: dict[str, str],
) -> dict[str, Any]:
    before = profile.get(section) or []
    places = {entry.get(key): index for index, entry in reversed(list(enumerate(before)))}
    entries: list[dict[str, Any]] = []
    for name in dict.fromkeys(text for text in map(_text, names) if text):
        if name in places:
            moved[f"{section}[{len(entries)}]"] = f"{section}[{places[name]}]"
        entries.append(before[places[name]] if name in places else {key: name})
    document[section] = entries
    return _move(kept, section, moved)


def _move(evidence: dict[str, Any], section: str, moved: Mapping[str, str]) -> dict[str, Any]:
    """Evidence of a section under the new places of its entries; that of entries that are gone is dropped."""
    rest = {path: value for path, value in evidence.items() if not path.startswith(f"{section}[")}
    for new, old in moved.items():
        if new.startswith(f"{section}["):
            rest |= {new + path[len(old) :]: value for path, value in evidence.items() if path.startswith((f"{old}.", f"{old}["))}
            if old in evidence:
                rest[new] = evidence[old]
    return rest


def _note_changes(
    edited: Edited, profile: Mapping[str, Any], evidence: Mapping[str, Any], sources: Mapping[str, Any], moved: Mapping[str, str]
) -> None:
    after = edited.profile.to_json()
    seen: set[str] = set()
    for path, value in leaf_paths(after):
        if path.startswith("meta.") and not path.startswith("meta.gleaner.work["):
            continue
        origin = _origin(path, moved)
        before = value_at(profile, origin) if origin else None
        if origin:
            seen.add(origin)
        if value == before:
            continue
        known = evidence.get(origin, {}) if origin else {}
        own = _by_person(sources.get(path) or {})
        edited.changes.append(Change(path, before, value, known.get("source", ""), known.get("confidence"), _places(known, own)))
        edited.evidence[path] = own
    for path, value in leaf_paths(profile):
        if path in seen or path.startswith("meta."):
            continue
        known = evidence.get(path, {})
        edited.changes.append(Change(path, value, None, known.get("source", ""), known.get("confidence"), _places(known, {})))
    leaves = {path for path, _ in leaf_paths(after)}
    edited.evidence = {path: value for path, value in edited.evidence.items() if path in leaves}


def _origin(path: str, moved: Mapping[str, str]) -> str:
    """Where a value of the new document stood in the old one; empty for an entry that is new."""
    prefix = "meta.gleaner." if path.startswith("meta.gleaner.work[") else ""
    rest = path.removeprefix(prefix)
    head, bracket, _tail = rest.partition("]")
    if not bracket or rest.split("[")[0] not in (*ENTRIES, *_LISTS):
        return path
    entry = f"{head}]"
    return prefix + moved[entry] + rest[len(entry) :] if entry in moved else ""


def _derive(edited: Edited, evidence: Mapping[str, Any], as_of: dt.date, language: str) -> None:
    """Compute anew what depends on what was changed; keep it where nothing was."""
    gleaner = edited.profile.meta.gleaner
    touched = {change.path for change in edited.changes}
    if any(path.startswith(("work[", "meta.gleaner.work[")) for path in touched):
        gleaner.yearsOfExperience = None
        draft = Draft(profile=edited.profile)
        experience.find(Document((), Hints(as_of=as_of)), draft)
        edited.evidence |= {path: value.to_json() for path, value in draft.evidence.items()}
    elif "meta.gleaner.yearsOfExperience" in evidence:
        edited.evidence["meta.gleaner.yearsOfExperience"] = evidence["meta.gleaner.yearsOfExperience"]
    if "basics.phone" in touched:
        gleaner.phoneE164 = _e164(edited.profile.basics.phone or "", gleaner.language or language)
        if gleaner.phoneE164:
            edited.evidence["meta.gleaner.phoneE164"] = {"source": "derived", "confidence": 1.0, "from": ["basics.phone"]}
    elif "meta.gleaner.phoneE164" in evidence:
        edited.evidence["meta.gleaner.phoneE164"] = evidence["meta.gleaner.phoneE164"]


def _e164(phone: str, language: str) -> str | None:
    try:
        number = phonenumbers.parse(phone, _REGIONS.get(language, "US"))
    except phonenumbers.NumberParseException:
        return None
    return phonenumbers.format_number(number, PhoneNumberFormat.E164) if phonenumbers.is_possible_number(number) else None


def _by_person(source: Mapping[str, Any]) -> dict[str, Any]:
    """The evidence of a value a person has set; where they took it from the page, the place too."""
    bbox, page, quote = source.get("bbox"), source.get("page"), source.get("quote")
    placed = isinstance(bbox, list) and len(bbox) == 4 and all(isinstance(edge, int | float) for edge in bbox)
    return {
        "source": "person",
        "confidence": 1.0,
        "page": page if isinstance(page, int) else None,
        "bbox": [min(max(float(edge), 0.0), 1.0) for edge in bbox] if placed and isinstance(bbox, list) else None,
    } | ({"quote": quote[:500]} if isinstance(quote, str) and quote else {})


def _places(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Of the evidence of an old and a new value: what says where they stand."""
    kept = {
        name: {part: known[part] for part in ("page", "bbox", "quote") if known.get(part)}
        for name, known in (("before", before), ("after", after))
    }
    return {name: place for name, place in kept.items() if place}


def _drop_empty(document: dict[str, Any]) -> None:
    location = document["basics"].get("location")
    if location is not None and not any(location.values()):
        document["basics"]["location"] = None


def _text(value: Any) -> str | None:
    text = str(value).strip() if value is not None else ""
    return text or None
