"""Lines of the one log."""

from __future__ import annotations

import json

import pytest

from ingest.supervisor import lines

pytestmark = pytest.mark.unit


def test_for_people_the_process_stands_in_front():
    assert lines.for_people("web", "ready", width=5) == "web   | ready"


def test_an_object_keeps_its_fields_and_gains_what_it_lacks():
    line = json.loads(lines.as_json("web", '{"event": "request", "level": "debug", "timestamp": "2026-01-02T03:04:05Z"}'))
    assert line == {"process": "web", "event": "request", "level": "debug", "timestamp": "2026-01-02T03:04:05Z"}
    line = json.loads(lines.as_json("run", '{"event": "running", "port": 8000}'))
    assert (line["process"], line["event"], line["level"], line["port"]) == ("run", "running", "info", 8000)
    assert line["timestamp"].endswith("Z")


@pytest.mark.parametrize("text", ["plain words", "[1, 2]", "17", "", '{"half', 'quotes " and \\ and \x1b[0m', "名"])
def test_anything_else_becomes_the_event(text):
    line = json.loads(lines.as_json("valkey", text))
    assert (line["process"], line["event"], line["level"]) == ("valkey", text, "info")
    assert line["timestamp"].endswith("Z")
