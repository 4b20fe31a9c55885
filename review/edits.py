"""What a person's form says, put together with what automation had found: the corrected document, its evidence, the changes.

Pure. A form holds the editable part of the document; each entry of `work`, `education` and so on names the entry it was made
from (`origin`), so that what the form does not show (keywords, addresses) and the evidence go along when entries move.
"""

from __future__ import annotations

import copy
import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import phonenumbers
from phonenumbers import PhoneNumberFormat

from ingest.fields import experience
from ingest.fields.dates import find_ranges
from ingest.fields.document import Document, normalise
from ingest.fields.draft import Draft, Hints
from resumes.profile import Profile, leaf_paths, value_at

BASICS = ("name", "email", "phone", "label", "url", "summary")
ENTRIES: Mapping[str, tuple[str, ...]] = {
    "work": ("name", "position", "startDate", "endDate", "location", "summary", "highlights"),
    "education": ("institution", "studyType", "area", "startDate", "endDate", "score"),
    "projects": ("name", "url", "startDate", "endDate", "description", "highlights"),
    "certificates": ("name", "issuer", "date"),
    "awards": ("title", "awarder", "date"),
    "publications": ("name", "publisher", "releaseDate"),
    "basics.profiles": ("network", "url"),
}
"""The lists of entries by their path in the document, each with what the form shows of an entry."""
LISTS: Mapping[str, str] = {"skills": "name", "languages": "language"}
"""The lists of names, each with the key that holds the name."""
_DATES = frozenset({"startDate", "endDate", "date", "releaseDate"})
_LINES = "highlights"
"""Shown as one text, a line for each."""
_PLAIN_DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
_NO_MONTH = re.compile(r"\d{4}\W(?:0?0|1[3-9]|[2-9]\d)")
"""What the pipeline takes for a year and something else is a slip of the hand here."""
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

    `form`: `{basics: {name, email, phone, label, url, summary, city}, work: [{origin, current, …}], education: [{origin, …}], …
    (ENTRIES), skills: [name | {origin}, …], languages: […], sources: {path: {page, bbox, quote}}}`. What it leaves out stays as
    it is, and so does the `current` of a job that is null. Dates may be written as people write them (`as_date`).
    """
    document = copy.deepcopy(dict(profile))
    kept: dict[str, Any] = {path: value for path, value in evidence.items() if path not in _DERIVED}
    moved = {
        place: place
        for section in (*ENTRIES, *LISTS)
        if section not in form
        for place in (f"{section}[{index}]" for index in range(len(value_at(profile, section) or [])))
    }
    _basics(document, form)
    for section in ENTRIES:
        if section in form:
            kept = _entries(document, profile, form, section, kept, moved)
    for section, key in LISTS.items():
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
    before = value_at(profile, section) or []
    meta = document.setdefault("meta", {}).setdefault("gleaner", {})
    current = list(value_at(profile, "meta.gleaner.work") or [])
    entries: list[dict[str, Any]] = []
    flags: list[dict[str, Any]] = []
    for given in form[section]:
        values = {name: _value(name, given[name]) for name in ENTRIES[section] if name in given}
        origin = given.get("origin")
        known = isinstance(origin, int) and not isinstance(origin, bool) and 0 <= origin < len(before)
        covered = known and any(before[origin].get(name) for name in ENTRIES[section] if name not in given)
        if not covered and not any(values.values()):
            continue
        if known:
            moved[f"{section}[{len(entries)}]"] = f"{section}[{origin}]"
            moved |= _moved_lines(f"{section}[{len(entries)}]", f"{section}[{origin}]", values, before[origin])
        flag = given.get("current")
        if flag is None and values.get("endDate"):
            flag = False
        elif flag is None and known and section == "work" and origin < len(current):
            flag = current[origin].get("current")
        if flag:
            values["endDate"] = None
        entries.append({**(before[origin] if known else {}), **values})
        flags.append({"current": flag if isinstance(flag, bool) else None})
    holder, _, key = section.rpartition(".")
    (document[holder] if holder else document)[key] = entries
    if section == "work":
        meta["work"] = flags
        kept = _move(kept, "meta.gleaner.work", {f"meta.gleaner.{new}": f"meta.gleaner.{old}" for new, old in moved.items()})
    return _move(kept, section, moved)


def _moved_lines(new: str, old: str, values: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, str]:
    """Where the lines of an entry were before, by what they say; one that is new was nowhere."""
    known = before.get(_LINES) or []
    return {
        f"{new}.{_LINES}[{index}]": f"{old}.{_LINES}[{known.index(line)}]" if line in known else ""
        for index, line in enumerate(values.get(_LINES) or [])
    }


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
    given = [value_at(before, f"[{name.get('origin')}].{key}") if isinstance(name, dict) else name for name in names]
    for name in dict.fromkeys(text for text in map(_text, given) if text):
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
    if not bracket or rest.split("[")[0] not in (*ENTRIES, *LISTS):
        return path
    if path in moved:
        return moved[path]
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


def _value(name: str, given: Any) -> Any:
    """What the form says of one field of an entry; None where it says nothing."""
    if name == _LINES:
        return [text for text in map(_text, str(given or "").splitlines()) if text]
    text = _text(given)
    return as_date(text, end=name == "endDate") or text if text and name in _DATES else text


def as_date(text: str, *, end: bool = False) -> str | None:
    """A date as people write it (`March 2019`, `2019年3月`, `03.2019`) as the document has it, at the precision it has.

    Of a range the one end that is wanted. None where the text is no date, says more than that, or where `03/04/2019` may be
    March or April.
    """
    text = normalise(text).strip()
    if _PLAIN_DATE.fullmatch(text):
        return text
    if _NO_MONTH.fullmatch(text):
        return None
    readings = {_only_date(text, day_first=day_first, end=end) for day_first in (True, False)}
    return readings.pop() if len(readings) == 1 else None


def _only_date(text: str, *, day_first: bool, end: bool) -> str | None:
    ranges = find_ranges(text, day_first=day_first)
    if len(ranges) != 1 or any(letter.isalnum() for letter in text[: ranges[0].span[0]] + text[ranges[0].span[1] :]):
        return None
    found = ranges[0]
    return found.end or (found.start if found.single else None) if end else found.start


def says_present(text: str) -> bool:
    """Whether a text says that something goes on: `present`, `至今`, `2019 – по настоящее время`."""
    text = normalise(text).strip()
    return any(
        found.current and found.span == (0, len(whole)) for whole in (text, f"2000 – {text}") for found in find_ranges(whole)
    )


def _text(value: Any) -> str | None:
    text = str(value).strip() if value is not None else ""
    return text or None
