"""Webhooks: announced with the change, signed, sent until heard, and only where they may go."""

from __future__ import annotations

import datetime as dt
import json
import random
import socket
import time

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from standardwebhooks import Webhook as Verifier
from standardwebhooks.webhooks import WebhookVerificationError

from ingest import batches, reconcile
from ingest.models import Delivery, Outcome, Webhook
from ingest.webhooks import events, sending, signing
from ingest.webhooks.events import Event
from ingest.webhooks.sending import DELAYS_S, Answer, next_wait_s
from resumes import erasure, intake
from resumes.models import Resume
from resumes.states import State
from resumes.transitions import move, reopen

from .people import person, text_file
from .receiver import listening

pytestmark = pytest.mark.django_db


@pytest.fixture
def rita():
    return person("rita", "recruiter")


@pytest.fixture
def receiver(settings):
    settings.GLEANER_WEBHOOK_PRIVATE = True
    with listening() as found:
        yield found


@pytest.fixture
def hook(rita, receiver):
    return Webhook.objects.create(owner=rita, url=f"{receiver.url}/hook?key=1")


def received(owner: User | None, text: str = "Alice Archer", **sender: object) -> Resume:
    return intake.receive(text_file(text), "alice archer.txt", intake.Sender(owner=owner, **sender))


def ended(resume: Resume, state: State = State.COMPLETED) -> Resume:
    move(resume, State.PARSING, node="test", reason="test")
    move(resume, state, node="test", reason="test")
    return resume


def told() -> list[str]:
    return list(Delivery.objects.order_by("created_at", "event").values_list("event", flat=True))


# -- what is announced, and to whom ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "event"),
    [
        (State.COMPLETED, "resume.completed"),
        (State.REVIEW_NEEDED, "resume.review_needed"),
        (State.REJECTED, "resume.rejected"),
        (State.SKIPPED, None),
        (State.DEAD_LETTER, None),
    ],
)
def test_ends_of_resumes_are_announced(hook, rita, state, event):
    resume = ended(received(rita, external_id="app-7"), state)
    assert told() == ([event] if event else [])
    for delivery in Delivery.objects.all():
        assert (delivery.data["resume"], delivery.data["state"], delivery.data["run"]) == (str(resume.pk), state, 1)
        assert delivery.data["external_id"] == "app-7"


def test_what_a_person_completes_is_completed_too(hook, rita):
    resume = ended(received(rita), State.REVIEW_NEEDED)
    move(resume, State.REVIEWED, node="test", reason="test")
    assert told() == ["resume.review_needed", "resume.completed"]
    assert Delivery.objects.get(event="resume.completed").data["state"] == "REVIEWED"


def test_one_is_told_of_what_one_may_see(rita, receiver):
    ruben, vera, alma, nora = person("ruben", "recruiter"), person("vera", "reviewer"), person("alma", "admin"), person("nora")
    gone = person("gone", "reviewer", is_active=False)
    hooks = {
        owner.username: Webhook.objects.create(owner=owner, url=receiver.url) for owner in (rita, ruben, vera, alma, nora, gone)
    }
    ended(received(rita))
    told_to = set(Delivery.objects.values_list("webhook", flat=True))
    assert told_to == {hooks[name].pk for name in ("rita", "vera", "alma")}


def test_only_the_events_asked_for_and_only_while_enabled(rita, hook):
    Webhook.objects.filter(pk=hook.pk).update(events=[Event.RESUME_REJECTED])
    ended(received(rita))
    assert told() == []
    ended(received(rita, "other"), State.REJECTED)
    assert told() == ["resume.rejected"]
    Webhook.objects.filter(pk=hook.pk).update(enabled=False)
    ended(received(rita, "third"), State.REJECTED)
    assert len(told()) == 1


def test_what_is_rolled_back_is_not_announced(rita, hook):
    resume = received(rita)
    move(resume, State.PARSING, node="test", reason="test")
    with transaction.atomic():
        move(resume, State.COMPLETED, node="test", reason="test")
        transaction.set_rollback(True)
    assert told() == []


