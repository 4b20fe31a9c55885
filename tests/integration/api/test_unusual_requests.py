"""Requests nobody meant to send: each gets an answer that says so, and no file vanishes because of its name."""

from __future__ import annotations

import base64

import pytest
from rest_framework.test import APIClient

from resumes.models import Resume

pytestmark = pytest.mark.django_db
TEXT = b"Alice Archer\nalice.archer@example.com\n"


def multipart(*names: bytes, field: bytes = b"files") -> tuple[bytes, str]:
    parts = [
        b'--x\r\nContent-Disposition: form-data; name="'
        + field
        + b'"; filename="'
        + name
        + b'"\r\n\r\n'
        + TEXT
        + str(number).encode()
        + b"\r\n"
        for number, name in enumerate(names)
    ]
    return b"".join(parts) + b"--x--\r\n", "multipart/form-data; boundary=x"


def test_every_file_gets_an_item_whatever_its_name(as_user, recruiter):
    batch = as_user(recruiter).post("/api/v1/batches/", {"name": "odd", "source": "imported"}, format="json").json()["id"]
    content, kind = multipart(b"one.txt", b"..", b"x/", b"a\x00b.txt", b"four.txt")
    answer = as_user(recruiter).generic("POST", f"/api/v1/batches/{batch}/resumes/", content, content_type=kind)
    assert answer.status_code == 202
    names = [item["filename"] for item in answer.json()["items"]]
    assert len(names) == 5
    assert (names[0], names[-1]) == ("one.txt", "four.txt")
    assert all(names)


def test_two_files_where_one_is_taken_are_refused_and_not_halved(as_user, recruiter):
    content, kind = multipart(b"a.txt", b"b.txt", field=b"file")
    answer = as_user(recruiter).generic("POST", "/api/v1/resumes/", content, content_type=kind)
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert not Resume.objects.exists()


@pytest.mark.parametrize("path", ["batches/", "vacancies/"])
def test_json_nested_without_end_is_the_senders_fault(as_user, recruiter, path):
    answer = as_user(recruiter).generic("POST", f"/api/v1/{path}", b"[" * 100_000, content_type="application/json")
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("token", ["\xff", "\xff\xfe" * 40, "", "a b"])
def test_a_token_that_is_no_text_is_no_token(db, token):
    answer = APIClient().get("/api/v1/resumes/", HTTP_AUTHORIZATION=f"Token {token}")
    assert answer.status_code == 401


def test_an_external_id_with_a_null_character_is_refused(as_user, recruiter):
    batch = as_user(recruiter).post("/api/v1/batches/", {"name": "odd", "source": "imported"}, format="json").json()["id"]
    content, kind = multipart(b"one.txt")
    field = b'--x\r\nContent-Disposition: form-data; name="external_ids"\r\n\r\na\x00b\r\n'
    answer = as_user(recruiter).generic("POST", f"/api/v1/batches/{batch}/resumes/", field + content, content_type=kind)
    assert answer.status_code == 400


def test_a_name_in_bytes_nobody_can_read_is_refused_and_takes_no_file_silently(as_user, recruiter):
    batch = as_user(recruiter).post("/api/v1/batches/", {"name": "odd", "source": "imported"}, format="json").json()["id"]
    content, kind = multipart(b"one.txt", "张伟.txt".encode("gb18030"), b"three.txt")
    answer = as_user(recruiter).generic("POST", f"/api/v1/batches/{batch}/resumes/", content, content_type=kind)
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert not Resume.objects.exists()


LISTS = ("batches", "resumes", "candidates", "vacancies", "matches", "webhooks", "failures", "cases", "exports", "tokens")


@pytest.mark.parametrize("cursor", ["p=abc", "r=1&p=a", "o=-1&p=2020", "p=9999999999999999-99", "", "\u0000"])
@pytest.mark.parametrize("name", LISTS)
def test_a_cursor_nobody_gave_out_points_nowhere(as_user, admin, name, cursor):
    given = base64.b64encode(cursor.encode()).decode()
    assert as_user(admin).get(f"/api/v1/{name}/", {"cursor": given}).status_code in (200, 404)


@pytest.mark.parametrize("name", ["batches", "resumes", "failures"])
def test_a_filter_without_a_value_asks_for_nothing(as_user, admin, name):
    asked = {"state": "", "batch": "", "external_id": "", "source": "", "failure_class": "", "job_family": ""}
    assert as_user(admin).get(f"/api/v1/{name}/", asked).status_code == 200


def test_the_filters_of_a_batchs_items_without_a_value_ask_for_nothing(as_user, recruiter):
    batch = as_user(recruiter).post("/api/v1/batches/", {"name": "x", "source": "applied"}, format="json").data
    asked = {"state": "", "failure_class": "", "job_family": ""}
    assert as_user(recruiter).get(f"/api/v1/batches/{batch['id']}/items/", asked).status_code == 200
