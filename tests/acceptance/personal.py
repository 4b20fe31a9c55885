"""What must not stand in a log or among metrics: everything that tells who the people of the samples and the tests are."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from functools import cache
from types import ModuleType

from tests.acceptance.house import ROOT

SAMPLES = ROOT / "samples"
_PHONE_OR_MAIL = re.compile(r"[\w.+-]+@example\.(?:com|org|net)|\b202[ .-]?555[ .-]?\d{4}\b")


@cache
def words() -> frozenset[str]:
    """Names and each of their parts, addresses, numbers, links and file names, as they are spelt in the samples."""
    return frozenset(word for word in _words() if len(word) > 1)


def found_in(text: str) -> set[str]:
    """Which of them stand in a text, and whatever looks like the mail addresses and numbers of invented people."""
    return {word for word in words() if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)} | set(_PHONE_OR_MAIL.findall(text))


def _words() -> Iterator[str]:
    for person in vars(_people()).values():
        if type(person).__name__ == "Person":
            yield from (person.name, *person.name.split(), person.email, person.phone, *person.links)
    for file in SAMPLES.iterdir():
        if file.suffix not in (".py", ".md"):
            yield from (file.name, file.stem)


def _people() -> ModuleType:
    spec = importlib.util.spec_from_file_location("sample_people", SAMPLES / "people.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["sample_people"] = module  # dataclasses look their module up there
    spec.loader.exec_module(module)
    return module