def test_nothing_said_names_a_person_or_a_file(rita, hook):
    batch = batches.open_batch(rita, "Alice's batch")
    entry = batches.add_file(batch, text_file("Alice Archer alice@example.com"), "alice archer.txt")
    batches.seal(batch)
    ended(entry.resume, State.REJECTED)
    reconcile.reconcile(batch.pk)
    said = json.dumps(list(Delivery.objects.values_list("data", flat=True))).lower()
    assert told()
    assert "alice" not in said
    assert "archer" not in said


def batch_of(owner: User, number: int = 2, **given: object):
    batch = batches.open_batch(owner, "May", **given)
    entries = [batches.add_file(batch, text_file(f"resume {n}"), f"{n}.txt") for n in range(number)]
    batches.seal(batch)
    return batch, [entry.resume for entry in entries]


def of_batches() -> list[str]:
    rows = Delivery.objects.filter(batch__isnull=False).order_by("created_at")
    return [f"{delivery.event} {delivery.data['state']}" for delivery in rows]


def test_a_batch_announces_its_end_once(rita, hook):
    batch, (first, second) = batch_of(rita)
    ended(first)
    reconcile.reconcile(batch.pk)
    assert of_batches() == []
    ended(second, State.REJECTED)
    for _ in range(3):
        reconcile.reconcile(batch.pk)
    assert of_batches() == ["batch.finished PARTIALLY_SUCCEEDED"]
    assert Delivery.objects.get(event="batch.finished").data["counts"] == {"COMPLETED": 1, "REJECTED": 1}


def test_a_batch_announces_that_it_waits_for_people_once_and_its_end_again_after_it_was_opened_again(rita, hook):
    batch, (first, second) = batch_of(rita)
    ended(first, State.REVIEW_NEEDED)
    ended(second, State.REVIEW_NEEDED)
    reconcile.reconcile(batch.pk)
    move(first, State.REVIEWED, node="test", reason="test")
    reconcile.reconcile(batch.pk)
    assert of_batches() == ["batch.awaiting_review PROCESSING"]
    move(second, State.REJECTED, node="test", reason="test")
    reconcile.reconcile(batch.pk)
    reopen(second, State.PENDING, node="api", reason="again", actor="user:1")
    ended(second)
    reconcile.reconcile(batch.pk)
    assert of_batches()[1:] == ["batch.finished PARTIALLY_SUCCEEDED", "batch.finished SUCCEEDED"]


def test_a_batch_that_stops_adding_up_says_so_once_and_its_end_anew_when_it_does_again(rita, hook):
    batch, resumes = batch_of(rita)
    for resume in resumes:
        ended(resume)
    lost = Outcome.objects.filter(resume_id=resumes[0].pk)
    kept = Outcome.objects.get(resume_id=resumes[0].pk)
    lost.delete()
    reconcile.reconcile(batch.pk)
    reconcile.reconcile(batch.pk)
    assert of_batches().count("batch.reconciliation_error RECONCILIATION_ERROR") == 1
    assert Delivery.objects.get(event="batch.reconciliation_error").data["anomalies"]["missing"] == 1
    kept.pk, kept._state.adding = None, True
    kept.save()
    reconcile.reconcile(batch.pk)
    assert of_batches()[-1] == "batch.finished SUCCEEDED"


def test_a_callback_address_hears_of_its_batch_and_its_resumes_signed_with_the_owners_secret(rita, receiver):
    batch, resumes = batch_of(rita, 1, callback_url=f"{receiver.url}/batch")
    for resume in resumes:
        ended(resume)
    reconcile.reconcile(batch.pk)
    sending.send_due()
    assert sorted(json.loads(message.body)["type"] for message in receiver.got) == ["batch.finished", "resume.completed"]
    callbacks = Webhook.objects.get(owner=rita, url="")
    for message in receiver.got:
        assert message.path == "/batch"
        Verifier(callbacks.secret).verify(message.body, message.headers)


# -- how it is sent ----------------------------------------------------------------------------------------------------


def test_a_message_is_sent_signed_as_the_standard_asks_and_is_then_done(hook, rita, receiver):
    resume = ended(received(rita))
    assert sending.send_due() == 1
    (message,) = receiver.got
    said = Verifier(hook.secret).verify(message.body, message.headers)
    assert said["type"] == "resume.completed"
    assert said["data"]["resume"] == str(resume.pk)
    assert dt.datetime.fromisoformat(said["timestamp"])
    assert message.path == "/hook?key=1"
    delivery = Delivery.objects.get()
    assert message.headers["webhook-id"] == str(delivery.pk)
    assert (delivery.state, delivery.tries, delivery.log[0]["status"]) == ("delivered", 1, 204)
    assert sending.send_due() == 0
    with pytest.raises(WebhookVerificationError):
        Verifier(hook.secret).verify(message.body + b" ", message.headers)


