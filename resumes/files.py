"""The files behind the documents: content-addressed names in Django's default storage, and local copies to read from.

A name is `<first two hex digits>/<digest>`: storing the same bytes twice is one file, and no name of a person ever
reaches the disk or the bucket.
"""

from __future__ import annotations

import contextlib
import hashlib
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import IO

from django.core.files import File
from django.core.files.storage import default_storage

from resumes.models import Document
from resumes.taxonomy import ResumeError

CHUNK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Spooled:
    """An upload on local disk, complete, with its digest."""

    path: Path
    sha256: str
    size_bytes: int


def stored_name(sha256: str) -> str:
    return f"{sha256[:2]}/{sha256}"


@contextlib.contextmanager
def spool(source: IO[bytes], *, max_bytes: int) -> Iterator[Spooled]:
    """Copy an upload to local disk while counting and hashing it.

    Raises ResumeError: `too_large` as soon as the limit is passed, `empty_file` for nothing at all, and what
    `storage_faults` makes of a disk that is full or not to be written to.
    """
    digest, size = hashlib.sha256(), 0
    with contextlib.ExitStack() as stack:
        with storage_faults():
            target = stack.enter_context(tempfile.NamedTemporaryFile(prefix="gleaner-", suffix=".upload"))
        while chunk := source.read(CHUNK_BYTES):  # what fails here is the sender's end
            size += len(chunk)
            if size > max_bytes:
                raise ResumeError("too_large", f"more than {max_bytes >> 20} MB")
            digest.update(chunk)
            with storage_faults():
                target.write(chunk)
        if not size:
            raise ResumeError("empty_file")
        with storage_faults():
            target.flush()
        yield Spooled(Path(target.name), digest.hexdigest(), size)


def store(spooled: Spooled) -> str:
    """Put a spooled file into the storage unless it is there already; the name it has there.

    Raises ResumeError: `storage_denied`, or `dependency_unavailable` for a fault that may pass.
    """
    name = stored_name(spooled.sha256)
    with storage_faults():
        if default_storage.exists(name) and default_storage.size(name) == spooled.size_bytes:
            return name
        default_storage.delete(name)  # a torn copy of a process that died
        with spooled.path.open("rb") as content:
            saved = default_storage.save(name, File(content))
        if saved != name:  # another process has stored the same bytes meanwhile
            default_storage.delete(saved)
        return name


@contextlib.contextmanager
def local_copy(document: Document) -> Iterator[Path]:
    """A path under which the document's bytes can be read; a temporary copy where the storage is not a local disk."""
    with storage_faults():
        try:
            path = Path(default_storage.path(document.stored_as))
        except NotImplementedError:
            path = None
        if path is not None and not path.is_file():
            raise FileNotFoundError(document.stored_as)
    if path is not None:
        yield path
        return
    with tempfile.NamedTemporaryFile(prefix="gleaner-", suffix=".document") as target:
        with storage_faults(), default_storage.open(document.stored_as) as content:
            for chunk in content.chunks(CHUNK_BYTES):
                target.write(chunk)
        target.flush()
        yield Path(target.name)


def discard(document: Document) -> None:
    """Delete the stored bytes. The caller has made sure that no other resume needs them."""
    with storage_faults():
        default_storage.delete(document.stored_as)


@contextlib.contextmanager
def storage_faults() -> Iterator[None]:
    """Translate what a storage raises. A missing or forbidden file never passes by itself, other I/O faults may."""
    try:
        yield
    except (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError) as exc:
        raise ResumeError("storage_denied", type(exc).__name__, channel="storage") from exc
    except OSError as exc:
        raise ResumeError("dependency_unavailable", type(exc).__name__, channel="storage") from exc
    except _bucket_errors() as exc:
        raise _bucket_fault(exc) from exc


def _bucket_errors() -> tuple[type[Exception], ...]:
    """What a bucket's client raises, where one is in use: nothing of it is an OSError."""
    known = sys.modules.get("botocore.exceptions")
    return (known.ClientError, known.BotoCoreError) if known else ()


def _bucket_fault(error: Exception) -> ResumeError:
    """A refusal by its HTTP status; a request that was not answered, or not well, may be the next time."""
    answer = getattr(error, "response", None) or {}
    status = int(answer.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
    refused = status in (301, 400, 401, 403, 404) or "Credentials" in type(error).__name__
    code = "storage_denied" if refused else "rate_limited" if status == HTTPStatus.TOO_MANY_REQUESTS else "dependency_unavailable"
    return ResumeError(code, f"{type(error).__name__} {status or ''}".strip(), channel="storage")
