"""Answers of a model that knows the truth, and of one that lies: from a benchmark's truth and the lines a prompt shows.

Chance is seeded by file and value, so that a value is treated the same in whichever question it is asked for.
"""

from __future__ import annotations

import itertools
import random
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ingest.fields.dates import find_ranges

Value = dict[str, Any] | None
"""A value and its lines, counted from 1: `{first, last, text}`."""

_LINE = re.compile(r"^(\d+): (.*)$")
_SEPARATORS = re.compile(r"\s*(?:[-–—~～至到]+|\bto\b|\buntil\b|\bпо\b)\s*|\s+", re.IGNORECASE)
_INVENTED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "en": {
        "name": ("Zelda Quorvane", "Ichabod Thrumwick"),
        "text": ("Quorvane Thrumwick Holdings", "Chief Zymurgy Officer", "Institute of Vexillography", "Xylophonics"),
    },
    "zh": {
        "name": ("欧阳琼璇", "司徒鹳雀"),
        "text": ("鹳雀琼楼控股集团", "首席酿造官", "旗帜学研究院", "木琴演奏"),
    },
    "ru": {
        "name": ("Феофан Щукохвостов", "Аграфена Жмыхова"),
        "text": ("Щукохвост Холдинг", "Главный пивовар", "Институт вексиллологии", "Ксилофонистика"),
    },
}


@dataclass(frozen=True, slots=True)
class Manners:
    """How a model answers: the shares of values that are invented, and that are others of the same document."""

    invented: float = 0.0
    misplaced: float = 0.0


