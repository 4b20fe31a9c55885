"""API tokens: they act as their user, they end, and the database does not hold them."""

from __future__ import annotations

import datetime as dt
import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from knox.models import AuthToken
from rest_framework.test import APIClient

from resumes.models import ApiToken, IdempotencyKey
from tests.integration.people import sent, worked_off

pytestmark = pytest.mark.django_db

PATH = "/api/v1/tokens/"


def with_token(token: str) -> APIClient:
    return APIClient(headers={"Authorization": f"Token {token}"})


def make(client, **body):
    answer = client.post(PATH, body, format="json")
    assert answer.status_code == 201
    return answer.json()


def days_left(made) -> float:
    return (dt.datetime.fromisoformat(made["expires_at"]) - timezone.now()) / dt.timedelta(days=1)


def test_a_token_acts_as_its_user(as_user, recruiter, other_recruiter, operator):
    resume = worked_off(sent(recruiter))
    path = f"/api/v1/resumes/{resume.pk}/"
    codes = {}
    for user in (recruiter, other_recruiter, operator):
        client = with_token(make(as_user(user))["token"])
        codes[user.username] = (client.get(path).status_code, client.get(f"{path}text/").status_code)
    assert codes == {"rita": (200, 200), "ruben": (404, 404), "oleg": (200, 403)}


def test_a_token_ends_after_the_usual_time_or_the_one_asked_for(as_user, recruiter):
    client = as_user(recruiter)
    assert days_left(make(client)) == pytest.approx(90, abs=0.1)
    assert days_left(make(client, days=7)) == pytest.approx(7, abs=0.1)
    for days in (0, 366):
        assert client.post(PATH, {"days": days}, format="json").status_code == 400


def test_one_that_has_ended_opens_nothing(as_user, recruiter):
    client = with_token(make(as_user(recruiter))["token"])
    assert client.get(PATH).status_code == 200
    AuthToken.objects.update(expiry=timezone.now() - dt.timedelta(seconds=1))
    assert client.get(PATH).status_code == 401


def test_a_token_made_with_a_token_ends_no_later(as_user, recruiter):
    first = make(as_user(recruiter), days=2)
    second = make(with_token(first["token"]), days=300)
    assert second["expires_at"] == first["expires_at"]


def test_a_revoked_token_opens_nothing(as_user, recruiter):
    made = make(as_user(recruiter))
    assert as_user(recruiter).delete(f"{PATH}{made['id']}/").status_code == 204
    assert with_token(made["token"]).get(PATH).status_code == 401


def test_neither_the_list_nor_the_database_holds_the_token(as_user, recruiter):
    client = as_user(recruiter)
    first, again = (client.post(PATH, {}, format="json", headers={"Idempotency-Key": "k"}).json() for _ in range(2))
    assert again == {**first, "token": None}
    assert ApiToken.objects.count() == 1
    kept = json.dumps([list(ApiToken.objects.values()), list(IdempotencyKey.objects.values())], default=str)
    assert first["token"] not in kept
    rows = client.get(PATH).json()["results"]
    assert [set(row) for row in rows] == [{"id", "user", "created_at", "expires_at"}]


def test_a_command_makes_one_for_a_program(recruiter):
    out = io.StringIO()
    call_command("create_api_token", "rita", "--days", "5", stdout=out, stderr=io.StringIO())
    assert with_token(out.getvalue().strip()).get("/api/v1/resumes/").status_code == 200
    assert ApiToken.objects.get().expiry < timezone.now() + dt.timedelta(days=5.1)
    for wrong in (("nobody",), ("rita", "--days", "0")):
        with pytest.raises(CommandError):
            call_command("create_api_token", *wrong, stdout=io.StringIO())


def test_people_make_and_revoke_theirs_in_the_admin(client, recruiter, other_recruiter):
    client.force_login(recruiter)
    page = client.post("/admin/resumes/apitoken/add/", {"days": "30"}, follow=True)
    row = ApiToken.objects.get()
    shown = next(word for word in page.content.decode().split() if word.startswith(row.token_key) and "…" not in word)
    assert with_token(shown.partition("<")[0]).get(PATH).status_code == 200
    client.force_login(other_recruiter)
    assert row.token_key not in client.get("/admin/resumes/apitoken/").content.decode()
    assert client.post(f"/admin/resumes/apitoken/{row.pk}/delete/", {"post": "yes"}).status_code == 302
    assert ApiToken.objects.exists()
    client.force_login(recruiter)
    client.post(f"/admin/resumes/apitoken/{row.pk}/delete/", {"post": "yes"})
    assert not ApiToken.objects.exists()
