"""E-mails (.eml): their attachments are the resumes; one without any is read by its body."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import replace
from email.header import decode_header, make_header
from email.message import Message
from pathlib import Path
from typing import Any, TypeAlias

from ingest.page import CUT_OFF, Reading
from ingest.readers import Member, ReadLimits
from ingest.readers.attachments import Attachment, documents
from ingest.readers.flow import Flow
from ingest.readers.html import html_into
from ingest.readers.mail_text import forms_into
from ingest.readers.mime import PARSER_GIVES_UP, is_cut_off, message_of, payload_of
from ingest.readers.text import text_into, text_of
from resumes.charset import decode
from resumes.taxonomy import ResumeError

_Message: TypeAlias = "Message[Any, Any]"
_RAW_NAME = re.compile(r'name\s*=\s*(?:"([^"]*)"|([^;\s]+))', re.IGNORECASE)
_BODIES = ("text/plain", "text/html")


def members(path: Path, limits: ReadLimits) -> Iterator[Member]:
    """The documents attached, to forwarded mails as well. Raises ResumeError(encrypted, archive_unsafe)."""
    message = _parse(path)
    cut_off = (CUT_OFF,) if is_cut_off(message) else ()
    found = [*documents(_attachments(message), limits)]
    # Of what is attached, the last is torn; one that tells by itself, as a PDF does, says so again.
    yield from found[:-1]
    yield from (replace(member, warnings=cut_off) for member in found[-1:])


def read(path: Path, limits: ReadLimits) -> Reading:  # noqa: ARG001 - the readers' shape
    """Read the body of a mail: all parts of its text, of each the form that says it. Raises ResumeError(encrypted)."""
    message = _parse(path)
    flow = Flow()
    if is_cut_off(message):
        flow.warn(CUT_OFF)
    _body_into(flow, message)
    return flow.reading(_decoded(_raw(message, "subject")))


def _body_into(flow: Flow, message: _Message) -> None:
    for part in _bodies(message):
        if isinstance(part, tuple):
            plain, page = part
            charset = page.get_content_charset() if page else None
            forms_into(flow, _text_of(plain) if plain else "", payload_of(page) if page else None, charset)
        elif part.get_content_type() == "text/plain":
            text_into(flow, _text_of(part))
        else:
            html_into(flow, payload_of(part), part.get_content_charset())
        flow.space(1.0)


def _bodies(message: _Message) -> Iterator[_Message | tuple[_Message | None, _Message | None]]:
    """The parts of the text one after the other; of the same text in two forms both."""
    if not message.is_multipart():
        if message.get_content_type() in _BODIES and not _is_attached(message):
            yield message
        return
    parts = [part for part in message.get_payload() if isinstance(part, Message)]
    if message.get_content_type() != "multipart/alternative":
        for part in parts:
            yield from _bodies(part)
        return
    found = [inner for part in parts for inner in _bodies(part)]
    texts = [form for inner in found for form in (inner if isinstance(inner, tuple) else (inner,)) if form is not None]
    forms = (
        next((part for part in texts if part.get_content_type() == "text/plain"), None),
        next((part for part in texts if part.get_content_type() == "text/html"), None),
    )
    if any(forms):
        yield forms


def _text_of(part: _Message) -> str:
    return text_of(payload_of(part), part.get_content_charset())


def _parse(path: Path) -> _Message:
    message = message_of(path.read_bytes())
    kind = message.get_content_type()
    if kind == "multipart/encrypted" or (
        kind in ("application/pkcs7-mime", "application/x-pkcs7-mime") and message.get_param("smime-type") != "signed-data"
    ):
        raise ResumeError("encrypted", "the mail is encrypted")
    return message


def _leaves(message: _Message) -> Iterator[_Message]:
    """Parts that hold content, in order, those of forwarded mails included."""
    return (part for part in message.walk() if not part.is_multipart())


def _attachments(message: _Message) -> Iterator[Attachment]:
    shown = {part.get("content-id", "").strip("<> ") for part in _leaves(message)} & set(_references(message))
    for part in _leaves(message):
        if not _is_attached(part):
            continue
        content_id = part.get("content-id", "").strip("<> ")
        inline = content_id in shown if content_id else part.get_content_disposition() == "inline" and not _name(part)
        yield Attachment(_name(part), payload_of(part), part.get_content_type(), inline)


def _references(message: _Message) -> Iterator[str]:
    """Content ids that HTML bodies refer to."""
    for part in _leaves(message):
        if part.get_content_type() == "text/html" and not _is_attached(part):
            for piece in payload_of(part).decode("latin-1").split("cid:")[1:]:
                yield piece.split('"')[0].split("'")[0].split(")")[0].split(">")[0].strip()


def _is_attached(part: _Message) -> bool:
    if part.get_content_disposition() == "attachment" or _name(part):
        return True
    return part.get_content_maintype() not in ("text", "message", "multipart")


def _name(part: _Message) -> str:
    """The name of an attachment: RFC 2231, encoded words, or raw bytes in some code page."""
    try:
        name = part.get_filename() or ""
    except PARSER_GIVES_UP:  # the parser gives up on some malformed parameters
        name = "\ufffd"
    if "\ufffd" in name:
        # The parser replaces raw bytes; they are still in the header.
        raw = _RAW_NAME.search(f"{_raw(part, 'content-disposition')} {_raw(part, 'content-type')}")
        name = raw[1] or raw[2] if raw else ""
    return _decoded(name)


def _raw(message: _Message, name: str) -> str:
    """A header as it stands in the file, raw bytes as surrogates."""
    return next((str(value) for key, value in message.raw_items() if key.lower() == name), "")


def _decoded(text: str) -> str:
    if "=?" in text:
        with contextlib.suppress(*PARSER_GIVES_UP):  # a word that is not what it says
            text = str(make_header(decode_header(text)))
    if any("\udc80" <= char <= "\udcff" for char in text):
        text = decode(text.encode("utf-8", "surrogateescape"))
    return " ".join(text.replace("\0", "").split())
