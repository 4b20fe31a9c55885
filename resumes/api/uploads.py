"""Uploads on their way in: every file of a request goes straight to disk and is closed, however many there are.

Django's own handlers keep small files in memory and large ones open, which for a batch of hundreds is too much of either.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest
from django.http.multipartparser import MultiPartParser as DjangoMultiPartParser
from django.http.multipartparser import MultiPartParserError
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import DataAndFiles, JSONParser, MultiPartParser
from rest_framework.request import Request

NAMELESS = "file"
"""The name of a file that was sent under one nobody can use, such as `..` or bytes that are no text."""


class _NamedMultiPart(DjangoMultiPartParser):
    """Drops no file for the sake of its name: Django's own leaves out a part whose name comes to nothing."""

    def sanitize_file_name(self, file_name: str) -> str:
        return super().sanitize_file_name(file_name) or NAMELESS


class _Counted:
    """A request's body that counts its parts as it is read, to tell afterwards whether one was passed over."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._tail = b""
        self.delimiter = b""
        self.parts = 0

    def read(self, size: int = -1) -> bytes:
        chunk: bytes = self._stream.read(size)
        seen = self._tail + chunk
        self.parts += seen.count(self.delimiter)
        kept = len(self.delimiter) - 1
        self._tail = seen[-kept:] if kept else b""
        return chunk


class MultiPart(MultiPartParser):
    """DRF's multipart parser that takes every part or says so: a file must not vanish because of the bytes of its name."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        context = parser_context or {}
        request = context["request"]
        meta = request.META | {"CONTENT_TYPE": media_type}
        body = _Counted(stream)
        encoding = context.get("encoding", settings.DEFAULT_CHARSET)
        try:
            parser = _NamedMultiPart(meta, body, request.upload_handlers, encoding)  # type: ignore[arg-type]
            body.delimiter = b"--" + parser._boundary + b"\r\n"  # type: ignore[attr-defined]  # noqa: SLF001 - Django keeps it to itself
            data, files = parser.parse()
        except MultiPartParserError as exc:
            raise ParseError(str(exc)) from exc
        taken = sum(len(values) for _name, values in (*data.lists(), *files.lists()))
        if taken < body.parts:
            raise ParseError(_("A part of the request has no name that can be read: file names must be UTF-8."))
        return DataAndFiles(data, files)


class FlatJSON(JSONParser):
    """DRF's JSON parser; what is nested too deeply for it is the sender's fault, not ours."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().parse(*args, **kwargs)
        except RecursionError as exc:
            raise ParseError(_("The JSON is nested too deeply.")) from exc


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
