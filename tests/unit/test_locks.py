"""The locks answer the requirements: nothing forgotten, nothing out of range, everything with a hash. Needs no network."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

FOLDER = Path(__file__).parents[2] / "requirements"
NAMES = sorted(path.stem for path in FOLDER.glob("*.in"))


def _asked(name: str) -> list[Requirement]:
    lines = (line.split("#")[0].strip() for line in (FOLDER / f"{name}.in").read_text().splitlines())
    return [Requirement(line) for line in lines if line and not line.startswith("-")]


def _locked(name: str) -> list[tuple[str, str, str]]:
    """Name, version and the lines that follow, for each pin."""
    text = (FOLDER / f"{name}.txt").read_text()
    pins = re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;]+)([^\n]*\n(?:[ #][^\n]*\n?)*)", text, re.MULTILINE)
    return [(canonicalize_name(package), version, rest) for package, version, rest in pins]


@pytest.mark.parametrize("name", NAMES)
def test_every_requirement_is_locked_within_its_range(name):
    locked = {}
    for package, version, _ in _locked(name):
        locked.setdefault(package, []).append(version)
    missing = [
        str(asked)
        for asked in _asked(name)
        if not any(
            asked.specifier.contains(version, prereleases=True) for version in locked.get(canonicalize_name(asked.name), [])
        )
    ]
    assert not missing, f"run `make lock`: {missing}"


@pytest.mark.parametrize("name", NAMES)
def test_every_locked_package_has_a_hash(name):
    assert not [package for package, _, rest in _locked(name) if "--hash=sha256:" not in rest]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "base"])
def test_other_locks_take_the_versions_of_the_base_lock(name):
    base: dict[str, set[str]] = {}
    for package, version, _ in _locked("base"):
        base.setdefault(package, set()).add(version)  # one for each Python that needs its own
    assert not [
        (package, version, base[package]) for package, version, _ in _locked(name) if version not in base.get(package, {version})
    ]


def test_no_lock_names_a_server():
    assert not [path.name for path in FOLDER.glob("*.txt") if re.search(r"https?://|--index-url|--find-links", path.read_text())]
