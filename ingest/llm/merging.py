"""Merging: what the model found beside what the rules found.

Where both say the same, the value is surer than either. Where they differ, the surer one stands and the other becomes an
alternative for the reviewer. The model adds what is missing; it never blanks a value, and never touches one set by a person.
How far a model is believed depends on the rest of its answer: on the share of its values that stand in the document, and
on how often it agrees with what the rules are sure of.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ingest.fields.dates import find_ranges
from ingest.fields.headings import wording
from ingest.llm.grounding import Entry, Findings, Grounded, fold
from resumes.profile import path_parts, value_at

SURE = 0.8
"""Confidence of the rules from which on a model that says otherwise is doubted."""
LEAST_SHARE = 0.5
"""Of the values must stand in the document, else nothing of the answer is believed."""
_LEAST_TRUST = 0.6
"""From which on entries are added that the rules did not see."""
_AGREED = 0.99
_PAIRED = 1.0
_NEAR = 1
"""Lines from a skill the rules did not see to one they did: a list goes on there, elsewhere it is a word in a text."""
_LONGEST_ITEM, _LONGEST_HAN_ITEM, _MOST_WORDS = 40, 14, 5
"""Characters and words of an entry of a list; what is longer is a sentence."""

_WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "work": {"name": 3.0, "position": 2.0, "startDate": 2.0, "endDate": 1.0},
    "education": {"institution": 3.0, "studyType": 1.0, "area": 2.0, "startDate": 1.0, "endDate": 2.0},
}
"""How much the same value in two entries says that they are one. Pairs are made in the order of what they have in common, so
little is enough for two that nothing else goes with: the model got most of a job wrong sooner than it saw another one."""


_NAMING: Mapping[str, str] = {"work": "name", "education": "institution"}
_HAN = re.compile(r"[㐀-鿿]")


@dataclass(frozen=True, slots=True)
class Meeting:
    """A leaf on which model and rules may meet: its path in the draft and the model's value."""

    path: str
    found: Grounded


def merge(draft: Mapping[str, Any], findings: Findings) -> dict[str, Any]:
    """The draft (as `ingest.sandbox.drafts` writes it) with the findings in it. The draft given is left alone."""
    merged = copy.deepcopy(dict(draft))
    meetings, new = _places(merged, findings)
    trust = findings.share * _agreement(merged, meetings)
    for meeting in meetings:
        _meet(merged, meeting, trust)
    if trust >= _LEAST_TRUST:
        for section, entry in new:
            _append(merged, section, entry, trust)
    _level(merged["profile"])
    return merged


def _places(draft: Mapping[str, Any], findings: Findings) -> tuple[list[Meeting], list[tuple[str, Entry]]]:
    """Where each finding belongs: to a leaf of the draft, or to an entry the draft has not."""
    profile = draft["profile"]
    meetings = [Meeting(f"basics.{leaf}", found) for leaf, found in findings.basics.items()]
    new: list[tuple[str, Entry]] = []
    for section, key in (("skills", "name"), ("languages", "language")):
        known = {fold(str(entry.get(key, ""))): number for number, entry in enumerate(profile.get(section, []))}
        seen = [entry[key].line for entry in getattr(findings, section) if fold(str(entry[key].value)) in known]
        for entry in getattr(findings, section):
            number = known.get(fold(str(entry[key].value)))
            if number is None:
                if _is_item(draft, section, entry[key], seen):
                    new.append((section, entry))
                known[fold(str(entry[key].value))] = -1
            elif number >= 0:
                meetings += _of_entry(section, number, entry)
    for section in _WEIGHTS:
        entries: list[Entry] = getattr(findings, section)
        pairs = dict(_pairs(section, profile.get(section, []), entries))
        for number, entry in enumerate(entries):
            if number in pairs:
                meetings += _of_entry(section, pairs[number], entry)
            elif _says_enough(section, entry):
                new.append((section, entry))
    return meetings, new


