from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from ingest import batches
from ingest.models import Batch
from resumes import intake
from resumes.models import Resume
from resumes.taxonomy import ResumeError
from tests.integration.people import person
from tests.texts import ADA

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "resumes"
    folder.mkdir()
    (folder / "one.txt").write_text(ADA)
    return folder


def test_a_batch_belongs_to_whom_it_is_sent_for(folder):
    rita = person("rita-one", "recruiter")
    call_command("ingest", str(folder), "--owner", "rita-one")
    assert Batch.objects.get().owner == Resume.objects.get().owner == rita


@pytest.mark.parametrize("arguments", [["--owner", "nobody"], ["--batch", "x" * 201]])
def test_wrong_usage_ends_with_two_and_leaves_nothing(folder, arguments):
    with pytest.raises(CommandError) as told:
        call_command("ingest", str(folder), *arguments)
    assert told.value.returncode == 2
    assert not Batch.objects.exists()


def test_a_file_the_store_does_not_take_is_on_record_and_takes_no_other_with_it(folder, monkeypatch):
    (folder / "two.txt").write_text(ADA + "x")
    real, calls = intake.admit, []

    def admit(source, filename):
        calls.append(filename)
        if len(calls) == 1:
            raise ResumeError("storage_denied")
        return real(source, filename)

    monkeypatch.setattr("resumes.intake.admit", admit)
    call_command("ingest", str(folder))
    assert sorted(Resume.objects.values_list("state", "failure_code")) == [("PENDING", ""), ("REJECTED", "storage_denied")]


def test_a_batch_that_somebody_seals_meanwhile_says_which_files_it_does_not_have(folder, monkeypatch):
    (folder / "two.txt").write_text(ADA + "x")
    real = intake.admit

    def admit(source, filename):
        if filename == "two.txt":
            batches.cancel(Batch.objects.get(), "user:1")
        return real(source, filename)

    monkeypatch.setattr("resumes.intake.admit", admit)
    with pytest.raises(CommandError, match=r"two\.txt"):
        call_command("ingest", str(folder))
    assert list(Resume.objects.values_list("filename", "state")) == [("one.txt", "SKIPPED")]
