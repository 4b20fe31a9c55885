"""Edits under a condition: what somebody else has changed meanwhile is not overwritten, erased or run again unseen."""

from __future__ import annotations

import pytest

from ingest.models import Webhook
from ingest.webhooks import events
from resumes.models import Resume, Vacancy
from tests.integration.people import sent, worked_off

pytestmark = pytest.mark.django_db

OLD = '"0123456789abcdef0123456789abcdef"'


@pytest.fixture
def paths(recruiter):
    """Of one thing of each kind that is edited."""
    vacancy = Vacancy.objects.create(title="Engineer", skills=["Python"], owner=recruiter)
    webhook = Webhook.objects.create(owner=recruiter, url="https://ats.example.com/hook")
    resume = worked_off(sent(recruiter))
    return {
        "vacancy": f"/api/v1/vacancies/{vacancy.pk}/",
        "webhook": f"/api/v1/webhooks/{webhook.pk}/",
        "resume": f"/api/v1/resumes/{resume.pk}/",
    }


EDITS = [
    ("vacancy", "put", "", {"title": "Baker"}),
    ("vacancy", "patch", "", {"title": "Baker"}),
    ("vacancy", "delete", "", None),
    ("webhook", "put", "", {"description": "ours", "url": "https://ats.example.com/hook"}),
    ("webhook", "patch", "", {"description": "ours"}),
    ("webhook", "delete", "", None),
    ("webhook", "post", "rotate-secret/", None),
    ("resume", "post", "retry/", {"reason": "new rules"}),
    ("resume", "post", "flag-inaccurate/", {"note": "old number"}),
    ("resume", "delete", "", None),
]


@pytest.mark.parametrize(("kind", "method", "verb", "body"), EDITS)
def test_an_edit_goes_through_for_the_version_it_is_meant_for_and_no_other(as_user, recruiter, paths, kind, method, verb, body):
    client, path = as_user(recruiter), paths[kind]
    before = client.get(path)

    def edit(tag: str):
        return getattr(client, method)(f"{path}{verb}", body, format="json", headers={"If-Match": tag})

    refused = edit(OLD)
    assert (refused.status_code, refused.json()["code"]) == (412, "precondition_failed")
    assert client.get(path).data == before.data
    assert edit(f"{OLD}, {before['ETag']}").status_code < 300
    after = client.get(path)
    assert (
        after.status_code == 404
        if (method, kind) in {("delete", "vacancy"), ("delete", "webhook")}
        else after["ETag"] != before["ETag"]
    )


@pytest.mark.parametrize("kind", ["vacancy", "webhook"])
def test_the_answer_to_an_edit_carries_the_tag_for_the_next_one(as_user, recruiter, paths, kind):
    client, field = as_user(recruiter), {"vacancy": "title", "webhook": "description"}[kind]
    tag = client.get(paths[kind])["ETag"]
    for value in ("one", "two"):
        answer = client.patch(paths[kind], {field: value}, format="json", headers={"If-Match": tag})
        assert answer.status_code == 200
        assert answer["ETag"] not in {tag, OLD}
        tag = answer["ETag"]
    assert client.get(paths[kind])["ETag"] == tag


def test_any_version_will_do_with_a_star_or_without_the_header(as_user, recruiter, paths):
    client = as_user(recruiter)
    for headers in ({"If-Match": "*"}, {}):
        assert client.patch(paths["vacancy"], {"title": "Baker"}, format="json", headers=headers).status_code == 200


def test_a_weak_tag_matches_nothing(as_user, recruiter, paths):
    client = as_user(recruiter)
    tag = f"W/{client.get(paths['vacancy'])['ETag']}"
    assert client.patch(paths["vacancy"], {"title": "Baker"}, headers={"If-Match": tag}).status_code == 412


def test_a_condition_on_what_one_may_not_see_says_nothing_of_it(as_user, other_recruiter, paths):
    for path in paths.values():
        assert as_user(other_recruiter).delete(path, headers={"If-Match": OLD}).status_code == 404


def test_figures_that_move_by_themselves_make_no_new_version(as_user, recruiter, paths):
    client = as_user(recruiter)
    before = client.get(paths["webhook"])
    events.ping(Webhook.objects.get())
    after = client.get(paths["webhook"])
    assert (after.data["pending"], after["ETag"]) == (before.data["pending"] + 1, before["ETag"])


def test_what_a_worker_has_moved_meanwhile_is_another_version(as_user, recruiter):
    resume, client = sent(recruiter), as_user(recruiter)
    path = f"/api/v1/resumes/{resume.pk}/"
    tag = client.get(path)["ETag"]
    worked_off(resume)
    assert client.delete(path, headers={"If-Match": tag}).status_code == 412
    assert Resume.objects.get().erased_at is None
