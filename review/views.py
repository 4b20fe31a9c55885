"""The workbench: one case on one page, and what its buttons do."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
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

from ingest import page as pages_of
from ingest.quality import CORE
from ingest.readers import can_render
from resumes.models import Extraction
from resumes.originals import record_opening
from resumes.profile import value_at
from resumes.reruns import FLAGGED as FLAGGED_REASON
from resumes.reruns import CannotRerun
from resumes.roles import Act, may
from resumes.states import State
from resumes.taxonomy import ResumeError
from resumes.transitions import Moved
from review import asking, blind, cases, deadlines, decisions, originals, statistics, words
from review.cases import OPEN, Taken
from review.models import FLAGGED, SPOT_CHECK, BulkJob, Case, Note

_MAX_FORM_BYTES = 1 << 20
_LONGEST_S = 3600.0
"""More than this a page does not say a case took."""
_UNDO = "review_undo"
"""Key of the session under which the case stands that was discarded last."""


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
            "next": self.skip,
            "note": self.note,
        }
        wrap = self._admin.admin_site.admin_view
        return [
            path("next/", wrap(self._reviewers(require_POST(self.take_next))), name="review_next"),
            path("statistics/", wrap(self._reviewers(require_safe(self.statistics))), name="review_statistics"),
            path("<uuid:pk>/work/", wrap(self._reviewers(require_safe(self.page))), name="review_work"),
            path("<uuid:pk>/pages/<int:number>.png", wrap(self._reviewers(require_safe(self.picture))), name="review_picture"),
            path("<uuid:pk>/again/", wrap(self._reviewers(require_POST(self.again))), name="review_again"),
            path("<uuid:pk>/take-over/", wrap(self._reviewers(require_POST(self.take_over))), name="review_take_over"),
            path("<uuid:pk>/discard/<str:reason>/", wrap(self._reviewers(require_POST(self.quick))), name="review_quick"),
            *(
                path(f"<uuid:pk>/{verb}/", wrap(self._reviewers(require_POST(view))), name=f"review_{verb}")
                for verb, view in verbs.items()
            ),
        ]

    # -- pages -----------------------------------------------------------------------------------------------------

    def take_next(self, request: HttpRequest) -> HttpResponse:
        """Claim the best case that is free and go there."""
        return HttpResponseRedirect(_next_url(request))

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
        covered = _covered(case, found)
        record_opening(resume, request.user, "workbench")
        due_text, due_kind = words.due(case)
        flag_note = resume.conclusion if case.code == FLAGGED and case.closed_at is None else ""
        profile = (found.profile if found else None) or {}
        context = {
            **self._admin.admin_site.each_context(request),
            "opts": self._admin.opts,
            "title": words.title(case, blind=covered is not None),
            "case": case,
            "resume": resume,
            "editable": mine,
            "blind": covered is not None,
            "why": words.why(case),
            "flag_note": covered.without(flag_note) if covered else flag_note,
            "suggestion": words.suggestion(case),
            "first": words.why_first(case),
            "due_text": due_text,
            "due_kind": due_kind,
            "transitions": resume.transitions.all(),
            "attempts": resume.stage_attempts.all(),
            "notes": case.notes.select_related("author"),
            "reasons": [(reason.value, REASONS[reason]()) for reason in decisions.Reason],
            "letter": _letter(case, profile, covered=covered is not None),
            "tabs": tabs(),
            "forecast": deadlines.forecast(),
            "may_take_over": case.state in OPEN and not mine and request.user.has_perm("review.take_over"),
            **undoable(request),
            "data": self._data(case, found, covered, editable=mine),
        }
        response = TemplateResponse(request, "admin/review/case/work.html", context)
        response["Cache-Control"] = "private, no-store"
        return response

    def _data(self, case: Case, found: Extraction | None, covered: blind.Covered | None, *, editable: bool) -> dict[str, Any]:
        """What the page's script works with."""
        shown = originals.pages(case.resume.document, found)
        data: dict[str, Any] = {
            "version": case.version,
            "editable": editable,
            "profile": (found.profile if found else None) or {},
            "evidence": found.evidence if found else {},
            "alternatives": found.alternatives if found else {},
            "draft": case.draft,
            "pages": blind.mask_pages(shown, covered) if covered else shown,
            "core": list(CORE),
            "flagged": _flagged(case),
            "masked": [],
            "spotCheck": case.code == SPOT_CHECK,
            "urls": {
                verb: reverse(f"admin:review_{verb}", args=[case.pk])
                for verb in ("save", "draft", "discard", "rerun", "release", "renew", "next", "note")
            },
            "picture": reverse("admin:review_picture", args=[case.pk, 0]).replace("/0.png", "/{page}.png"),
            "list": reverse("admin:review_case_changelist"),
            "text": page_texts(),
        }
        return blind.mask_form(data, covered) if covered else data

    def picture(self, request: HttpRequest, pk: Any, number: int) -> HttpResponse:
        """A page of the original as a picture, made in the sandbox."""
        case = _case(pk)
        resume, document = case.resume, case.resume.document
        if document is None or not can_render(document.media_type):
            raise Http404
        found = Extraction.objects.filter(resume=resume, run=case.run).first()
        covered = _covered(case, found)
        degrees = originals.turned(found, number)
        tag = originals.etag(document, number, degrees, blind=covered is not None)
        if request.headers.get("If-None-Match") == tag:
            return HttpResponseNotModified()
        try:
            content = originals.picture(document, number, degrees)
        except ResumeError as exc:
            raise Http404 from exc
        if covered is not None:
            reading = found.reading if found else None
            sheets = pages_of.from_data(reading).pages if reading else ()
            at = next((index for index, sheet in enumerate(sheets) if sheet.number == number), None)
            content = blind.mask_picture(content, sheets[at] if at is not None else None, at or 0, covered)
        answer = HttpResponse(content, content_type="image/png")
        answer["ETag"] = tag
        answer["Cache-Control"] = "private, no-cache" if settings.GLEANER_BLIND_REVIEW else "private, max-age=3600"
        return answer

    def statistics(self, request: HttpRequest) -> HttpResponse:
        """Which kinds of resumes still need people, and what people correct."""
        context = {
            **self._admin.admin_site.each_context(request),
            "opts": self._admin.opts,
            "title": _("Review statistics"),
            "tabs": tabs(),
            "chosen": "statistics",
            "figures": statistics.figures(),
        }
        return TemplateResponse(request, "admin/review/case/statistics.html", context)

    # -- verbs -----------------------------------------------------------------------------------------------------

    def save(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Complete the case; where to go next."""

        def decide(case: Case, body: dict[str, Any]) -> dict[str, Any]:
            changes = decisions.complete(
                case,
                _form(body),
                _user(request),
                version=_version(body),
                confirmed=bool(body.get("confirmed")),
                spent=_spent(body),
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
            request.session[_UNDO] = str(case.pk)
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

    def skip(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Leave this case to the others and take the next one."""

        def decide(case: Case, body: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG001
            cases.release(case, _user(request))
            return {"next": _next_url(request, after=case)}

        return self._decide(request, pk, decide)

    def note(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Leave word for whoever opens the case next."""

        def decide(case: Case, body: dict[str, Any]) -> dict[str, Any]:
            text = str(body.get("text") or "").strip()[:1000]
            if not text:
                raise _BadForm(_("Write something first."))
            note = Note.objects.create(case=case, author=_user(request), text=text)
            return {"author": str(note.author), "text": note.text}

        return self._decide(request, pk, decide)

    def again(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Undo the end of a closed case, with a reason; it opens at once."""
        case = _case(pk)
        try:
            opened = decisions.take_up_again(case, _user(request), str(request.POST.get("reason") or "")[:150])
        except (ValueError, Moved):
            messages.error(request, _("This resume is no longer where it was; nothing was changed."))
            return HttpResponseRedirect(reverse("admin:review_case_changelist"))
        request.session.pop(_UNDO, None)
        messages.success(request, _("It waits for review again."))
        if request.POST.get("back") == "list":
            return HttpResponseRedirect(reverse("admin:review_case_changelist"))
        return HttpResponseRedirect(reverse("admin:review_work", args=[opened.pk]))

    def take_over(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Take a case from whoever works on it."""
        try:
            cases.take_over(_case(pk), _user(request))
        except Taken:
            messages.error(request, _("This case is closed."))
        return HttpResponseRedirect(reverse("admin:review_work", args=[pk]))

    def quick(self, request: HttpRequest, pk: Any, reason: str) -> HttpResponse:
        """Discard straight from the list."""
        case = _case(pk)
        try:
            decisions.discard(case, decisions.Reason(reason), "", _user(request), version=case.version)
        except ValueError:
            raise Http404 from None
        except (decisions.Stale, Moved, Taken):
            messages.error(request, _("Somebody else works on this case now."))
        else:
            request.session[_UNDO] = str(case.pk)
        return HttpResponseRedirect(_list_as_it_was(request))

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
    decisions.Reason.UNREADABLE: lambda: _("confirmed: cannot be used"),
    decisions.Reason.DUPLICATE: lambda: _("a duplicate"),
    decisions.Reason.LEFT_OUT: lambda: _("skip approved (say why)"),
    decisions.Reason.OTHER: lambda: _("another reason"),
}


def undoable(request: HttpRequest) -> dict[str, Any]:
    """The case this person has just discarded, to be offered back once."""
    pk = request.session.pop(_UNDO, None)
    case = Case.objects.filter(pk=pk, state=Case.State.DISCARDED).select_related("resume").first() if pk else None
    return {"undo": case, "undo_title": words.title(case, blind=settings.GLEANER_BLIND_REVIEW)} if case else {}


def tabs() -> list[tuple[str, Any, int]]:
    """The four groups of cases with their counts."""
    counts = dict(Case.objects.order_by().values_list("state").annotate(number=Count("pk")))
    return [(state.value, state.label, counts.get(state.value, 0)) for state in Case.State]


def jobs() -> list[BulkJob]:
    """Decisions for many cases that are still being made."""
    return list(BulkJob.objects.filter(ended_at=None)[:5])


class _BadForm(Exception):
    """What was posted is not what the page posts."""


def _case(pk: Any) -> Case:
    return get_object_or_404(Case.objects.select_related("resume__document", "claimed_by"), pk=pk)


def _flagged(case: Case) -> list[str]:
    """Paths of the fields somebody has said are wrong."""
    opened = case.resume.transitions.filter(run=case.run, to_state=State.REVIEW_NEEDED, reason__startswith=FLAGGED_REASON).first()
    return (
        [path.strip() for path in opened.reason.removeprefix(FLAGGED_REASON).lstrip(": ").split(",") if path.strip()]
        if opened
        else []
    )


def _covered(case: Case, found: Extraction | None) -> blind.Covered | None:
    """What is covered of an open case in blind review; None where everything may be seen."""
    if not settings.GLEANER_BLIND_REVIEW or case.state not in OPEN:
        return None
    reading = found.reading if found else None
    return blind.cover(pages_of.from_data(reading or {"pages": [], "warnings": [], "title": ""}), (found and found.profile) or {})


def _letter(case: Case, profile: dict[str, Any], *, covered: bool) -> asking.Letter:
    """What to write to the sender; without address and name where these are covered."""
    if covered:
        return asking.letter(case)
    return asking.letter(case, to=str(value_at(profile, "basics.email") or ""), name=str(value_at(profile, "basics.name") or ""))


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


def _spent(body: dict[str, Any]) -> decisions.Spent:
    """How long it took, as far as the page says something believable."""
    seconds, by_field = body.get("seconds"), body.get("spent")
    if not isinstance(by_field, dict):
        by_field = {}
    believable = {
        str(path): float(value) for path, value in by_field.items() if isinstance(value, int | float) and 0 <= value <= _LONGEST_S
    }
    whole = float(seconds) if isinstance(seconds, int | float) and 0 <= seconds <= _LONGEST_S else 0.0
    return decisions.Spent(whole, believable)


def _next_url(request: HttpRequest, *, after: Case | None = None) -> str:
    case = cases.claim_next(_user(request), after=after)
    if case is None:
        messages.info(request, _("Nothing is waiting. Well done."))
        return reverse("admin:review_case_changelist")
    return reverse("admin:review_work", args=[case.pk])


def _list_as_it_was(request: HttpRequest) -> str:
    """The list with the filter under which the button was pressed."""
    here = reverse("admin:review_case_changelist")
    before = urlsplit(request.headers.get("Referer", ""))
    return f"{here}?{before.query}" if before.path == here and before.query else here


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
        "split": _("split in two"),
        "masked": _("covered until the decision"),
        "lost": _("Somebody else works on this case now. What you typed is still here."),
        "copied": _("Copied."),
        "reload": _("Load it again"),
        "noteSaved": _("Note saved."),
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
        "noText": _("No text was read from this page."),
        "noPicture": _("This page cannot be drawn."),
        "page": _("page %(number)s"),
        "dateHint": _("YYYY-MM"),
    }
