"""Parsing MIME messages (mails, saved pages) whatever their headers look like."""

from __future__ import annotations

import email
import email.errors
from email.message import Message
from email.policy import EmailPolicy
from typing import Any

from resumes.taxonomy import ResumeError

PARSER_GIVES_UP = (
    *(ValueError, LookupError, TypeError, AttributeError, AssertionError, RecursionError),
    email.errors.MessageError,
)
"""What the standard library's parser of headers lets out for those that are malformed."""

_ENDS_EARLY = (email.errors.CloseBoundaryNotFoundDefect, email.errors.StartBoundaryNotFoundDefect)


class _AnyHeader(EmailPolicy):
    """Structured headers as the standard library reads them; one it stumbles over is its bare text."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        try:
            return super().header_fetch_parse(name, value)
        except PARSER_GIVES_UP:
            return "".join(value.splitlines())


_POLICY = _AnyHeader()


def message_of(data: bytes) -> Message[Any, Any]:
    """The message some bytes stand for. Anything can be one; raises ResumeError(corrupt) only for parts nested without end."""
    try:
        return email.message_from_bytes(data.removeprefix(b"\xef\xbb\xbf").lstrip(), policy=_POLICY)
    except RecursionError as exc:
        raise ResumeError("corrupt", "parts are nested too deeply") from exc


def is_cut_off(message: Message[Any, Any]) -> bool:
    """Whether a message ends before the last of its parts does."""
    return any(isinstance(defect, _ENDS_EARLY) for part in message.walk() for defect in part.defects) or _is_torn(_last(message))


def _last(message: Message[Any, Any]) -> Message[Any, Any]:
    """The part that the message ends with."""
    *_, last = message.walk()
    return last


def _is_torn(part: Message[Any, Any]) -> bool:
    """Whether Base64 stops in the middle of a group of four."""
    if str(part.get("content-transfer-encoding", "")).strip().lower() != "base64" or part.is_multipart():
        return False
    content = part.get_payload()
    return isinstance(content, str) and len("".join(content.split())) % 4 != 0


def payload_of(part: Message[Any, Any]) -> bytes:
    """The content of a part without its transfer encoding; empty where there is none."""
    try:
        payload = part.get_payload(decode=True)
    except PARSER_GIVES_UP:  # an unknown or impossible encoding of the transfer
        return b""
    return payload if isinstance(payload, bytes) else b""
