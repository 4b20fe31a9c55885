"""Exports through the API: asked for, followed, fetched by their link, deleted."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import FileResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_view
from rest_framework import mixins, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from ingest import export_jobs
from ingest.export import FORMATS, download
from ingest.models import Batch, Export
from resumes.api.answers import accepted
from resumes.api.idempotency import IdempotentPosts
from resumes.api.permissions import ByRole, signed_in
from resumes.api.problems import Conflict
from resumes.roles import Act, is_admin, visible


class ExportShape(serializers.ModelSerializer[Export]):
    """An export on its way, with the link to its file once there is one."""

    batch = serializers.UUIDField(source="batch_id", read_only=True)
    format = serializers.ChoiceField(choices=sorted(FORMATS), read_only=True)
    state = serializers.ChoiceField(choices=Export.State.choices, read_only=True)
    progress = serializers.FloatField(read_only=True, help_text="Share of the items that are in it, 0 to 1.")
    expires_at = serializers.SerializerMethodField(help_text="When it is deleted.")
    file = serializers.SerializerMethodField(help_text="Where to fetch it; null until it is ready.")

    class Meta:
        model = Export
        fields = [
            *("id", "batch", "format", "state", "progress", "done", "total", "size_bytes"),
            *("created_at", "settled_at", "expires_at", "file"),
        ]
        read_only_fields = fields

    @extend_schema_field(serializers.DateTimeField())
    def get_expires_at(self, job: Export) -> str:
        return (job.created_at + export_jobs.KEPT).isoformat()

    @extend_schema_field(serializers.URLField(allow_null=True))
    def get_file(self, job: Export) -> str | None:
        if job.state != Export.State.READY:
            return None
        return str(reverse("export-file", args=[job.pk], request=self.context.get("request")))


class AskExport(serializers.Serializer[Any]):
    batch = serializers.UUIDField()
    format = serializers.ChoiceField(choices=sorted(FORMATS))


@extend_schema_view(
    list=extend_schema(summary="Your exports, newest first; an admin sees everybody's"),
    retrieve=extend_schema(summary="One export: how far it is, and its link"),
    destroy=extend_schema(summary="Delete an export and its file"),
)
class ExportViewSet(
    IdempotentPosts,
    mixins.RetrieveModelMixin,
    mixins.ListModelMixin,
    mixins.DestroyModelMixin,
    viewsets.GenericViewSet[Export],
):
    queryset = Export.objects.all()
    serializer_class = ExportShape
    permission_classes = [ByRole]
    filterset_fields = ["batch", "state"]
    acts = dict.fromkeys(("list", "retrieve", "create", "destroy", "file"), Act.EXPORT)

    def get_queryset(self) -> QuerySet[Export]:
        rows = super().get_queryset()
        return rows if is_admin(self.request.user) else rows.filter(owner=self.request.user.pk)

    @extend_schema(summary="Have a batch exported in the background", request=AskExport, responses={202: ExportShape})
    def create(self, request: Request) -> Response:
        """For batches of any size; the file is kept for a week. Sentences in it are in the language you ask in."""
        asked = AskExport(data=request.data)
        asked.is_valid(raise_exception=True)
        batch = get_object_or_404(visible(request.user, Batch.objects.all()), pk=asked.validated_data["batch"])
        job = export_jobs.start(batch, asked.validated_data["format"], signed_in(request))
        return accepted(self.get_serializer(job).data, {"Location": reverse("export-detail", args=[job.pk], request=request)})

    def perform_destroy(self, instance: Export) -> None:
        export_jobs.discard([instance])

    @extend_schema(
        summary="The file",
        responses={(200, media_type): OpenApiTypes.BINARY for media_type in sorted({one.media_type for one in FORMATS.values()})},
    )
    @action(detail=True)
    def file(self, request: Request, pk: str | None = None) -> FileResponse:  # noqa: ARG002 - DRF's signature
        job = self.get_object()
        if job.state != Export.State.READY:
            raise Conflict(_("The export is not ready."), code="not_ready")
        return download(job.batch, job.format, export_jobs.opened(job, signed_in(request)))
