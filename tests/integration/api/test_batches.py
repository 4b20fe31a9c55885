from __future__ import annotations

import csv
import io
import json
import zipfile

import pytest
from django.core.management import call_command
from openpyxl import load_workbook

from ingest.models import Batch, BatchEntry, Outcome, ReconciliationReport
from resumes import intake
from resumes.models import Resume
from resumes.taxonomy import ResumeError
from tests.integration.people import POOR, text_file, worked_off
from tests.texts import ADA

pytestmark = pytest.mark.django_db


def opened(client, **given):
    answer = client.post("/api/v1/batches/", {"name": "Autumn", "source": "applied", **given}, format="json")
    assert answer.status_code == 201, answer.data
    return answer.data


def fill(client, batch, *texts, **fields):
    files = [text_file(text, f"{number}.txt") for number, text in enumerate(texts, 1)]
    return client.post(f"/api/v1/batches/{batch['id']}/resumes/", {"files": files, **fields})


def work_off_all():
    for resume in Resume.objects.exclude(next_stage=""):
        worked_off(resume)


def test_a_batch_opens_with_what_is_declared(as_user, recruiter):
    batch = opened(as_user(recruiter), expected=[{"filename": "1.txt", "sha256": "a" * 64}, {"filename": "2.txt"}])
    assert (batch["state"], batch["phase"], batch["sealed"]) == ("PROCESSING", "receiving", False)
    assert (batch["declared"], batch["files"], batch["received"], batch["missing"]) == (2, 0, 0, 2)
    assert opened(as_user(recruiter), expected=3)["declared"] == 3
    assert opened(as_user(recruiter))["declared"] is None


@pytest.mark.parametrize("expected", ["many", -1, [{"name": "x"}], 1.5, True])
def test_what_cannot_be_declared_is_refused(as_user, recruiter, expected):
    answer = as_user(recruiter).post("/api/v1/batches/", {"name": "x", "expected": expected}, format="json")
    assert answer.status_code == 400
    assert "expected" in answer.json()["errors"]


def test_every_file_gets_an_item_in_order_refused_ones_included(as_user, recruiter):
    client = as_user(recruiter)
    batch = opened(client)
    answer = fill(client, batch, ADA, "", POOR, external_ids=["x-1", "x-2"])
    assert answer.status_code == 202
    items = answer.data["items"]
    assert [item["filename"] for item in items] == ["1.txt", "2.txt", "3.txt"]
    assert [item["state"] for item in items] == ["PENDING", "REJECTED", "PENDING"]
    assert items[1]["failure"]["code"] == "empty_file"
    assert all(item["id"] and item["resume"] for item in items)
    assert Resume.objects.get(pk=items[0]["resume"]).external_id == "x-1"
    detail = client.get(f"/api/v1/batches/{batch['id']}/").data
    assert (detail["received"], detail["counts"]) == (3, {"PENDING": 2, "REJECTED": 1})
    assert detail["failure_classes"] == {"preprocess": 1}


def test_a_duplicate_is_left_out_or_parsed_as_the_sender_chose(as_user, recruiter):
    client = as_user(recruiter)
    first = fill(client, opened(client), ADA).data["items"][0]
    second = fill(client, opened(client), ADA).data["items"][0]
    assert (second["state"], second["duplicate_of"]) == ("SKIPPED", first["resume"])
    assert fill(client, opened(client, on_duplicate="parse"), ADA).data["items"][0]["state"] == "PENDING"


def test_an_external_id_that_is_taken_costs_only_its_own_file(as_user, recruiter):
    client = as_user(recruiter)
    batch = opened(client)
    items = fill(client, batch, ADA, POOR, POOR + "eggs", external_ids=["same", "same", "other"]).data["items"]
    assert [item["state"] for item in items] == ["PENDING", "PENDING", "PENDING"]  # another file is no duplicate
    second = Resume.objects.get(pk=items[1]["resume"])
    assert (second.external_id, second.warnings, second.duplicate_of) == ("", ["external_id_taken"], None)


def test_the_very_file_that_has_an_external_id_is_a_duplicate_whatever_the_sender_chose(as_user, recruiter):
    client = as_user(recruiter)
    batch = opened(client, on_duplicate="parse")
    items = fill(client, batch, ADA, ADA, external_ids=["same", "same"]).data["items"]
    assert [item["state"] for item in items] == ["PENDING", "SKIPPED"]
    assert items[1]["duplicate_of"] == items[0]["resume"]


def test_files_are_taken_from_every_field_in_the_order_they_were_sent(as_user, recruiter):
    client = as_user(recruiter)
    batch = opened(client)
    sent = {"files": text_file("one", "1.txt"), "file": text_file("two", "2.txt"), "resume": text_file("three", "3.txt")}
    answer = client.post(f"/api/v1/batches/{batch['id']}/resumes/", sent)
    assert [item["filename"] for item in answer.data["items"]] == ["1.txt", "2.txt", "3.txt"]


