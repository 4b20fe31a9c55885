"""Classification: from any exception to a failure with a stable code. Total: nothing escapes it.

The codes and their messages are `resumes.taxonomy`; where a failure leads is `ingest.routing`. Libraries' own
exceptions are translated at the edge that calls them; what arrives here unknown is a bug of ours.
"""

from __future__ import annotations

from dataclasses import dataclass

from billiard.exceptions import SoftTimeLimitExceeded
from django.db import DatabaseError, InterfaceError, OperationalError

from ingest.sandbox import SandboxCrash
from resumes.taxonomy import CODES, FailureClass, ResumeError


@dataclass(frozen=True, slots=True)
class Failure:
    """One failure, classified once."""

    code: str
    retryable: bool
    detail: str = ""
    """For operators; no personal data."""
    channel: str = ""
    retry_after_s: float | None = None
    outage: bool = False
    """The whole dependency is away, not this resume's share of it: waiting is all there is to do."""
    is_bug: bool = False
    """Not a known fault: logged with its trace, never blamed on the file."""

    @property
    def failure_class(self) -> FailureClass:
        return CODES[self.code].failure_class

    @property
    def message(self) -> str:
        """One English sentence for people; translated where it is shown."""
        return CODES[self.code].message

    @classmethod
    def of(cls, code: str, detail: str = "") -> Failure:
        return cls(code, CODES[code].retryable, detail)

    def to_json(self) -> dict[str, object]:
        """The contract's shape."""
        return {
            "class": self.failure_class.value,
            "code": self.code,
            "message": self.message,
            "retryable": CODES[self.code].retryable,
        }


class OutageError(ResumeError):
    """A dependency that no other way leads around is away as a whole; `channel` names it."""


def classify(error: BaseException) -> Failure:
    """The failure an exception stands for."""
    match error:
        case ResumeError():
            return Failure(
                error.code,
                error.entry.retryable,
                detail=error.detail,
                channel=error.channel,
                retry_after_s=error.retry_after_s,
                outage=isinstance(error, OutageError),
            )
        case FileNotFoundError() | IsADirectoryError() | NotADirectoryError() | PermissionError():
            return Failure("storage_denied", retryable=False, detail=type(error).__name__)
        case SoftTimeLimitExceeded():
            return Failure.of("timeout", "the worker's own time limit")
        case MemoryError():
            return Failure.of("out_of_memory")
        case TimeoutError():
            return Failure.of("timeout", type(error).__name__)
        case ConnectionError() | OSError():
            return Failure.of("dependency_unavailable", type(error).__name__)
        case OperationalError() | InterfaceError():
            return Failure.of("dependency_unavailable", f"database: {type(error).__name__}")
        case DatabaseError():
            return Failure("internal_error", retryable=False, detail=f"database: {type(error).__name__}", is_bug=True)
        case _:
            # One more try is right for what depends on timing, and harmless for what does not.
            return Failure("internal_error", retryable=True, detail=_kind(error), is_bug=True)


def _kind(error: BaseException) -> str:
    """What a bug is called in the records: types only, its message may quote the document."""
    return f"{error.error_type} in {error.function}" if isinstance(error, SandboxCrash) else type(error).__name__
