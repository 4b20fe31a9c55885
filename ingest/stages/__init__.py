"""Stages: what each does to a dossier. One file a stage; `ingest.pipeline` puts them in order.

`run` is pure but for the sandbox and the services it is handed: no Django, no Celery, no database.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from ingest.dossier import Dossier, MemberFile, Options
from resumes.states import WORKING, State


class Part(enum.StrEnum):
    """What a stage needs to be loaded, or gives to be saved. `ingest.records` knows how, one function each."""

    FILE = "file"
    READING = "reading"
    DRAFT = "draft"
    SUMMARY = "summary"
    MATCHES = "matches"


@dataclass(frozen=True, slots=True)
class Tokens:
    """What calls to a language model cost, as far as its server counts."""

    prompt: int = 0
    completion: int = 0

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(self.prompt + other.prompt, self.completion + other.completion)


class Tools(Protocol):
    """What a stage may use besides the dossier."""

    options: Options
    channel: str
    """The channel this entry of the stage goes by, empty where it has none."""
    deadline_s: float
    """What is left of the stage's deadline and of the resume's whole budget, whichever is less."""

    def call(self, kind: str, function: str, payload: dict[str, Any], *, deadline_s: float) -> Any:
        """Run a function in the sandbox of a kind (`reader`, `ocr`). Raises ResumeError."""
        ...

    def through(self, channel: str, usual_s: float | None = None) -> AbstractContextManager[None]:
        """Make the calls of a block through the channel's breaker. Raises ResumeError(breaker_open) without making them."""
        ...

    def spend(self, tokens: Tokens) -> None:
        """Note tokens as soon as they are spent: they stand on the attempt's record even where the stage then fails."""
        ...

    def keep(self, reading: Mapping[str, Any], done: int, of: int) -> None:
        """Keep what has been read so far, `done` of `of` pages: a later try goes on from there. Raises ResumeError."""
        ...

    def members(self, dossier: Dossier) -> tuple[MemberFile, ...]:
        """Unpack a container, its members kept as long as the stage's result is needed. Raises ResumeError."""
        ...


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage as data. How often it is tried again, and what follows when that is spent, says the routing table."""

    name: str
    queue: str
    run: Callable[[Dossier, Tools], Dossier]
    state: State | None
    """State of a resume while it runs; None for what follows a settled resume."""
    needs: frozenset[Part]
    gives: frozenset[Part]
    deadline_s: float
    reads: bool = True
    """Whether it is named in the route: a way of reading, not the bookkeeping after it."""

    def state_from(self, origin: State) -> State | None:
        """The state to move to when taking a resume that is in `origin`; None to leave it as it is."""
        if self.state is State.PARSING and origin is State.RULE_FALLBACK:
            return None
        if not self.reads and origin in WORKING:
            return None
        return self.state
