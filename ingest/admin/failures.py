"""The failure queue in the admin: the list of resumes, filtered by whose move is next, with what one can do about many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ingest import failure_queue
from ingest.failure_queue import ACTS, Action, Who
from resumes.admin.resumes import ResumeAdmin
from resumes.models import Resume
from resumes.reruns import CannotRerun
from resumes.transitions import Moved

_WHOSE = {
    Who.SENDER: _("The sender's: a better file"),
    Who.REVIEWER: _("A reviewer's"),
    Who.OPERATOR: _("An operator's"),
    Who.NOBODY: _("None: it is tried again"),
}
_TEXTS = {
    Action.REVIEW: _("Send to review"),
    Action.REJECT: _("Confirm as failed"),
    Action.SKIP: _("Approve to leave out"),
}


class FailureQueueFilter(admin.SimpleListFilter):
    """The failures, by who has the next move."""

    title = _("failure queue: whose move")
    parameter_name = "move"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:  # noqa: ARG002 - Django's signature
        return [("any", _("Anybody's"))] + [(who.value, text) for who, text in _WHOSE.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Resume]) -> QuerySet[Resume]:
        chosen = self.value()
        if not chosen:
            return queryset
        states = [state for state in failure_queue.STATES if chosen in ("any", failure_queue.whose_move(state).value)]
        return failure_queue.failed_resumes(queryset.filter(state__in=states), request.user)


def _doing(action: Action) -> Callable[[ResumeAdmin, HttpRequest, QuerySet[Resume]], None]:
    """An action of the list that does this to every resume chosen."""

    @admin.action(description=_TEXTS[action])
    def act(page: ResumeAdmin, request: HttpRequest, rows: QuerySet[Resume]) -> None:
        done = left = 0
        user: Any = request.user
        for resume in rows:
            try:
                failure_queue.act(resume, action, user, "", node="admin")
            except (CannotRerun, Moved):
                left += 1
            else:
                done += 1
        page.message_user(request, gettext("%(done)d done, %(left)d left as they are.") % {"done": done, "left": left})

    act.__name__ = f"failure_{action.value}"
    return act


# The records know nothing of the queue; here their page is told.
ResumeAdmin.actions = (*ResumeAdmin.actions, *(_doing(action) for action in _TEXTS))
ResumeAdmin.action_acts = ResumeAdmin.action_acts | {f"failure_{action.value}": ACTS[action] for action in _TEXTS}
ResumeAdmin.list_filter = [FailureQueueFilter, *ResumeAdmin.list_filter]
