"""Exports as jobs: asked for, made by a worker, followed, fetched, and gone with what they hold."""

from __future__ import annotations

import csv
import dataclasses
import datetime as dt
import io
import json
import re
import uuid
import zipfile

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone
from django_celery_results.models import TaskResult
from openpyxl import load_workbook
from structlog.testing import capture_logs

from ingest import batches, export, export_jobs, housekeeping, tasks
from ingest.export import FORMATS, RESULT_COLUMNS, safe_cell
from ingest.models import Export
from resumes import erasure
from resumes.models import Extraction, OutboxMessage
from resumes.taxonomy import ResumeError
from tests.integration.people import POOR, text_file, worked_off
from tests.texts import ADA

pytestmark = pytest.mark.django_db

PATH = "/api/v1/exports/"


@pytest.fixture
def batch(recruiter):
    """One parsed, one refused, one that waits for a person."""
    made = batches.open_batch(recruiter, "Autumn")
    for number, text in enumerate((ADA, "", POOR), 1):
        worked_off(batches.add_file(made, text_file(text), f"{number}.txt").resume)
    return made


def ask(client, batch, name: str) -> dict:
    answer = client.post(PATH, {"batch": batch.pk, "format": name}, format="json")
    assert answer.status_code == 202
    return answer.json()


def fetched(client, path: str) -> io.BytesIO:
    answer = client.get(path)
    assert answer.status_code == 200
    content = io.BytesIO(b"".join(answer.streaming_content))
    for close in answer._resource_closers:  # closing the answer itself would close the test's connection to the database
        close()
    return content


def content(client, job) -> io.BytesIO:
    return fetched(client, f"{PATH}{job['id']}/file/")


def held(name: str, file: io.BytesIO) -> tuple[list[str], list[str]]:
    """E-mail addresses of the results in an export, and codes of the others."""
    if name == "jsonl":
        rows = [json.loads(line) for line in file.getvalue().splitlines()]
        return [row["resume"]["basics"]["email"] for row in rows if "resume" in row and row["outcome"] == "completed"], [
            row["code"] for row in rows if "code" in row
        ]
    if name == "xlsx":
        book = load_workbook(file)
        results, others = (list(book[sheet].values) for sheet in ("Results", "Others"))
        book.close()
        return (
            [row[results[0].index("email")] for row in results[1:]],
            [row[others[0].index("code")] for row in others[1:]],
        )
    with zipfile.ZipFile(file) as archive:
        if name == "csv":
            tables = (
                csv.DictReader(io.StringIO(archive.read(part).decode("utf-8-sig"))) for part in ("results.csv", "others.csv")
            )
            results, others = map(list, tables)
            assert archive.read("results.csv").startswith(b"\xef\xbb\xbf")
            return [row["email"] for row in results], [row["code"] for row in others]
        documents = [json.loads(archive.read(part)) for part in archive.namelist() if part.endswith(".json")]
        return [document["basics"]["email"] for document in documents], [
            json.loads(line)["code"] for line in archive.read("others.jsonl").splitlines()
        ]


@pytest.mark.parametrize("name", FORMATS)
def test_a_job_ends_with_a_link_to_results_and_failures(as_user, recruiter, batch, name):
    client = as_user(recruiter)
    job = ask(client, batch, name)
    assert (job["state"], job["progress"], job["total"], job["file"]) == ("waiting", 0.0, 3, None)
    assert client.get(f"{PATH}{job['id']}/file/").json()["code"] == "not_ready"
    assert OutboxMessage.objects.get(topic=export_jobs.TOPIC).arguments() == {"export_id": job["id"]}
    made = export_jobs.work_off(uuid.UUID(job["id"]))
    ready = client.get(f"{PATH}{job['id']}/").json()
    assert (ready["state"], ready["progress"], ready["done"]) == ("ready", 1.0, 3)
    file = fetched(client, ready["file"])
    assert made == {"items": 3, "bytes": ready["size_bytes"]} == {"items": 3, "bytes": len(file.getvalue())}
    emails, codes = held(name, file)
    assert emails == ["ada.quillfeather@example.org"]
    assert codes[0] == "empty_file"
    assert len(codes) == 2
    at_once = fetched(client, f"/api/v1/batches/{batch.pk}/export/?format={name}")
    assert held(name, at_once) == (emails, codes)