def test_the_signature_is_that_of_the_reference_implementation():
    body, secret = '{"name": "Zoë"}', "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    made = signing.headers("msg_1", 1614265330, body.encode(), [secret])
    reference = Verifier(secret).sign("msg_1", dt.datetime.fromtimestamp(1614265330, dt.UTC), body)
    assert made == {"webhook-id": "msg_1", "webhook-timestamp": "1614265330", "webhook-signature": reference}


def test_while_a_rotation_lasts_both_secrets_are_good(hook, rita, receiver):
    old = hook.secret
    signing.rotate(hook)
    ended(received(rita))
    sending.send_due()
    for secret in (old, hook.secret):
        Verifier(secret).verify(receiver.got[0].body, receiver.got[0].headers)
    Webhook.objects.filter(pk=hook.pk).update(old_secret_until=timezone.now() - dt.timedelta(seconds=1))
    ended(received(rita, "other"))
    sending.send_due()
    Verifier(hook.secret).verify(receiver.got[1].body, receiver.got[1].headers)
    with pytest.raises(WebhookVerificationError):
        Verifier(old).verify(receiver.got[1].body, receiver.got[1].headers)


def test_a_rotation_that_is_asked_for_again_leaves_the_secret_of_the_receiver_good(hook, rita, receiver):
    secrets = [hook.secret]
    for _ in range(3):
        signing.rotate(Webhook.objects.get(pk=hook.pk))
        secrets.append(Webhook.objects.get(pk=hook.pk).secret)
        assert signing.valid_secrets(Webhook.objects.get(pk=hook.pk)) == secrets[:-4:-1]
    ended(received(rita))
    sending.send_due()
    for secret in secrets[1:]:
        Verifier(secret).verify(receiver.got[0].body, receiver.got[0].headers)
    with pytest.raises(WebhookVerificationError):
        Verifier(secrets[0]).verify(receiver.got[0].body, receiver.got[0].headers)


def due_now() -> None:
    Delivery.objects.filter(state="pending").update(due_at=timezone.now())


@pytest.mark.parametrize("status", [301, 302, 400, 404, 500, 503])
def test_every_other_answer_is_tried_again_for_about_a_day_and_redirects_are_not_followed(hook, rita, receiver, status):
    receiver.status = status
    receiver.answer_headers = {"Location": f"{receiver.url}/elsewhere"}
    ended(received(rita))
    waits = []
    while Delivery.objects.filter(state="pending").exists():
        assert sending.send_due() == 1
        delivery = Delivery.objects.get()
        waits.append((delivery.due_at - timezone.now()).total_seconds())
        due_now()
    assert delivery.state == "failed"
    assert len(receiver.got) == len(DELAYS_S) + 1
    assert {message.path for message in receiver.got} == {"/hook?key=1"}
    assert len({message.headers["webhook-id"] for message in receiver.got}) == 1
    assert 0.8 * 86_400 < sum(waits[:-1]) < 1.3 * 86_400
    assert all(0.79 < wait / delay < 1.21 for wait, delay in zip(waits[:-1], DELAYS_S, strict=True))


def test_an_endpoint_that_is_gone_is_left_alone(hook, rita, receiver):
    receiver.status = 410
    ended(received(rita))
    sending.send_due()
    hook.refresh_from_db()
    assert (hook.enabled, hook.disabled_why, Delivery.objects.get().state) == (False, "gone", "failed")


def test_the_time_a_receiver_asks_for_is_given(hook, rita, receiver):
    receiver.status, receiver.answer_headers = 503, {"Retry-After": "600"}
    ended(received(rita))
    sending.send_due()
    assert Delivery.objects.get().due_at > timezone.now() + dt.timedelta(seconds=590)


@pytest.mark.parametrize(
    ("answer", "tries", "least", "most"),
    [
        (Answer(500), 1, 4, 6),
        (Answer(error="timeout"), 2, 48, 72),
        (Answer(429, retry_after_s=100), 1, 100, 100),
        (Answer(500), len(DELAYS_S), 28_800, 43_200),
    ],
)
def test_waits(answer, tries, least, most):
    wait = next_wait_s(answer, tries, random.Random(1))
    assert wait is not None
    assert least <= wait <= most


