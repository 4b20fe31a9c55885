"""Webhooks through the API: whose they are, what is refused, and that secrets show once."""

from __future__ import annotations

import pytest

from ingest.models import Delivery, Webhook
from ingest.webhooks import events, sending
from tests.integration.receiver import listening

pytestmark = pytest.mark.django_db

PATH = "/api/v1/webhooks/"


@pytest.fixture
def made(as_user, recruiter):
    answer = as_user(recruiter).post(PATH, {"url": "https://ats.example.com/hook", "events": ["batch.finished"]}, format="json")
    assert answer.status_code == 201, answer.data
    return answer.data


def test_the_secret_shows_when_it_is_made_and_when_it_is_changed_and_not_again(as_user, recruiter, made):
    client = as_user(recruiter)
    assert made["secret"].startswith("whsec_")
    assert "secret" not in client.get(f"{PATH}{made['id']}/").data
    assert "secret" not in client.get(PATH).data["results"][0]
    rotated = client.post(f"{PATH}{made['id']}/rotate-secret/").data
    assert rotated["secret"].startswith("whsec_")
    assert rotated["secret"] != made["secret"]
    assert rotated["old_secret_until"] is not None


def test_a_webhook_is_changed_and_deleted(as_user, recruiter, made):
    client = as_user(recruiter)
    changed = client.patch(f"{PATH}{made['id']}/", {"events": [], "description": "ATS"}, format="json").data
    assert (changed["events"], changed["description"], changed["url"]) == ([], "ATS", "https://ats.example.com/hook")
    Webhook.objects.update(enabled=False, disabled_why="gone")
    assert client.patch(f"{PATH}{made['id']}/", {"enabled": True}, format="json").data["disabled_why"] == ""
    assert client.delete(f"{PATH}{made['id']}/").status_code == 204
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        {"url": "http://127.0.0.1/hook"},
        {"url": "https://169.254.169.254/"},
        {"url": "ftp://example.com/"},
        {"url": "not an address"},
        {"url": "https://example.com/", "events": ["resume.exploded"]},
        {"url": "https://example.com/", "events": "batch.finished"},
        {"url": "https://example.com/", "description": "x\0"},
        {"url": "https://example.com/" + "x" * 500},
    ],
)
def test_what_cannot_be_a_webhook_is_refused(as_user, recruiter, body):
    answer = as_user(recruiter).post(PATH, body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


def test_callback_addresses_inside_the_network_are_refused_at_once(as_user, recruiter, settings):
    client = as_user(recruiter)
    batch = {"name": "x", "callback_url": "http://10.0.0.1/hook"}
    answer = client.post("/api/v1/batches/", batch, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["callback_url"])
    settings.GLEANER_WEBHOOK_PRIVATE = True
    assert client.post("/api/v1/batches/", batch, format="json").status_code == 201


def test_there_is_one_webhook_for_callback_addresses_a_user(as_user, recruiter, other_recruiter):
    client = as_user(recruiter)
    first = client.post(PATH, {}, format="json")
    assert (first.status_code, first.data["url"]) == (201, "")
    assert first.data["secret"]
    again = client.post(PATH, {"url": ""}, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "exists")
    assert as_user(other_recruiter).post(PATH, {}, format="json").status_code == 201
    assert client.post(f"{PATH}{first.data['id']}/ping/").json()["code"] == "no_address"
    assert client.patch(f"{PATH}{first.data['id']}/", {"url": "https://example.com/"}, format="json").status_code == 400


def test_everybody_has_their_own(as_user, recruiter, other_recruiter, admin, made):
    assert as_user(other_recruiter).get(PATH).data["results"] == []
    for method, path in (
        ("get", ""),
        ("patch", ""),
        ("delete", ""),
        ("post", "rotate-secret/"),
        ("post", "ping/"),
        ("get", "deliveries/"),
    ):
        assert getattr(as_user(other_recruiter), method)(f"{PATH}{made['id']}/{path}").status_code == 404
    assert [row["id"] for row in as_user(admin).get(PATH).data["results"]] == [made["id"]]


def test_a_ping_can_be_followed_and_sent_again(as_user, recruiter, settings):
    settings.GLEANER_WEBHOOK_PRIVATE = True
    client = as_user(recruiter)
    with listening() as receiver:
        hook = client.post(PATH, {"url": receiver.url}, format="json").data
        sent = client.post(f"{PATH}{hook['id']}/ping/")
        assert (sent.status_code, sent.data["state"], sent.data["event"]) == (202, "pending", "webhook.ping")
        assert client.get(f"{PATH}{hook['id']}/").data["pending"] == 1
        sending.send_due()
        (delivery,) = client.get(f"{PATH}{hook['id']}/deliveries/").data["results"]
        assert (delivery["id"], delivery["state"], delivery["log"][0]["status"]) == (sent.data["id"], "delivered", 204)
        assert client.get(f"{PATH}{hook['id']}/deliveries/?state=failed").data["results"] == []
        again = client.post(f"{PATH}{hook['id']}/deliveries/{delivery['id']}/replay/")
        assert (again.status_code, again.data["state"]) == (202, "pending")
        sending.send_due()
        assert len(receiver.got) == 2


def test_a_delivery_of_another_webhook_is_not_there(as_user, recruiter, other_recruiter, made):
    theirs = Webhook.objects.create(owner=other_recruiter, url="https://example.com/")
    delivery = events.ping(theirs)
    client = as_user(recruiter)
    assert client.post(f"{PATH}{made['id']}/deliveries/{delivery.pk}/replay/").status_code == 404
    assert client.post(f"{PATH}{made['id']}/deliveries/nonsense/replay/").status_code == 404
    assert client.post(f"{PATH}{theirs.pk}/deliveries/{delivery.pk}/replay/").status_code == 404


def test_deleting_a_webhook_deletes_what_waits_for_it(as_user, recruiter, made):
    events.ping(Webhook.objects.get())
    as_user(recruiter).delete(f"{PATH}{made['id']}/")
    assert not Delivery.objects.exists()


def test_lists_cost_the_same_for_one_and_for_many(as_user, recruiter, made, django_assert_num_queries):
    client = as_user(recruiter)
    client.get(PATH)
    with django_assert_num_queries(1):
        client.get(PATH)
    for number in range(5):
        Webhook.objects.create(owner=recruiter, url=f"https://example.com/{number}")
    with django_assert_num_queries(1):
        assert len(client.get(PATH).data["results"]) == 6
