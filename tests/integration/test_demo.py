"""The demo: users and samples once, never over what is there."""

from __future__ import annotations

import io
import json
import stat

import pytest
from django.contrib.auth import authenticate, get_user_model
from django.core.management import call_command
from knox.auth import TokenAuthentication

from ingest import batches
from ingest.models import Batch
from ingest.supervisor import demo, prepare
from tests.texts import ALICE

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path):
    return tmp_path / "demo-users.json"


@pytest.fixture
def samples(tmp_path):
    folder = tmp_path / "samples"
    folder.mkdir()
    (folder / "alice.txt").write_text(ALICE)
    (folder / "bob.txt").write_text(ALICE.replace("Alice", "Bob"))
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\n")
    for litter in ("README.md", "make.py", ".hidden.txt"):
        (folder / litter).write_text("not a resume")
    return folder


def test_each_role_gets_a_user_who_can_sign_in_and_call(file):
    users = demo.make_users(file)
    assert set(users) == {"admin", "recruiter", "reviewer", "operator"}
    for name, sign_in in users.items():
        user = authenticate(username=name, password=sign_in.password)
        assert user is not None
        assert user.is_staff
        assert user.is_superuser == (name == "admin")
        assert list(user.groups.values_list("name", flat=True)) == ([] if name == "admin" else [name])
        called, token = TokenAuthentication().authenticate_credentials(sign_in.token.encode())
        assert called == user
        assert token.expiry is None
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert json.loads(file.read_text())["admin"] == {"password": users["admin"].password, "token": users["admin"].token}


def test_a_second_start_makes_nobody_new(file):
    assert demo.make_users(file) == demo.make_users(file)
    assert get_user_model().objects.count() == 4


def test_a_user_who_is_there_already_keeps_the_password(file):
    get_user_model().objects.create_user("admin", password="own-choice-91")
    assert "admin" not in demo.make_users(file)
    assert authenticate(username="admin", password="own-choice-91")


def test_the_samples_become_a_sealed_batch_of_the_recruiter(file, samples):
    demo.make_users(file)
    batch = demo.import_samples(samples)
    standing = batches.standing(batch)
    assert (batch.name, batch.owner.username) == ("Samples", "recruiter")
    assert batch.sealed_at
    assert (standing.declared, standing.files, standing.missing) == (3, 3, 0)
    assert {entry.filename for entry in batch.entries.all()} == {"alice.txt", "bob.txt", "broken.pdf"}


def test_the_samples_are_imported_once_unless_asked_for_again(samples):
    assert demo.import_samples(samples)
    assert demo.import_samples(samples) is None
    assert demo.import_samples(samples, again=True)
    assert Batch.objects.count() == 2


def test_an_import_that_was_cut_short_goes_on_where_it_stopped(samples):
    expected = [batches.Declared(name) for name in ("alice.txt", "bob.txt", "broken.pdf")]
    batch = batches.open_batch(None, "Samples", expected=expected)
    with (samples / "alice.txt").open("rb") as source:
        batches.add_file(batch, source, "alice.txt")
    assert demo.import_samples(samples) == batch
    assert Batch.objects.count() == 1
    assert batches.standing(Batch.objects.get()).files == 3
    assert Batch.objects.get().sealed_at


def test_the_command_does_both_and_says_so(settings, file, samples):
    settings.GLEANER_DEMO_USERS_FILE, settings.GLEANER_SAMPLES = file, samples
    out = io.StringIO()
    call_command("demo", stdout=out)
    call_command("demo", stdout=out)
    first, second = out.getvalue().splitlines()
    assert first == f"samples: batch {Batch.objects.get().pk}"
    assert second == "samples: nothing to do"


def test_migrations_that_are_applied_are_not_applied_again():
    assert prepare.migrate() is False


def test_static_files_are_collected_only_when_something_is_new(settings, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.css").write_text("a {}")
    settings.STATICFILES_DIRS = [source]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATIC_ROOT = tmp_path / "static"
    assert prepare.collect_static() is True
    assert prepare.collect_static() is False
    (source / "b.css").write_text("b {}")
    assert prepare.collect_static() is True
    assert (tmp_path / "static" / "b.css").exists()
    (source / "a.css").unlink()
    assert prepare.collect_static() is True
    assert not (tmp_path / "static" / "a.css").exists()
