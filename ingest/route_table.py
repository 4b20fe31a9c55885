"""The routing table as data: which ways a failure may take, in which order. Operators edit it while the system runs.

Pure. The rows in force come from `ingest.policy`; how an action becomes a step is `ingest.routing`. A table is only ever
used after `problems()` has found nothing: every stage and failure code then reaches an end, and nothing leads back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django.utils.translation import gettext as _

from ingest.dossier import Dossier
from ingest.retry import STANDARD, RetryPolicy
from resumes.taxonomy import CODES, FailureClass

STAGES = ("extract", "ocr", "rules", "structure", "finish", "summarise", "match", "narrate")
"""Names of the stages in order; a way may only lead forward. `ingest.pipeline` is checked against this by a test."""
AFTER = frozenset({"summarise", "match", "narrate"})
"""What follows a settled resume: its failures never touch the resume."""

RETRY, QUARANTINE, PARK, OTHER_CHANNEL = "retry", "quarantine", "park", "other_channel"
"""`quarantine`: once more, alone. `park`: wait in the database until the dependency answers again."""
REVIEW, REJECT, DEAD_LETTER, REST = "review", "reject", "dead_letter", "rest"
FINAL = frozenset({REVIEW, REJECT, DEAD_LETTER, REST})
"""Ends. `rest` is one only for what follows a settled resume, which has its end already."""
ACTIONS = FINAL | {RETRY, QUARANTINE, PARK, OTHER_CHANNEL} | {f"go:{stage}" for stage in ("ocr", "rules", "structure", "finish")}
ANY = "*"
_ALWAYS_POSSIBLE = frozenset({"go:rules", "go:finish"})

Condition = Callable[[Dossier], bool]
CONDITIONS: Mapping[str, Condition] = MappingProxyType(
    {
        "has_text": lambda dossier: dossier.has_text,
        "no_text": lambda dossier: not dossier.has_text,
        "half_complete": lambda dossier: dossier.quality is not None and dossier.quality.completeness >= 0.5,
    }
)


@dataclass(frozen=True, slots=True)
class Row:
    """For this failure of this stage, under this condition, try these actions in order."""

    stage: str
    """A stage or `*`."""
    failure: str
    """A code, a class or `*`."""
    actions: tuple[str, ...]
    when: str = ""
    """Name of a condition, or nothing for always."""

    def matches(self, stage: str, code: str) -> bool:
        names = (ANY, code, CODES[code].failure_class.value)
        return self.stage in (ANY, stage) and self.failure in names

    def __str__(self) -> str:
        return " | ".join((self.stage, self.failure, self.when, ", ".join(self.actions)))


@dataclass(frozen=True, slots=True)
class Table:
    """Rows, first match wins, with the retries they may grant."""

    rows: tuple[Row, ...]
    version: int = 0
    """0 is the table the program brings."""
    retry: RetryPolicy = STANDARD

    def actions_for(self, stage: str, code: str, dossier: Dossier) -> tuple[str, ...]:
        """What to try for a failure, in order."""
        for row in self.rows:
            if row.matches(stage, code) and (not row.when or CONDITIONS[row.when](dossier)):
                return row.actions
        raise LookupError(f"No row for {stage} and {code}: the table was not checked.")


DEFAULT = Table(
    (
        Row("summarise", ANY, (RETRY, REST)),
        Row("match", ANY, (RETRY, REST)),
        Row("narrate", ANY, (RETRY, OTHER_CHANNEL, REST)),
        Row("extract", "preprocess", (REJECT,)),
        Row("ocr", "worker_lost", (RETRY, QUARANTINE, OTHER_CHANNEL, DEAD_LETTER)),
        Row(ANY, "worker_lost", (RETRY, QUARANTINE, DEAD_LETTER)),
        Row(ANY, "storage_denied", (PARK, DEAD_LETTER)),
        # A page that took too long or too much may cost a whole deadline again: what can read it elsewhere does so at once.
        Row("ocr", "timeout", (OTHER_CHANNEL, RETRY, PARK, "go:rules")),
        Row("ocr", "out_of_memory", (OTHER_CHANNEL, RETRY, PARK, "go:rules")),
        Row("ocr", ANY, (RETRY, PARK, OTHER_CHANNEL, "go:rules")),
        Row("structure", ANY, (RETRY, OTHER_CHANNEL, "go:finish")),
        Row("extract", ANY, (RETRY, PARK, "go:ocr", REVIEW)),
        Row("rules", ANY, (RETRY, "go:structure", REVIEW)),
        Row(ANY, ANY, (RETRY, REVIEW)),
    )
)
"""CONTRACT section 4 as rows."""


def parse(text: str) -> tuple[Row, ...]:
    """Rows from text, one a line: `stage | class, code or * | condition | action, action`. Raises ValueError with the line."""
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) != 4:
            raise ValueError(
                _("Line %(line)d: four cells are needed, parted by |, not %(found)d.") % {"line": number, "found": len(cells)}
            )
        stage, failure, when, actions = cells
        rows.append(Row(stage, failure, tuple(part.strip() for part in actions.split(",") if part.strip()), when))
    return tuple(rows)


def show(rows: tuple[Row, ...]) -> str:
    """The text `parse` reads."""
    return "\n".join(map(str, rows))


def problems(rows: tuple[Row, ...]) -> Iterator[str]:
    """What is wrong with a table, a sentence each in the reader's language; nothing where it can be used."""
    known_failures = {ANY, *CODES, *(cls.value for cls in FailureClass)}
    for row in rows:
        if row.stage not in (ANY, *STAGES):
            yield _("%(row)s: there is no stage “%(name)s”.") % {"row": row, "name": row.stage}
        if row.failure not in known_failures:
            yield _("%(row)s: “%(name)s” is neither a failure class nor a code.") % {"row": row, "name": row.failure}
        if row.when and row.when not in CONDITIONS:
            known = {"row": row, "name": row.when, "known": ", ".join(CONDITIONS)}
            yield _("%(row)s: there is no condition “%(name)s”. There are: %(known)s.") % known
        yield from _action_problems(row)
    seen: set[str] = set()
    for stage in STAGES:
        for code in CODES:
            for problem in _destination_problems(rows, stage, code):
                if problem not in seen:
                    seen.add(problem)
                    yield problem


