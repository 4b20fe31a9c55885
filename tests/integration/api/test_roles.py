"""Every endpoint with every role: what one may not see is not there, what one may not do is forbidden."""

from __future__ import annotations

import re

import pytest
from django.urls import get_resolver

from ingest import batches, export_jobs
from ingest.models import Webhook
from ingest.webhooks import events
from resumes import pool_matches, tokens
from resumes.models import ApiToken, Candidate, Vacancy
from resumes.roles import Role
from review.models import Case
from tests.integration.people import POOR, person, sent, text_file, worked_off
from tests.texts import ADA

pytestmark = pytest.mark.django_db

WHO = ("owner", "other", "reviewer", "operator", "admin", "nobody")
# Codes for: the recruiter who sent it, another recruiter, a reviewer, an operator, an admin, a user without a role.
READS = {
    "resumes/": (200, 200, 200, 200, 200, 403),
    "resumes/{resume}/": (200, 404, 200, 200, 200, 403),
    "resumes/{resume}/json-resume/": (200, 404, 200, 403, 200, 403),
    "resumes/{resume}/text/": (200, 404, 200, 403, 200, 403),
    "resumes/{resume}/file/": (200, 404, 200, 403, 200, 403),
    "batches/": (200, 200, 200, 200, 200, 403),
    "batches/{batch}/": (200, 404, 200, 200, 200, 403),
    "batches/{batch}/items/": (200, 404, 200, 200, 200, 403),
    "batches/{batch}/failures/": (200, 404, 200, 200, 200, 403),
    "batches/{batch}/reconciliation/": (200, 404, 200, 200, 200, 403),
    "batches/{batch}/export/": (200, 404, 200, 403, 200, 403),
    "cases/": (403, 403, 200, 403, 200, 403),
    "cases/{case}/": (403, 403, 200, 403, 200, 403),
    "exports/": (200, 200, 200, 403, 200, 403),
    "exports/{export}/": (200, 404, 404, 403, 200, 403),
    "exports/{export}/file/": (200, 404, 404, 403, 200, 403),
    "failures/": (200, 200, 200, 200, 200, 403),
    "failures/{resume}/letter/": (200, 404, 200, 403, 200, 403),
    "candidates/": (200, 200, 403, 403, 200, 403),
    "candidates/{candidate}/": (200, 200, 403, 403, 200, 403),
    "vacancies/": (200, 200, 403, 403, 200, 403),
    "vacancies/{vacancy}/": (200, 404, 403, 403, 200, 403),
    "vacancies/{vacancy}/matches/": (200, 404, 403, 403, 200, 403),
    "tokens/": (200, 200, 200, 200, 200, 403),
    "tokens/{token}/": (200, 404, 404, 404, 200, 403),
    "webhooks/": (200, 200, 200, 200, 200, 403),
    "webhooks/{webhook}/": (200, 404, 404, 404, 200, 403),
    "webhooks/{webhook}/deliveries/": (200, 404, 404, 404, 200, 403),
}
WRITES = {
    "resumes/": (202, 202, 403, 403, 202, 403),
    "resumes/{resume}/retry/": (202, 404, 202, 202, 202, 403),
    "resumes/{resume}/flag-inaccurate/": (202, 404, 202, 403, 202, 403),
    "batches/": (201, 201, 403, 403, 201, 403),
    "batches/{batch}/resumes/": (202, 404, 403, 403, 202, 403),
    "batches/{batch}/seal/": (200, 404, 403, 403, 200, 403),
    "batches/{batch}/cancel/": (200, 404, 403, 403, 200, 403),
    "batches/{batch}/withdraw/": (200, 404, 403, 403, 200, 403),
    "batches/{batch}/reconciliation/": (200, 404, 403, 200, 200, 403),
    "exports/": (202, 404, 202, 403, 202, 403),
    "failures/act/": (200, 200, 200, 200, 200, 403),
    "vacancies/": (201, 201, 403, 403, 201, 403),
    "tokens/": (201, 201, 201, 201, 201, 403),
    "webhooks/": (201, 201, 201, 201, 201, 403),
    "webhooks/{webhook}/ping/": (202, 404, 404, 404, 202, 403),
    "webhooks/{webhook}/rotate-secret/": (200, 404, 404, 404, 200, 403),
    "webhooks/{webhook}/deliveries/{delivery}/replay/": (202, 404, 404, 404, 202, 403),
}
DELETES = {
    "resumes/{resume}/": (204, 404, 403, 403, 204, 403),
    "exports/{export}/": (204, 404, 404, 403, 204, 403),
    "tokens/{token}/": (204, 404, 404, 404, 204, 403),
    "vacancies/{vacancy}/": (204, 404, 403, 403, 204, 403),
    "webhooks/{webhook}/": (204, 404, 404, 404, 204, 403),
}
CHANGES = {
    "vacancies/{vacancy}/": (200, 404, 403, 403, 200, 403),
    "webhooks/{webhook}/": (200, 404, 404, 404, 200, 403),
}


