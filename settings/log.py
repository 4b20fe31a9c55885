"""Structured logs: a line is an event name and fields. Console for people, JSON with `LOG_FORMAT=json`.

Fields are ids, codes and figures. Personal data and file names never are: see `docs/decisions/`.
"""

from __future__ import annotations

from typing import Any

import structlog

from settings import env, stacks
from settings.traces import TRACED

GLEANER_JSON_LOG = env.text("LOG_FORMAT", "console") == "json"

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]


def _render(*, json: bool) -> list[Any]:
    if json:
        return [structlog.processors.ExceptionRenderer(stacks.to_field), structlog.processors.JSONRenderer()]
    return [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=stacks.to_console)]


structlog.configure(
    processors=[*TRACED, structlog.stdlib.filter_by_level, *_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "structured": {
            "()": structlog.stdlib.ProcessorFormatter,
            "foreign_pre_chain": _SHARED,
            "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_render(json=GLEANER_JSON_LOG)],
        }
    },
    "filters": {"without_words": {"()": stacks.WithoutWords}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "structured", "filters": ["without_words"]}},
    "root": {"handlers": ["console"], "level": env.text("LOG_LEVEL", "INFO")},
    "loggers": {
        "django.request": {"level": "ERROR"},
        "celery.app.trace": {"level": "WARNING"},  # one line per task says nothing the attempts table does not
        "celery.worker.strategy": {"level": "WARNING"},
        "asyncio": {"level": "WARNING"},  # at debug it names its selector
        "flower": {"level": "ERROR"},  # it lists all tasks at its start and complains while the workers start
        "kombu.mixins": {"level": "WARNING"},
        "httpx": {"level": "WARNING"},  # it tells every address it calls, and addresses of webhooks hold keys
        "pypdf": {"level": "ERROR"},
    },
}
