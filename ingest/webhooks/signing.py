"""Signatures as https://www.standardwebhooks.com asks: HMAC-SHA256 over id, time and body, once for each valid secret."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import hmac
from collections.abc import Sequence

from django.utils import timezone

from ingest.models import Webhook
from ingest.models.webhook import new_secret

OLD_SECRET_KEPT = dt.timedelta(hours=24)


def headers(message_id: str, at: int, body: bytes, secrets: Sequence[str]) -> dict[str, str]:
    """The three headers of a message sent at the Unix time `at`."""
    signatures = (_signature(message_id, at, body, secret) for secret in secrets)
    return {"webhook-id": message_id, "webhook-timestamp": str(at), "webhook-signature": " ".join(signatures)}


def valid_secrets(webhook: Webhook) -> list[str]:
    """What to sign with now: the secret, and while a rotation lasts the one before it too."""
    lasting = webhook.old_secret_until is not None and webhook.old_secret_until > timezone.now()
    return [webhook.secret, *([webhook.old_secret] if lasting else [])]


def rotate(webhook: Webhook) -> None:
    """Give the endpoint a new secret; the old one stays valid for a day."""
    webhook.old_secret, webhook.old_secret_until = webhook.secret, timezone.now() + OLD_SECRET_KEPT
    webhook.secret = new_secret()
    webhook.save(update_fields=["secret", "old_secret", "old_secret_until"])


def _signature(message_id: str, at: int, body: bytes, secret: str) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = hmac.new(key, f"{message_id}.{at}.".encode() + body, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(signed).decode()}"
