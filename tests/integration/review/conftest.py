from __future__ import annotations

import pytest
from django.test import Client

from tests.integration.people import person


@pytest.fixture
def people(db):
    roles = ("recruiter", "reviewer", "operator", "admin")
    return {role: person(f"{role}-one", role) for role in roles}


@pytest.fixture
def signed_in(people):
    def client(role: str) -> Client:
        made = Client()
        made.force_login(people[role])
        return made

    return client
