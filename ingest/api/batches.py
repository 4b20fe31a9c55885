"""Batches through the API: opened, filled, sealed, accounted for, exported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import django_filters
from django.db.models import Count, QuerySet
from django.http import HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import status, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.serializers import Serializer

from ingest import batches, failure_queue, reconcile
from ingest.api.batch_shapes import (
    Added,
    AddedItem,
    AddFiles,
    BatchDetail,
    BatchShape,
    FailedItem,
    ItemShape,
    OpenBatch,
    ReportShape,
    Withdraw,
    Withdrawn,
)
from ingest.export import FORMATS, export, report_csv
from ingest.models import Batch, BatchEntry, ReconciliationReport
from resumes import intake
from resumes.api.answers import accepted
from resumes.api.filters import AnyOf, Moment, YesOrNo
from resumes.api.idempotency import IdempotentPosts
from resumes.api.pagination import Cursor
from resumes.api.permissions import ByRole, signed_in
from resumes.api.problems import Conflict, problem, refusal
from resumes.api.uploads import UploadsToDisk, files_of
from resumes.models import Source
from resumes.roles import Act, visible
from resumes.states import State
from resumes.taxonomy import CODES, FailureClass, ResumeError
from resumes.transitions import user_actor

ID_LENGTH = 200
"""Of an external id, at most."""
_REPORT_FORMATS = ("json", "csv")


class ItemFilter(django_filters.FilterSet):  # type: ignore[misc]  # no stubs
    """Of the entries of a batch."""

    state = AnyOf(field_name="resume__state", choices=State.choices)
    failure_class = django_filters.ChoiceFilter(
        field_name="resume__failure_class", choices=[(entry.value, entry.value) for entry in FailureClass]
    )
    code = django_filters.ChoiceFilter(field_name="resume__failure_code", choices=[(code, code) for code in CODES])
    job_family = django_filters.CharFilter(field_name="resume__job_family")


class BatchFilter(django_filters.FilterSet):  # type: ignore[misc]  # no stubs
    """Of batches by what they were opened with; their state is derived and not looked for."""

    source = django_filters.ChoiceFilter(choices=Source.choices)
    name = django_filters.CharFilter(lookup_expr="icontains")
    position = django_filters.CharFilter()
    sealed = YesOrNo(field_name="sealed_at", lookup_expr="isnull", exclude=True)
    created_after = Moment(field_name="created_at", lookup_expr="gte")
    created_before = Moment(field_name="created_at", lookup_expr="lt")


class ByNumber(Cursor):
    """Items in the order they came, the archive's members after the files sent."""

    ordering = ("number", "id")
    page_size = 100
    max_page_size = 1000


