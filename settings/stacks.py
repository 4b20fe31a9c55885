"""What is told of an exception: where in the code and of which type; its words only where they cannot quote a person's data.

A parser's message quotes the document, a database's detail the row. Frames quote nothing but our own source.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from types import TracebackType
from typing import TextIO

from celery.exceptions import TaskPredicate
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None]
_HARMLESS = (DatabaseError, ImproperlyConfigured, ImportError, NameError, AttributeError, ConnectionError, TimeoutError)
"""Their first line speaks of servers, settings or code; what follows it in a database's message is the row."""


def words_of(error: BaseException) -> str:
    """The type, and the message where that is harmless."""
    name = type(error).__name__
    told = str(error).partition("\n")[0].strip() if isinstance(error, _HARMLESS) or _is_drivers(error) else ""
    return f"{name}: {told}" if told else name


def plain_stack(error: BaseException) -> str:
    """The stack of an exception and of what it came from, as Python prints it but for the words."""
    return "\n".join(_stack(error))


def hush(error: BaseException) -> None:
    """Take from an exception, and from what it came from, the words that may quote somebody: others will write it down."""
    for one in _chain(error):
        if not isinstance(one, TaskPredicate):
            one.args = tuple(words_of(one).partition(": ")[2:]) if one.args else ()


def to_console(out: TextIO, exc_info: ExcInfo) -> None:
    """structlog's renderer for people."""
    out.write("\n" + plain_stack(exc_info[1]))


def to_field(exc_info: ExcInfo) -> str:
    """structlog's renderer for JSON."""
    return plain_stack(exc_info[1])


class WithoutWords(logging.Filter):
    """Celery writes an exception's words into the line itself; here the line gets what may be told of it."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, dict) and "exc" in record.args:
            error = record.exc_info[1] if record.exc_info else None
            record.args = {**record.args, "exc": words_of(error) if error else "", "traceback": ""}
        return True


def _is_drivers(error: BaseException) -> bool:
    """An error of a database's driver, which Django's own is raised from."""
    return any(base.__module__.partition(".")[0] in ("sqlite3", "psycopg") for base in type(error).__mro__)


def _before(error: BaseException) -> BaseException | None:
    return error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _chain(error: BaseException) -> Iterator[BaseException]:
    at: BaseException | None = error
    while at is not None:
        yield at
        at = _before(at)


def _stack(error: BaseException) -> Iterator[str]:
    before = _before(error)
    if before is not None:
        yield from _stack(before)
        yield "\nwhich led to\n" if error.__cause__ else "\nwhile it was dealt with\n"
    yield "Traceback (most recent call last):"
    yield "".join(traceback.format_tb(error.__traceback__)).rstrip("\n")
    yield words_of(error)
