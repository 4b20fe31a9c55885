"""The admin by role: what one sees and may change there is decided by `resumes.roles`, not by rows of permissions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from resumes.roles import Act, is_admin, may, visible

if TYPE_CHECKING:
    RowAdmin = admin.ModelAdmin[Any]
    Table = admin.TabularInline[Any, Any]
    Stack = admin.StackedInline[Any, Any]
else:  # Django's own classes take no parameters at run time
    RowAdmin, Table, Stack = admin.ModelAdmin, admin.TabularInline, admin.StackedInline


class ByRole(RowAdmin):
    """Read only, for those whose role allows `view_act`; `change_act` opens changing where there is something to change."""

    view_act: Act
    change_act: Act | None = None
    add_act: Act | None = None
    delete_act: Act | None = None
    owner_path = ""
    """Path to the owner of a row where recruiters see only their own; empty where everyone sees all."""
    show_full_result_count = False

    def has_module_permission(self, request: HttpRequest) -> bool:
        return may(request.user, self.view_act)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - Django's signature
        return may(request.user, self.view_act)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return self.change_act is not None and may(request.user, self.change_act)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return self.add_act is not None and may(request.user, self.add_act)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return self.delete_act is not None and may(request.user, self.delete_act)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        return visible(request.user, rows, self.owner_path) if self.owner_path else rows


class Own(ByRole):
    """Everybody sees their own, admins all."""

    to_owner: str
    """Path to the user a row belongs to."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        return rows if is_admin(request.user) else rows.filter(**{self.to_owner: request.user.pk})


class LogInline(Table):
    """A log inside another page: shown in full, never changed."""

    extra = 0
    can_delete = False
    show_change_link = False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return may(request.user, Act.READ_RESUMES)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False
