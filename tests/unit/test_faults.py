"""What is told to Sentry: where in the code, and nothing of people."""

from __future__ import annotations

import sys

import pytest
from django.core.exceptions import ImproperlyConfigured

from settings.faults import report_faults, without_people

pytestmark = pytest.mark.unit


def test_nothing_of_a_request_a_variable_or_a_message_is_left():
    event = {
        "level": "error",
        "request": {"url": "http://localhost/?search=Quillfeather", "data": "Quillfeather"},
        "user": {"username": "Quillfeather"},
        "extra": {"celery-job": {"kwargs": {"name": "Quillfeather"}}},
        "breadcrumbs": {"values": [{"message": "Quillfeather"}]},
        "logentry": {"message": "Task %s raised %s", "params": ["ingest.extract", "Quillfeather"], "formatted": "Quillfeather"},
        "exception": {
            "values": [
                {
                    "type": "ValueError",
                    "value": "not a name: Quillfeather",
                    "stacktrace": {"frames": [{"function": "read", "lineno": 7, "vars": {"text": "Quillfeather"}}]},
                }
            ]
        },
    }
    told = without_people(event)
    assert "Quillfeather" not in str(told)
    assert told["exception"]["values"][0]["stacktrace"]["frames"] == [{"function": "read", "lineno": 7}]
    assert told["logentry"]["message"] == "Task %s raised %s"


def test_an_address_without_the_library_stops_the_start_and_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(ImproperlyConfigured, match=r"requirements/sentry\.txt"):
        report_faults("https://key@sentry.example.com/1")


def test_a_fault_goes_out_without_people():
    sdk = pytest.importorskip("sentry_sdk")
    told = []

    class Ears(sdk.transport.Transport):
        def capture_envelope(self, envelope):
            told.append(envelope.get_event())

    report_faults("https://key@sentry.example.com/1")
    sdk.get_client().transport = Ears()
    name = "REHTAEFLLIUQ"[::-1].capitalize()  # the lines around a fault are told, so it does not stand in one
    try:
        int(f"cannot read {name}")
    except ValueError as exc:
        sdk.capture_exception(exc)
    finally:
        sdk.init()
    assert told[0]["exception"]["values"][0]["type"] == "ValueError"
    assert name not in str(told)