def test_what_was_sent_in_place_of_a_file_without_a_name_is_not_passed_over(as_user, recruiter):
    client = as_user(recruiter)
    batch = opened(client)
    answer = client.post(f"/api/v1/batches/{batch['id']}/resumes/", {"files": [text_file("one", "1.txt"), "a resume as text"]})
    assert answer.status_code == 400
    assert "without a file name" in answer.json()["detail"]
    assert not BatchEntry.objects.exists()


@pytest.mark.parametrize("declared", ["re\u0301sume\u0301.txt", "team/résumé.txt", "C:\\cv\\résumé.txt"])
def test_a_file_is_the_one_that_was_declared_however_its_name_was_written(as_user, recruiter, declared):
    client = as_user(recruiter)
    batch = opened(client, expected=[{"filename": declared}])
    client.post(f"/api/v1/batches/{batch['id']}/resumes/", {"files": text_file(ADA, "résumé.txt")})
    found = client.get(f"/api/v1/batches/{batch['id']}/").data
    assert (found["files"], found["missing"], found["sealed"]) == (1, 0, True)


def test_a_batch_whose_last_missing_file_is_withdrawn_seals_itself(as_user, recruiter):
    client = as_user(recruiter)
    batch = opened(client, expected=[{"filename": "1.txt"}, {"filename": "2.txt"}])
    fill(client, batch, ADA)
    client.post(f"/api/v1/batches/{batch['id']}/withdraw/", {"filenames": ["2.txt"], "reason": "left out"}, format="json")
    assert client.get(f"/api/v1/batches/{batch['id']}/").data["sealed"] is True


def test_a_store_that_fails_leaves_the_file_with_its_sender(as_user, recruiter, monkeypatch):
    """No item says that a good file was refused: the store's fault is a 503, with what was taken before it."""
    client = as_user(recruiter)
    batch = opened(client)
    real, calls = intake.admit, []

    def admit(source, filename):
        calls.append(filename)
        if len(calls) == 2:
            raise ResumeError("storage_denied")
        return real(source, filename)

    monkeypatch.setattr(intake, "admit", admit)
    answer = fill(client, batch, ADA, POOR, POOR + "eggs")
    assert (answer.status_code, answer.json()["code"]) == (503, "storage_denied")
    assert "Retry-After" in answer
    assert [item["filename"] for item in answer.json()["items"]] == ["1.txt"]
    assert Resume.objects.count() == 1


def test_a_batch_seals_itself_at_its_declared_count_and_takes_no_more(as_user, recruiter):
    client = as_user(recruiter)
    batch = opened(client, expected=2)
    assert fill(client, batch, ADA, POOR).status_code == 202
    assert client.get(f"/api/v1/batches/{batch['id']}/").data["sealed"] is True
    answer = fill(client, batch, ADA)
    assert (answer.status_code, answer.json()["code"]) == (409, "batch_closed")


def test_more_files_than_declared_in_one_request_are_all_taken(as_user, recruiter):
    client = as_user(recruiter)
    batch = opened(client, expected=1)
    assert len(fill(client, batch, ADA, POOR).data["items"]) == 2
    assert client.get(f"/api/v1/batches/{batch['id']}/").data["sealed"] is True


def test_nothing_sent_is_an_error(as_user, recruiter):
    client = as_user(recruiter)
    answer = client.post(f"/api/v1/batches/{opened(client)['id']}/resumes/", {})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


def test_a_whole_batch_ends_with_a_report_and_an_export_that_account_for_every_file(as_user, recruiter):
    client = as_user(recruiter)
    batch = opened(client)
    fill(client, batch, ADA, "", POOR)
    client.post(f"/api/v1/batches/{batch['id']}/seal/")
    work_off_all()
    assert client.get(f"/api/v1/batches/{batch['id']}/").data["phase"] == "awaiting_people"
    report = client.post(f"/api/v1/batches/{batch['id']}/reconciliation/").data
    assert (report["succeeded"], report["rejected"], report["open"], report["ok"]) == (1, 1, 1, True)
    assert client.get(f"/api/v1/batches/{batch['id']}/reconciliation/").data == report
    failures = client.get(f"/api/v1/batches/{batch['id']}/failures/").data["results"]
    why = Resume.objects.get(state="REVIEW_NEEDED").failure_code
    assert [(item["state"], item["code"]) for item in failures] == [("REJECTED", "empty_file"), ("REVIEW_NEEDED", why)]
    assert all(item["message"] and item["next"] and item["advice"] for item in failures)

    lines = b"".join(client.get(f"/api/v1/batches/{batch['id']}/export/").streaming_content).decode().splitlines()
    outcomes = [json.loads(line)["outcome"] for line in lines]
    assert outcomes == ["completed", "failed", "waiting"]
    assert json.loads(lines[0])["resume"]["basics"]["email"] == "ada.quillfeather@example.org"

    packed = io.BytesIO(b"".join(client.get(f"/api/v1/batches/{batch['id']}/export/?format=csv").streaming_content))
    with zipfile.ZipFile(packed) as archive:
        raw = archive.read("results.csv")
        assert raw.startswith(b"\xef\xbb\xbf")
        results = list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"))))
        others = list(csv.DictReader(io.StringIO(archive.read("others.csv").decode("utf-8-sig"))))
    assert [row["email"] for row in results] == ["ada.quillfeather@example.org"]
    assert [row["code"] for row in others] == ["empty_file", why]

    book = load_workbook(io.BytesIO(b"".join(client.get(f"/api/v1/batches/{batch['id']}/export/?format=xlsx").streaming_content)))
    assert book.sheetnames == ["Results", "Others"]
    assert (book["Results"].max_row, book["Others"].max_row) == (2, 3)
    book.close()
    assert client.get(f"/api/v1/batches/{batch['id']}/export/?format=pdf").status_code == 400


