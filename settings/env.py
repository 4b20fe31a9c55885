"""Typed readers for the environment; a bad value stops the start with a sentence that names the variable."""

from __future__ import annotations

import datetime as dt
import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).resolve().parent.parent
_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off", ""})


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, default).strip()


def number(name: str, default: int, *, least: int = 0, most: int | None = None) -> int:
    raw = os.environ.get(name, "").strip()
    if not raw:
        return default
    try:
        value = int(raw)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {raw!r}.") from None
    if value < least:
        raise ImproperlyConfigured(f"{name} must be at least {least}, not {value}.")
    if most is not None and value > most:
        raise ImproperlyConfigured(f"{name} must be at most {most}, not {value}.")
    return value


def flag(name: str, *, default: bool = False) -> bool:
    raw = os.environ.get(name)
    if raw is None:
        return default
    if raw.strip().lower() in _TRUE:
        return True
    if raw.strip().lower() in _FALSE:
        return False
    raise ImproperlyConfigured(f"{name} must be one of 1, 0, true, false, yes, no, on, off.")


def choice(name: str, options: tuple[str, ...], default: str = "") -> str:
    """One of the options, or the default where nothing is said."""
    value = os.environ.get(name, "").strip() or default
    if value and value not in options:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(options)}, not {value!r}.")
    return value


def words(name: str, default: str = "") -> tuple[str, ...]:
    """A comma-separated list, blanks dropped."""
    return tuple(part.strip() for part in os.environ.get(name, default).split(",") if part.strip())


def dates(name: str) -> tuple[dt.date, ...]:
    """Days as `2026-12-25,2027-01-01`."""
    try:
        return tuple(dt.date.fromisoformat(day) for day in words(name))
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be days such as 2026-12-25,2027-01-01.") from None


def weekdays(name: str, default: str) -> tuple[int, ...]:
    """Days of the week as numbers, 1 for Monday, or ranges of them: `1-5` or `1,3,5`."""
    found: set[int] = set()
    for part in words(name, default):
        first, _, last = part.partition("-")
        if not (first.isdigit() and (last or first).isdigit() and 1 <= int(first) <= int(last or first) <= 7):
            raise ImproperlyConfigured(f"{name} must be days of the week such as 1-5, 1 being Monday.")
        found |= set(range(int(first), int(last or first) + 1))
    return tuple(sorted(found))


def hours(name: str, default: str) -> tuple[dt.time, dt.time]:
    """A span of the day as `09:00-18:00`."""
    opens, _, closes = text(name, default).partition("-")
    try:
        span = dt.time.fromisoformat(opens.strip()), dt.time.fromisoformat(closes.strip())
    except ValueError:
        span = dt.time.max, dt.time.min
    if span[0] >= span[1]:
        raise ImproperlyConfigured(f"{name} must be a span of the day such as 09:00-18:00.")
    return span


def folder(name: str, default: Path) -> Path:
    """A folder, made where it is missing, for its owner only: people's data will lie there."""
    raw = os.environ.get(name, "").strip()
    path = Path(raw).expanduser().resolve() if raw else default
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as exc:
        raise ImproperlyConfigured(f"{name}: {path} cannot be made ({exc.strerror}).") from exc
    return path


def kept(file: Path) -> str:
    """What another part of the installation has left in a file; empty where there is none."""
    try:
        return file.read_text().strip()
    except FileNotFoundError:
        return ""


def secret(name: str, keep_in: Path) -> str:
    """A secret from the environment, else one made once and kept in a file only its owner can read."""
    given = os.environ.get(name, "").strip()
    if given:
        return given
    keep_in.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(keep_in, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        kept = keep_in.read_text().strip()
        if kept:
            return kept
        raise ImproperlyConfigured(f"{keep_in} is empty; delete it or set {name}.") from None
    made = secrets.token_urlsafe(48)
    with os.fdopen(descriptor, "w") as file:
        file.write(made)
    return made
