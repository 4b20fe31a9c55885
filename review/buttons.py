"""What the plain buttons of the review post: the next case, a discard from the list, a case taken up again, a take-over."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from resumes.transitions import Moved
from review import cases, decisions, top
from review.cases import Taken
from review.verbs import find, forget_left, next_url, user_of


def take_next(request: HttpRequest) -> HttpResponse:
    """Claim the best case that is free and go there."""
    forget_left(request)
    return HttpResponseRedirect(next_url(request))


def again(request: HttpRequest, pk: Any) -> HttpResponse:
    """Undo the end of a closed case, with a reason; it opens at once."""
    case = find(pk)
    try:
        opened = decisions.take_up_again(case, user_of(request), str(request.POST.get("reason") or "")[:150])
    except (decisions.Stale, ValueError, Moved):
        messages.error(request, _("This resume is no longer where it was; nothing was changed."))
        return HttpResponseRedirect(reverse("admin:review_case_changelist"))
    top.forget_undo(request)
    messages.success(request, _("It waits for review again."))
    if request.POST.get("back") == "list":
        return HttpResponseRedirect(reverse("admin:review_case_changelist"))
    return HttpResponseRedirect(reverse("admin:review_work", args=[opened.pk]))


def take_over(request: HttpRequest, pk: Any) -> HttpResponse:
    """Take a case from whoever works on it."""
    try:
        cases.take_over(find(pk), user_of(request))
    except Taken:
        messages.error(request, _("This case is closed."))
    return HttpResponseRedirect(reverse("admin:review_work", args=[pk]))


def quick(request: HttpRequest, pk: Any, reason: str) -> HttpResponse:
    """Discard straight from the list."""
    case = find(pk)
    try:
        discarded = decisions.discard(case, decisions.Reason(reason), "", user_of(request), version=case.version)
    except ValueError:
        raise Http404 from None
    except (decisions.Stale, Moved, Taken):
        messages.error(request, _("Somebody else works on this case now."))
    else:
        top.offer_undo(request, discarded)
    return HttpResponseRedirect(_list_as_it_was(request))


def _list_as_it_was(request: HttpRequest) -> str:
    """The list with the filter under which the button was pressed."""
    here = reverse("admin:review_case_changelist")
    before = urlsplit(request.headers.get("Referer", ""))
    return f"{here}?{before.query}" if before.path == here and before.query else here
