"""Signatures as https://www.standardwebhooks.com asks: HMAC-SHA256 over id, time and body, once for each valid secret."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import hmac
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from ingest.models import Webhook
from ingest.models.webhook import new_secret

OLD_SECRET_KEPT = dt.timedelta(hours=24)
_OLD_SECRETS = 2
"""How many are kept beside the present one; the column has room for no more."""


def headers(message_id: str, at: int, body: bytes, secrets: Sequence[str]) -> dict[str, str]:
    """The three headers of a message sent at the Unix time `at`."""
    signatures = (_signature(message_id, at, body, secret) for secret in secrets)
    return {"webhook-id": message_id, "webhook-timestamp": str(at), "webhook-signature": " ".join(signatures)}


def valid_secrets(webhook: Webhook) -> list[str]:
    """What to sign with now: the secret, and while a rotation lasts those before it too, the latest first."""
    lasting = webhook.old_secret_until is not None and webhook.old_secret_until > timezone.now()
    return [webhook.secret, *(webhook.old_secret.split() if lasting else [])]


def rotate(webhook: Webhook) -> None:
    """Give the endpoint a new secret; the old one stays valid for a day, and so do the last two where it is done twice.

    A program that has not heard the answer asks again, and what its receiver knows is then the secret before the last.
    """
    with transaction.atomic():
        webhook.refresh_from_db(from_queryset=Webhook.objects.select_for_update())
        webhook.old_secret = " ".join(valid_secrets(webhook)[:_OLD_SECRETS])
        webhook.old_secret_until = timezone.now() + OLD_SECRET_KEPT
        webhook.secret = new_secret()
        webhook.save(update_fields=["secret", "old_secret", "old_secret_until"])


def _signature(message_id: str, at: int, body: bytes, secret: str) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = hmac.new(key, f"{message_id}.{at}.".encode() + body, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(signed).decode()}"
