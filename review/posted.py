"""What the workbench's page posts, checked: the form, the version it was loaded with, how long it took."""

from __future__ import annotations

import json
import re
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from review import edits
from review.decisions import Spent

_MAX_FORM_BYTES = 1 << 20
_LONGEST_S = 3600.0
"""More than this a page does not say a case took."""
_UNSTORABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


class BadForm(Exception):
    """What was posted is not what the page posts. The argument is a sentence for the reader."""


def body(request: HttpRequest) -> dict[str, Any]:
    if len(request.body) > _MAX_FORM_BYTES:
        raise BadForm(_("The form is too large."))
    try:
        body = json.loads(request.body or b"{}")
    except ValueError:
        raise BadForm(_("The form cannot be read.")) from None
    if not isinstance(body, dict):
        raise BadForm(_("The form cannot be read."))
    return {name: _storable(value) for name, value in body.items()}


def _storable(value: Any) -> Any:
    """A value without what no database takes: characters that control a terminal, halves of a pair of surrogates."""
    if isinstance(value, str):
        return _UNSTORABLE.sub("", value)
    if isinstance(value, list):
        return [_storable(item) for item in value]
    if isinstance(value, dict):
        return {_UNSTORABLE.sub("", name): _storable(item) for name, item in value.items()}
    return value


def form(body: dict[str, Any]) -> dict[str, Any]:
    """The form, every part of the type `review.edits` expects."""
    form = body.get("form")
    parts: dict[str, type] = {"basics": dict, "sources": dict, **dict.fromkeys((*edits.ENTRIES, *edits.LISTS), list)}
    if not isinstance(form, dict) or not all(isinstance(value, parts.get(name, object)) for name, value in form.items()):
        raise BadForm(_("The form cannot be read."))
    if not all(isinstance(entry, dict) for section in edits.ENTRIES for entry in form.get(section, [])):
        raise BadForm(_("The form cannot be read."))
    if not all(isinstance(source, dict) for source in form.get("sources", {}).values()):
        raise BadForm(_("The form cannot be read."))
    return form


def version(body: dict[str, Any]) -> int:
    version = body.get("version")
    if not isinstance(version, int) or isinstance(version, bool):
        raise BadForm(_("The form cannot be read."))
    return version


def spent(body: dict[str, Any]) -> Spent:
    """How long it took, as far as the page says something believable."""
    seconds, by_field = body.get("seconds"), body.get("spent")
    if not isinstance(by_field, dict):
        by_field = {}
    believable = {
        str(path): float(value) for path, value in by_field.items() if isinstance(value, int | float) and 0 <= value <= _LONGEST_S
    }
    whole = float(seconds) if isinstance(seconds, int | float) and 0 <= seconds <= _LONGEST_S else 0.0
    return Spent(whole, believable)