def test_sentences_come_in_the_language_they_were_asked_for_in(as_user, recruiter, batch):
    client = as_user(recruiter)
    job = client.post(PATH, {"batch": batch.pk, "format": "jsonl"}, headers={"Accept-Language": "ru"}).json()
    export_jobs.work_off(uuid.UUID(job["id"]))
    rows = [json.loads(line) for line in content(client, job).getvalue().splitlines()]
    assert any("а" <= letter <= "я" for letter in rows[1]["message"])


@pytest.mark.parametrize(
    "start", ["=", "+", "-", "@", "\t", "\r", "\n", " =", "＝", "＋", "－", "＠", "\xa0=", "\ufeff=", "\u200b@"]
)
def test_no_cell_is_taken_for_a_formula(start):
    assert safe_cell(f"{start}HYPERLINK(A1)").startswith("'")


@pytest.mark.parametrize("between", ["; ", ";", "\n", "\r\n ", "\t"])
@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝"])
def test_no_part_of_a_cell_is_taken_for_a_formula_where_semicolons_part_the_cells(between, sign):
    cell = safe_cell(f"Python{between}{sign}HYPERLINK(A1)")
    assert [part.lstrip(" '")[:1] for part in re.split(r"[;\t\r\n]", cell) if part.strip()][1] == sign
    assert all(not part.strip().startswith(sign) for part in re.split(r"[;\t\r\n]", cell))


@pytest.mark.parametrize(
    "value", ["C++; C#", "2019-03; 2020-01", "Jean-Luc", "a@example.com; b@example.com", "x = y", "", 3.5, None]
)
def test_what_is_no_formula_is_left_alone(value):
    assert safe_cell(value) == ("" if value is None else value)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_sign_that_no_file_can_hold_costs_nobody_the_export(recruiter, batch, name):
    found = list(export.rows(batch))
    profile = {**found[0].profile, "basics": {"name": "Ada\ud800\x00\ufffe\x1f\uffff Quill", "summary": "\udfff"}}
    content = io.BytesIO()
    FORMATS[name].write([dataclasses.replace(found[0], profile=profile), *found[1:]], content)
    if name == "xlsx":
        book = load_workbook(content)
        assert list(book["Results"].values)[1][4] == "Ada Quill"
        book.close()
    elif name == "jsonl":
        assert "Quill" in json.loads(content.getvalue().splitlines()[0])["resume"]["basics"]["name"]
    else:
        with zipfile.ZipFile(content) as archive:
            assert all("Quill" in archive.read(each).decode() for each in archive.namelist() if not each.startswith("others"))


@pytest.mark.parametrize("name", ["csv", "xlsx"])
def test_formulas_of_a_resume_stay_text_in_tables(as_user, recruiter, batch, name):
    found = Extraction.objects.get(resume__state="COMPLETED")
    found.profile["basics"]["name"] = "=HYPERLINK(A1)"
    found.profile["skills"] = [{"name": "@SUM(A1)"}]
    found.save()
    client = as_user(recruiter)
    job = ask(client, batch, name)
    export_jobs.work_off(uuid.UUID(job["id"]))
    file = content(client, job)
    if name == "xlsx":
        book = load_workbook(file)
        row = dict(zip(RESULT_COLUMNS, list(book["Results"].values)[1], strict=True))
        book.close()
    else:
        with zipfile.ZipFile(file) as archive:
            row = next(csv.DictReader(io.StringIO(archive.read("results.csv").decode("utf-8-sig"))))
    assert (row["name"], row["skills"]) == ("'=HYPERLINK(A1)", "'@SUM(A1)")


