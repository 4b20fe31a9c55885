"""Requests nobody meant to send: each gets an answer that says so, and no file vanishes because of its name."""

from __future__ import annotations

import base64
import io

import pytest
from rest_framework.test import APIClient

from resumes import files
from resumes.api.uploads import _Readable
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


def named(*heads: bytes) -> tuple[bytes, str]:
    """Files in parts whose heads say what is given."""
    parts = [
        b"--x\r\nContent-Disposition: form-data; " + head + b"\r\n\r\n" + TEXT + str(number).encode() + b"\r\n"
        for number, head in enumerate(heads)
    ]
    return b"".join(parts) + b"--x--\r\n", "multipart/form-data; boundary=x"


@pytest.mark.parametrize(
    ("head", "shown"),
    [
        (b'name="files"; filename="' + "张伟的简历.txt".encode("gb18030") + b'"', "张伟的简历.txt"),
        (b'name="files"; filename="' + "Иванов Пётр.txt".encode("cp1251") + b'"', "Иванов Пётр.txt"),
        (b'name=files; filename="' + "R\u00e9sum\u00e9.txt".encode("cp1252") + b'"', "R\u00e9sum\u00e9.txt"),
        (b'name="files"; filename="a\xff\xfe\\"b.txt"\r\nContent-Type: text/plain', None),
        (b"name=\"files\"; filename*=nonsense''%D0%90.txt", "\u0410.txt"),
        (b"name=\"files\"; filename*=GB2312''%D5%C5%CE%B0.txt", "张伟.txt"),
        (b"name=\"files\"; filename*=idna''a.txt", "a.txt"),
        (b'name="files"; filename="' + "很长的名字".encode() * 100 + b'.pdf"', None),
        (b"name=\"files\"; filename*=utf-8''" + b"%E5%BC%A0" * 250 + b".pdf", None),
        (b'name="files"; filename="' + b"x" * 5_000 + b'.txt"', None),
    ],
)
def test_a_file_is_taken_in_whatever_encoding_and_length_its_name_was_sent(as_user, recruiter, head, shown):
    batch = as_user(recruiter).post("/api/v1/batches/", {"name": "odd", "source": "imported"}, format="json").json()["id"]
    content, kind = named(b'name="files"; filename="one.txt"', head, b'name="files"; filename="three.txt"')
    answer = as_user(recruiter).generic("POST", f"/api/v1/batches/{batch}/resumes/", content, content_type=kind)
    assert answer.status_code == 202, answer.data
    items = answer.json()["items"]
    names = [item["filename"] for item in items]
    assert (len(names), names[0], names[2]) == (3, "one.txt", "three.txt")
    assert 0 < len(names[1]) <= 255
    assert names[1] == shown or (shown is None and names[1].endswith((".txt", ".pdf")))
    for number, item in enumerate(items):
        with files.local_copy(Resume.objects.get(pk=item["resume"]).document) as stored:
            assert stored.read_bytes() == TEXT + str(number).encode()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 1000])
def test_the_parts_of_a_body_are_told_apart_however_it_arrives(size):
    """The heads of parts lie across the pieces a body comes in, and what looks like a head lies inside of files."""
    names = [b"plain.txt", "张伟的简历.txt".encode("gb18030"), b"three.txt"]
    content, _ = multipart(*names)
    content = content.replace(TEXT, TEXT + b"--x\r\n--xy\r\n\r\n\r\n-", 1)
    source = io.BytesIO(content)
    body = _Readable(source)
    body.delimiter = b"--x\r\n"
    read = b"".join(iter(lambda: body.read(size), b""))
    assert read == content.replace(names[1], "张伟的简历.txt".encode())
    assert body.parts == content.count(b"--x\r\n")


@pytest.mark.parametrize("cut", [12, 40, 90])
def test_a_body_that_ends_too_early_brings_in_no_half_of_a_file(as_user, recruiter, cut):
    batch = as_user(recruiter).post("/api/v1/batches/", {"name": "odd", "source": "imported"}, format="json").json()["id"]
    content, kind = multipart(b"one.txt", b"two.txt")
    answer = as_user(recruiter).generic("POST", f"/api/v1/batches/{batch}/resumes/", content[:-cut], content_type=kind)
    assert (answer.status_code, answer.json()["code"]) == (400, "parse_error")
    assert not Resume.objects.exists()


