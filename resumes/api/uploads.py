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
from rest_framework.request import Request


class DiskUpload(UploadedFile):  # type: ignore[type-arg]  # not subscriptable at run time
    """A received file that is opened when it is needed."""

    def __init__(self, path: Path, name: str, content_type: str, size: int) -> None:
        super().__init__(None, name, content_type, size)
        self.path = path

    def close(self) -> None:
        """Nothing is held open."""

    def open_copy(self) -> IO[bytes]:
        return self.path.open("rb")


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
        return DiskUpload(self._path, self.file_name or "file", self.content_type or "", file_size)

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
