"""Every way a resume can fail: stable codes, their class, whether waiting helps, and what to tell people.

This is the one table. The API, the admin, the commands and the metrics read it; CONTRACT section 4 documents it.
Codes are stored and counted, so they are never renamed. Which exception means which code is `ingest.failures`;
where a failure leads is `ingest.routing`.

Free of Django on purpose: readers raise these inside the sandbox. Messages are English and are translated where
they are shown (`resumes.messages`).
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


def gettext_noop(text: str) -> str:
    """Mark a text for translation without importing Django."""
    return text


class FailureClass(enum.StrEnum):
    PREPROCESS = "preprocess"
    """The file itself cannot be used."""
    TEXT_EXTRACTION = "text_extraction"
    """The file opens, its text does not come out right."""
    STRUCTURING = "structuring"
    """There is text, but no resume comes out of it."""
    RESOURCE = "resource"
    """Something around the resume failed; trying again may help."""
    PERMISSION = "permission"
    """Gleaner was refused; people who run it must act."""


OURS = frozenset({FailureClass.RESOURCE, FailureClass.PERMISSION})
"""Faults of what Gleaner runs on: nothing is wrong with the file."""


@dataclass(frozen=True, slots=True)
class Code:
    """One failure code: its class, whether it may pass by itself, and what to tell each of its three readers."""

    code: str
    failure_class: FailureClass
    message: str
    """What happened, for everybody."""
    advice: str
    """What a recruiter can do."""
    hint: str
    """What an operator should know."""
    retryable: bool = False

    @property
    def client(self) -> str:
        """What a program that sent the file should do."""
        return _FOR_CLIENTS[self.failure_class]


_PREPROCESS = FailureClass.PREPROCESS
_TEXT = FailureClass.TEXT_EXTRACTION
_STRUCTURING = FailureClass.STRUCTURING
_RESOURCE = FailureClass.RESOURCE
_PERMISSION = FailureClass.PERMISSION

_ASK_AGAIN = gettext_noop("Ask the sender for the file again.")

_FOR_CLIENTS: Mapping[FailureClass, str] = MappingProxyType(
    {
        _PREPROCESS: gettext_noop("Do not send the same bytes again: the answer would be the same."),
        _TEXT: gettext_noop("Send nothing: a person takes over. Wait for the state to settle."),
        _STRUCTURING: gettext_noop("Send nothing: a person takes over. Wait for the state to settle."),
        _RESOURCE: gettext_noop(
            "Send nothing: it is tried again by itself. Look again at next_attempt_at, or after Retry-After."
        ),
        _PERMISSION: gettext_noop("Send nothing: operators have been told. Look again later."),
    }
)

_TABLE = (
    Code(
        "empty_file",
        _PREPROCESS,
        gettext_noop("The file is empty."),
        _ASK_AGAIN,
        gettext_noop("Nothing was received. Many at once point to a broken scanner folder or an upload cut off by a proxy."),
    ),
    Code(
        "unsupported_format",
        _PREPROCESS,
        gettext_noop("This type of file is not supported."),
        gettext_noop("Ask for a PDF, Word, text or picture file."),
        gettext_noop("Decided by content, not by name. If many people send this type, ask for a reader for it."),
    ),
    Code(
        "extension_mismatch",
        _PREPROCESS,
        gettext_noop("The file's content is not a document, whatever its name says."),
        gettext_noop("Ask for a PDF, Word, text or picture file."),
        gettext_noop(
            "The bytes are no document: often a web page of an error, or a file another program has mangled on the way."
        ),
    ),
    Code(
        "encrypted",
        _PREPROCESS,
        gettext_noop("The file is protected with a password."),
        gettext_noop("Ask the sender for a copy without a password."),
        gettext_noop("Opened with an empty password in vain. Gleaner never guesses passwords."),
    ),
    Code(
        "corrupt",
        _PREPROCESS,
        gettext_noop("The file is damaged, or only one part of several, and cannot be opened."),
        gettext_noop("Ask the sender for the file again, whole: an archive in several parts as one file."),
        gettext_noop("Every reader for the type failed. Many at once from one source point to a transfer that damages files."),
    ),
    Code(
        "too_large",
        _PREPROCESS,
        gettext_noop("The file or a picture in it is larger than the limit."),
        gettext_noop("Ask for a smaller file, or raise the limit in the settings."),
        gettext_noop("See GLEANER_MAX_FILE_MB and GLEANER_MAX_ARCHIVE_MB. Raise them only with the memory for it."),
    ),
    Code(
        "too_many_pages",
        _PREPROCESS,
        gettext_noop("The document has more pages than the limit."),
        gettext_noop("Ask for the resume alone, or raise the limit in the settings."),
        gettext_noop("See GLEANER_MAX_PAGES."),
    ),
    Code(
        "archive_unsafe",
        _PREPROCESS,
        gettext_noop(
            "The archive is unsafe to unpack: too many entries, too large, nested too deeply, or paths that lead outside."
        ),
        gettext_noop("Ask for the resumes themselves or an ordinary ZIP file."),
        gettext_noop("Stopped while unpacking, by a running count. Nothing of it was kept."),
    ),
    Code(
        "malware",
        _PREPROCESS,
        gettext_noop("The virus scanner reported the file."),
        gettext_noop("Do not open it. Tell your security team."),
        gettext_noop("Its bytes are not kept. See the scanner's own log."),
    ),
    Code(
        "no_text_layer",
        _TEXT,
        gettext_noop("The pages are pictures without text and could not be read."),
        gettext_noop("Fill in the fields from the picture, or ask for a text file."),
        gettext_noop("No OCR channel took it: look whether OCR is switched off, its breaker is open or an engine is missing."),
    ),
    Code(
        "garbled_text",
        _TEXT,
        gettext_noop("The text in the file is garbled and could not be read from the picture either."),
        gettext_noop("Fill in the fields from the picture, or ask for another file."),
        gettext_noop("Fonts without a usable character map. If OCR is off or failing, mend that first."),
    ),
    Code(
        "ocr_low_confidence",
        _TEXT,
        gettext_noop("The picture was read, but too uncertainly to rely on."),
        gettext_noop("Check the fields against the picture, or ask for a better scan."),
        gettext_noop("Rising numbers after a change of engine or scanner are a sign; single ones are ordinary."),
    ),
    Code(
        "blank_document",
        _TEXT,
        gettext_noop("The document shows nothing: its pages are blank."),
        _ASK_AGAIN,
        gettext_noop("Many at once from one scanner: it scans the wrong side."),
    ),
    Code(
        "low_completeness",
        _STRUCTURING,
        gettext_noop("Too few of the core fields were found."),
        gettext_noop("Fill in the missing fields."),
        gettext_noop("Ordinary. Rising numbers for one language or source are worth a look at the monthly report."),
    ),
    Code(
        "not_a_resume",
        _STRUCTURING,
        gettext_noop("The document does not look like a resume."),
        gettext_noop("Discard it, or fill in the fields if it is one after all."),
        gettext_noop("Ordinary. Many from one source: it sends something else."),
    ),
    Code(
        "ambiguous",
        _STRUCTURING,
        gettext_noop("Two readings of the resume are equally likely."),
        gettext_noop("Choose the right one."),
        gettext_noop("Ordinary."),
    ),
    Code(
        "model_refused",
        _STRUCTURING,
        gettext_noop("The language model gave no usable answer for this resume."),
        gettext_noop("Check the fields the rules found."),
        gettext_noop("The server answered, but not in the form asked for. Many at once: check LLM_MODEL."),
    ),
    Code(
        "timeout",
        _RESOURCE,
        gettext_noop("Reading the file took longer than allowed."),
        gettext_noop("Run it again, or ask for a simpler file."),
        gettext_noop("The sandbox was stopped at its deadline. Many at once: the machine is overloaded or a service is slow."),
        retryable=True,
    ),
    Code(
        "out_of_memory",
        _RESOURCE,
        gettext_noop("Reading the file needed more memory than allowed."),
        gettext_noop("Run it again, or ask for a simpler file."),
        gettext_noop("The sandbox was stopped at its memory limit; the worker was not harmed."),
        retryable=True,
    ),
    Code(
        "dependency_unavailable",
        _RESOURCE,
        gettext_noop("A service Gleaner depends on did not answer."),
        gettext_noop("It is tried again by itself; operators see which service."),
        gettext_noop(
            "The attempt's detail names the service. Many at once: look whether it runs and can be reached from the workers."
        ),
        retryable=True,
    ),
    Code(
        "rate_limited",
        _RESOURCE,
        gettext_noop("A service asked to be called less often."),
        gettext_noop("It is tried again by itself."),
        gettext_noop("Its own waiting time is kept. If it lasts, lower the number of workers on that queue."),
        retryable=True,
    ),
    Code(
        "breaker_open",
        _RESOURCE,
        gettext_noop("A service is failing and is given a rest."),
        gettext_noop("The next way of reading is used."),
        gettext_noop("No call was made. See the breaker's flips; it tries again by itself."),
        retryable=True,
    ),
    Code(
        "worker_lost",
        _RESOURCE,
        gettext_noop("The process that read the file died."),
        gettext_noop("It is tried again by itself."),
        gettext_noop(
            "The sandbox died, or the worker stopped renewing its claim. After two deaths it ran alone, in a fresh sandbox."
        ),
        retryable=True,
    ),
    Code(
        "internal_error",
        _RESOURCE,
        gettext_noop("Something went wrong inside Gleaner itself; the file is not to blame."),
        gettext_noop("It is tried once more by itself; if that does not help, a person takes over."),
        gettext_noop("A bug of Gleaner: the log has its trace as stage_bug, without a word of the document. Please report it."),
        retryable=True,
    ),
    Code(
        "storage_denied",
        _PERMISSION,
        gettext_noop("The file store refused access."),
        gettext_noop("Operators must mend the file store's permissions."),
        gettext_noop("A file is missing or forbidden. Mend it, then run the dead letters again."),
    ),
    Code(
        "credentials_rejected",
        _PERMISSION,
        gettext_noop("A service refused Gleaner's credentials."),
        gettext_noop("Operators must mend the key or password."),
        gettext_noop("The channel is forced open for a while. Mend the key, then set its switch back to automatic."),
    ),
)

CODES: Mapping[str, Code] = MappingProxyType({code.code: code for code in _TABLE})
"""All failure codes, in the order of the contract."""

CODES_BY_CLASS: Mapping[FailureClass, tuple[str, ...]] = MappingProxyType(
    {cls: tuple(code.code for code in _TABLE if code.failure_class is cls) for cls in FailureClass}
)


class ResumeError(Exception):
    """A failure that knows its code. Raised at the edge that met it, with `from` the library's own exception.

    `detail` is for operators and must carry no personal data and no file name. `retry_after_s` is what a service asked
    for. `channel` names the engine or service that failed, where one did.
    """

    def __init__(self, code: str, detail: str = "", *, retry_after_s: float | None = None, channel: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = CODES[code].code
        self.detail = detail
        self.retry_after_s = retry_after_s
        self.channel = channel

    @property
    def entry(self) -> Code:
        return CODES[self.code]
