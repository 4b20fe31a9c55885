from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken


class ApiToken(AuthToken):  # type: ignore[misc]  # no stubs
    """Knox's token, of which the database holds a hash. `token_key` is its first letters, by which people tell it."""

    class Meta:
        proxy = True
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        ordering = ["-created", "digest"]

    def __str__(self) -> str:
        return f"{self.token_key}…"
