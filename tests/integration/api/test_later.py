"""Whoever is asked to come back later is told when: every 202, 429 and 503. The 202s are in the walk of `test_roles`."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.db import InterfaceError, OperationalError, connection
from rest_framework.exceptions import Throttled
from rest_framework.test import APIClient

from resumes import tokens
from resumes.api.problems import handle, refusal
from resumes.api.resumes import ResumeViewSet
from resumes.api.throttling import PerToken
from resumes.models import ApiToken, Resume
from resumes.taxonomy import CODES, FailureClass, ResumeError
from tests.integration.people import text_file
from tests.texts import ADA

pytestmark = pytest.mark.django_db


class OnceAMinute(PerToken):
    rate = "1/min"


@pytest.fixture
def once_a_minute(monkeypatch):
    cache.clear()
    monkeypatch.setattr(ResumeViewSet, "throttle_classes", [OnceAMinute])
    yield
    cache.clear()


def test_each_token_is_counted_for_itself_and_people_by_who_they_are(as_user, recruiter, other_recruiter, once_a_minute):
    programs = [APIClient(headers={"Authorization": f"Token {tokens.issue(ApiToken(), recruiter)}"}) for _ in range(2)]
    clients = [*programs, as_user(recruiter), as_user(other_recruiter)]
    for code in (200, 429):
        assert [client.get("/api/v1/resumes/").status_code for client in clients] == [code] * 4


def test_too_many_requests_are_told_when_the_next_one_is_taken(as_user, recruiter, once_a_minute):
    client = as_user(recruiter)
    assert client.get("/api/v1/resumes/").status_code == 200
    answer = client.get("/api/v1/resumes/")
    assert (answer.status_code, answer.json()["code"]) == (429, "throttled")
    assert 1 <= int(answer["Retry-After"]) <= 60


def test_so_are_they_where_nobody_knows_how_long():
    assert int(handle(Throttled(), {})["Retry-After"]) > 0


@pytest.mark.parametrize("code", list(CODES))
def test_a_fault_of_ours_at_the_door_is_503_with_a_time_and_a_fault_of_the_file_is_neither(code):
    answer = refusal(ResumeError(code))
    ours = CODES[code].failure_class in (FailureClass.RESOURCE, FailureClass.PERMISSION)
    assert (answer.status_code == 503) is ours
    assert answer.has_header("Retry-After") is ours
    assert ours or 400 <= answer.status_code < 500


def test_a_file_store_that_gives_nothing_says_when_to_send_again(as_user, recruiter, settings, tmp_path):
    (tmp_path / "files").write_text("no folder")
    answer = as_user(recruiter).post("/api/v1/resumes/", {"file": text_file(ADA)})
    assert (answer.status_code, int(answer["Retry-After"]) > 0) == (503, True)


@pytest.mark.parametrize("failure", [OperationalError, InterfaceError])
@pytest.mark.parametrize("refused", ["SELECT", "INSERT"])
def test_a_database_that_is_away_or_locked_says_when_to_send_again_and_keeps_nothing(recruiter, failure, refused, caplog):
    def away(execute, sql, params, many, context):
        if sql.startswith(refused):
            raise failure("server closed the connection: Ada Archer")
        return execute(sql, params, many, context)

    client = APIClient(headers={"Authorization": f"Token {tokens.issue(ApiToken(), recruiter)}", "Accept-Language": "ru"})
    with connection.execute_wrapper(away):
        answer = client.post("/api/v1/resumes/", {"file": text_file(ADA)})
    assert (answer.status_code, answer.json()["code"], answer.json()["retryable"]) == (503, "database_unavailable", True)
    assert int(answer["Retry-After"]) > 0
    assert answer["Content-Type"] == "application/problem+json"
    assert "База данных" in answer.json()["detail"]
    assert "Archer" not in answer.content.decode() + caplog.text
    assert not Resume.objects.exists()
    assert client.post("/api/v1/resumes/", {"file": text_file(ADA)}).status_code == 202


def test_an_installation_that_is_not_ready_says_when_to_look_again(client, tmp_path, db):
    cache.delete("health.storage")
    (tmp_path / "files").write_text("no folder")
    answer = client.get("/readyz")
    cache.delete("health.storage")
    assert (answer.status_code, int(answer["Retry-After"]) > 0) == (503, True)
