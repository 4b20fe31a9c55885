from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from tests.integration.people import person


@pytest.fixture
def recruiter(db):
    return person("rita", "recruiter")


@pytest.fixture
def other_recruiter(db):
    return person("ruben", "recruiter")


@pytest.fixture
def reviewer(db):
    return person("vera", "reviewer")


@pytest.fixture
def operator(db):
    return person("oleg", "operator")


@pytest.fixture
def admin(db):
    return person("alma", "admin")


@pytest.fixture
def as_user():
    """A client that acts as a user."""

    def client(user) -> APIClient:
        made = APIClient(raise_request_exception=True)
        made.force_authenticate(user)
        return made

    return client