def test_progress_is_told_while_it_is_made(recruiter, batch, monkeypatch):
    monkeypatch.setattr(export_jobs, "_TELL_S", 0.0)
    job = export_jobs.start(batch, "jsonl", recruiter)
    Export.objects.filter(pk=job.pk).update(state="running", token=uuid.uuid4())
    seen = []
    for _ in export_jobs._told(export.rows(batch), Export.objects.filter(pk=job.pk)):
        job.refresh_from_db()
        seen.append(job.progress)
    assert seen == [0.0, 0.3333, 0.6667]


def test_a_batch_larger_than_a_chunk_is_exported_whole_and_in_order(batch, monkeypatch):
    monkeypatch.setattr(export, "_CHUNK", 2)
    assert [row.entry.filename for row in export.rows(batch)] == ["1.txt", "2.txt", "3.txt"]


def test_an_export_holds_every_item_once_while_the_batch_goes_on(recruiter, batch, monkeypatch):
    """What comes meanwhile may be in it; what was there is, and once, whatever became of it on the way."""
    monkeypatch.setattr(export, "_CHUNK", 2)
    names = []
    for row in export.rows(batch):
        names.append(row.entry.filename)
        if len(names) == 1:
            batches.add_file(batch, text_file(f"{ADA}\nRust\n"), "late.txt")
            batches.cancel(batch, "user:1")
        if len(names) == 2:
            batch.entries.get(number=3).resume.delete()
    assert sorted(names) == ["1.txt", "2.txt", "3.txt", "late.txt"]
    assert [row.outcome for row in export.rows(batch)] == ["completed", "failed", "missing", "skipped"]


def test_a_second_worker_finds_nothing_to_do(recruiter, batch):
    job = export_jobs.start(batch, "csv", recruiter)
    assert export_jobs.work_off(job.pk)
    assert export_jobs.work_off(job.pk) == {}


def test_one_that_comes_back_too_late_stores_nothing(recruiter, batch, monkeypatch):
    """Another worker has taken over meanwhile: the job is that one's."""
    job = export_jobs.start(batch, "csv", recruiter)

    def slow(found, target):
        FORMATS["csv"].write(found, target)
        Export.objects.filter(pk=job.pk).update(token=uuid.uuid4())

    monkeypatch.setattr(export_jobs, "FORMATS", {"csv": dataclasses.replace(FORMATS["csv"], write=slow)})
    assert export_jobs.work_off(job.pk) == {}
    job.refresh_from_db()
    assert job.state == Export.State.RUNNING
    assert default_storage.listdir("exports")[1] == []


def test_one_that_is_discarded_while_it_is_made_leaves_no_file(recruiter, batch, monkeypatch):
    job = export_jobs.start(batch, "csv", recruiter)

    def erased_meanwhile(found, target):
        FORMATS["csv"].write(found, target)
        export_jobs.discard([job])

    monkeypatch.setattr(export_jobs, "FORMATS", {"csv": dataclasses.replace(FORMATS["csv"], write=erased_meanwhile)})
    assert export_jobs.work_off(job.pk) == {}
    assert default_storage.listdir("exports")[1] == []


def test_who_fetches_an_export_is_on_record(as_user, recruiter, batch):
    client = as_user(recruiter)
    job = ask(client, batch, "csv")
    export_jobs.work_off(uuid.UUID(job["id"]))
    with capture_logs() as lines:
        content(client, job)
    (line,) = (line for line in lines if line["event"] == "export_opened")
    assert (line["user"], line["export"], line["batch"]) == (recruiter.pk, job["id"], str(batch.pk))


