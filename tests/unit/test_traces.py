"""What is told to an OpenTelemetry collector: how long things took, and nothing of people."""

from __future__ import annotations

import http.server
import json
import os
import subprocess
import sys
import threading
import uuid

import pytest
import structlog
from django.core.exceptions import ImproperlyConfigured

from settings.traces import spans

pytestmark = pytest.mark.unit

CORRELATION = "0f5e2a9c-3b1d-4c7a-9e55-2d8a6f10b7c3"
STAGE = {"event": "stage_ended", "channel": "tesseract", "outcome": "failed", "code": "timeout", "seconds": 1.5}
REQUEST = {"event": "request", "method": "GET", "route": "api/v1/resumes/$", "status": 200, "seconds": 0.25, "user": 7}


def told(level: str, line: dict[str, object], **bound: object) -> list[dict]:
    """The spans a log line leads to, as they would be sent."""
    memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter").InMemorySpanExporter()
    with structlog.contextvars.bound_contextvars(**bound):
        assert spans(memory)(None, level, dict(line)) == line
    return [json.loads(span.to_json()) for span in memory.get_finished_spans()]


def test_an_address_without_the_libraries_stops_the_start_and_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(ImproperlyConfigured, match=r"requirements/otel\.txt"):
        spans()


def test_nothing_is_traced_unless_a_collector_is_named():
    from settings.traces import OTEL_ENDPOINT, TRACED

    assert (OTEL_ENDPOINT, TRACED) == ("", [])


def test_a_stage_is_a_span_with_its_ids_and_its_time():
    resume = str(uuid.uuid4())
    (span,) = told("info", STAGE, correlation=CORRELATION, resume=resume, run=2, stage="ocr", attempt=11)
    assert span["name"] == "ocr"
    assert span["attributes"] == {
        "gleaner.resume": resume,
        "gleaner.run": 2,
        "gleaner.stage": "ocr",
        "gleaner.channel": "tesseract",
        "gleaner.attempt": 11,
        "gleaner.outcome": "failed",
        "gleaner.code": "timeout",
    }
    assert span["status"] == {"status_code": "ERROR"}
    assert span["events"] == []


def test_a_request_and_the_stages_that_follow_are_one_trace():
    found = [told("info", line, correlation=CORRELATION, stage="rules") for line in (REQUEST, STAGE)]
    ids = {spans[0]["context"]["trace_id"] for spans in found}
    assert ids == {f"0x{uuid.UUID(CORRELATION).hex}"}


def test_without_an_id_that_can_be_one_a_trace_gets_its_own():
    first, second = (told("info", REQUEST, correlation=known)[0] for known in ("abcdef12", "abcdef12"))
    assert first["context"]["trace_id"] != second["context"]["trace_id"]


@pytest.mark.parametrize("line", [REQUEST, STAGE])
def test_no_field_but_those_that_are_known_is_told(line):
    name = "Quillfeather"
    (span,) = told(
        "info", {**line, "search": name, "body": name, "filename": f"{name}.pdf", "exc_info": name}, text=name, stage="rules"
    )
    assert name not in json.dumps(span)


@pytest.mark.parametrize(
    ("level", "line"), [("debug", REQUEST), ("info", {"event": "retry", "seconds": 3}), ("info", {"event": "Quillfeather"})]
)
def test_other_lines_and_those_of_who_watches_are_no_spans(level, line):
    assert told(level, line) == []


def test_a_process_sends_its_spans_to_the_collector_that_is_named_whatever_it_logs(tmp_path):
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    received: list[tuple[str, bytes]] = []

    class Collector(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            """Nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    line = {**REQUEST, "search": "Quillfeather"}
    say = f"import django, structlog; django.setup(); structlog.get_logger('x').info(**{line!r})"
    environment = {
        **os.environ,
        "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{server.server_port}",
        "OTEL_EXPORTER_OTLP_COMPRESSION": "none",
        "DJANGO_SETTINGS_MODULE": "settings.test",
        "GLEANER_HOME": str(tmp_path),
        "LOG_LEVEL": "ERROR",
    }
    try:
        subprocess.run([sys.executable, "-c", say], env=environment, check=True, timeout=60)
    finally:
        server.shutdown()
        server.server_close()
    ((path, body),) = received
    assert path == "/v1/traces"
    assert b"api/v1/resumes/$" in body
    assert b"gleaner" in body
    assert b"Quillfeather" not in body
