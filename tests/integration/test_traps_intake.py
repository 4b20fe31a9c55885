"""Faults others fell into when taking files in: half a file arrived, half a file stored."""

from __future__ import annotations

import io

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, default_storage

from resumes import files, intake
from resumes.models import Resume
from tests.texts import ALICE


class Torn(io.BytesIO):
    """An upload whose sender goes away in the middle."""

    def read(self, size: int | None = -1) -> bytes:
        if self.tell():
            raise ConnectionResetError
        return super().read(min(size or 10, 10))


@pytest.mark.django_db
def test_half_an_upload_leaves_neither_a_file_nor_a_row(tmp_path):
    with pytest.raises(ConnectionResetError):
        intake.receive(Torn(ALICE.encode()), "alice.txt", intake.Sender())
    assert not Resume.objects.exists()
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.django_db
def test_a_torn_copy_in_the_storage_is_replaced_when_the_file_comes_again(receive):
    first = receive()
    default_storage.delete(first.document.stored_as)
    default_storage.save(first.document.stored_as, ContentFile(ALICE.encode()[:20]))
    second = receive()
    with files.local_copy(second.document) as path:
        assert path.read_bytes() == ALICE.encode()


class Contended(FileSystemStorage):
    """A storage in which another process stores the same bytes just after one has looked for them."""

    def delete(self, name: str) -> None:
        super().delete(name)
        if len(name) == len("ab/") + 64:
            self.save(name, ContentFile(ALICE.encode()))


@pytest.mark.django_db
def test_bytes_that_another_process_stores_meanwhile_are_stored_once(receive, settings, tmp_path):
    contended = {"BACKEND": f"{__name__}.Contended", "OPTIONS": {"location": str(tmp_path / "files")}}
    settings.STORAGES = {**settings.STORAGES, "default": contended}
    resume = receive()
    stored = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert stored == [resume.document.sha256]
    assert resume.document.stored_as == files.stored_name(resume.document.sha256)
