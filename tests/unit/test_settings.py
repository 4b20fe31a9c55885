"""Environment readers fail with the name of the variable; every variable is documented."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from settings import env
from settings.base import database

ROOT = Path(__file__).parents[2]


def test_every_variable_the_settings_read_stands_in_the_documentation():
    source = "".join(path.read_text() for path in (ROOT / "settings").glob("*.py"))
    read = set(re.findall(r'env\.(?:text|number|flag|words|folder|secret|choice)\(\s*"([A-Z0-9_]+)"', source))
    documented = set(re.findall(r"`([A-Z0-9_]+)`", (ROOT / "docs" / "settings.md").read_text()))
    assert len(read) > 20
    assert not read - documented


def test_every_documented_setting_is_read_somewhere():
    rows = [line.split("|")[1] for line in (ROOT / "docs" / "settings.md").read_text().splitlines() if line.startswith("| `")]
    names = {name for cell in rows for name in re.findall(r"`([A-Z0-9_]+)`", cell)}
    source = "".join(path.read_text() for folder in ("settings", "ingest") for path in (ROOT / folder).rglob("*.py"))
    assert not {name for name in names if f'"{name}"' not in source}


@pytest.mark.parametrize("given", ["many", "1.5", "0", "-3", "11"])
def test_a_number_out_of_range_is_refused_by_the_name_of_its_variable(monkeypatch, given):
    monkeypatch.setenv("SOME_LIMIT", given)
    with pytest.raises(ImproperlyConfigured, match="SOME_LIMIT"):
        env.number("SOME_LIMIT", 5, least=1, most=10)


@pytest.mark.parametrize(("given", "value"), [("yes", True), ("ON", True), ("0", False), ("", False)])
def test_flags_are_read_in_the_usual_spellings(monkeypatch, given, value):
    monkeypatch.setenv("SOME_FLAG", given)
    assert env.flag("SOME_FLAG", default=not value) is value


def test_a_flag_that_is_none_is_refused(monkeypatch):
    monkeypatch.setenv("SOME_FLAG", "perhaps")
    with pytest.raises(ImproperlyConfigured, match="SOME_FLAG"):
        env.flag("SOME_FLAG")


def test_a_folder_is_made_for_its_owner_only(monkeypatch, tmp_path):
    monkeypatch.setenv("SOME_HOME", str(tmp_path / "a" / "home"))
    assert stat.S_IMODE(env.folder("SOME_HOME", tmp_path).stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_made_is_refused_by_the_name_of_its_variable(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("SOME_HOME", str(tmp_path / "file" / "home"))
    with pytest.raises(ImproperlyConfigured, match="SOME_HOME"):
        env.folder("SOME_HOME", tmp_path)


def test_a_secret_is_made_once_and_is_its_owners_alone(monkeypatch, tmp_path):
    monkeypatch.delenv("SOME_KEY", raising=False)
    first = env.secret("SOME_KEY", tmp_path / "key")
    assert env.secret("SOME_KEY", tmp_path / "key") == first
    assert len(first) > 40
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600


def test_a_database_url_of_no_known_kind_is_refused_without_repeating_it():
    with pytest.raises(ImproperlyConfigured) as refused:
        database("potgres://user:open-sesame@host/name")
    assert "DATABASE_URL" in str(refused.value)
    assert "open-sesame" not in str(refused.value)


def test_sqlite_waits_for_the_lock_and_takes_it_at_the_begin(tmp_path):
    options = database(f"sqlite:///{tmp_path / 'x.sqlite3'}")["OPTIONS"]
    assert options["transaction_mode"] == "IMMEDIATE"
    assert options["timeout"] >= 20
