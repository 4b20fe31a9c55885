"""Resumes through the API: sent, followed, fetched, run again, flagged, erased."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db import IntegrityError
from django.db.models import QuerySet
from django.http import FileResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import status, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from resumes import blindness, erasure, intake, originals, reruns
from resumes.api.answers import accepted
from resumes.api.conditional import Versioned
from resumes.api.filters import AnyOf, Moment
from resumes.api.idempotency import IdempotentPosts
from resumes.api.pagination import Cursor
from resumes.api.permissions import ByRole, signed_in
from resumes.api.problems import Conflict, as_conflicts
from resumes.api.resume_shapes import Flag, ResumeRow, ResumeShape, RetryReason, SendResume
from resumes.api.uploads import UploadsToDisk
from resumes.models import Extraction, Resume, Source
from resumes.roles import Act, visible
from resumes.stage_text import failed_tries_of
from resumes.states import SUCCEEDED, State
from resumes.taxonomy import CODES, FailureClass
from resumes.transitions import user_actor


class ResumeFilter(django_filters.FilterSet):  # type: ignore[misc]  # no stubs
    state = AnyOf(choices=State.choices)
    batch = django_filters.UUIDFilter(field_name="entries__batch")
    external_id = django_filters.CharFilter()
    source = django_filters.ChoiceFilter(choices=Source.choices)
    failure_class = django_filters.ChoiceFilter(choices=[(entry.value, entry.value) for entry in FailureClass])
    code = django_filters.ChoiceFilter(field_name="failure_code", choices=[(code, code) for code in CODES])
    language = django_filters.CharFilter()
    job_family = django_filters.CharFilter()
    received_after = Moment(field_name="received_at", lookup_expr="gte")
    received_before = Moment(field_name="received_at", lookup_expr="lt")

    class Meta:
        model = Resume
        fields = ["state", "batch", "external_id", "source", "failure_class", "code", "language", "job_family"]


class NewestFirst(Cursor):
    ordering = ("-received_at", "-id")


@extend_schema_view(
    list=extend_schema(summary="Resumes, newest first", responses=ResumeRow(many=True)),
    retrieve=extend_schema(summary="One resume with its timeline"),
    destroy=extend_schema(summary="Erase file, text, fields and candidate data; a tombstone with counts stays"),
)
class ResumeViewSet(Versioned, IdempotentPosts, UploadsToDisk, viewsets.GenericViewSet[Resume]):
    queryset = Resume.objects.all()
    serializer_class = ResumeShape
    permission_classes = [ByRole]
    pagination_class = NewestFirst
    filterset_class = ResumeFilter
    version_fields = ("id", "run", "state", "state_since", "erased_at")
    acts = {
        "list": Act.READ_RESUMES,
        "retrieve": Act.READ_RESUMES,
        "create": Act.SEND,
        "destroy": Act.ERASE,
        "retry": Act.RETRY,
        "flag_inaccurate": Act.FLAG,
        "json_resume": Act.READ_CONTENT,
        "file": Act.READ_CONTENT,
    }

    def get_queryset(self) -> QuerySet[Resume]:
        rows = visible(self.request.user, super().get_queryset())
        if self.action == "list":
            return rows
        return rows.select_related("document").prefetch_related("transitions", "entries")

    def list(self, request: Request) -> Response:  # noqa: ARG002 - DRF's signature, here and below
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset())) or []
        context = {**self.get_serializer_context(), "failed_tries": failed_tries_of(page)}
        return self.get_paginated_response(ResumeRow(page, many=True, context=context).data)

    def retrieve(self, request: Request, pk: str | None = None) -> Response:  # noqa: ARG002
        return Response(self._shape(self.get_object()))

    @extend_schema(summary="Send one resume", request={"multipart/form-data": SendResume}, responses={202: ResumeShape})
    def create(self, request: Request) -> Response:
        """Checked and stored at once, parsed later: 202 with its address. An impossible file gets 4xx and leaves no trace."""
        intake.ensure_open()
        asked = SendResume(data=request.data)
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        if len(request.FILES.getlist("file")) > 1:
            raise ValidationError({"file": [_("One file here; several go into a batch.")]})
        sender = intake.Sender(
            owner=signed_in(request),
            source=Source(given["source"]),
            external_id=given["external_id"],
            callback_url=given["callback_url"],
            node="api",
            id_is_free=True,
        )
        taken = Conflict(_("A resume with this external id has been sent before."), code="external_id_taken")
        if intake.holder_of(sender):
            raise taken
        try:
            with given["file"].open_copy() as content:
                resume = intake.receive(content, given["file"].name, sender)
        except intake.IdTaken:
            raise taken from None
        except IntegrityError:
            if intake.holder_of(sender):
                raise taken from None
            raise
        return accepted(self._shape(resume), {"Location": reverse("resume-detail", args=[resume.pk], request=request)})

    def destroy(self, request: Request, pk: str | None = None) -> Response:  # noqa: ARG002
        with as_conflicts():
            erasure.erase(self.get_object(), actor=user_actor(request.user.pk), reason="asked for through the API")
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(
        summary="The JSON Resume document",
        responses={200: OpenApiTypes.OBJECT, 409: OpenApiResponse(description="There is none yet.")},
        parameters=[OpenApiParameter("draft", bool, description="What has been found so far, before the resume has settled.")],
    )
    @action(detail=True, url_path="json-resume")
    def json_resume(self, request: Request, pk: str | None = None) -> Response:  # noqa: ARG002
        resume = self.get_object()
        blindness.ensure_shown(resume, request.user)
        settled = resume.state in SUCCEEDED
        if settled or request.query_params.get("draft", "").lower() in ("1", "true", "yes"):
            profile = Extraction.objects.filter(resume=resume, run=resume.run).values_list("profile", flat=True).first()
            if profile is not None:
                return Response(profile)
        raise Conflict(_("There is no JSON Resume document for this resume yet."), code="not_parsed")

    @extend_schema(
        summary="The original file",
        responses={
            (200, media_type): OpenApiTypes.BINARY for media_type in ("application/octet-stream", *sorted(originals.INLINE))
        },
    )
    @action(detail=True)
    def file(self, request: Request, pk: str | None = None) -> FileResponse:  # noqa: ARG002
        resume = self.get_object()
        if resume.document is None:
            raise Conflict(_("There is no file for this resume any more."), code="no_file")
        return originals.response(resume, request.user)

    @extend_schema(summary="Run it again from the start", request=RetryReason, responses={202: ResumeShape})
    @action(detail=True, methods=["post"])
    def retry(self, request: Request, pk: str | None = None) -> Response:  # noqa: ARG002
        asked = RetryReason(data=request.data)
        asked.is_valid(raise_exception=True)
        resume = self.get_object()
        with as_conflicts():
            reruns.retry(resume, request.user, asked.validated_data["reason"] or "retry asked for", node="api")
        return accepted(self._again(resume))

    @extend_schema(summary="Say that the result is wrong", request=Flag, responses={202: ResumeShape})
    @action(detail=True, methods=["post"], url_path="flag-inaccurate")
    def flag_inaccurate(self, request: Request, pk: str | None = None) -> Response:  # noqa: ARG002
        """Opens a new run: with `fields` a person mends them, without the whole resume is read again; with `channel` by another
        route, from the pictures of its pages."""
        asked = Flag(data=request.data)
        asked.is_valid(raise_exception=True)
        resume = self.get_object()
        with as_conflicts():
            given = asked.validated_data
            reruns.flag(resume, request.user, given["fields"], given["note"], node="api", channel=given["channel"])
        return accepted(self._again(resume))

    def _again(self, resume: Resume) -> Any:
        """As it stands after a change, its timeline included."""
        return self._shape(self.get_queryset().get(pk=resume.pk))

    def _shape(self, resume: Resume) -> Any:
        context = {**self.get_serializer_context(), "failed_tries": failed_tries_of([resume])}
        return ResumeShape(resume, context=context).data
