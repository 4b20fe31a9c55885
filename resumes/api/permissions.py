"""What a role may do through the API: every view says which act each of its methods is."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from resumes.roles import Act, may


class ByRole(BasePermission):
    """Reads `acts` of a view: action name (or lower-case method) → `Act`. What is not named there is forbidden."""

    def has_permission(self, request: Request, view: Any) -> bool:
        if not request.user.is_authenticated:
            return False
        name = getattr(view, "action", None) or (request.method or "").lower()
        if name in ("options", "metadata"):
            return True
        act: Act | None = view.acts.get(name)
        if act is None:
            # Not an action of this view: let it answer 405.
            return name not in getattr(view, "action_map", {}).values()
        return may(request.user, act)


def signed_in(request: Request) -> User:
    """The user of a request that has passed `ByRole`."""
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user