def _action_problems(row: Row) -> Iterator[str]:
    unknown = [action for action in row.actions if action not in ACTIONS]
    if unknown:
        yield _("%(row)s: unknown action %(name)s.") % {"row": row, "name": ", ".join(unknown)}
    if len(set(row.actions)) < len(row.actions):
        yield _("%(row)s: an action stands twice.") % {"row": row}
    if any(action in FINAL for action in row.actions[:-1]):
        yield _("%(row)s: nothing after a final action can ever happen.") % {"row": row}
    if not row.actions or not (row.actions[-1] in FINAL or row.actions[-1] in _ALWAYS_POSSIBLE):
        known = {"row": row, "known": ", ".join(sorted(FINAL | _ALWAYS_POSSIBLE))}
        yield _("%(row)s: the last action must always be possible: %(known)s.") % known


def _destination_problems(rows: tuple[Row, ...], stage: str, code: str) -> Iterator[str]:
    """Whether this failure of this stage reaches an end by every row that may be the first to match."""
    for row in rows:
        if not row.matches(stage, code):
            continue
        named = {"row": row, "stage": stage}
        if stage in AFTER and not set(row.actions) <= {RETRY, OTHER_CHANNEL, REST}:
            yield _("%(row)s: what follows a settled resume can only be tried again or rest (%(stage)s).") % named
        if stage not in AFTER and REST in row.actions:
            yield _("%(row)s: a resume in %(stage)s may not be left lying.") % named
        for action in row.actions:
            target = action.removeprefix("go:")
            if action != target and target in STAGES and STAGES.index(target) <= STAGES.index(stage):
                yield _("%(row)s: %(action)s would lead back from %(stage)s.") % {**named, "action": action}
        if not row.when:
            return
    yield _("%(code)s in %(stage)s has no destination.") % {"code": code, "stage": stage}