@dataclass(slots=True)
class Witness:
    """One document with its truth, and what has been invented about it so far."""

    truth: Mapping[str, Any]
    manners: Manners
    seed: str
    invented: set[str] = field(default_factory=set)
    said: int = 0
    lines: dict[int, str] = field(default_factory=dict)

    def answer(self, prompt: str, wanted: set[str]) -> dict[str, Any]:
        """The parts `wanted` of an answer, as far as the lines of this prompt show them."""
        shown = (_LINE.match(line) for line in prompt.splitlines())
        self.lines = {int(line[1]): line[2] for line in shown if line}
        basics = self.truth.get("basics", {})
        parts: dict[str, Callable[[], Any]] = {
            "basics": lambda: {
                "name": self._told("name", basics.get("name"), "name"),
                "label": self._told("label", basics.get("label")),
                "email": self._told("email", basics.get("email"), "email"),
                "phone": self._told("phone", self._printed_phone(basics.get("phone")), "phone"),
                "city": self._told("city", (basics.get("location") or {}).get("city")),
            },
            "work": lambda: list(self._entries("work", {"employer": "name", "position": "position"}, {"highlights": []})),
            "education": lambda: list(
                self._entries("education", {"institution": "institution", "degree": "studyType", "area": "area"}, {})
            ),
            "skills": lambda: [
                told
                for number, skill in enumerate(self.truth.get("skills", []))
                if (told := self._told(f"skills{number}", skill["name"]))
            ],
            "languages": lambda: [
                {"language": told, "fluency": None}
                for number, tongue in enumerate(self.truth.get("languages", []))
                if (told := self._told(f"languages{number}", tongue["language"]))
            ],
        }
        return {name: as_asked(make()) for name, make in parts.items() if name in wanted}

    def _entries(self, section: str, names: Mapping[str, str], extra: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        for number, entry in enumerate(self.truth.get(section, [])):
            texts = [entry[leaf] for leaf in names.values() if entry.get(leaf)]
            places = [place["first"] for text in texts for place in self._places(text)]
            key = f"{section}{number}"
            start, end = self._printed_dates(entry, places)
            told = {
                name: self._told(f"{key}.{name}", entry.get(leaf), near=places if leaf != "name" else None)
                for name, leaf in names.items()
            }
            told |= {"start": self._told(f"{key}.start", start, "date"), "end": self._told(f"{key}.end", end, "date")}
            if any(told.values()):
                yield {**told, **extra}

    # -- truth in the lines ---------------------------------------------------------------------------------------

    def _places(self, text: str) -> list[dict[str, Any]]:
        """Every line that shows a text, then every pair of lines over which it runs."""
        needle = _folded(text)
        found = [number for number, line in self.lines.items() if needle in _folded(line)]
        if found:
            return [{"first": number, "last": number, "text": text} for number in found]
        lines = self.lines
        pairs = [(one, two) for one, two in itertools.pairwise(lines) if needle in _folded(lines[one] + lines[two])]
        return [{"first": one, "last": two, "text": text} for one, two in pairs]

    def _printed_phone(self, e164: str | None) -> str | None:
        digits = re.sub(r"\D", "", e164 or "")
        for line in self.lines.values():
            for run in re.findall(r"[+(]?\d[\d\s().–-]{5,}\d", line) if digits else ():
                if re.sub(r"\D", "", run)[-7:] == digits[-7:]:
                    return str(run)
        return None

    def _printed_dates(self, entry: Mapping[str, Any], near: list[int]) -> tuple[Value, Value]:
        """The dates of an entry in the words of the line that shows both, the one nearest to the entry's other parts."""
        start, end = entry.get("startDate"), entry.get("endDate")
        numbers = sorted(self.lines, key=lambda number: min((abs(number - place) for place in near), default=0))
        for number in numbers if near else ():
            for found in find_ranges(self.lines[number], day_first=True):
                if found.start == start and (found.end == end or (end is None and found.current)):
                    first, second = _halves(self.lines[number][slice(*found.span)], found.start, found.end)
                    return (
                        {"first": number, "last": number, "text": first} if first else None,
                        {"first": number, "last": number, "text": second} if second else None,
                    )
        return None, None

    # -- lies -----------------------------------------------------------------------------------------------------

    def _told(self, key: str, true: str | Value, kind: str = "text", near: list[int] | None = None) -> Value:
        """The value, or what this model makes of it. What the lines do not show is not told."""
        if not true:
            return None
        if isinstance(true, str):
            places = self._places(true)
            if not places:
                return None
            place = min(places, key=lambda place: min((abs(place["first"] - other) for other in near or ()), default=0))
        else:
            place = true
        chance = random.Random(f"{self.seed} {key}")
        self.said += 1
        draw = chance.random()
        if draw < self.manners.invented:
            return place | {"text": self._invention(chance, kind)}
        if draw < self.manners.invented + self.manners.misplaced:
            return self._other(chance, kind, place) or place | {"text": self._invention(chance, kind)}
        return place

    def _invention(self, chance: random.Random, kind: str) -> str:
        words = _INVENTED[self.truth["language"]]
        choices = {
            "email": ("quorvane.thrumwick@example.net",),
            "phone": ("+44 20 7946 0991", "+7 495 123 00 19"),
            "date": ("1931-04", "1932", "Mar 1933"),
            "name": words["name"],
        }.get(kind, words["text"])
        said = chance.choice(choices)
        if not any(_folded(said) in _folded(line) for line in self.lines.values()):
            self.invented.add(said)
        return said

    def _other(self, chance: random.Random, kind: str, place: Mapping[str, Any]) -> Value:
        """Something else that stands in the document, with the right number: a plausible lie."""
        pieces = list(self._pieces(kind))
        others = [piece for piece in pieces if _folded(piece["text"]) != _folded(place["text"])]
        return chance.choice(others) if others else None

    def _pieces(self, kind: str) -> Iterator[dict[str, Any]]:
        for number, line in self.lines.items():
            if kind == "date":
                texts = [line[slice(*found.span)] for found in find_ranges(line, day_first=True)]
            elif kind in ("email", "phone"):
                texts = re.findall(r"\S+@\S+" if kind == "email" else r"\+?\d[\d ()-]{6,}\d", line)
            else:
                texts = [part for part in re.split(r"[|,;•·、，；/()]| [-–—] ", line) if 2 <= len(part.strip()) <= 60]
            yield from ({"first": number, "last": number, "text": text.strip()} for text in texts)


def as_asked(node: Any) -> Any:
    """Values as the prompt asks for them, `12: words` or `12-13: words`."""
    if isinstance(node, list):
        return [as_asked(item) for item in node]
    if not isinstance(node, dict):
        return node
    if "text" not in node:
        return {key: as_asked(value) for key, value in node.items()}
    lines = str(node["first"]) if node["first"] == node["last"] else f"{node['first']}-{node['last']}"
    return f"{lines}: {node['text']}"


def _halves(text: str, start: str | None, end: str | None) -> tuple[str, str]:
    """A printed range in its two dates, where a cut gives the same two; else the whole as its start."""
    for cut in _SEPARATORS.finditer(text):
        first, second = text[: cut.start()], text[cut.end() :]
        if first and second:
            again = find_ranges(f"{first} – {second}", day_first=True)
            alone = find_ranges(first, day_first=True)
            if len(again) == 1 and len(alone) == 1 and (again[0].start, again[0].end) == (start, end) and alone[0].single:
                return first, second
    return text, ""


def _folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().replace("ё", "е").split())
