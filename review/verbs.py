"""The verbs of the workbench: what its buttons and keys post as JSON, and what is answered. Each is one decision on one case."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from pydantic import ValidationError

from resumes.reruns import CannotRerun
from resumes.transitions import Moved
from review import cases, decisions, edits, page_texts, posted, top, words
from review.cases import OPEN, Taken
from review.models import Case, Note

_LONGEST_DATE = 100
_LEFT = "review_left"
"""Key of the session under which the cases stand that this person has left to the others."""
_MOST_LEFT = 100


def save(request: HttpRequest, pk: Any) -> HttpResponse:
    """Complete the case; where to go next."""

    def decide(case: Case, body: dict[str, Any]) -> dict[str, Any]:
        changes = decisions.complete(
            case,
            posted.form(body),
            user_of(request),
            version=posted.version(body),
            confirmed=bool(body.get("confirmed")),
            spent=posted.spent(body),
        )
        return {"changes": len(changes), "next": next_url(request)}

    return _decide(request, pk, decide)


def draft(request: HttpRequest, pk: Any) -> HttpResponse:
    def decide(case: Case, body: dict[str, Any]) -> dict[str, Any]:
        return {"version": decisions.save_draft(case, posted.form(body), user_of(request), version=posted.version(body))}

    return _decide(request, pk, decide)


def discard(request: HttpRequest, pk: Any) -> HttpResponse:
    def decide(case: Case, body: dict[str, Any]) -> dict[str, Any]:
        try:
            reason = decisions.Reason(str(body.get("reason")))
        except ValueError:
            raise posted.BadForm(_("Choose a reason.")) from None
        note = str(body.get("note") or "")
        top.offer_undo(request, decisions.discard(case, reason, note, user_of(request), version=posted.version(body)))
        return {"next": next_url(request)}

    return _decide(request, pk, decide)


def rerun(request: HttpRequest, pk: Any) -> HttpResponse:
    def decide(case: Case, body: dict[str, Any]) -> dict[str, Any]:
        note, channel = str(body.get("note") or "")[:150], str(body.get("channel") or "")
        decisions.run_again(case, note, user_of(request), version=posted.version(body), channel=channel)
        return {"next": next_url(request)}

    return _decide(request, pk, decide)


def release(request: HttpRequest, pk: Any) -> HttpResponse:
    def decide(case: Case, body: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG001 - the shape of a decision
        cases.release(case, user_of(request))
        return {"next": reverse("admin:review_case_changelist")}

    return _decide(request, pk, decide)


def renew(request: HttpRequest, pk: Any) -> HttpResponse:
    """The page is still open: the claim goes on."""

    def decide(case: Case, body: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG001
        until = cases.claim(case, user_of(request)).claimed_until
        return {"until": until.isoformat() if until else None}

    return _decide(request, pk, decide)


def skip(request: HttpRequest, pk: Any) -> HttpResponse:
    """Leave this case to the others and take the next one."""

    def decide(case: Case, body: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG001
        cases.release(case, user_of(request))
        return {"next": next_url(request, left=case)}

    return _decide(request, pk, decide)


def date(request: HttpRequest, pk: Any) -> HttpResponse:
    """Read a date as a person has written it, or taken it from the page; null where it is none."""

    def decide(case: Case, body: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG001
        text = str(body.get("text") or "")[:_LONGEST_DATE]
        return {"date": edits.as_date(text, end=bool(body.get("end"))), "current": edits.says_present(text)}

    return _decide(request, pk, decide)


def note(request: HttpRequest, pk: Any) -> HttpResponse:
    """Leave word for whoever opens the case next."""

    def decide(case: Case, body: dict[str, Any]) -> dict[str, Any]:
        text = str(body.get("text") or "").strip()[:1000]
        if not text:
            raise posted.BadForm(_("Write something first."))
        note = Note.objects.create(case=case, author=user_of(request), text=text)
        return {"author": str(note.author), "text": note.text}

    return _decide(request, pk, decide)


def signed_in(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Tell a page whose session has ended so, where the admin would send it to a form for people."""

    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return _problem(401, "signed_out", _("You are signed out. What you typed is still here."))
        return view(request, *args, **kwargs)

    return guarded


VERBS: dict[str, Callable[[HttpRequest, Any], HttpResponse]] = {
    "save": save,
    "draft": draft,
    "discard": discard,
    "rerun": rerun,
    "release": release,
    "renew": renew,
    "next": skip,
    "note": note,
    "date": date,
}
"""Every verb by its name in the address."""


def forget_left(request: HttpRequest) -> None:
    """Whoever starts anew at the list gets the best case again, left or not."""
    request.session.pop(_LEFT, None)


def find(pk: Any) -> Case:
    return get_object_or_404(Case.objects.select_related("resume__document", "claimed_by"), pk=pk)


def user_of(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def next_url(request: HttpRequest, *, left: Case | None = None) -> str:
    """Claim the best case that is free; where it is worked on, or the list where there is none.

    The cases this person has `left` to the others are remembered, so that they do not come back at once.
    """
    others = request.session.get(_LEFT, [])
    if left is not None:
        others = [*(pk for pk in others if pk != str(left.pk)), str(left.pk)][-_MOST_LEFT:]
        request.session[_LEFT] = others
    case = cases.claim_next(user_of(request), left=others)
    if case is None:
        messages.info(request, _("No other case is waiting.") if others else _("Nothing is waiting. Well done."))
        return reverse("admin:review_case_changelist")
    return reverse("admin:review_work", args=[case.pk])


def _decide(request: HttpRequest, pk: Any, decide: Callable[[Case, dict[str, Any]], dict[str, Any]]) -> JsonResponse:
    try:
        return JsonResponse(decide(find(pk), posted.body(request)))
    except posted.BadForm as exc:
        return _problem(400, "invalid", str(exc))
    except ValidationError as exc:
        places = [error["loc"] for error in exc.errors()]
        names = ", ".join(page_texts.place_name(place) for place in places)
        fields = [".".join(map(str, place)) for place in places]
        return _problem(422, "invalid", _("These values have no valid form: %(fields)s") % {"fields": names}, fields=fields)
    except decisions.Incomplete as exc:
        names = ", ".join(words.core_name(name) for name in exc.missing)
        return _problem(422, "incomplete", _("Still missing: %(names)s.") % {"names": names}, missing=list(exc.missing))
    except (decisions.Stale, Moved, Taken) as exc:
        return _overtaken(find(pk), request, taken=isinstance(exc, Taken))
    except CannotRerun as exc:
        if exc.code == "unknown_channel":
            return _problem(400, exc.code, _("This OCR engine is not set up here."))
        return _problem(409, "no_rerun", _("There is no file for this resume any more."))


def _overtaken(case: Case, request: HttpRequest, *, taken: bool) -> JsonResponse:
    """What has become of a case under an open page."""
    if case.state not in OPEN:
        return _problem(409, "closed", _("This case is closed."))
    if taken or cases.is_held(case.resume, by_others_than=request.user.pk):
        return _problem(409, "taken", _("Somebody else works on this case now."))
    return _problem(409, "stale", _("This case was changed from another page. Load it again."))


def _problem(status: int, code: str, detail: str, **more: Any) -> JsonResponse:
    return JsonResponse({"status": status, "code": code, "detail": detail, **more}, status=status)
