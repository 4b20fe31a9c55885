"""Lists are paged by cursor: stable under inserts, flat in cost."""

from __future__ import annotations

from rest_framework.pagination import CursorPagination


class Cursor(CursorPagination):
    """Newest first; `?page_size=` up to 200."""

    ordering: str | tuple[str, ...] = ("-created_at", "-id")
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200
