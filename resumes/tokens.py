"""API tokens: made with an end, kept as a hash, and never longer-lived than the token they were made with.

A token acts as its user: what it may do is what the user's roles allow (`resumes.roles`).
"""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User
from django.utils import timezone
from knox.models import get_digest_token
from knox.settings import CONSTANTS, knox_settings

from resumes.models import ApiToken

MOST_DAYS = 365


def usual_days() -> int:
    """How long a token lives where nothing is said."""
    return int(knox_settings.TOKEN_TTL.days)


def issue(row: ApiToken, user: User, days: int | None = None, *, until: dt.datetime | None = None) -> str:
    """Make `row` a token of `user` that ends after so many days, at `until` at the latest; the token itself, to be shown once."""
    row.digest, token = get_digest_token()
    row.token_key = token[: CONSTANTS.TOKEN_KEY_LENGTH]
    row.user = user
    ends = timezone.now() + dt.timedelta(days=days or usual_days())
    row.expiry = min(ends, until) if until else ends
    row.save()
    return str(token)