@extend_schema_view(
    list=extend_schema(summary="Batches, newest first", responses=BatchShape(many=True)),
    retrieve=extend_schema(summary="One batch as it stands", responses=BatchDetail),
)
class BatchViewSet(IdempotentPosts, UploadsToDisk, viewsets.GenericViewSet[Batch]):
    queryset = Batch.objects.all()
    serializer_class = BatchDetail
    permission_classes = [ByRole]
    filterset_class: Any = BatchFilter
    acts = {
        "list": Act.READ_BATCHES,
        "retrieve": Act.READ_BATCHES,
        "create": Act.SEND,
        "resumes": Act.SEND,
        "seal": Act.SEND,
        "cancel": Act.SEND,
        "withdraw": Act.SEND,
        "items": Act.READ_BATCHES,
        "failures": Act.READ_BATCHES,
        "reconciliation": Act.READ_BATCHES,
        "reconcile": Act.RECONCILE,
        "export": Act.EXPORT,
    }

    def get_queryset(self) -> QuerySet[Batch]:
        return visible(self.request.user, super().get_queryset())

    def list(self, request: Request) -> Response:  # noqa: ARG002 - DRF's signature, here and below
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset())) or []
        context = {**self.get_serializer_context(), "standings": batches.standings(page)}
        return self.get_paginated_response(BatchShape(page, many=True, context=context).data)

    def retrieve(self, request: Request, pk: str | None = None) -> Response:  # noqa: ARG002
        return Response(self._shape(self.get_object()))

    @extend_schema(summary="Open a batch", request=OpenBatch, responses={201: BatchDetail})
    def create(self, request: Request) -> Response:
        asked = OpenBatch(data=request.data)
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        expected = given["expected"]
        if isinstance(expected, list):
            expected = [batches.Declared(file["filename"], file["sha256"].lower()) for file in expected]
        batch = batches.open_batch(
            signed_in(request),
            given["name"],
            source=Source(given["source"]),
            position=given["position"],
            urgency=given["urgency"],
            expected=expected,
            callback_url=given["callback_url"],
            on_duplicate=Batch.OnDuplicate(given["on_duplicate"]),
            use_model=given["use_model"],
        )
        headers = {"Location": reverse("batch-detail", args=[batch.pk], request=request)}
        return Response(self._shape(batch), status=status.HTTP_201_CREATED, headers=headers)

    @extend_schema(summary="Add files", request={"multipart/form-data": AddFiles}, responses={202: Added})
    @action(detail=True, methods=["post"], pagination_class=None)
    def resumes(self, request: Request, pk: str | None = None) -> Response:  # noqa: ARG002
        """Every file gets an item, in order, refused ones included. `external_ids` go by position.

        Files are written to disk as they arrive and taken in one by one; one that fails takes none of the others with it.
        """
        batch = self.get_object()
        intake.ensure_open()
        files = files_of(request)
        if not files:
            raise ValidationError({"files": [_("No file was sent.")]})
        fields = request.POST
        names = fields.getlist("external_ids") or fields.getlist("external_id")
        if len(names) > len(files):
            raise ValidationError({"external_ids": [_("More external ids than files.")]})
        external_ids = [*names, *[""] * (len(files) - len(names))]
        if any(len(name) > ID_LENGTH or "\0" in name for name in external_ids):
            raise ValidationError({"external_ids": [_("At most %(most)d characters each, and no null.") % {"most": ID_LENGTH}]})
        closed = _("The batch is sealed: nothing more can be added.")
        if batch.sealed_at is not None:
            raise Conflict(closed, code="batch_closed")
        entries: list[BatchEntry] = []
        try:
            for file, external_id in zip(files, external_ids, strict=True):
                with file.open_copy() as content:
                    entries.append(
                        batches.add_file(batch, content, str(file.name), external_id=external_id, node="api", more=True)
                    )
        except ResumeError as exc:
            if not entries:
                raise
            return _partly(refusal(exc), entries, _("Only the files under items were taken. Send the others again later."))
        except batches.BatchClosed:
            if not entries:
                raise Conflict(closed, code="batch_closed") from None
            answer = problem(status.HTTP_409_CONFLICT, "batch_closed", closed)
            return _partly(answer, entries, _("Only the files under items were taken: the batch was sealed meanwhile."))
        batches.seal_if_complete(batch)
        return accepted({"items": AddedItem(entries, many=True).data})

    @extend_schema(summary="No more input", request=None, responses=BatchDetail)
    @action(detail=True, methods=["post"])
    def seal(self, request: Request, pk: str | None = None) -> Response:  # noqa: ARG002
        batch = self.get_object()
        batches.seal(batch)
        return Response(self._shape(batch))

    @extend_schema(summary="Stop what has not begun", request=None, responses=BatchDetail)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: str | None = None) -> Response:  # noqa: ARG002
        batch = self.get_object()
        batches.cancel(batch, user_actor(request.user.pk))
        return Response(self._shape(batch))

    @extend_schema(summary="Take back declared files that will not come", request=Withdraw, responses=Withdrawn)
    @action(detail=True, methods=["post"])
    def withdraw(self, request: Request, pk: str | None = None) -> Response:  # noqa: ARG002
        """By name, and with `places` as many as that of those that only a count has declared."""
        asked = Withdraw(data=request.data)
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        taken = batches.withdraw(
            self.get_object(), given["filenames"], given["reason"], user_actor(request.user.pk), places=given["places"]
        )
        known = {entry.filename for entry in taken}
        unknown = [name for name in given["filenames"] if intake.safe_name(name) not in known]
        return Response(Withdrawn({"items": taken, "unknown": unknown}).data)

    @extend_schema(summary="Every item of a batch", responses=ItemShape(many=True))
    @action(detail=True, pagination_class=ByNumber, filterset_class=ItemFilter)
    def items(self, request: Request, pk: str | None = None) -> Response:  # noqa: ARG002
        """An unpacked archive is no item: its members are. See `archives` of the batch."""
        rows = self._batch().entries.filter(unpacked_at=None).select_related("resume")
        return self._page(rows, ItemShape)

    @extend_schema(summary="What did not make it by itself, why, and what happens next", responses=FailedItem(many=True))
    @action(detail=True, pagination_class=ByNumber, filterset_class=ItemFilter)
    def failures(self, request: Request, pk: str | None = None) -> Response:  # noqa: ARG002
        return self._page(failure_queue.failures(self._batch().entries.all(), self.request.user), FailedItem)

    @extend_schema(
        summary="The last reconciliation report",
        parameters=[OpenApiParameter("format", str, enum=_REPORT_FORMATS, description="json where none is named")],
        responses={(200, "application/json"): ReportShape, (200, "text/csv"): OpenApiTypes.STR},
    )
    @action(detail=True, pagination_class=None)
    def reconciliation(self, request: Request, pk: str | None = None) -> HttpResponseBase:  # noqa: ARG002
        """Where none has been made yet, the comparison is made for this answer and not stored."""
        name = _format(request, _REPORT_FORMATS)
        batch = self.get_object()
        report = ReconciliationReport.objects.filter(batch=batch).order_by("-id").first()
        data = report.data if report else reconcile.compare(batch)
        return HttpResponse(report_csv(data), content_type="text/csv; charset=utf-8") if name == "csv" else Response(data)

    @extend_schema(summary="Reconcile now", request=None, responses={200: ReportShape})
    @reconciliation.mapping.post
    def reconcile(self, request: Request, pk: str | None = None) -> Response:  # noqa: ARG002
        return Response(reconcile.reconcile(self.get_object().pk).data)

    @extend_schema(
        summary="The results, failures apart",
        parameters=[OpenApiParameter("format", str, enum=sorted(FORMATS), description="jsonl where none is named")],
        responses={
            (200, "application/jsonl"): OpenApiTypes.STR,
            (200, "application/zip"): OpenApiTypes.BINARY,
            (200, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"): OpenApiTypes.BINARY,
        },
    )
    @action(detail=True, pagination_class=None)
    def export(self, request: Request, pk: str | None = None) -> HttpResponseBase:  # noqa: ARG002
        """`jsonl`: one object a line with its `outcome`; `csv`: a ZIP of `results.csv` and `others.csv`; `xlsx`: two sheets;
        `jsonresume`: a ZIP of a document for each result, and `others.jsonl`. A batch of thousands: better by `POST exports/`."""
        return export(self.get_object(), _format(request, ["jsonl", *sorted(FORMATS.keys() - {"jsonl"})]))

    def _batch(self) -> Batch:
        """The batch of a list inside it, whose filters are not the batch's own."""
        return get_object_or_404(self.get_queryset(), pk=self.kwargs["pk"])

    def _page(self, rows: Any, shape: type[Serializer[Any]]) -> Response:
        """A page of a list inside the batch, filtered."""
        page: Any = self.paginate_queryset(self.filter_queryset(rows))
        return self.get_paginated_response(shape(page, many=True, context=self.get_serializer_context()).data)

    def _shape(self, batch: Batch) -> Any:
        members = batch.entries.exclude(unpacked_at=None).annotate(member_count=Count("members")).order_by("number")
        context = {
            **self.get_serializer_context(),
            "standings": batches.standings([batch]),
            "archives": members,
        }
        return BatchDetail(batch, context=context).data


def _format(request: Request, known: Sequence[str]) -> str:
    """What is asked for by `?format=`: one of `known`, the first where nothing is."""
    name = request.query_params.get("format", known[0])
    if name not in known:
        raise ValidationError({"format": [_("One of %(formats)s.") % {"formats": ", ".join(known)}]})
    return name


def _partly(answer: Response, entries: list[BatchEntry], text: str) -> Response:
    """A problem that came up in the middle of the files: what was taken until then stays taken, and is named."""
    answer.data |= {"items": AddedItem(entries, many=True).data, "detail": text}
    return answer
