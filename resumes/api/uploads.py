"""Uploads on their way in: every file of a request goes straight to disk and is closed, however many there are.

Django's own handlers keep small files in memory and large ones open, which for a batch of hundreds is too much of either.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest
from django.http.multipartparser import MultiPartParser as DjangoMultiPartParser
from django.http.multipartparser import MultiPartParserError
from django.utils.http import parse_header_parameters
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import DataAndFiles, JSONParser, MultiPartParser
from rest_framework.request import Request

from resumes.charset import decode
from resumes.intake import safe_name

_DJANGOS_HEAD = 1_000
"""Bytes of the head of a part that Django reads; a little less than its limit."""
_LONGEST_HEAD = 16_384
_LONGEST_NAME = 700
_FIELD = re.compile(rb';\s*name="?([\x20\x21\x23-\x3a\x3c-\x7e]+)')
_PLAIN_NAME = re.compile(rb';\s*filename="((?:[^"\\]|\\.)*)"')
_CODED_NAME = re.compile(rb";\s*filename\*=[^';]*'[^';]*'([^;]+)", re.IGNORECASE)
NAMELESS = "file"
"""The name of a file that was sent under one nobody can use, such as `..` or bytes that are no text."""


class _NamedMultiPart(DjangoMultiPartParser):
    """Drops no file for the sake of its name: Django's own leaves out a part whose name comes to nothing."""

    def sanitize_file_name(self, file_name: str) -> str:
        return super().sanitize_file_name(file_name) or NAMELESS


class _Readable:
    """A request's body in which the head of every part can be read, and which counts its parts.

    Django passes over a part whose head is not UTF-8, or longer than 1,024 bytes refuses the request. The name of a file
    is for showing only, so such a head is written anew, with the name as far as it can be told.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._held = b""
        self.delimiter = b""
        self.parts = 0

    def read(self, size: int = -1) -> bytes:
        """The next bytes, some more or fewer than asked for; empty at the end only."""
        while True:
            chunk: bytes = self._stream.read(size)
            ready = self._through(self._held + chunk, last=not chunk)
            if ready or not chunk:
                return ready

    def _through(self, data: bytes, *, last: bool) -> bytes:
        """What of `data` can be handed on now. What could be the beginning of a head is held until more has come."""
        done: list[bytes] = []
        at = 0
        while (start := data.find(self.delimiter, at)) >= 0:
            begin = start + len(self.delimiter)
            end = data.find(b"\r\n\r\n", begin)
            if end < 0 and not last and len(data) - begin <= _LONGEST_HEAD:
                self._held = data[start:]
                return b"".join((*done, data[at:start]))
            self.parts += 1
            stop = end if 0 <= end - begin <= _LONGEST_HEAD else begin
            done += (data[at:begin], _readable(data[begin:stop]))
            at = stop
        kept = 0 if last else min(len(data) - at, len(self.delimiter) - 1)
        self._held = data[len(data) - kept :]
        return b"".join((*done, data[at : len(data) - kept]))


def _readable(head: bytes) -> bytes:
    """The head of a part as it is where Django can read it, else with what can be told of the file's name."""
    try:
        for line in head.split(b"\r\n"):
            parse_header_parameters(line.decode())
    except (ValueError, LookupError):
        pass
    else:
        if len(head) <= _DJANGOS_HEAD:
            return head
    about = next((line for line in head.split(b"\r\n") if line.lower().startswith(b"content-disposition:")), b"")
    field = _FIELD.search(about)
    plain, coded = _PLAIN_NAME.search(about), _CODED_NAME.search(about)
    if field is None or not (plain or coded):
        return head
    raw = plain[1].replace(b'\\"', b'"') if plain else unquote_to_bytes(coded[1]) if coded else b""
    name = safe_name(decode(raw)).replace('"', "'")
    stem, dot, ending = name.rpartition(".")
    name = name if len(name.encode()) <= _LONGEST_NAME else f"{(stem or name)[: _LONGEST_NAME // 4 - 10]}{dot}{ending[:8]}"
    return b'Content-Disposition: form-data; name="' + field[1] + b'"; filename="' + name.encode() + b'"'


