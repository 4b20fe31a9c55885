"""Spans for an OpenTelemetry collector, where OTEL_EXPORTER_OTLP_ENDPOINT (or …_TRACES_ENDPOINT) names one.

A span is a line of the log that says how long something took: requests, and stages of resumes. It carries the fields
named here and nothing else, ids, codes and figures: no address, body, file name, message or stack. The usual
instrumentations would send addresses with the words people search for, and those are names.

One correlation id is one trace, from the request that brought a resume to its last stage, whichever process ran it.
"""

from __future__ import annotations

import time
import uuid
from typing import Any

import structlog
from django.core.exceptions import ImproperlyConfigured

from settings import env

OTEL_ENDPOINT = env.text("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") or env.text("OTEL_EXPORTER_OTLP_ENDPOINT")

_NAMED_BY = {"request": "route", "stage_ended": "stage"}
"""Events that become spans, and the field that names each."""
_TOLD = ("method", "route", "status", "user", "resume", "run", "batch", "stage", "channel", "attempt", "outcome", "code")
_CORRELATION = "correlation"


def spans(exporter: Any = None) -> structlog.typing.Processor:
    """A processor that makes spans of log lines and lets the lines pass; OTLP over HTTP where no exporter is given.

    Raises ImproperlyConfigured where the libraries are not installed.
    """
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # an extra
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource
        from opentelemetry.sdk.trace import RandomIdGenerator, TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor
        from opentelemetry.trace import SpanKind, Status, StatusCode
    except ImportError as exc:
        raise ImproperlyConfigured(
            "An OTEL_ endpoint is set, but its libraries are not installed: pip install --require-hashes -r requirements/otel.txt"
        ) from exc

    class ByCorrelation(RandomIdGenerator):  # type: ignore[misc]  # no types where the extra is not installed
        def generate_trace_id(self) -> int:
            return _trace_id() or int(super().generate_trace_id())

    resource = Resource({SERVICE_NAME: "gleaner"}).merge(Resource.create())  # OTEL_SERVICE_NAME goes first
    provider = TracerProvider(resource=resource, id_generator=ByCorrelation())
    provider.add_span_processor(SimpleSpanProcessor(exporter) if exporter else BatchSpanProcessor(OTLPSpanExporter()))
    tracer = provider.get_tracer("gleaner")

    def pass_on(_logger: Any, level: str, line: structlog.typing.EventDict) -> structlog.typing.EventDict:
        named_by = _NAMED_BY.get(str(line.get("event")))
        if named_by is None or level == "debug":  # requests of those who watch
            return line
        known = {**structlog.contextvars.get_contextvars(), **line}
        fields = {name: known[name] for name in _TOLD if known.get(name) not in (None, "")}
        ended = time.time_ns()
        span = tracer.start_span(
            str(known[named_by] or line["event"]),
            kind=SpanKind.SERVER if line["event"] == "request" else SpanKind.CONSUMER,
            attributes={f"gleaner.{name}": value if isinstance(value, int) else str(value) for name, value in fields.items()},
            start_time=ended - round(float(known["seconds"]) * 1e9),
        )
        if fields.get("outcome") == "failed" or fields.get("status", 0) >= 500:
            span.set_status(Status(StatusCode.ERROR))
        span.end(ended)
        return line

    return pass_on


def _trace_id() -> int:
    """That of the correlation id bound to this thread; 0 where there is none that can be one."""
    try:
        return uuid.UUID(str(structlog.contextvars.get_contextvars()[_CORRELATION])).int
    except (KeyError, ValueError):
        return 0


TRACED: list[structlog.typing.Processor] = [spans()] if OTEL_ENDPOINT else []
"""What comes first in the log's chain, so that LOG_LEVEL does not decide about traces."""