def test_no_cell_of_an_export_is_taken_for_a_formula(as_user, recruiter):
    client = as_user(recruiter)
    batch = opened(client)
    file = text_file("", "=HYPERLINK(A1).txt")
    client.post(f"/api/v1/batches/{batch['id']}/resumes/", {"files": [file]})
    packed = io.BytesIO(b"".join(client.get(f"/api/v1/batches/{batch['id']}/export/?format=csv").streaming_content))
    with zipfile.ZipFile(packed) as archive:
        others = list(csv.DictReader(io.StringIO(archive.read("others.csv").decode("utf-8-sig"))))
    assert others[0]["filename"] == "'=HYPERLINK(A1).txt"


def test_a_declared_file_that_never_comes_is_missing_until_it_is_withdrawn(as_user, recruiter):
    client = as_user(recruiter)
    batch = opened(client, expected=[{"filename": "1.txt"}, {"filename": "2.txt"}])
    fill(client, batch, ADA)
    client.post(f"/api/v1/batches/{batch['id']}/seal/")
    work_off_all()
    report = client.post(f"/api/v1/batches/{batch['id']}/reconciliation/").data
    assert [item["filename"] for item in report["anomalies"]["missing"]] == ["2.txt"]
    assert client.get(f"/api/v1/batches/{batch['id']}/").data["state"] == "RECONCILIATION_ERROR"
    answer = client.post(
        f"/api/v1/batches/{batch['id']}/withdraw/", {"filenames": ["2.txt"], "reason": "withdrew"}, format="json"
    )
    assert [item["state"] for item in answer.data["items"]] == ["SKIPPED"]
    client.post(f"/api/v1/batches/{batch['id']}/reconciliation/")
    assert client.get(f"/api/v1/batches/{batch['id']}/").data["state"] == "SUCCEEDED"


def test_an_anomaly_is_named_by_its_item(as_user, recruiter):
    client = as_user(recruiter)
    batch = opened(client)
    item = fill(client, batch, ADA).data["items"][0]
    client.post(f"/api/v1/batches/{batch['id']}/seal/")
    work_off_all()
    Outcome.objects.filter(entry_id=item["id"]).delete()
    report = client.post(f"/api/v1/batches/{batch['id']}/reconciliation/").data
    assert [missing["id"] for missing in report["anomalies"]["missing"]] == [item["id"]]
    assert ReconciliationReport.objects.latest("id").ok is False


def test_cancelling_leaves_out_what_has_not_begun(as_user, recruiter):
    client = as_user(recruiter)
    batch = opened(client)
    fill(client, batch, ADA, POOR)
    answer = client.post(f"/api/v1/batches/{batch['id']}/cancel/").data
    assert (answer["counts"], answer["sealed"]) == ({"SKIPPED": 2}, True)


def test_members_of_an_archive_are_items_in_its_place(as_user, recruiter):
    client = as_user(recruiter)
    batch = opened(client)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.txt", ADA)
        archive.writestr("b.txt", POOR)
    packed.seek(0)
    packed.name = "all.zip"
    sent = client.post(f"/api/v1/batches/{batch['id']}/resumes/", {"files": [packed]}).data["items"][0]
    work_off_all()
    items = client.get(f"/api/v1/batches/{batch['id']}/items/").data["results"]
    assert [item["filename"] for item in items] == ["all.zip!a.txt", "all.zip!b.txt"]
    assert {str(item["archive"]) for item in items} == {str(sent["id"])}
    detail = client.get(f"/api/v1/batches/{batch['id']}/").data
    assert detail["archives"] == [{"id": BatchEntry.objects.get(pk=sent["id"]).pk, "filename": "all.zip", "entries": 2}]
    answer = client.post(f"/api/v1/resumes/{sent['resume']}/retry/")
    assert (answer.status_code, answer.json()["code"]) == (409, "unpacked")