class MultiPart(MultiPartParser):
    """DRF's multipart parser that takes every part or says so: a file must not vanish because of the bytes of its name."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        context = parser_context or {}
        request = context["request"]
        meta = request.META | {"CONTENT_TYPE": media_type}
        body = _Readable(stream)
        encoding = context.get("encoding", settings.DEFAULT_CHARSET)
        try:
            parser = _NamedMultiPart(meta, body, request.upload_handlers, encoding)  # type: ignore[arg-type]
            body.delimiter = b"--" + parser._boundary + b"\r\n"  # type: ignore[attr-defined]  # noqa: SLF001 - Django keeps it to itself
            data, files = parser.parse()
        except MultiPartParserError as exc:
            raise ParseError(_("The parts of the request cannot be told apart: %(why)s") % {"why": exc}) from exc
        taken = sum(len(values) for _name, values in (*data.lists(), *files.lists()))
        if taken < body.parts:
            raise ParseError(_("A part of the request cannot be read: it has no name, or its end has not come."))
        return DataAndFiles(data, files)


class FlatJSON(JSONParser):
    """DRF's JSON parser; what is nested too deeply for it is the sender's fault, not ours."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().parse(*args, **kwargs)
        except RecursionError as exc:
            raise ParseError(_("The JSON is nested too deeply.")) from exc
        except ParseError as exc:
            why = str(exc.detail).removeprefix("JSON parse error - ")
            raise ParseError(_("The JSON cannot be read: %(why)s") % {"why": why}) from exc


class DiskUpload(UploadedFile):  # type: ignore[type-arg]  # not subscriptable at run time
    """A received file that is opened when it is needed."""

    def __init__(self, path: Path, name: str, content_type: str, size: int, number: int) -> None:
        super().__init__(None, name, content_type, size)
        self.path = path
        self.number = number
        """Its place in the request, from 1."""

    def close(self) -> None:
        """Nothing is held open."""

    def open_copy(self) -> IO[bytes]:
        return self.path.open("rb")


def files_of(request: Request) -> list[DiskUpload]:
    """Every file of a request in the order they came, whatever fields they came under.

    Raises ParseError where something stands in a field for files that is none: it must not be passed over.
    """
    files: list[DiskUpload] = [file for _field, given in request.FILES.lists() for file in given]
    if any(value for field in FILE_FIELDS for value in request.POST.getlist(field)):
        raise ParseError(_("A part in place of a file is none: it was sent without a file name."))
    return sorted(files, key=lambda file: file.number)


FILE_FIELDS = ("files", "file")


class DiskUploadHandler(FileUploadHandler):
    """Spools each file into a folder of the request.

    Of a file that is over the limit only as much is kept as proves it; the door (`resumes.intake`) then refuses it.
    """

    def __init__(self, request: HttpRequest | None = None) -> None:
        super().__init__(request)
        self.folder = Path(tempfile.mkdtemp(prefix="gleaner-upload-"))
        self._number = 0
        self._target: IO[bytes] | None = None
        self._room = 0

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self._number += 1
        self._target = self._path.open("wb")
        self._room = (max(settings.GLEANER_MAX_FILE_MB, settings.GLEANER_MAX_ARCHIVE_MB) << 20) + 1

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:  # noqa: ARG002 - Django's signature
        if self._target is not None and self._room > 0:
            self._target.write(raw_data[: self._room])
            self._room -= len(raw_data)

    def file_complete(self, file_size: int) -> DiskUpload | None:
        if self._target is None:
            return None
        self._target.close()
        self._target = None
        return DiskUpload(self._path, self.file_name or "file", self.content_type or "", file_size, self._number)

    def upload_interrupted(self) -> None:
        self.clean()

    def clean(self) -> None:
        """Delete what was received. The view calls it when it has answered."""
        if self._target is not None:
            self._target.close()
            self._target = None
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def _path(self) -> Path:
        return self.folder / str(self._number)


class UploadsToDisk:
    """Mixin of a view that takes files: `request.FILES` holds `DiskUpload`s, which are gone after the answer."""

    _handler: DiskUploadHandler | None = None

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        if (request.content_type or "").startswith("multipart/"):
            self._handler = DiskUploadHandler(request)
            request.upload_handlers = [self._handler]
        return super().initialize_request(request, *args, **kwargs)  # type: ignore[misc,no-any-return]

    def finalize_response(self, *args: Any, **kwargs: Any) -> Any:
        if self._handler is not None:
            self._handler.clean()
        return super().finalize_response(*args, **kwargs)  # type: ignore[misc]
