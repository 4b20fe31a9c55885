"""The talent pool through the API. Read only: candidates are made by resumes that settle."""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import Any

import django_filters
from django.db import connection
from django.db.models import BooleanField, Q, QuerySet
from django.db.models.expressions import RawSQL
from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_view
from rest_framework import serializers, viewsets
from rest_framework.reverse import reverse

from resumes.api.pagination import Cursor
from resumes.api.permissions import ByRole
from resumes.models import Candidate
from resumes.roles import Act, visible


class CandidateRow(serializers.ModelSerializer[Candidate]):
    class Meta:
        model = Candidate
        fields = [
            "id",
            "name",
            "email",
            "phone",
            "city",
            "label",
            "language",
            "job_family",
            "years",
            "skills",
            "summary",
            "summary_source",
            "created_at",
            "updated_at",
        ]
        read_only_fields = fields


class CandidateResume(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    state = serializers.CharField()
    received_at = serializers.DateTimeField()
    url = serializers.URLField()


class CandidateMatch(serializers.Serializer[Any]):
    vacancy = serializers.UUIDField(source="vacancy_id")
    title = serializers.CharField(source="vacancy.title")
    score = serializers.FloatField()


class CandidateShape(CandidateRow):
    """A candidate with the resumes the reader may open and the open vacancies that fit best."""

    resumes = serializers.SerializerMethodField()
    matches = serializers.SerializerMethodField()

    class Meta(CandidateRow.Meta):
        fields = [*CandidateRow.Meta.fields, "resumes", "matches"]
        read_only_fields = fields

    @extend_schema_field(CandidateResume(many=True))
    def get_resumes(self, candidate: Candidate) -> list[dict[str, Any]]:
        request = self.context["request"]
        return [
            {
                "id": resume.pk,
                "state": resume.state,
                "received_at": resume.received_at,
                "url": reverse("resume-detail", args=[resume.pk], request=request),
            }
            for resume in visible(request.user, candidate.resumes.all())[:50]
        ]

    @extend_schema_field(CandidateMatch(many=True))
    def get_matches(self, candidate: Candidate) -> Any:
        best = candidate.matches.filter(vacancy__open=True, score__gt=0).select_related("vacancy")[:10]
        return CandidateMatch(best, many=True).data


class CandidateFilter(django_filters.FilterSet):  # type: ignore[misc]  # no stubs
    search = django_filters.CharFilter(
        method="by_words", label="Words in name, headline, city, e-mail or summary; all must be there"
    )
    skill = django_filters.CharFilter(method="by_skill", label="A skill by name, case aside")
    min_years = django_filters.NumberFilter(field_name="years", lookup_expr="gte")
    city = django_filters.CharFilter(lookup_expr="iexact")
    job_family = django_filters.CharFilter()
    language = django_filters.CharFilter()

    class Meta:
        model = Candidate
        fields = ["search", "skill", "min_years", "city", "job_family", "language"]

    def by_words(self, rows: QuerySet[Candidate], name: str, value: str) -> QuerySet[Candidate]:  # noqa: ARG002 - django-filter's signature
        places = ("name", "label", "city", "email", "summary")
        words = value.split()[:10]
        return rows.filter(
            reduce(and_, (Q(*((f"{place}__icontains", word) for place in places), _connector=Q.OR) for word in words), Q())
        )

    def by_skill(self, rows: QuerySet[Candidate], name: str, value: str) -> QuerySet[Candidate]:  # noqa: ARG002
        return having_skill(rows, value)


def having_skill(rows: QuerySet[Candidate], skill: str) -> QuerySet[Candidate]:
    """Candidates with a skill of this name, case aside.

    SQLite folds the case of ASCII letters only, so the usual spellings of other alphabets are asked for by name.
    """
    spellings = sorted({skill, skill.lower(), skill.upper(), skill.capitalize(), skill.title()})
    each = "jsonb_array_elements_text(skills) AS s(value)" if connection.vendor == "postgresql" else "json_each(skills) AS s"
    marks = ", ".join(["%s"] * len(spellings))
    has = RawSQL(  # noqa: S611 - the skill travels as a parameter
        f"EXISTS (SELECT 1 FROM {each} WHERE lower(s.value) = %s OR s.value IN ({marks}))",  # noqa: S608 - constants only
        [skill.lower(), *spellings],
        output_field=BooleanField(),
    )
    return rows.annotate(has_skill=has).filter(has_skill=True)


class RecentFirst(Cursor):
    ordering = ("-updated_at", "-id")


@extend_schema_view(
    list=extend_schema(summary="The talent pool, latest change first", responses=CandidateRow(many=True)),
    retrieve=extend_schema(summary="One candidate"),
)
class CandidateViewSet(viewsets.ReadOnlyModelViewSet[Candidate]):
    queryset = Candidate.objects.all()
    permission_classes = [ByRole]
    pagination_class = RecentFirst
    filterset_class = CandidateFilter
    acts = {"list": Act.POOL, "retrieve": Act.POOL}

    def get_serializer_class(self) -> type[CandidateRow]:
        return CandidateRow if self.action == "list" else CandidateShape
