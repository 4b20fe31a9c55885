"""The word lists: readable, without doubles, and usable."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.fields import words

FILES = sorted(Path(words.__file__).parent.glob("*/*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_list_says_what_it_is_and_has_entries(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# ")
    assert words.phrases(path.stem, path.parent.name)


def test_keys_lead_from_a_phrase_to_what_it_stands_for():
    assert words.keys("cities")["moscow"] == "RU"
    assert words.keys("labels")["фио"] == "name"
    assert words.keys("surnames")["欧阳"] == "ouyang"


def test_a_phrase_is_found_however_it_is_written():
    assert words.fold("  ＪＯＢ\u200b  Title ") in words.phrases("labels")
    assert words.fold("Артём") == words.fold("АРТЕМ")
