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


def payload_of(part: Message[Any, Any]) -> bytes:
    """The content of a part without its transfer encoding; empty where there is none."""
    try:
        payload = part.get_payload(decode=True)
    except PARSER_GIVES_UP:  # an unknown or impossible encoding of the transfer
        return b""
    return payload if isinstance(payload, bytes) else b""
