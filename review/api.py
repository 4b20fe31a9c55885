"""Cases through the API, to read: what waits for people, and what became of it. They are worked on in the workbench."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_view
from rest_framework import serializers, viewsets
from rest_framework.reverse import reverse
from rest_framework.routers import SimpleRouter

from resumes.api.pagination import Cursor
from resumes.api.permissions import ByRole
from resumes.messages import sentence
from resumes.roles import Act
from review.models import Case


class CaseShape(serializers.ModelSerializer[Case]):
    """A resume before a person. Ids and codes: the content is the resume's own."""

    resume = serializers.UUIDField(source="resume_id", read_only=True)
    batch = serializers.UUIDField(source="batch_id", read_only=True, allow_null=True)
    team = serializers.CharField(source="team.name", read_only=True, default=None, allow_null=True)
    claimed_by = serializers.CharField(source="claimed_by.username", read_only=True, default=None, allow_null=True)
    closed_by = serializers.CharField(source="closed_by.username", read_only=True, default=None, allow_null=True)
    state = serializers.ChoiceField(choices=Case.State.choices, read_only=True)
    code = serializers.CharField(read_only=True, help_text="A failure code, `flagged` or `spot_check`.")
    message = serializers.SerializerMethodField(help_text="The failure in a sentence; empty where there is none.")
    missing = serializers.ListField(child=serializers.CharField(), read_only=True, help_text="Core fields still to be found.")
    workbench = serializers.SerializerMethodField(help_text="Where a person works on it.")

    class Meta:
        model = Case
        fields = [
            *("id", "resume", "run", "batch", "state", "code", "message", "missing", "salvageable", "priority", "folded"),
            *("team", "claimed_by", "claimed_until", "opened_at", "due_at", "escalated_at", "closed_at", "closed_by"),
            "workbench",
        ]
        read_only_fields = fields

    def get_message(self, case: Case) -> str:
        return sentence(case.code)

    @extend_schema_field(serializers.URLField())
    def get_workbench(self, case: Case) -> str:
        return str(reverse("admin:review_work", args=[case.pk], request=self.context.get("request")))


class NewestFirst(Cursor):
    ordering = ("-opened_at", "-id")


@extend_schema_view(
    list=extend_schema(summary="Cases of the review, newest first"),
    retrieve=extend_schema(summary="One case"),
)
class CaseViewSet(viewsets.ReadOnlyModelViewSet[Case]):
    queryset: QuerySet[Case] = Case.objects.select_related("team", "claimed_by", "closed_by")
    serializer_class = CaseShape
    permission_classes = [ByRole]
    pagination_class: Any = NewestFirst
    filterset_fields = ["state", "code", "batch", "resume", "folded"]
    acts = {"list": Act.REVIEW, "retrieve": Act.REVIEW}


router = SimpleRouter()
router.register("cases", CaseViewSet, basename="case")

urlpatterns = router.urls
