"""Lists are paged by cursor: stable under inserts, flat in cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request


class Cursor(CursorPagination):
    """Newest first; `?page_size=` up to 200."""

    ordering: str | tuple[str, ...] = ("-created_at", "-id")
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200

    def paginate_queryset(self, queryset: QuerySet[Any] | Sequence[Any], request: Request, view: Any = None) -> list[Any] | None:
        """A cursor nobody here has given out points nowhere, whatever is written in it."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValueError, ValidationError) as exc:  # its place is no value of the column it goes by
            if self.cursor is None:
                raise
            raise NotFound(_("Invalid cursor")) from exc
