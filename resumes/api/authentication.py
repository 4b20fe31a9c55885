"""Tokens: knox's, hashed in the database."""

from __future__ import annotations

from typing import Any

from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from rest_framework.exceptions import AuthenticationFailed


class TokenAuthentication(KnoxTokenAuthentication):  # type: ignore[misc]  # no stubs
    """Knox's token authentication; bytes that are no text are no token."""

    def authenticate_credentials(self, token: bytes) -> Any:
        if not token.isascii():
            raise AuthenticationFailed
        return super().authenticate_credentials(token)


class TokenScheme(KnoxTokenScheme):  # type: ignore[no-untyped-call]
    """The same scheme in the OpenAPI document."""

    target_class = TokenAuthentication  # type: ignore[assignment]