def test_items_are_filtered(as_user, recruiter):
    client = as_user(recruiter)
    batch = opened(client)
    fill(client, batch, ADA, "")
    path = f"/api/v1/batches/{batch['id']}/items/"
    assert [item["number"] for item in client.get(f"{path}?state=REJECTED").data["results"]] == [2]
    assert [item["number"] for item in client.get(f"{path}?failure_class=preprocess").data["results"]] == [2]
    assert client.get(f"{path}?failure_class=nonsense").status_code == 400


def test_lists_of_batches_and_items_cost_the_same_for_one_and_for_many(as_user, recruiter, django_assert_num_queries):
    client = as_user(recruiter)
    batch = opened(client)
    fill(client, batch, ADA)
    client.get("/api/v1/batches/")
    with django_assert_num_queries(5):
        client.get("/api/v1/batches/")
    with django_assert_num_queries(2):
        client.get(f"/api/v1/batches/{batch['id']}/items/")
    fill(client, batch, *[f"{POOR}{number}" for number in range(5)])
    for _ in range(3):
        fill(client, opened(client), POOR)
    with django_assert_num_queries(5):
        assert len(client.get("/api/v1/batches/").data["results"]) == 4
    with django_assert_num_queries(2):
        assert len(client.get(f"/api/v1/batches/{batch['id']}/items/").data["results"]) == 6


def test_an_upload_keeps_no_file_open_and_leaves_nothing_behind(as_user, recruiter, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    client = as_user(recruiter)
    assert fill(client, opened(client), *[f"{POOR}{number}" for number in range(20)]).status_code == 202
    assert not list((tmp_path / "temporary").iterdir())


def test_too_many_files_in_one_request_are_refused_naming_the_limit(as_user, recruiter, settings):
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2
    client = as_user(recruiter)
    answer = fill(client, opened(client), ADA, POOR, POOR)
    assert answer.status_code == 413
    assert "2" in answer.json()["detail"]
    assert not BatchEntry.objects.exists()


def test_the_schema_in_the_repository_is_current(tmp_path, settings):
    """On every database: nothing in it may come from the one at hand, such as its ranges of numbers."""
    call_command("spectacular", "--fail-on-warn", "--validate", "--file", str(tmp_path / "openapi.yaml"))
    assert (tmp_path / "openapi.yaml").read_text() == (settings.ROOT / "docs" / "openapi.yaml").read_text(), (
        "run: manage.py spectacular --file docs/openapi.yaml"
    )


def test_a_batch_without_files_has_a_name_and_an_owner(as_user, recruiter):
    opened(as_user(recruiter))
    assert Batch.objects.get().owner == recruiter


def test_places_declared_by_a_count_and_names_nobody_declared_are_told_apart_when_they_are_taken_back(as_user, recruiter):
    client = as_user(recruiter)
    batch = opened(client, expected=3)
    fill(client, batch, ADA)
    path = f"/api/v1/batches/{batch['id']}/withdraw/"
    answer = client.post(path, {"places": 2, "filenames": ["nobody's.pdf"], "reason": "two fewer"}, format="json")
    assert [item["state"] for item in answer.data["items"]] == ["SKIPPED", "SKIPPED"]
    assert answer.data["unknown"] == ["nobody's.pdf"]
    assert client.get(f"/api/v1/batches/{batch['id']}/").data["missing"] == 0
    for nothing in ({}, {"filenames": []}, {"places": 0}):
        assert client.post(path, {"reason": "x", **nothing}, format="json").status_code == 400


@pytest.mark.parametrize("number", ["1" * 5_000, "\u0663", "\u00b2", "1e3", "+1"])
def test_what_is_no_number_of_files_is_refused_in_a_form_too(as_user, recruiter, number):
    answer = as_user(recruiter).post("/api/v1/batches/", {"name": "x", "expected": number})
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["expected"])


def test_a_batch_that_somebody_seals_while_files_are_taken_in_says_which_it_has(as_user, recruiter, monkeypatch):
    client = as_user(recruiter)
    batch = opened(client)
    real = intake.admit

    def admit(source, filename):
        if filename == "2.txt":
            client.post(f"/api/v1/batches/{batch['id']}/seal/")
        return real(source, filename)

    monkeypatch.setattr(intake, "admit", admit)
    answer = fill(client, batch, ADA, POOR)
    assert (answer.status_code, answer.json()["code"]) == (409, "batch_closed")
    assert [item["filename"] for item in answer.json()["items"]] == ["1.txt"]
    assert Resume.objects.count() == 1