@pytest.fixture
def cast(recruiter, other_recruiter, reviewer, operator, admin):
    return dict(zip(WHO, (recruiter, other_recruiter, reviewer, operator, admin, person("nora")), strict=True))


@pytest.fixture
def things(recruiter):
    batch = batches.open_batch(recruiter, "Autumn")
    batches.add_file(batch, text_file("Another resume"), "another.txt")
    resume = worked_off(sent(recruiter))
    vacancy = Vacancy.objects.create(title="Engineer", skills=["Python"], owner=recruiter)
    pool_matches.match_vacancy(vacancy.pk)
    webhook = Webhook.objects.create(owner=recruiter, url="https://ats.example.com/hook")
    token = ApiToken()
    tokens.issue(token, recruiter)
    others = {"token": token.token_key, "webhook": webhook.pk, "delivery": events.ping(webhook).pk}
    export = export_jobs.start(batch, "csv", recruiter)
    export_jobs.work_off(export.pk)
    others["export"] = export.pk
    others["case"] = Case.objects.get(resume=worked_off(sent(recruiter, POOR, "poor.txt"))).pk
    return others | {"batch": batch.pk, "resume": resume.pk, "candidate": Candidate.objects.get().pk, "vacancy": vacancy.pk}


def body_of(path: str, things: dict[str, object]) -> dict[str, object]:
    match path:
        case "resumes/":
            return {"data": {"file": text_file(ADA)}}
        case "batches/":
            return {"data": {"name": "x"}, "format": "json"}
        case "batches/{batch}/resumes/":
            return {"data": {"files": [text_file(ADA)]}}
        case "batches/{batch}/withdraw/":
            return {"data": {"filenames": ["x"], "reason": "y"}, "format": "json"}
        case "exports/":
            return {"data": {"batch": things["batch"], "format": "xlsx"}, "format": "json"}
        case "failures/act/":
            return {"data": {"action": "skip", "resumes": ["00000000-0000-0000-0000-000000000000"]}, "format": "json"}
        case "vacancies/" | "vacancies/{vacancy}/":
            return {"data": {"title": "Engineer"}, "format": "json"}
        case "webhooks/" | "webhooks/{webhook}/":
            return {"data": {"url": "https://ats.example.com/other"}, "format": "json"}
    return {}


def answers(as_user, cast, things, method, path, who):
    client = as_user(cast[who])
    answer = getattr(client, method)(f"/api/v1/{path.format(**things)}", **(body_of(path, things) if method != "get" else {}))
    answer.close()
    assert answer.has_header("Retry-After") is (answer.status_code == 202)
    return answer


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("path", READS)
def test_reading(as_user, cast, things, path, who):
    assert answers(as_user, cast, things, "get", path, who).status_code == READS[path][WHO.index(who)]


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("path", WRITES)
def test_writing(as_user, cast, things, path, who):
    assert answers(as_user, cast, things, "post", path, who).status_code == WRITES[path][WHO.index(who)]


