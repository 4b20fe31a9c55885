"""The pages of the review: one case on one page, the pictures of its original, the statistics; and all addresses below them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from ingest import page as pages_of
from ingest.quality import CORE
from ingest.readers import can_render
from resumes import blindness, reruns
from resumes.models import Extraction
from resumes.originals import record_opening
from resumes.profile import value_at
from resumes.roles import Act, Visitor, may
from resumes.states import State
from resumes.taxonomy import ResumeError
from review import asking, blind, buttons, cases, deadlines, originals, statistics, top, words
from review.cases import OPEN, Taken
from review.models import FLAGGED, SPOT_CHECK, Case
from review.page_texts import page_texts
from review.verbs import VERBS, find, signed_in, user_of


class Workbench:
    """The pages of the review, hung into the admin by `review.admin`."""

    def __init__(self, model_admin: ModelAdmin[Case]) -> None:
        self._admin = model_admin

    def urls(self) -> list[URLPattern]:
        wrap = self._admin.admin_site.admin_view
        return [
            path("next/", wrap(self._reviewers(require_POST(buttons.take_next))), name="review_next"),
            path("statistics/", wrap(self._reviewers(require_safe(self.statistics))), name="review_statistics"),
            path("<uuid:pk>/work/", wrap(self._reviewers(require_safe(self.page))), name="review_work"),
            path("<uuid:pk>/pages/<int:number>.png", wrap(self._reviewers(require_safe(self.picture))), name="review_picture"),
            path("<uuid:pk>/again/", wrap(self._reviewers(require_POST(buttons.again))), name="review_again"),
            path("<uuid:pk>/take-over/", wrap(self._reviewers(require_POST(buttons.take_over))), name="review_take_over"),
            path("<uuid:pk>/discard/<str:reason>/", wrap(self._reviewers(require_POST(buttons.quick))), name="review_quick"),
            *(
                path(f"<uuid:pk>/{verb}/", signed_in(wrap(self._reviewers(require_POST(view)))), name=f"review_{verb}")
                for verb, view in VERBS.items()
            ),
        ]

    def page(self, request: HttpRequest, pk: Any) -> HttpResponse:
        case = find(pk)
        mine = False
        if case.state in OPEN:
            try:
                case, mine = cases.claim(case, user_of(request)), True
            except Taken:
                case.refresh_from_db()
        resume = case.resume
        found = Extraction.objects.filter(resume=resume, run=case.run).first()
        covered = _covered(case, found, request.user)
        record_opening(resume, request.user, "workbench")
        due_text, due_kind = words.due(case)
        flag_note = resume.conclusion if case.code == FLAGGED and case.closed_at is None else ""
        profile = (found.profile if found else None) or {}
        shown = covered.without if covered else str
        context = {
            **self._admin.admin_site.each_context(request),
            "opts": self._admin.opts,
            "title": words.title(case, blind=covered is not None),
            "case": case,
            "resume": resume,
            "editable": mine,
            "blind": covered is not None,
            "why": words.why(case),
            "flag_note": shown(flag_note),
            "suggestion": words.suggestion(case) if case.closed_at is None else "",
            "ended": shown(words.conclusion(resume.conclusion)) if case.closed_at and case.run == resume.run else "",
            "first": words.why_first(case),
            "due_text": due_text,
            "due_kind": due_kind,
            "route": " → ".join(words.stage_name(stage) for stage in resume.route),
            "transitions": [
                (words.door_name(move.node), shown(words.move_reason(move.reason)), move) for move in resume.transitions.all()
            ],
            "attempts": [(words.stage_name(attempt.stage), attempt) for attempt in resume.stage_attempts.all()],
            "notes": [(note, shown(note.text)) for note in case.notes.select_related("author")],
            "reasons": words.reasons(),
            "channels": reruns.picture_channels(resume),
            "letter": _letter(case, profile, covered=covered is not None),
            "tabs": top.tabs(),
            "forecast": deadlines.forecast(),
            "may_take_over": case.state in OPEN and not mine and request.user.has_perm("review.take_over"),
            **top.undoable(request),
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
            "urls": {verb: reverse(f"admin:review_{verb}", args=[case.pk]) for verb in VERBS},
            "picture": reverse("admin:review_picture", args=[case.pk, 0]).replace("/0.png", "/{page}.png"),
            "list": reverse("admin:review_case_changelist"),
            "text": page_texts(),
        }
        return blind.mask_form(data, covered) if covered else data

    def picture(self, request: HttpRequest, pk: Any, number: int) -> HttpResponse:
        """A page of the original as a picture, made in the sandbox."""
        case = find(pk)
        resume, document = case.resume, case.resume.document
        if document is None or not can_render(document.media_type):
            raise Http404
        found = Extraction.objects.filter(resume=resume, run=case.run).first()
        covered = _covered(case, found, request.user)
        degrees = originals.turned(found, number)
        tag = originals.etag(document, number, degrees, blind=covered is not None)
        if request.headers.get("If-None-Match") == tag:
            return HttpResponseNotModified()
        try:
            content = originals.picture(document, number, degrees)
        except ResumeError as exc:
            raise Http404 from exc
        record_opening(resume, request.user, "picture")
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
            "tabs": top.tabs(),
            "chosen": "statistics",
            "figures": statistics.figures(),
        }
        return TemplateResponse(request, "admin/review/case/statistics.html", context)

    def _reviewers(self, view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not may(request.user, Act.REVIEW):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return guarded


def _flagged(case: Case) -> list[str]:
    """Paths of the fields somebody has said are wrong."""
    opened = case.resume.transitions.filter(run=case.run, to_state=State.REVIEW_NEEDED, reason__startswith=reruns.FLAGGED).first()
    return (
        [path.strip() for path in opened.reason.removeprefix(reruns.FLAGGED).lstrip(": ").split(",") if path.strip()]
        if opened
        else []
    )


def _covered(case: Case, found: Extraction | None, user: Visitor) -> blind.Covered | None:
    """What is covered in blind review until a person has decided, in the resume's earlier cases too; None where nothing is."""
    if not blindness.is_covered(case.resume, user):
        return None
    reading = found.reading if found else None
    return blind.cover(pages_of.from_data(reading or {"pages": [], "warnings": [], "title": ""}), (found and found.profile) or {})


def _letter(case: Case, profile: dict[str, Any], *, covered: bool) -> asking.Letter:
    """What to write to the sender; without address and name where these are covered."""
    if covered:
        return asking.letter(case)
    return asking.letter(case, to=str(value_at(profile, "basics.email") or ""), name=str(value_at(profile, "basics.name") or ""))
