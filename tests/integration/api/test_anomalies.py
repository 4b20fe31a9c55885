"""Whatever somebody does to the database behind Gleaner's back, the reconciliation finds it and names it.

Raw SQL on purpose: no model, no constraint of the program and no follow-up has a say in it.
"""

from __future__ import annotations

import csv
import io
import uuid

import pytest
from django.db import connection

from ingest.models import Outcome
from resumes.models import Resume
from tests.integration.people import text_file, worked_off
from tests.texts import ADA

pytestmark = pytest.mark.django_db


@pytest.fixture
def batch(as_user, recruiter):
    """A finished batch of three, brought in and followed through the API alone: two parsed, one refused."""
    client = as_user(recruiter)
    made = client.post("/api/v1/batches/", {"name": "Autumn", "expected": 3}, format="json").data["id"]
    files = [text_file(ADA, "a.txt"), text_file(f"{ADA}\nPostgreSQL\n", "b.txt"), text_file("", "c.txt")]
    client.post(f"/api/v1/batches/{made}/resumes/", {"files": files})
    for resume in Resume.objects.exclude(next_stage=""):
        worked_off(resume)
    client.post(f"/api/v1/batches/{made}/reconciliation/")
    assert client.get(f"/api/v1/batches/{made}/").data["state"] == "PARTIALLY_SUCCEEDED"
    return client, made


def sql(text: str, *values: object) -> int:
    """Run a statement; how many rows it touched. UUIDs are stored as each database likes them."""
    adapted = [value.hex if isinstance(value, uuid.UUID) and connection.vendor == "sqlite" else value for value in values]
    with connection.cursor() as cursor:
        cursor.execute(text, adapted)
        return int(cursor.rowcount)


def success() -> Outcome:
    return Outcome.objects.filter(result="COMPLETED").order_by("pk")[0]


def found(batch) -> dict[str, list[str]]:
    """Ids of what the report names, by kind; the batch must be in error, and stay so until the report is clean."""
    client, key = batch
    report = client.post(f"/api/v1/batches/{key}/reconciliation/").data
    assert report["ok"] is False
    assert client.get(f"/api/v1/batches/{key}/").data["state"] == "RECONCILIATION_ERROR"
    return {kind: [item["id"] for item in items] for kind, items in report["anomalies"].items() if items}


COPY = """INSERT INTO ingest_outcome (batch_id, entry_id, resume_id, run, result, at)
SELECT batch_id, entry_id, resume_id, run, {result}, at FROM ingest_outcome WHERE id = %s"""


def test_a_deleted_result_is_missing(batch):
    lost = success()
    assert sql("DELETE FROM ingest_outcome WHERE id = %s", lost.pk) == 1
    assert found(batch) == {"missing": [str(lost.entry_id)]}


def test_a_deleted_resume_with_all_that_hangs_on_it_is_missing(batch):
    lost = success()
    sql("DELETE FROM ingest_outcome WHERE id = %s", lost.pk)
    sql("UPDATE ingest_batchentry SET resume_id = NULL WHERE id = %s", lost.entry_id)
    assert found(batch) == {"missing": [str(lost.entry_id)]}


def test_a_second_success_is_a_duplicate(batch):
    twice = success()
    assert sql(COPY.format(result="result"), twice.pk) == 1
    assert found(batch) == {"duplicate": [str(twice.entry_id)]}


def test_a_foreign_outcome_is_an_orphan(batch):
    stranger = uuid.uuid4()
    sql(COPY.format(result="result"), success().pk)
    last = Outcome.objects.order_by("-pk")[0].pk
    assert sql("UPDATE ingest_outcome SET entry_id = %s WHERE id = %s", stranger, last) == 1
    assert found(batch) == {"orphan": [str(stranger)]}


def test_an_outcome_of_another_resume_under_a_known_entry_is_an_orphan(batch):
    sql(COPY.format(result="result"), success().pk)
    last = Outcome.objects.order_by("-pk")[0]
    sql("UPDATE ingest_outcome SET resume_id = %s WHERE id = %s", uuid.uuid4(), last.pk)
    assert found(batch) == {"orphan": [str(last.entry_id)]}


def test_a_forced_second_end_is_named(batch):
    torn = success()
    assert sql(COPY.format(result="'REJECTED'"), torn.pk) == 1
    assert found(batch) == {"multiple_terminal": [str(torn.entry_id)]}


def test_what_is_put_right_clears_with_the_next_report_and_not_before(batch):
    client, key = batch
    sql(COPY.format(result="'REJECTED'"), success().pk)
    found(batch)
    sql("DELETE FROM ingest_outcome WHERE id = (SELECT max(id) FROM ingest_outcome)")
    assert client.get(f"/api/v1/batches/{key}/").data["state"] == "RECONCILIATION_ERROR"
    assert client.post(f"/api/v1/batches/{key}/reconciliation/").data["ok"] is True
    assert client.get(f"/api/v1/batches/{key}/").data["state"] == "PARTIALLY_SUCCEEDED"


def test_the_database_itself_refuses_a_second_end_of_a_run_in_the_log(batch):
    from django.db import IntegrityError, transaction

    copy = """INSERT INTO resumes_transition (resume_id, run, from_state, to_state, at, node, actor, reason)
    SELECT resume_id, run, from_state, 'REJECTED', at, node, actor, reason FROM resumes_transition WHERE to_state = 'COMPLETED'"""
    with pytest.raises(IntegrityError), transaction.atomic():
        sql(copy)


def test_the_report_can_be_had_as_a_table(batch, admin, client):
    api, key = batch
    lost = success()
    sql("DELETE FROM ingest_outcome WHERE id = %s", lost.pk)
    found(batch)
    client.force_login(admin)
    raw = client.get(f"/admin/ingest/batch/{key}/report.csv").content
    rows = list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"))))
    assert [row["id"] for row in rows if row["kind"] == "missing"] == [str(lost.entry_id)]
    assert [row["value"] for row in rows if row["kind"] == "received"] == ["3"]
    same = api.get(f"/api/v1/batches/{key}/reconciliation/?format=csv")
    assert (same["Content-Type"], same.content) == ("text/csv; charset=utf-8", raw)
    assert api.get(f"/api/v1/batches/{key}/reconciliation/?format=pdf").status_code == 400
