"""The workbench: one case on one page, and what its buttons do."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from pydantic import ValidationError

from ingest.quality import CORE
from ingest.readers import can_render
from resumes.models import Extraction
from resumes.originals import record_opening
from resumes.reruns import FLAGGED, CannotRerun
from resumes.roles import Act, may
from resumes.states import State
from resumes.taxonomy import ResumeError
from resumes.transitions import Moved
from review import cases, decisions, originals, words
from review.cases import OPEN, Taken
from review.models import Case

_MAX_FORM_BYTES = 1 << 20


class Workbench:
    """The pages of the review, hung into the admin by `review.admin`."""

    def __init__(self, model_admin: ModelAdmin[Case]) -> None:
        self._admin = model_admin

    def urls(self) -> list[URLPattern]:
        verbs = {
            "save": self.save,
            "draft": self.draft,
            "discard": self.discard,
            "rerun": self.rerun,
            "release": self.release,
            "renew": self.renew,
        }
        wrap = self._admin.admin_site.admin_view
        return [
            path("next/", wrap(self._reviewers(require_POST(self.take_next))), name="review_next"),
            path("<uuid:pk>/work/", wrap(self._reviewers(require_safe(self.page))), name="review_work"),
            path("<uuid:pk>/pages/<int:number>.png", wrap(self._reviewers(require_safe(self.picture))), name="review_picture"),
            path("<uuid:pk>/again/", wrap(self._reviewers(require_POST(self.again))), name="review_again"),
            *(
                path(f"<uuid:pk>/{verb}/", wrap(self._reviewers(require_POST(view))), name=f"review_{verb}")
                for verb, view in verbs.items()
            ),
        ]

    # -- pages -----------------------------------------------------------------------------------------------------

    def take_next(self, request: HttpRequest) -> HttpResponse:
        """Claim the best case that is free and go there."""
        case = cases.claim_next(_user(request))
        if case is None:
            messages.info(request, _("Nothing is waiting. Well done."))
            return HttpResponseRedirect(reverse("admin:review_case_changelist"))
        return HttpResponseRedirect(reverse("admin:review_work", args=[case.pk]))

    def page(self, request: HttpRequest, pk: Any) -> HttpResponse:
        case = _case(pk)
        mine = False
        if case.state in OPEN:
            try:
                case, mine = cases.claim(case, _user(request)), True
            except Taken:
                case.refresh_from_db()
        resume = case.resume
        found = Extraction.objects.filter(resume=resume, run=case.run).first()
        record_opening(resume, request.user, "workbench")
        due_text, due_kind = words.due(case)
        context = {
            **self._admin.admin_site.each_context(request),
            "opts": self._admin.opts,
            "title": resume.filename or str(case.pk)[:8],
            "case": case,
            "resume": resume,
            "editable": mine,
            "why": words.why(case),
            "flag_note": resume.conclusion if case.code == "flagged" and case.closed_at is None else "",
            "suggestion": words.suggestion(case),
            "due_text": due_text,
            "due_kind": due_kind,
            "transitions": resume.transitions.all(),
            "attempts": resume.stage_attempts.all(),
            "reasons": [(reason.value, REASONS[reason]()) for reason in decisions.Reason],
            "tabs": tabs(),
            "left": Case.objects.filter(state=Case.State.PENDING).count(),
            "data": {
                "version": case.version,
                "editable": mine,
                "profile": (found.profile if found else None) or {},
                "evidence": found.evidence if found else {},
                "alternatives": found.alternatives if found else {},
                "draft": case.draft,
                "pages": originals.pages(resume.document, found),
                "core": list(CORE),
                "flagged": _flagged(case),
                "urls": {
                    verb: reverse(f"admin:review_{verb}", args=[case.pk])
                    for verb in ("save", "draft", "discard", "rerun", "release", "renew")
                },
                "picture": reverse("admin:review_picture", args=[case.pk, 0]).replace("/0.png", "/{page}.png"),
                "list": reverse("admin:review_case_changelist"),
                "text": page_texts(),
            },
        }
        response = TemplateResponse(request, "admin/review/case/work.html", context)
        response["Cache-Control"] = "private, no-store"
        return response

    def picture(self, request: HttpRequest, pk: Any, number: int) -> HttpResponse:
        """A page of the original as a picture, made in the sandbox."""
        resume = _case(pk).resume
        document = resume.document
        if document is None or not can_render(document.media_type):
            raise Http404
        found = Extraction.objects.filter(resume=resume, run=resume.run).first()
        degrees = originals.turned(found, number)
        tag = originals.etag(document, number, degrees)
        if request.headers.get("If-None-Match") == tag:
            return HttpResponseNotModified()
        try:
            content = originals.picture(document, number, degrees)
        except ResumeError as exc:
            raise Http404 from exc
        answer = HttpResponse(content, content_type="image/png")
        answer["ETag"] = tag
        answer["Cache-Control"] = "private, max-age=3600"
        return answer

    # -- verbs -----------------------------------------------------------------------------------------------------

    def save(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Complete the case; where to go next."""

        def decide(case: Case, body: dict[str, Any]) -> dict[str, Any]:
            changes = decisions.complete(
                case, _form(body), _user(request), version=_version(body), confirmed=bool(body.get("confirmed"))
            )
            return {"changes": len(changes), "next": _next_url(request)}

        return self._decide(request, pk, decide)

    def draft(self, request: HttpRequest, pk: Any) -> HttpResponse:
        def decide(case: Case, body: dict[str, Any]) -> dict[str, Any]:
            return {"version": decisions.save_draft(case, _form(body), _user(request), version=_version(body))}

        return self._decide(request, pk, decide)

    def discard(self, request: HttpRequest, pk: Any) -> HttpResponse:
        def decide(case: Case, body: dict[str, Any]) -> dict[str, Any]:
            try:
                reason = decisions.Reason(str(body.get("reason")))
            except ValueError:
                raise _BadForm(_("Choose a reason.")) from None
            decisions.discard(case, reason, str(body.get("note") or ""), _user(request), version=_version(body))
            return {"next": _next_url(request)}

        return self._decide(request, pk, decide)

    def rerun(self, request: HttpRequest, pk: Any) -> HttpResponse:
        def decide(case: Case, body: dict[str, Any]) -> dict[str, Any]:
            decisions.run_again(case, str(body.get("note") or "")[:150], _user(request), version=_version(body))
            return {"next": _next_url(request)}

        return self._decide(request, pk, decide)

    def release(self, request: HttpRequest, pk: Any) -> HttpResponse:
        def decide(case: Case, body: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG001 - the shape of a decision
            cases.release(case, _user(request))
            return {"next": reverse("admin:review_case_changelist")}

        return self._decide(request, pk, decide)

    def renew(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """The page is still open: the claim goes on."""

        def decide(case: Case, body: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG001
            until = cases.claim(case, _user(request)).claimed_until
            return {"until": until.isoformat() if until else None}

        return self._decide(request, pk, decide)

    def again(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Undo the end of a closed case: a button of the list."""
        try:
            decisions.take_up_again(_case(pk), _user(request), str(request.POST.get("reason") or ""))
        except (ValueError, Moved):
            messages.error(request, _("This resume is no longer where it was; nothing was changed."))
        else:
            messages.success(request, _("It waits for review again."))
        return HttpResponseRedirect(reverse("admin:review_case_changelist"))

    def _decide(self, request: HttpRequest, pk: Any, decide: Callable[[Case, dict[str, Any]], dict[str, Any]]) -> JsonResponse:
        try:
            return JsonResponse(decide(_case(pk), _body(request)))
        except _BadForm as exc:
            return _problem(400, "invalid", str(exc))
        except ValidationError as exc:
            fields = [".".join(str(part) for part in error["loc"]) for error in exc.errors()]
            return _problem(
                422, "invalid", _("These values have no valid form: %(fields)s") % {"fields": ", ".join(fields)}, fields=fields
            )
        except decisions.Incomplete as exc:
            names = ", ".join(words.core_name(name) for name in exc.missing)
            return _problem(422, "incomplete", _("Still missing: %(names)s.") % {"names": names}, missing=list(exc.missing))
        except (decisions.Stale, Moved):
            return _problem(409, "stale", _("This case was changed from another page. Load it again."))
        except Taken:
            return _problem(409, "taken", _("Somebody else works on this case now."))
        except CannotRerun:
            return _problem(409, "no_rerun", _("There is no file for this resume any more."))

    def _reviewers(self, view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not may(request.user, Act.REVIEW):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return guarded


REASONS: dict[decisions.Reason, Callable[[], str]] = {
    decisions.Reason.NOT_A_RESUME: lambda: _("not a resume"),
    decisions.Reason.UNREADABLE: lambda: _("cannot be read"),
    decisions.Reason.DUPLICATE: lambda: _("a duplicate"),
    decisions.Reason.OTHER: lambda: _("another reason"),
}


def tabs() -> list[tuple[str, Any, int]]:
    """The four groups of cases with their counts."""
    counts = dict(Case.objects.order_by().values_list("state").annotate(number=Count("pk")))
    return [(state.value, state.label, counts.get(state.value, 0)) for state in Case.State]


class _BadForm(Exception):
    """What was posted is not what the page posts."""


def _case(pk: Any) -> Case:
    return get_object_or_404(Case.objects.select_related("resume__document", "claimed_by"), pk=pk)


def _flagged(case: Case) -> list[str]:
    """Paths of the fields somebody has said are wrong."""
    opened = case.resume.transitions.filter(run=case.run, to_state=State.REVIEW_NEEDED, reason__startswith=FLAGGED).first()
    return (
        [path.strip() for path in opened.reason.removeprefix(FLAGGED).lstrip(": ").split(",") if path.strip()] if opened else []
    )


def _user(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def _body(request: HttpRequest) -> dict[str, Any]:
    if len(request.body) > _MAX_FORM_BYTES:
        raise _BadForm(_("The form is too large."))
    try:
        body = json.loads(request.body or b"{}")
    except ValueError:
        raise _BadForm(_("The form cannot be read.")) from None
    if not isinstance(body, dict):
        raise _BadForm(_("The form cannot be read."))
    return body


def _form(body: dict[str, Any]) -> dict[str, Any]:
    """The form, every part of the type `review.edits` expects."""
    form = body.get("form")
    parts: dict[str, type] = {"basics": dict, "sources": dict, "work": list, "education": list, "skills": list, "languages": list}
    if not isinstance(form, dict) or not all(isinstance(value, parts.get(name, object)) for name, value in form.items()):
        raise _BadForm(_("The form cannot be read."))
    if not all(isinstance(entry, dict) for section in ("work", "education") for entry in form.get(section, [])):
        raise _BadForm(_("The form cannot be read."))
    if not all(isinstance(source, dict) for source in form.get("sources", {}).values()):
        raise _BadForm(_("The form cannot be read."))
    return form


def _version(body: dict[str, Any]) -> int:
    version = body.get("version")
    if not isinstance(version, int) or isinstance(version, bool):
        raise _BadForm(_("The form cannot be read."))
    return version


def _next_url(request: HttpRequest) -> str:
    case = cases.claim_next(_user(request))
    if case is None:
        messages.info(request, _("Nothing is waiting. Well done."))
        return reverse("admin:review_case_changelist")
    return reverse("admin:review_work", args=[case.pk])


def _problem(status: int, code: str, detail: str, **more: Any) -> JsonResponse:
    return JsonResponse({"status": status, "code": code, "detail": detail, **more}, status=status)


def page_texts() -> dict[str, str]:
    """The words the page's script shows."""
    return {
        "name": _("Name"),
        "email": _("E-mail"),
        "phone": _("Phone"),
        "city": _("City"),
        "label": _("Headline"),
        "url": _("Web address"),
        "summary": _("Summary"),
        "work": _("Work"),
        "education": _("Education"),
        "skills": _("Skills"),
        "languages": _("Languages"),
        "employer": _("Employer"),
        "position": _("Position"),
        "startDate": _("From"),
        "endDate": _("To"),
        "current": _("until today"),
        "institution": _("School"),
        "studyType": _("Degree"),
        "area": _("Subject"),
        "score": _("Grade"),
        "add": _("add"),
        "remove": _("remove"),
        "up": _("move up"),
        "down": _("move down"),
        "missing": _("missing"),
        "flagged": _("said to be wrong"),
        "click": _("click it in the original"),
        "rules": _("rules"),
        "model": _("model"),
        "person": _("person"),
        "derived": _("computed"),
        "addSkill": _("add one, Enter"),
        "saved": _("draft saved %(time)s"),
        "unsaved": _("not saved yet"),
        "offline": _("The server does not answer. What you typed is still here."),
        "anyway": _("Complete it all the same?"),
        "rerun": _("Read this resume again from the start? What was typed is lost."),
        "noText": _("No text was read from this page."),
        "noPicture": _("This page cannot be drawn."),
        "page": _("page %(number)s"),
        "dateHint": _("YYYY-MM"),
    }
