"""The failure queue through the API: all that failed, in batches or alone, and what to do about many of them at once."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import exceptions, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from ingest import failure_queue
from ingest.api.batch_shapes import ActedOn, ActOnFailures, FailedResume, LetterShape
from ingest.failure_queue import ACTS, Action
from resumes import letters
from resumes.api.filters import AnyOf
from resumes.api.idempotency import IdempotentPosts
from resumes.api.pagination import Cursor
from resumes.api.permissions import ByRole, signed_in
from resumes.models import Resume
from resumes.reruns import CannotRerun
from resumes.roles import Act, may, visible
from resumes.taxonomy import CODES, FailureClass
from resumes.transitions import Moved

_IN_QUEUE = [(state.value, state.label) for state in failure_queue.STATES]


class FailureFilter(django_filters.FilterSet):  # type: ignore[misc]  # no stubs
    state = AnyOf(choices=_IN_QUEUE)
    failure_class = django_filters.ChoiceFilter(choices=[(entry.value, entry.value) for entry in FailureClass])
    code = django_filters.ChoiceFilter(field_name="failure_code", choices=[(code, code) for code in CODES])
    batch = django_filters.UUIDFilter(field_name="entries__batch")

    class Meta:
        model = Resume
        fields = ["state", "failure_class", "code", "batch"]


class LatestFirst(Cursor):
    ordering = ("-received_at", "-id")


@extend_schema_view(list=extend_schema(summary="The failure queue: what did not make it by itself, latest first"))
class FailureViewSet(IdempotentPosts, viewsets.GenericViewSet[Resume]):
    queryset = Resume.objects.all()
    serializer_class = FailedResume
    permission_classes = [ByRole]
    pagination_class: Any = LatestFirst
    filterset_class: type[FailureFilter] | None = FailureFilter
    acts = {"list": Act.READ_RESUMES, "act": Act.RETRY, "letter": Act.READ_CONTENT}

    def get_queryset(self) -> QuerySet[Resume]:
        return visible(self.request.user, super().get_queryset())

    def list(self, request: Request) -> Response:
        """Refused access is shown to operators only."""
        rows = failure_queue.failed_resumes(self.get_queryset(), request.user).prefetch_related("entries")
        page: Any = self.paginate_queryset(self.filter_queryset(rows))
        return self.get_paginated_response(self.get_serializer(page, many=True).data)

    @extend_schema(summary="Do something about up to 500 failures", request=ActOnFailures, responses=ActedOn)
    @action(detail=False, methods=["post"], pagination_class=None, filterset_class=None)
    def act(self, request: Request) -> Response:
        """`retry` runs them again (with `channel` by that OCR engine alone), `review` gives them to a person, `reject` confirms
        that they have failed, `skip` approves that they are left out. Each is done or left by itself."""
        asked = ActOnFailures(data=request.data)
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        wanted = Action(given["action"])
        if not may(request.user, ACTS[wanted]):
            raise exceptions.PermissionDenied
        known = {resume.pk: resume for resume in self.get_queryset().filter(pk__in=given["resumes"])}
        results = []
        for key in given["resumes"]:
            code = self._act(known.get(key), wanted, given)
            state = known[key].state if key in known else None
            results.append({"resume": key, "done": not code, "code": code, "state": state})
        return Response(ActedOn({"results": results}).data)

    def _act(self, resume: Resume | None, wanted: Action, given: dict[str, Any]) -> str:
        """Do one; why not, or an empty string."""
        if resume is None:
            return "not_found"
        user = signed_in(self.request)
        try:
            failure_queue.act(resume, wanted, user, given["reason"], node="api", channel=given["channel"])
        except CannotRerun as exc:
            return exc.code
        except Moved:
            return "moved"
        return ""

    @extend_schema(summary="A letter that asks the sender for a better file", responses=LetterShape)
    @action(detail=True, pagination_class=None, filterset_class=None)
    def letter(self, request: Request, pk: str | None = None) -> Response:  # noqa: ARG002 - DRF's signature
        resume = self.get_object()
        made = letters.letter(resume.failure_code or "flagged", language=letters.language_of(resume.language))
        return Response(LetterShape(made).data)
