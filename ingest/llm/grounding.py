"""Grounding: a value of the model counts only where it stands in the lines the model points to.

What is taken is the document's own text at that place, never the model's. Dates are read by the rules' parser from the words
the model points to; addresses and numbers must be ones the rules can see. Everything else is dropped and counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ingest.fields.dates import DateRange, day_comes_first, find_ranges
from ingest.fields.document import Document, Row, normalise
from ingest.fields.emails import find_addresses
from ingest.fields.phones import find_phones
from ingest.fields.segments import segments
from ingest.fields.spans import clip, value_of
from ingest.llm.answer import Answer, Job, Lines, School, Words
from ingest.llm.masking import MASK
from ingest.llm.prompt import protected_values
from resumes.profile import Evidence

CERTAINTY = 0.85
"""Confidence of a value that is in its place, before the model's other answers are weighed (`ingest.llm.merging`)."""
_MOST_LINES = 3
"""A short value runs over into the next line, or the one after."""
_MOST_DESCRIPTION_LINES = 8
_LONGEST = {"name": 60, "skill": 60, "language": 40, "fluency": 60}
_LONGEST_OTHER = 140
_MOST_SKILLS = 120
_MOST_ENTRIES = 60
_FARTHEST = 8
"""Lines between a part of an entry and the middle of its parts."""
_PROSE = 48
"""Characters besides a name or headline in its segment from which on it stands in a sentence, not in a heading."""

_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−", "-") | {"’": "'", "‘": "'", "ё": "е"})
_HAN = re.compile(r"[㐀-鿿]")
_HAN_WEIGHT = 2.5
_HAN_RUN = re.compile(r"[㐀-鿿]\n[㐀-鿿]")
"""Chinese that goes on over the edge (`\n`) of a piece of it."""
_BULLET = re.compile(r"^[\s•·●▪◦‣*\-–—■□◆]+")
_EDGES = " \t,;|·•…"
_BESIDE = ',;:|·•/()[]«»"“”-–—,;:、。,()【】《》'


@dataclass(frozen=True, slots=True)
class Grounded:
    """A value as output with its evidence; `extra` is what is computed from it (a phone's E.164 form)."""

    value: str | bool
    evidence: Evidence
    extra: str = ""
    line: int = 0
    """Where it begins: the index of its row in the document."""


Entry = dict[str, Grounded]
"""The leaves of one entry by their names in the profile; `current` and `highlights[n]` among those of work."""


@dataclass(slots=True)
class Findings:
    """What is left of an answer."""

    basics: Entry = field(default_factory=dict)
    """By path below `basics`."""
    work: list[Entry] = field(default_factory=list)
    education: list[Entry] = field(default_factory=list)
    skills: list[Entry] = field(default_factory=list)
    languages: list[Entry] = field(default_factory=list)
    kept: int = 0
    dropped: int = 0

    @property
    def share(self) -> float:
        """Share of the values that were kept."""
        return self.kept / (self.kept + self.dropped) if self.kept else 0.0


def ground(answer: Answer, document: Document) -> Findings:
    """Check every value of an answer against the document."""
    return _Grounding(document).findings(answer)


