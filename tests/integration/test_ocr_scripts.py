"""Writing no engine reads here goes before a person with the name of the package that would help."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from django.core.cache import cache

from ingest import health
from ingest.doctor import reading
from ingest.ocr import engine, tesseract
from resumes import intake
from resumes.models import Resume
from resumes.states import State
from review import words
from review.models import Case
from tests.unit.ocr import pictures
from tests.unit.ocr.test_engines import RUSSIAN

from .people import worked_off

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(not engine("rapidocr").ability().available, reason="RapidOCR is not installed"),
    pytest.mark.skipif(not pictures.cyrillic_font(), reason="no font with Cyrillic letters"),
]


@pytest.fixture(autouse=True)
def no_tesseract(monkeypatch, settings):
    able = engine("rapidocr").ability()
    settings.GLEANER_WORK_BUDGET_S = 600  # what is read is looked at here, not how fast
    monkeypatch.setattr(engine("rapidocr"), "ability", lambda: replace(able, deadline_s=300.0))
    monkeypatch.setattr(tesseract, "_installed", frozenset)
    cache.delete("health.engines")
    yield
    cache.delete("health.engines")


def test_a_russian_scan_without_a_cyrillic_engine_names_the_package_that_would_help():
    content = io.BytesIO()
    pictures.page(RUSSIAN, size=(1240, 700)).save(content, "PNG")
    content.seek(0)
    resume: Resume = worked_off(intake.receive(content, "scan.png", intake.Sender()))
    assert (resume.state, resume.failure_code) == (State.REVIEW_NEEDED, "ocr_low_confidence")
    assert "no_engine_cyrillic" in resume.warnings
    assert "tesseract-ocr-rus" in words.why(Case.objects.get(resume=resume))


def test_readiness_and_the_doctor_say_so_before_anybody_sends_one():
    assert any("cyrillic" in text for text in health.look().missing)
    assert any("tesseract-ocr-rus" in finding.to_do for finding in reading.ocr() if "Cyrillic" in finding.says)
