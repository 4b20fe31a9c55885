"""Failures in words, for recruiters, API clients and operators, in the reader's language.

The texts stand in `resumes.taxonomy`; here they are translated and shaped.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from resumes.taxonomy import CODES


def failure_json(code: str) -> dict[str, Any] | None:
    """The contract's shape of a failure, None for no code."""
    if not code:
        return None
    entry = CODES[code]
    return {
        "class": entry.failure_class.value,
        "code": entry.code,
        "message": _(entry.message),
        "retryable": entry.retryable,
        "client_advice": _(entry.client),
    }


def sentence(code: str) -> str:
    """What happened, in one sentence."""
    return _(CODES[code].message) if code in CODES else ""


def advice(code: str) -> str:
    """What a recruiter can do about it."""
    return _(CODES[code].advice) if code in CODES else ""


def client_advice(code: str) -> str:
    """What a program that sent the file should do."""
    return _(CODES[code].client) if code in CODES else ""


def operator_hint(code: str) -> str:
    """What an operator should know about it."""
    return _(CODES[code].hint) if code in CODES else ""