class _Grounding:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.found = Findings()
        self.protected = protected_values(document)
        self.day_first = day_comes_first([row.text for row in document.rows]) is not False

    def findings(self, answer: Answer) -> Findings:
        basics = answer.basics
        self._put(self.found.basics, "name", basics.name, self._name)
        self._put(self.found.basics, "label", basics.label, self._headline)
        self._put(self.found.basics, "email", basics.email, self._email)
        self._put(self.found.basics, "phone", basics.phone, self._phone)
        self._put(self.found.basics, "location.city", basics.city)
        self.found.work = [entry for job in answer.work[:_MOST_ENTRIES] if (entry := self._job(job))]
        self.found.education = [entry for school in answer.education[:_MOST_ENTRIES] if (entry := self._school(school))]
        for skill in answer.skills[:_MOST_SKILLS]:
            self._put(_new(self.found.skills), "name", skill, lambda words: self._short(words, "skill"))
        for tongue in answer.languages[:_MOST_ENTRIES]:
            entry = _new(self.found.languages)
            self._put(entry, "language", tongue.language, lambda words: self._short(words, "language"))
            if entry:
                self._put(entry, "fluency", tongue.fluency, lambda words: self._short(words, "fluency"))
        self.found.skills = [entry for entry in self.found.skills if entry]
        self.found.languages = [entry for entry in self.found.languages if entry]
        return self.found

    def _put(self, entry: Entry, leaf: str, words: Words | None, check: Callable[[Words], Grounded | None] | None = None) -> None:
        if words is None or not words.text.strip() or MASK in words.text:
            return
        value = (check or self._short)(words)
        if value is None:
            self.found.dropped += 1
        else:
            self.found.kept += 1
            entry[leaf] = value

    def _job(self, job: Job) -> Entry:
        entry: Entry = {}
        self._put(entry, "name", job.employer)
        self._put(entry, "position", job.position)
        self._dates(entry, job.start, job.end)
        self._keep_together(entry)
        for number, lines in enumerate(filter(None, map(self._description, job.highlights[:20]))):
            entry[f"highlights[{number}]"] = lines
        return entry

    def _school(self, school: School) -> Entry:
        entry: Entry = {}
        self._put(entry, "institution", school.institution)
        self._put(entry, "studyType", school.degree)
        self._put(entry, "area", school.area)
        self._dates(entry, school.start, school.end)
        self._keep_together(entry)
        entry.pop("current", None)
        return entry

    def _keep_together(self, entry: Entry) -> None:
        """Drop what the model has fetched from far away: the parts of an entry stand near each other on the page."""
        lines = sorted(found.line for found in entry.values())
        for leaf, found in list(entry.items()):
            if abs(found.line - lines[(len(lines) - 1) // 2]) > _FARTHEST:
                del entry[leaf]
                if leaf != "endDate" or "current" not in entry:  # the two are one value of the answer
                    self.found.kept -= 1
                    self.found.dropped += 1

    # -- kinds of values ----------------------------------------------------------------------------------------

    def _short(self, words: Words, kind: str = "") -> Grounded | None:
        parts = self._locate(words)
        text = joined(parts)
        if not any(char.isalpha() for char in text) or len(text) > _LONGEST.get(kind, _LONGEST_OTHER):
            return None
        return _grounded(text, parts)

    def _name(self, words: Words) -> Grounded | None:
        """A name stands by itself or behind its label; one in the middle of a sentence is somebody's or nobody's."""
        parts = self._locate(words)
        text = joined(parts)
        if sum(char.isalpha() for char in text) < 2 or any(char.isdigit() or char in "@/:" for char in text):
            return None
        return _grounded(text, parts) if len(text) <= _LONGEST["name"] and not self._in_prose(parts) else None

    def _headline(self, words: Words) -> Grounded | None:
        """So does a headline: what a sentence says of the person is no position they name themselves by."""
        found = self._short(words)
        return found if found and not self._in_prose(self._locate(words)) else None

    def _in_prose(self, parts: tuple[Row, ...]) -> bool:
        """Whether the pieces stand in much other text, or in the middle of a run of Chinese."""
        for part in parts:
            around = [segment.text for segment in segments(self.document.rows[part.index]) if part.text in segment.text]
            if around and min(map(_length, around)) - _length(part.text) > _PROSE:
                return True
            if around and all(_HAN_RUN.search(text.replace(part.text, f"\n{part.text}\n", 1)) for text in around):
                return True
        return False

    def _email(self, words: Words) -> Grounded | None:
        for address in find_addresses(self.document):
            if fold(address.text) == fold(words.text) and _among(address.parts, words):
                return _grounded(address.text, address.parts)
        return None

    def _phone(self, words: Words) -> Grounded | None:
        wanted = _digits(words.text)
        for phone in find_phones(self.document, ()):
            if len(wanted) >= 7 and _digits(phone.text).endswith(wanted) and _among(phone.parts, words):
                return _grounded(phone.text, phone.parts, phone.e164 or "")
        return None

    def _dates(self, entry: Entry, start: Words | None, end: Words | None) -> None:
        """The dates of an entry, read from the words themselves; `current` where the end is a word for now."""
        asked = [words is not None and bool(words.text.strip()) for words in (start, end)]
        begun, ended = (self._locate(words) if words is not None else () for words in (start, end))
        dates = self._range(joined(begun), joined(ended))
        found = [False, False]
        if dates is not None:
            if dates.start and begun:
                entry["startDate"] = _grounded(dates.start, begun)
                found[0] = True
            if dates.end:
                entry["endDate"] = _grounded(dates.end, ended or begun)
            if dates.current is not None:
                entry["current"] = _grounded(dates.current, ended or begun)
                found[1] = bool(ended)
        self.found.kept += sum(found)
        self.found.dropped += sum(asked) - sum(found)

    def _range(self, start: str, end: str) -> DateRange | None:
        if start and end:
            both = find_ranges(f"{start} – {end}", day_first=self.day_first)
            if len(both) == 1 and not both[0].single and not _is_reversed(both[0]):
                return both[0]
            if find_ranges(end, day_first=self.day_first):
                return None  # two dates that make no range: one of them is another's
            end = ""
        found = find_ranges(start or end, day_first=self.day_first)
        if len(found) != 1:
            return None
        if start:
            return found[0]
        return DateRange(None, found[0].end or found[0].start, current=False, span=found[0].span)

    def _description(self, lines: Lines) -> Grounded | None:
        """Lines of the document as they are: nothing of this text was written by the model."""
        rows = self.document.rows[max(lines.first - 1, 0) : lines.last]
        if not 1 <= lines.first <= lines.last or len(rows) > _MOST_DESCRIPTION_LINES or self._is_protected(rows):
            return None
        text = _BULLET.sub("", joined(rows))
        return _grounded(text, rows) if text else None

    # -- where a value stands -----------------------------------------------------------------------------------

    def _locate(self, words: Words) -> tuple[Row, ...]:
        """The pieces of lines that say these words, none where they are not in the lines they should be in."""
        rows = self.document.rows[max(words.first - 1, 0) : words.last]
        needle = fold(words.text)
        if not 1 <= words.first <= words.last or len(rows) > _MOST_LINES or not needle:
            return ()
        letters = [(row, at, char) for row in rows for at, raw in enumerate(row.text) for char in fold(raw)]
        text = "".join(char for _, _, char in letters)
        start = text.find(needle)
        while start >= 0:
            stretch = letters[start : start + len(needle)]
            first, last = stretch[0], stretch[-1]
            if not _torn(first[0].text, first[1]) and not _torn(last[0].text, last[1] + 1):
                parts = tuple(_pieces([(row, at) for row, at, _ in stretch]))
                apart = len(parts) > 1 and not (_edge(first[0], first[1], opens=True) and _edge(last[0], last[1] + 1))
                return () if apart or self._is_protected(parts) else parts
            start = text.find(needle, start + 1)
        return ()

    def _is_protected(self, parts: tuple[Row, ...]) -> bool:
        return any(value in part.text or part.text in value for part in parts for value in self.protected.get(part.index, ()))


def fold(text: str) -> str:
    """The form in which values are compared: no case, no spaces, one kind of dash and apostrophe, nothing at the edges."""
    folded = normalise(text).casefold().translate(_DASHES)
    return "".join(folded.strip(_EDGES).split()) if len(text) > 1 else "".join(folded.split())


def joined(parts: tuple[Row, ...]) -> str:
    """Pieces of lines as one text; Chinese runs on over the end of a line without a space."""
    text = ""
    for part in parts:
        tight = text and part.text and _HAN.match(text[-1]) and _HAN.match(part.text)
        text += ("" if not text or tight else " ") + part.text
    return text


def _pieces(letters: list[tuple[Row, int]]) -> Iterator[Row]:
    rows = {row.index: row for row, _ in letters}
    for index, row in rows.items():
        places = [at for other, at in letters if other.index == index]
        yield clip(row, places[0], places[-1] + 1)


def _torn(text: str, at: int) -> bool:
    """Whether a cut at this place goes through a word or a number. Chinese has no marks between words."""
    if not 0 < at < len(text):
        return False
    left, right = text[at - 1], text[at]
    if _HAN.match(left) or _HAN.match(right):
        return False
    if right in "+#":
        return left.isalnum()
    return (left.isalpha() and right.isalpha()) or (left.isdigit() and right.isdigit())


def _edge(row: Row, at: int, *, opens: bool = False) -> bool:
    """Whether something may begin (`opens`) or end at a place of a line.

    What runs over into the next line is one thing, not the end of one and the start of another. Chinese has no marks.
    """
    left, right = row.text[:at].rstrip()[-1:], row.text[at:].lstrip()[:1]
    beside = left if opens else right
    if not beside or beside in _BESIDE or (_HAN.match(left) and _HAN.match(right)):
        return True
    end = 0
    for segment in segments(row):
        start = row.text.find(segment.text, end)
        end = start + len(segment.text)
        if at == (start if opens else end):
            return True
    return False


def _grounded(value: str | bool, parts: tuple[Row, ...], extra: str = "") -> Grounded:  # noqa: FBT001 - `current` is one
    evidence = value_of(str(value), CERTAINTY, *parts).evidence()
    return Grounded(value, evidence.model_copy(update={"source": "model"}), extra, parts[0].index)


def _length(text: str) -> float:
    """In characters of an alphabet; a Chinese one says as much as two to three."""
    return len(text) + (_HAN_WEIGHT - 1) * len(_HAN.findall(text))


def _is_reversed(dates: DateRange) -> bool:
    """Whether a range ends before it begins, as far as both are told."""
    start, end = dates.start or "", dates.end or ""
    told = min(len(start), len(end))
    return end[:told] < start[:told]


def _among(parts: tuple[Row, ...], lines: Lines) -> bool:
    return any(lines.first <= part.index + 1 <= lines.last for part in parts)


def _digits(text: str) -> str:
    return "".join(char for char in normalise(text) if char.isdigit())


def _new(entries: list[Entry]) -> Entry:
    entries.append({})
    return entries[-1]
