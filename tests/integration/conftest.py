"""Records to start from. Fictional people only."""

from __future__ import annotations

import io
import uuid

import pytest
from django.test import Client

from ingest import metrics, policy, spending, switches
from resumes import intake
from resumes.models import OutboxMessage, Resume
from tests.integration.people import person
from tests.texts import ALICE


class Mailroom:
    """Takes the place of the broker: keeps what was sent."""

    def __init__(self) -> None:
        self.sent: list[OutboxMessage] = []

    def send(self, message: OutboxMessage) -> None:
        self.sent.append(message)


mailroom = Mailroom()


def send(message: OutboxMessage) -> None:
    """The sender the settings name during integration tests."""
    mailroom.send(message)


@pytest.fixture(autouse=True)
def sent(settings, tmp_path) -> list[OutboxMessage]:
    """What has been handed to the broker; files are stored in a folder of the test's own."""
    mailroom.sent = []
    settings.RESUMES_SENDER = "tests.integration.conftest.send"
    settings.REDIS_PREFIX = f"{uuid.uuid4()}:"  # breakers of other tests, here or beside, are none of this one's
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": str(tmp_path / "files")}},
    }
    return mailroom.sent


@pytest.fixture(autouse=True)
def _nothing_remembered():
    """What a process keeps in hand of the database for some seconds was another test's database."""
    for kept in (switches, policy, spending, metrics):
        kept.forget()


@pytest.fixture
def receive(db):
    """Take in a text file the way every door does."""

    def receive(text: str = ALICE, filename: str = "alice.txt", **sender: object) -> Resume:
        return intake.receive(io.BytesIO(text.encode()), filename, intake.Sender(**sender))

    return receive


@pytest.fixture
def people(db):
    """Somebody of each role."""
    roles = ("recruiter", "reviewer", "operator", "admin")
    return {role: person(f"{role}-one", role) for role in roles}


@pytest.fixture
def signed_in(people):
    """The admin's client of somebody of a role."""

    def client(role: str) -> Client:
        made = Client()
        made.force_login(people[role])
        return made

    return client