def test_a_job_nobody_is_heard_of_is_taken_up_again_and_given_up_in_the_end(recruiter, batch, tmp_path, settings):
    job = export_jobs.start(batch, "csv", recruiter)
    assert export_jobs.tend() == 0
    (tmp_path / "files" / "exports").write_text("no folder")
    for tried in (1, 2, 3):
        with pytest.raises(ResumeError):
            export_jobs.work_off(job.pk)
        Export.objects.update(seen_at=timezone.now() - dt.timedelta(minutes=6))
        assert export_jobs.tend() == 1
        job.refresh_from_db()
        assert (job.tries, job.state) == (tried, "failed" if tried == 3 else "waiting")
    assert export_jobs.tend() == 0
    assert OutboxMessage.objects.filter(topic=export_jobs.TOPIC).count() == 3


def test_the_result_of_the_task_is_kept_and_names_nobody(recruiter, batch, settings):
    job = export_jobs.start(batch, "csv", recruiter)
    settings.CELERY_TASK_ALWAYS_EAGER = True
    done = tasks.export.apply(kwargs={"export_id": str(job.pk)}, task_id=str(uuid.uuid4()))
    tasks.export.backend.store_result(done.id, done.result, done.state)
    kept = TaskResult.objects.get(task_id=done.id)
    job.refresh_from_db()
    assert (kept.status, json.loads(kept.result)) == ("SUCCESS", {"items": 3, "bytes": job.size_bytes})
    assert job.task_id == done.id
    assert tasks.export.ignore_result is False


def test_an_export_goes_with_the_first_person_in_it_who_is_erased(as_user, recruiter, batch, django_capture_on_commit_callbacks):
    client = as_user(recruiter)
    job = ask(client, batch, "csv")
    export_jobs.work_off(uuid.UUID(job["id"]))
    other = export_jobs.start(batches.open_batch(recruiter, "Spring"), "csv", recruiter)
    assert len(default_storage.listdir("exports")[1]) == 1
    with django_capture_on_commit_callbacks(execute=True):
        erasure.erase(batch.entries.get(number=1).resume, actor="user:1", reason="asked")
    assert default_storage.listdir("exports")[1] == []
    assert list(Export.objects.all()) == [other]


def test_exports_and_files_without_one_are_swept_up_after_a_week(recruiter, batch, django_capture_on_commit_callbacks):
    old, new = (export_jobs.start(batch, "csv", recruiter) for _ in range(2))
    for job in (old, new):
        export_jobs.work_off(job.pk)
    default_storage.save("exports/left-behind", ContentFile(b"x"))
    Export.objects.filter(pk=old.pk).update(created_at=timezone.now() - dt.timedelta(days=8))
    with django_capture_on_commit_callbacks(execute=True):
        assert housekeeping.prune() >= 1
    new.refresh_from_db()
    assert default_storage.listdir("exports")[1] == [f"{new.pk}-{new.token}"]
    assert list(Export.objects.all()) == [new]


def test_exports_are_filtered_by_batch_and_state(as_user, recruiter, batch):
    client = as_user(recruiter)
    job = ask(client, batch, "csv")
    assert [row["id"] for row in client.get(f"{PATH}?batch={batch.pk}&state=waiting").json()["results"]] == [job["id"]]
    assert client.get(f"{PATH}?state=ready").json()["results"] == []


def test_the_page_of_a_batch_asks_for_exports_and_shows_their_links(client, recruiter, other_recruiter, batch):
    client.force_login(recruiter)
    page = f"/admin/ingest/batch/{batch.pk}/change/"
    answer = client.post(f"/admin/ingest/batch/{batch.pk}/export/xlsx/", follow=True)
    assert 'data-refresh="5"' in answer.content.decode()
    job = Export.objects.get()
    link = f"{PATH}{job.pk}/file/"
    assert link not in answer.content.decode()
    export_jobs.work_off(job.pk)
    assert link in client.get(page).content.decode()
    assert link in client.get("/admin/ingest/export/").content.decode()
    assert client.post(f"/admin/ingest/batch/{batch.pk}/export/pdf/").status_code == 404
    client.force_login(other_recruiter)
    assert client.post(f"/admin/ingest/batch/{batch.pk}/export/xlsx/").status_code == 404
    assert link not in client.get("/admin/ingest/export/").content.decode()
