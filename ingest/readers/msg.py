"""Outlook messages (.msg): like e-mails, in a compound file. Follows [MS-OXMSG]."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import olefile

from ingest.page import Reading
from ingest.readers import Member, ReadLimits
from ingest.readers.attachments import Attachment, documents
from ingest.readers.flow import Flow
from ingest.readers.mail_text import forms_into
from ingest.readers.rtf import rtf_into
from ingest.readers.rtf_packed import unpack
from resumes.charset import decode
from resumes.taxonomy import ResumeError

_MESSAGE_CLASS, _SUBJECT, _BODY, _HTML, _RTF = 0x001A, 0x0037, 0x1000, 0x1013, 0x1009
_DATA, _LONG_NAME, _SHORT_NAME, _MIME, _CONTENT_ID, _DISPLAY_NAME = 0x3701, 0x3707, 0x3704, 0x370E, 0x3712, 0x3001
_HIDDEN, _CODE_PAGE, _INTERNET_CODE_PAGE = 0x7FFE, 0x3FFD, 0x3FDE
_UNICODE, _BYTES, _BINARY, _OBJECT = "001F", "001E", "0102", "000D"
_MAX_DEPTH = 3
_DAMAGE = (OSError, ValueError, TypeError, IndexError, AttributeError, KeyError, struct.error, RecursionError)


def members(path: Path, limits: ReadLimits) -> Iterator[Member]:
    """The documents attached, to attached messages as well. Raises ResumeError(corrupt, encrypted, archive_unsafe)."""
    with _opened(path) as message:
        attachments = list(message.attachments(1))
    return documents(attachments, limits)


def read(path: Path, limits: ReadLimits) -> Reading:  # noqa: ARG001 - the readers' shape
    """Read the body of a message: plain, HTML or rich text. Raises ResumeError(corrupt, encrypted)."""
    flow = Flow()
    with _opened(path) as message:
        text, page, rich = message.text(_BODY), message.html(), message.binary(_RTF)
        title = message.text(_SUBJECT)
        code_page = message.code_page
    if rich and not page and not text.strip():
        rtf_into(flow, unpack(rich))
    else:
        forms_into(flow, text, page, code_page)
    return flow.reading(title)


@contextmanager
def _opened(path: Path) -> Iterator[_Message]:
    try:
        with olefile.OleFileIO(path) as ole:
            message = _Message(ole, ())
            kind = message.text(_MESSAGE_CLASS).upper()
            if "SMIME" in kind and "MULTIPARTSIGNED" not in kind:
                raise ResumeError("encrypted", "the message is encrypted")
            yield message
    except _DAMAGE as exc:
        raise ResumeError("corrupt", "the compound file is damaged") from exc


class _Message:
    """A message, or one attached to another: properties by number in the storage `place`."""

    def __init__(self, ole: olefile.OleFileIO, place: tuple[str, ...]) -> None:
        self._ole = ole
        self._place = place
        self._properties = self._fixed(place, 24 if place else 32)

    @property
    def code_page(self) -> str:
        number = self._properties.get(_INTERNET_CODE_PAGE) or self._properties.get(_CODE_PAGE) or 1252
        return {65001: "utf-8", 936: "gb18030", 20866: "koi8-r", 28591: "cp1252"}.get(number, f"cp{number}")

    def text(self, number: int, place: tuple[str, ...] | None = None) -> str:
        """A string property, empty where it is not there."""
        where = self._place if place is None else place
        raw = self._stream(where, number, _UNICODE)
        if raw:
            return raw.decode("utf-16-le", "replace").rstrip("\0")
        raw = self._stream(where, number, _BYTES)
        return decode(raw.rstrip(b"\0"), self.code_page) if raw else ""

    def binary(self, number: int) -> bytes:
        return self._stream(self._place, number, _BINARY)

    def html(self) -> bytes | str:
        return self.binary(_HTML) or self.text(_HTML)

    def attachments(self, depth: int) -> Iterator[Attachment]:
        if depth > _MAX_DEPTH:
            return
        page = self.html()
        shown = page.decode("latin-1") if isinstance(page, bytes) else page
        for name in self._folders():
            place = (*self._place, name)
            inner = (*place, f"__substg1.0_{_DATA:04X}{_OBJECT}")
            if self._ole.exists(list(inner)):
                yield from _Message(self._ole, inner).attachments(depth + 1)
                continue
            content = self._stream(place, _DATA, _BINARY)
            content_id = self.text(_CONTENT_ID, place)
            hidden = bool(self._fixed(place, 8).get(_HIDDEN))
            yield Attachment(
                self._name(place),
                content,
                self.text(_MIME, place).lower(),
                inline=hidden or bool(content_id and f"cid:{content_id}" in shown),
            )

    def _name(self, place: tuple[str, ...]) -> str:
        return next(filter(None, (self.text(number, place) for number in (_LONG_NAME, _SHORT_NAME, _DISPLAY_NAME))), "")

    def _folders(self) -> list[str]:
        depth = len(self._place)
        entries = self._ole.listdir(streams=True, storages=True)
        names = {entry[depth] for entry in entries if len(entry) > depth and tuple(entry[:depth]) == self._place}
        return sorted(name for name in names if name.lower().startswith("__attach_version1.0"))

    def _stream(self, place: tuple[str, ...], number: int, kind: str) -> bytes:
        name = [*place, f"__substg1.0_{number:04X}{kind}"]
        return (
            self._ole.openstream(name).read()
            if self._ole.exists(name) and self._ole.get_type(name) == olefile.STGTY_STREAM
            else b""
        )

    def _fixed(self, place: tuple[str, ...], header: int) -> dict[int, int]:
        """Properties of a fixed size, as numbers."""
        name = [*place, "__properties_version1.0"]
        data = self._ole.openstream(name).read()[header:] if self._ole.exists(name) else b""
        found = {}
        for at in range(0, len(data) - 15, 16):
            tag, _, value = struct.unpack_from("<III", data, at)
            found[tag >> 16] = value
        return found
