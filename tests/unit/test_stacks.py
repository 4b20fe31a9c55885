"""What a log tells of an exception: where and which, and nothing a message may quote."""

from __future__ import annotations

import json
import logging

import pytest
import structlog
from celery.exceptions import Retry
from django.db import IntegrityError, OperationalError

from settings import log, stacks
from settings.celery import app

pytestmark = pytest.mark.unit
NAME = "Quillfeather"


class UniqueViolation(Exception):
    """As psycopg words it."""

    __module__ = "psycopg.errors"


def _unreadable():
    raise ValueError(f"cannot read {NAME}")


def _row():
    raise UniqueViolation(f'duplicate key violates "one_each"\nDETAIL: Key (email)=({NAME}) exists.')


def _twice():
    try:
        _row()
    except UniqueViolation as exc:
        raise IntegrityError(*exc.args) from exc


def _meanwhile():
    try:
        _unreadable()
    except ValueError:
        {}[NAME]


def told_of(failing, renderers):
    """Celery's line on the exception that `failing` raises, written the way the settings have it written."""
    chain = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers]
    formatter = structlog.stdlib.ProcessorFormatter(foreign_pre_chain=log._SHARED, processors=chain)
    with pytest.raises((ValueError, KeyError, IntegrityError)) as raised:
        failing()
    error = raised.value
    context = {"name": "ingest.extract", "exc": repr(error), "traceback": str(error)}
    line = {"name": "celery.app.trace", "levelname": "ERROR", "levelno": logging.ERROR}
    line |= {"msg": "Task %(name)s raised unexpected: %(exc)s\n%(traceback)s", "args": context}
    record = logging.makeLogRecord(line | {"exc_info": (type(error), error, error.__traceback__)})
    stacks.WithoutWords().filter(record)
    return formatter.format(record)


@pytest.mark.parametrize("renderers", [log._render(json=True), log._render(json=False)], ids=["JSON", "console"])
@pytest.mark.parametrize(
    ("failing", "expected"),
    [
        (_unreadable, ["ValueError", "in _unreadable"]),
        (_twice, ["IntegrityError", "UniqueViolation", 'violates \\"one_each\\"', "in _twice"]),
        (_meanwhile, ["KeyError", "ValueError", "in _meanwhile"]),
    ],
)
def test_a_line_names_types_and_places_and_quotes_nobody(failing, expected, renderers):
    told = told_of(failing, renderers)
    assert NAME not in told
    plain = told.replace('"one_each"', '\\"one_each\\"') if '\\"' not in told else told
    assert [words for words in expected if words not in plain] == []
    assert "ingest.extract" in told


def test_what_speaks_of_servers_keeps_its_words():
    assert stacks.words_of(OperationalError("database is locked")) == "OperationalError: database is locked"
    assert stacks.words_of(ConnectionRefusedError(111, "Connection refused")).endswith("Connection refused")


def test_json_lines_stay_one_line():
    line = told_of(_twice, log._render(json=True))
    assert "\n" not in line
    assert {"event", "level", "timestamp", "exception"} <= json.loads(line).keys()


@pytest.mark.parametrize("failing", [_unreadable, _twice, _meanwhile])
def test_a_task_that_fails_quotes_nobody_to_celery(failing):
    task = app.task(name=f"tests.{failing.__name__}", shared=False)(failing)
    try:
        result = task.apply()
    finally:
        app.tasks.unregister(task.name)
    assert result.failed()
    assert NAME not in f"{result.result!r} {result.traceback}"
    assert f"in {failing.__name__}" in result.traceback


def test_a_task_that_is_put_off_says_so_as_before():
    error = Retry("later", when=5)
    stacks.hush(error)
    assert "later" in str(error)
