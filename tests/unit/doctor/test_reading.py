"""The doctor says which scripts no engine reads and which package would bring them."""

from __future__ import annotations

import sys
from types import MappingProxyType, ModuleType

import pytest

import ingest.ocr
from ingest.doctor import Level, reading
from ingest.ocr import Ability, Script


@pytest.fixture
def engines(settings, monkeypatch):
    """Put engines with given abilities into the registry."""

    def register(**abilities: Ability) -> None:
        for name, ability in abilities.items():
            module = ModuleType(f"tests.engine_{name}")
            module.ability = lambda ability=ability: ability
            monkeypatch.setitem(sys.modules, module.__name__, module)
        registry = MappingProxyType({name: f"tests.engine_{name}" for name in abilities})
        monkeypatch.setattr(ingest.ocr, "ENGINES", registry)
        monkeypatch.setattr(reading, "ENGINES", registry)
        settings.OCR_CHANNELS = tuple(abilities)

    return register


def _ability(*scripts: Script, why_not: str = "") -> Ability:
    return Ability(scripts=frozenset(scripts), available=bool(scripts), why_not=why_not)


def test_a_script_that_no_engine_reads_is_named_with_the_package_that_brings_it(engines):
    engines(one=_ability(Script.LATIN), two=_ability(Script.HAN))
    warned = [finding for finding in reading.ocr() if finding.level == Level.WARN]
    assert len(warned) == 1
    assert "Cyrillic" in warned[0].says
    assert "tesseract-ocr-rus" in warned[0].to_do
    assert "add tesseract to OCR_CHANNELS" in warned[0].to_do


def test_engines_that_read_every_script_between_them_are_well(engines):
    engines(one=_ability(Script.LATIN, Script.HAN), two=_ability(Script.CYRILLIC))
    assert {finding.level for finding in reading.ocr()} == {Level.OK}


def test_without_any_engine_that_runs_it_fails(engines):
    engines(one=_ability(why_not="Install something."))
    findings = list(reading.ocr())
    assert [finding.to_do for finding in findings if finding.level == Level.WARN] == ["Install something."]
    assert [finding.level for finding in findings][-1] == Level.FAIL


def test_a_channel_that_is_no_engine_fails_by_its_name(engines, settings):
    engines(one=_ability(*Script))
    settings.OCR_CHANNELS = ("one", "crystal-ball")
    failed = [finding for finding in reading.ocr() if finding.level == Level.FAIL]
    assert len(failed) == 1
    assert "crystal-ball" in failed[0].says


def test_the_sandbox_reads_a_small_text():
    assert [finding.subject for finding in reading.sandbox() if finding.level != Level.FAIL] == ["sandbox"]
