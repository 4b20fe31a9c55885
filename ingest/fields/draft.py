"""What the rules produce: a profile, the evidence of its values, the runners-up."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field

from ingest.page import Word, join_words, union_box
from resumes.profile import Evidence, Language, Profile


@dataclass(frozen=True, slots=True)
class Hints:
    """What is known besides the pages."""

    as_of: dt.date
    """The day that "present" means."""
    filename: str = ""
    """May hint at the name; never enough for one."""
    language: Language | None = None
    """Where the sender or the batch says so; else it is found from the text."""
    protected: bool = False
    """Whether protected attributes (gender, age, …) are to be extracted; a setting of the installation."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value for one field: as output, with the words it was read from and how sure (0 to 1)."""

    value: str
    confidence: float
    page: int
    words: tuple[Word, ...] = ()
    quote: str = ""
    """The words of the document; joined from `words` where left empty."""

    def evidence(self) -> Evidence:
        box = union_box(word.box for word in self.words)
        return Evidence(
            source="rules",
            confidence=round(self.confidence, 3),
            page=self.page,
            bbox=box.rounded() if box else None,
            quote=self.quote or join_words(self.words),
        )


@dataclass(slots=True)
class Draft:
    """What has been found so far. `evidence` has one entry for every leaf of the profile that is output."""

    profile: Profile = field(default_factory=Profile)
    evidence: dict[str, Evidence] = field(default_factory=dict)
    alternatives: dict[str, list[Value]] = field(default_factory=dict)
    """Runner-up values per field path, best first, for the reviewer."""
    language: Language = "en"
    warnings: list[str] = field(default_factory=list)
    """Codes, no personal data."""

    def note(self, path: str, value: Value) -> None:
        """Record where the value at `path` stands; the caller has put it into the profile."""
        self.evidence[path] = value.evidence()

    def derive(self, path: str, sources: Sequence[str], confidence: float) -> None:
        """Record that the value at `path` was computed from the values at `sources`."""
        self.evidence[path] = Evidence(source="derived", confidence=round(confidence, 3), from_=list(sources))
