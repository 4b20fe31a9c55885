"""Settings that contradict each other are found and named; sound ones are not complained about."""

from __future__ import annotations

import pytest

from ingest.doctor import Level, choices


@pytest.fixture
def sound(settings):
    settings.SECRET_KEY = "k" * 50
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
    settings.CELERY_BROKER_URL = settings.REDIS_URL = "redis://127.0.0.1:6379/0"
    settings.LLM_BASE_URL = settings.LLM_MODEL = settings.LLM_API_KEY = ""
    return settings


def test_the_defaults_do_not_contradict_each_other(sound):
    assert [finding.level for finding in choices.contradictions()] == [Level.OK]


@pytest.mark.parametrize(
    ("given", "subject", "level"),
    [
        ({"DEBUG": True, "ALLOWED_HOSTS": ["resumes.example.com"]}, "DEBUG", Level.FAIL),
        ({"ALLOWED_HOSTS": ["*"]}, "ALLOWED_HOSTS", Level.WARN),
        ({"SECRET_KEY": "short"}, "SECRET_KEY", Level.WARN),
        ({"LLM_MODEL": "some-model"}, "LLM_BASE_URL", Level.WARN),
        ({"LLM_BASE_URL": "http://127.0.0.1:9/v1"}, "LLM_MODEL", Level.WARN),
        ({"LLM_BASE_URL": "http://models.example.com", "LLM_MODEL": "m", "LLM_API_KEY": "k"}, "LLM_BASE_URL", Level.WARN),
        ({"CELERY_BROKER_URL": "redis://queue.example.com:6379/0"}, "DATABASE_URL", Level.WARN),
        ({"GLEANER_STORAGE": "s3://resumes"}, "GLEANER_STORAGE", Level.WARN),
        ({"GLEANER_MAX_FILE_MB": 600}, "GLEANER_MAX_FILE_MB", Level.WARN),
        ({"OCR_CHANNELS": ()}, "OCR_CHANNELS", Level.WARN),
    ],
)
def test_a_contradiction_is_found_under_the_name_of_its_setting(sound, given, subject, level):
    for name, value in given.items():
        setattr(sound, name, value)
    findings = [finding for finding in choices.contradictions() if finding.subject == subject]
    assert [finding.level for finding in findings if finding.level == level]
    assert all(finding.to_do for finding in findings)