def _is_item(draft: Mapping[str, Any], section: str, found: Grounded, seen: list[int]) -> bool:
    """Whether a skill or language the rules did not see is one: it stands among those they saw, and nowhere as something else.

    Beside one they saw, in the same line, there is little else it could be. Measured with a model that is wrong in a fifth of
    what it says: of the skills only the model saw, three in ten were right before this was asked, two in three are with it.
    """
    text = str(found.value)
    if seen and not min(seen) - _NEAR <= found.line <= max(seen) + _NEAR:
        return False
    if _is_spoken_for(draft, section, text, descriptions=found.line not in seen):
        return False
    return found.line in seen or not (
        len(text) > (_LONGEST_HAN_ITEM if _HAN.search(text) else _LONGEST_ITEM)
        or len(text.split()) > _MOST_WORDS
        or ":" in text
        or (wording(text) and not min(seen, default=found.line) < found.line < max(seen, default=found.line))
        or find_ranges(text, day_first=True)
    )


def _is_spoken_for(draft: Mapping[str, Any], section: str, text: str, *, descriptions: bool) -> bool:
    """Whether a text stands in the document as another field's value, or is a part of one or has one in it."""
    needle = fold(text)
    for path, evidence in draft["evidence"].items():
        described = re.search(r"highlights|summary", path) is not None
        if path.startswith((f"{section}[", "meta.")) or (described and not descriptions):
            continue
        quote = fold(str(evidence.get("quote") or ""))
        if quote and (needle == quote or (len(needle) >= 2 and needle in quote) or (len(quote) >= 4 and quote in needle)):
            return True
    return False


def _of_entry(section: str, number: int, entry: Entry) -> list[Meeting]:
    return [Meeting(_path(section, number, leaf), found) for leaf, found in entry.items()]


def _path(section: str, number: int, leaf: str) -> str:
    return f"meta.gleaner.work[{number}].current" if leaf == "current" else f"{section}[{number}].{leaf}"


def _pairs(section: str, known: list[Mapping[str, Any]], entries: list[Entry]) -> Iterator[tuple[int, int]]:
    """(number of a finding, number of the draft's entry it is), the most alike first, each once."""
    scored = sorted(
        (
            (-alike, there, here)
            for here, entry in enumerate(entries)
            for there, other in enumerate(known)
            if (alike := _alike(section, other, entry)) >= _PAIRED
        ),
    )
    taken: tuple[set[int], set[int]] = (set(), set())
    for _, there, here in scored:
        if here not in taken[0] and there not in taken[1]:
            taken[0].add(here)
            taken[1].add(there)
            yield here, there


def _alike(section: str, known: Mapping[str, Any], entry: Entry) -> float:
    total = 0.0
    for leaf, weight in _WEIGHTS[section].items():
        if leaf in entry and known.get(leaf):
            total += weight * _same(str(known[leaf]), str(entry[leaf].value))
    return total


def _same(one: str, other: str) -> float:
    """1 for the same, 0.6 where one is a part of the other (a date without its month, a firm without its form), else 0."""
    first, second = fold(one), fold(other)
    if first == second:
        return 1.0
    return 0.6 if min(len(first), len(second)) >= 4 and (first in second or second in first) else 0.0


def _says_enough(section: str, entry: Entry) -> bool:
    """Whether an entry names where it was, or what for how long, and anything more; a lone word may be anything."""
    leaves = set(_WEIGHTS[section]) & set(entry)
    named = _NAMING[section] in leaves or {"position", "startDate"} <= leaves
    return len(leaves) >= 2 and named


def _agreement(draft: Mapping[str, Any], meetings: list[Meeting]) -> float:
    """How far the model says what the rules are sure of; one disagreement among many is nothing, most of them are."""
    agreed = differed = 0
    for path, found in ((meeting.path, meeting.found) for meeting in meetings):
        known = value_at(draft["profile"], path)
        if known is None or _confidence(draft, path) < SURE or isinstance(known, bool):
            continue
        same = _same(str(known), str(found.value))
        agreed += same == 1.0
        differed += same == 0.0
    return (agreed + 2) / (agreed + differed + 2)


def _confidence(draft: Mapping[str, Any], path: str) -> float:
    return float(draft["evidence"].get(path, {}).get("confidence", 0.0))


