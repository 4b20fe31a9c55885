"""Failures and webhooks in the admin: who sees what, and what the lists can do about many."""

from __future__ import annotations

import pytest
from django.urls import reverse

from ingest.models import Delivery, Webhook
from ingest.webhooks import events
from resumes.models import Resume
from resumes.states import State
from resumes.transitions import move
from tests.integration.people import person, sent

pytestmark = pytest.mark.django_db


@pytest.fixture
def rita():
    return person("rita", "recruiter")


def failed(owner, number: int = 2) -> list[Resume]:
    resumes = [sent(owner, f"flour {count}", f"{count}.txt") for count in range(number)]
    for resume in resumes:
        move(resume, State.PARSING, node="test", reason="test")
        move(resume, State.REVIEW_NEEDED, node="test", reason="test", failure_class="structuring", failure_code="not_a_resume")
    return resumes


@pytest.mark.parametrize(
    ("action", "state"), [("failure_reject", State.REJECTED), ("failure_skip", State.SKIPPED), ("run_again", State.PENDING)]
)
def test_many_failures_are_dealt_with_at_once(client, rita, action, state):
    client.force_login(rita)
    chosen = [str(resume.pk) for resume in failed(rita)]
    path = reverse("admin:resumes_resume_changelist")
    assert client.post(path, {"action": action, "_selected_action": chosen}).status_code == 302
    assert set(Resume.objects.values_list("state", flat=True)) == {state}


@pytest.mark.parametrize(("move_of", "number"), [("any", 2), ("reviewer", 2), ("sender", 0), ("operator", 0)])
def test_the_list_shows_whose_move_is_next(client, rita, move_of, number):
    client.force_login(rita)
    failed(rita)
    answer = client.get(reverse("admin:resumes_resume_changelist"), {"move": move_of})
    assert answer.context["cl"].result_count == number


def test_everybody_sees_their_own_webhooks_and_admins_all(client, rita):
    ruben, alma = person("ruben", "recruiter"), person("alma", "admin")
    hook = Webhook.objects.create(owner=rita, url="https://ats.example.com/hook", description="ATS")
    delivery = events.ping(hook)
    pages = [reverse(f"admin:ingest_{name}_changelist") for name in ("webhook", "delivery")]
    details = [
        reverse("admin:ingest_webhook_change", args=[hook.pk]),
        reverse("admin:ingest_delivery_change", args=[delivery.pk]),
    ]
    for user, number in ((rita, 1), (ruben, 0), (alma, 1)):
        client.force_login(user)
        assert [client.get(page).context["cl"].result_count for page in pages] == [number, number]
        assert {client.get(page).status_code for page in details} == {200 if number else 302}
    client.force_login(rita)
    assert hook.secret not in client.get(details[0]).content.decode()


def test_deliveries_are_sent_again_and_tests_are_sent_from_the_lists(client, rita):
    hook = Webhook.objects.create(owner=rita, url="https://ats.example.com/hook")
    delivery = events.ping(hook)
    Delivery.objects.update(state="failed", tries=9)
    client.force_login(rita)
    client.post(reverse("admin:ingest_delivery_changelist"), {"action": "send_again", "_selected_action": [str(delivery.pk)]})
    delivery.refresh_from_db()
    assert (delivery.state, delivery.tries) == ("pending", 0)
    client.post(reverse("admin:ingest_webhook_changelist"), {"action": "send_test", "_selected_action": [str(hook.pk)]})
    assert Delivery.objects.filter(event=events.PING).count() == 2