def test_there_is_no_next_try_after_the_last_or_where_there_is_no_sense_in_one():
    assert next_wait_s(Answer(500), len(DELAYS_S) + 1, random.Random(1)) is None
    assert next_wait_s(Answer(410), 1, random.Random(1)) is None


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_an_endpoint_that_is_down_holds_up_no_other_and_is_asked_once_a_pass(settings, rita, hook, receiver):
    dead = Webhook.objects.create(owner=rita, url=f"http://127.0.0.1:{closed_port()}/")
    for number in range(5):
        ended(received(rita, f"resume {number}"))
    sending.send_due()
    assert len(receiver.got) == 5
    errors = [delivery.log[0]["error"] for delivery in Delivery.objects.filter(webhook=dead)]
    assert sorted(errors) == ["connection", *["unreachable"] * 4]
    assert not Delivery.objects.filter(webhook=dead, due_at__lte=timezone.now()).exists()


@pytest.mark.parametrize("before", [0, 1])
def test_a_receiver_that_answers_without_end_is_given_up_on_a_new_connection_and_on_one_kept_open(
    hook, rita, receiver, monkeypatch, before
):
    """Each byte comes well within the timeout of a read."""
    monkeypatch.setattr(sending, "_WHOLE_S", 0.3)
    receiver.drips_after = before
    for number in range(3):
        ended(received(rita, f"resume {number}"))
    began = time.monotonic()
    sending.send_due()
    assert time.monotonic() - began < 5
    ends = sorted((delivery.state, delivery.log[0]["error"]) for delivery in Delivery.objects.all())
    assert ends == [("delivered", "")] * before + [("pending", "timeout")] + [("pending", "unreachable")] * (2 - before)


def test_a_private_address_is_refused_when_sending_even_if_it_was_allowed_when_given(settings, hook, rita, receiver):
    ended(received(rita))
    settings.GLEANER_WEBHOOK_PRIVATE = False
    sending.send_due()
    assert receiver.got == []
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.log[0]["error"]) == ("pending", "private_address")


def test_two_senders_at_once_send_each_message_once(hook, rita, receiver):
    for number in range(3):
        ended(received(rita, f"resume {number}"))
    first = sending._claim()
    assert len(first) == 3
    assert sending._claim() == []


def test_a_pass_that_dies_leaves_its_messages_to_a_later_one(hook, rita, receiver):
    ended(received(rita))
    sending._claim()
    assert Delivery.objects.get().state == "pending"
    due_now()
    assert sending.send_due() == 1


def test_a_replay_is_sent_again_under_its_own_id(hook, rita, receiver):
    ended(received(rita))
    sending.send_due()
    sending.replay(Delivery.objects.get())
    sending.send_due()
    assert len({message.headers["webhook-id"] for message in receiver.got}) == 1
    assert len(receiver.got) == 2
    assert len(Delivery.objects.get().log) == 2


def test_what_is_erased_is_not_spoken_of_any_more(hook, rita, receiver):
    resume = ended(received(rita, external_id="alice@example.com"))
    erasure.erase(resume, actor="test", reason="test")
    assert told() == []


def test_the_backlog_is_in_the_metrics(hook, rita, client):
    from ingest.metrics import forget

    ended(received(rita))
    Delivery.objects.update(created_at=timezone.now() - dt.timedelta(minutes=5))
    forget()
    text = client.get("/metrics").content.decode()
    assert 'gleaner_webhook_deliveries{state="pending"} 1.0' in text
    (age,) = [line.split()[-1] for line in text.splitlines() if line.startswith("gleaner_webhook_oldest_pending_seconds ")]
    assert float(age) >= 300


def test_no_address_reaches_the_log(hook, rita, receiver, caplog):
    """Addresses of webhooks hold keys."""
    receiver.status = 500
    ended(received(rita))
    sending.send_due()
    assert "key=1" not in caplog.text


def test_a_test_message_says_only_that_it_is_one(hook, receiver):
    events.ping(hook)
    sending.send_due()
    assert json.loads(receiver.got[0].body)["type"] == "webhook.ping"