def test_no_more_is_read_beside_files_than_can_be_meant(as_user, recruiter, settings):
    client = as_user(recruiter)
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 5_000
    for path, kind in (
        ("batches/", "application/json"),
        ("batches/", "application/x-www-form-urlencoded"),
        ("failures/act/", "application/json"),
    ):
        answer = client.generic("POST", f"/api/v1/{path}", b"{}" * 3_000, content_type=kind)
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
        assert "5000 bytes" in answer.json()["detail"]


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "get"])
def test_a_slash_that_was_left_out_costs_nobody_a_request(client, method):
    answer = getattr(client, method)("/api/v1/resumes?page_size=5")
    assert (answer.status_code, answer["Location"]) == (308, "/api/v1/resumes/?page_size=5")


def test_a_body_of_unstated_length_is_asked_for_its_length(as_user, recruiter):
    client = as_user(recruiter)
    answer = client.generic("POST", "/api/v1/batches/", b"", headers={"Transfer-Encoding": "chunked"}, CONTENT_LENGTH="")
    assert (answer.status_code, answer.json()["code"]) == (411, "length_required")
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    "accepted", ["application/jsonl", "application/zip", "text/csv", "application/problem+json", "text/html", "x"]
)
def test_an_answer_comes_as_it_is_whatever_the_client_accepts(as_user, recruiter, accepted):
    client = as_user(recruiter)
    batch = client.post("/api/v1/batches/", {"name": "x"}, format="json").data["id"]
    assert client.get("/api/v1/batches/", headers={"Accept": accepted})["Content-Type"] == "application/json"
    export = client.get(f"/api/v1/batches/{batch}/export/?format=csv", headers={"Accept": accepted})
    assert (export.status_code, export["Content-Type"]) == (200, "application/zip")
    b"".join(export.streaming_content)
    missing = client.get("/api/v1/batches/00000000-0000-0000-0000-000000000000/", headers={"Accept": accepted})
    assert (missing.status_code, missing["Content-Type"]) == (404, "application/problem+json")


@pytest.mark.parametrize(
    "path", ["tokens/%00/", "resumes/%00/", "batches/%00/", "candidates/%00/", "webhooks/%00/", "cases/%00/"]
)
def test_an_id_with_a_null_character_is_nobodys(as_user, admin, path):
    assert as_user(admin).get(f"/api/v1/{path}").status_code == 404


@pytest.mark.parametrize("language", ["ru", "zh-hans"])
@pytest.mark.parametrize(
    ("method", "path", "sent", "kind"),
    [
        ("GET", "batches/00000000-0000-0000-0000-000000000000/", b"", ""),
        ("GET", "nowhere/", b"", ""),
        ("PUT", "batches/", b"", ""),
        ("GET", "batches/?cursor=x", b"", ""),
        ("GET", "batches/?sealed=perhaps", b"", ""),
        ("POST", "batches/", b"{", "application/json"),
        ("POST", "batches/", b"[", "text/plain"),
        ("POST", "batches/", b'{"expected": -1}', "application/json"),
        ("POST", "batches/", b'{"name": "\\ud800", "expected": "x"}', "application/json"),
        ("POST", "resumes/", b"", "multipart/form-data; boundary="),
        ("POST", "resumes/", b"--x\r\n--x--", "multipart/form-data; boundary=x"),
        ("POST", "webhooks/", b'{"url": "http://10.0.0.1/"}', "application/json"),
        ("POST", "exports/", b'{"batch": "x", "format": "y"}', "application/json"),
        ("POST", "tokens/", b'{"days": 0}', "application/json"),
    ],
)
def test_problems_are_told_in_the_language_that_is_asked_for(as_user, recruiter, language, method, path, sent, kind):
    answer = as_user(recruiter).generic(method, f"/api/v1/{path}", sent, content_type=kind, headers={"Accept-Language": language})
    problem = answer.json()
    assert 400 <= answer.status_code < 500
    told = [problem["title"], problem["detail"], *(str(found) for found in problem.get("errors", {}).values())]
    assert not any(text.isascii() for text in told)


@pytest.mark.parametrize("key", ["a\x00b", "a\x07", "\ud800"])
def test_a_key_that_no_database_could_hold_is_refused(as_user, recruiter, key):
    answer = as_user(recruiter).post("/api/v1/batches/", {"name": "x"}, format="json", headers={"Idempotency-Key": key})
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["Idempotency-Key"])


@pytest.mark.parametrize("path", ["batches/?sealed=", "vacancies/?open="])
@pytest.mark.parametrize(("value", "status"), [("perhaps", 400), ("yes", 400), ("True", 200), ("0", 200), ("", 200)])
def test_what_is_neither_true_nor_false_is_refused(as_user, recruiter, path, value, status):
    assert as_user(recruiter).get(f"/api/v1/{path}{value}").status_code == status


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