def _meet(draft: dict[str, Any], meeting: Meeting, trust: float) -> None:
    """Let the surer of two values stand. Without a rules' value there is nothing to be surer than."""
    path, found = meeting.path, meeting.found
    offered = round(found.evidence.confidence * trust, 3)
    known, confidence = value_at(draft["profile"], path), _confidence(draft, path)
    if known is None or known == "":
        if trust >= _LEAST_TRUST and _has_room(draft, path):
            _set(draft, path, found, offered)
        else:
            _offer(draft, path, _as_alternative(found, offered))
    elif _is_settled(draft, path):
        return
    elif _same(str(known), str(found.value)) == 1.0:
        both = 1 - (1 - confidence) * (1 - offered / 2)
        draft["evidence"][path]["confidence"] = max(confidence, round(min(both, _AGREED), 3))
    elif offered > confidence:
        _offer(draft, path, {"value": known, **draft["evidence"][path]})
        _set(draft, path, found, offered)
    else:
        _offer(draft, path, _as_alternative(found, offered))


def _is_settled(draft: Mapping[str, Any], path: str) -> bool:
    """Whether a value is not the model's to touch: a person's, a computed one, or a description cut by the rules."""
    return draft["evidence"].get(path, {}).get("source") in (None, "person", "derived") or path.endswith("]")


def _has_room(draft: Mapping[str, Any], path: str) -> bool:
    """Whether a leaf may be filled: an end only for a job that does not go on, descriptions only where there are none."""
    section = re.match(r"work\[(\d+)\]\.(endDate|highlights)", path)
    if section is None:
        return True
    if section[2] == "endDate":
        return value_at(draft["profile"], f"meta.gleaner.work[{section[1]}].current") is not True
    ours = draft["evidence"].get(f"work[{section[1]}].highlights[0]", {}).get("source") in (None, "model")
    return ours and value_at(draft["profile"], f"work[{section[1]}].summary") is None


def _append(draft: dict[str, Any], section: str, entry: Entry, trust: float) -> None:
    number = len(draft["profile"].get(section, []))
    for leaf, found in entry.items():
        _set(draft, _path(section, number, leaf), found, round(found.evidence.confidence * trust, 3))


def _set(draft: dict[str, Any], path: str, found: Grounded, confidence: float) -> None:
    """Put the value at its path, making the objects and entries on the way; with its evidence and what follows from it."""
    node: Any = draft["profile"]
    *way, last = path_parts(path)
    for part, after in zip(way, [*way[1:], last], strict=True):
        _make_room(node, part, [] if isinstance(after, int) else {})
        node = node[part]
    _make_room(node, last, None)
    node[last] = found.value
    draft["evidence"][path] = found.evidence.model_copy(update={"confidence": confidence}).to_json()
    if path == "basics.phone":
        draft["profile"]["meta"]["gleaner"]["phoneE164"] = found.extra
        draft["evidence"]["meta.gleaner.phoneE164"] = {"source": "derived", "confidence": confidence, "from": [path]}
    going_on = re.fullmatch(r"meta\.gleaner\.work\[(\d+)\]\.current", path)
    if going_on and found.value is True:
        ended = f"work[{going_on[1]}].endDate"
        if draft["evidence"].pop(ended, None) is not None:
            del draft["profile"]["work"][int(going_on[1])]["endDate"]


def _make_room(node: Any, part: str | int, empty: Any) -> None:
    if isinstance(part, str):
        node.setdefault(part, empty)
        return
    while len(node) <= part:
        node.append(copy.copy(empty))


def _level(profile: dict[str, Any]) -> None:
    """Give every entry of `work` its figures under `meta.gleaner.work`, known or not."""
    if jobs := profile.get("work"):
        figures = profile["meta"]["gleaner"].setdefault("work", [])
        figures += [{"current": None} for _ in jobs[len(figures) :]]
        for figure in figures:
            figure.setdefault("current", None)


def _as_alternative(found: Grounded, confidence: float) -> dict[str, Any]:
    return {"value": found.value, **found.evidence.model_copy(update={"confidence": confidence}).to_json()}


def _offer(draft: dict[str, Any], path: str, alternative: dict[str, Any]) -> None:
    """Add a runner-up, best first, each value once. Descriptions and yes or no have none."""
    if isinstance(alternative["value"], bool) or path.endswith("]"):
        return
    others = draft["alternatives"].setdefault(path, [])
    if all(fold(str(other["value"])) != fold(str(alternative["value"])) for other in others):
        others.append(alternative)
        others.sort(key=lambda other: -other["confidence"])