@pytest.mark.parametrize("path", WRITES)
def test_every_post_is_done_once_for_a_key(as_user, cast, things, path):
    client, address = as_user(cast["owner"]), f"/api/v1/{path.format(**things)}"
    first, second = (client.post(address, headers={"Idempotency-Key": "k"}, **body_of(path, things)) for _ in range(2))
    expected = WRITES[path][WHO.index("owner")]
    refused = expected == 403
    assert (first.status_code, second.status_code) == (expected, expected)
    assert second.has_header("Idempotency-Replayed") is not refused
    assert first.has_header("Idempotency-Replayed") is False


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("path", DELETES)
def test_deleting(as_user, cast, things, path, who):
    assert answers(as_user, cast, things, "delete", path, who).status_code == DELETES[path][WHO.index(who)]


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("method", ["put", "patch"])
@pytest.mark.parametrize("path", CHANGES)
def test_changing(as_user, cast, things, method, path, who):
    assert answers(as_user, cast, things, method, path, who).status_code == CHANGES[path][WHO.index(who)]


@pytest.mark.parametrize("method", ["put", "patch"])
@pytest.mark.parametrize("path", CHANGES)
def test_every_change_heeds_a_condition(as_user, cast, things, method, path):
    change = getattr(as_user(cast["owner"]), method)
    answer = change(f"/api/v1/{path.format(**things)}", headers={"If-Match": '"of old"'}, **body_of(path, things))
    assert answer.status_code == 412


@pytest.mark.parametrize("path", sorted({*READS, *WRITES, *DELETES, *CHANGES}))
def test_what_an_address_does_not_do_is_refused_with_what_it_does(as_user, cast, things, path):
    tables = {"GET": READS, "POST": WRITES, "DELETE": DELETES, "PUT": CHANGES, "PATCH": CHANGES}
    does = {method for method, table in tables.items() if path in table}
    for method in sorted(tables.keys() - does):
        answer = as_user(cast["admin"]).generic(method, f"/api/v1/{path.format(**things)}")
        assert (answer.status_code, answer["Content-Type"]) == (405, "application/problem+json")
        assert answer.json()["code"] == "method_not_allowed"
        assert set(answer["Allow"].split(", ")) - {"HEAD", "OPTIONS"} == does


def test_lists_hold_only_what_one_may_see(as_user, cast, things):
    for path in ("resumes/", "batches/", "exports/", "vacancies/", "webhooks/", "tokens/"):
        assert as_user(cast["owner"]).get(f"/api/v1/{path}").data["results"]
        assert not as_user(cast["other"]).get(f"/api/v1/{path}").data["results"]


def methods_of(pattern) -> set[str]:
    """What an address of the API answers to, as its view says."""
    view = pattern.callback
    actions = getattr(view, "actions", None)
    return (
        set(actions) - {"head"}
        if actions
        else {name for name in ("get", "post", "put", "patch", "delete") if hasattr(view.cls, name)}
    )


def test_every_endpoint_of_the_api_is_in_the_tables_above_with_every_method(db):
    tables = {"get": READS, "post": WRITES, "delete": DELETES, "put": CHANGES, "patch": CHANGES}
    known = {(method, re.sub(r"{\w+}", "*", path)) for method, table in tables.items() for path in table}
    found = set()
    for resolver in get_resolver().url_patterns:
        if str(resolver.pattern) == "api/v1/":
            for pattern in resolver.url_patterns:
                path = re.sub(r"\(\?P<\w+>[^)]*\)|<\w+:\w+>", "*", str(pattern.pattern).lstrip("^").rstrip("$"))
                found |= {(method, path) for method in methods_of(pattern)}
    assert found == known


def test_an_inactive_user_may_do_nothing(as_user, recruiter):
    recruiter.is_active = False
    assert as_user(recruiter).get("/api/v1/resumes/").status_code == 403


def test_the_groups_of_the_roles_exist_from_the_start():
    from django.contrib.auth.models import Group

    assert set(Group.objects.values_list("name", flat=True)) >= set(Role)
