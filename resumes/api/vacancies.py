"""Vacancies and how well the pool fits them. A change re-matches everyone in the background, without touching parsing."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from resumes import transitions
from resumes.api.candidates import CandidateRow
from resumes.api.conditional import ConditionalEdits
from resumes.api.filters import YesOrNo
from resumes.api.idempotency import IdempotentPosts
from resumes.api.pagination import Cursor
from resumes.api.permissions import ByRole
from resumes.models import Match, OutboxMessage, Vacancy
from resumes.roles import Act, visible


class VacancyShape(serializers.ModelSerializer[Vacancy]):
    skills = serializers.ListField(child=serializers.CharField(max_length=100), required=False, max_length=100)

    class Meta:
        model = Vacancy
        fields = ["id", "title", "description", "skills", "city", "min_years", "open", "created_at"]
        read_only_fields = ["id", "created_at"]


class MatchShape(serializers.ModelSerializer[Match]):
    """A candidate and why they fit, best first."""

    candidate = CandidateRow(read_only=True)

    class Meta:
        model = Match
        fields = ["id", "score", "reasons", "candidate", "updated_at"]
        read_only_fields = fields


class VacancyFilter(django_filters.FilterSet):  # type: ignore[misc]  # no stubs
    open = YesOrNo()


class BestFirst(Cursor):
    ordering = ("-score", "id")


def rematch(vacancy: Vacancy) -> None:
    """Have everyone matched against the vacancy after commit. Called inside the transaction that changes it."""
    message = OutboxMessage.objects.create(topic="ingest.match_vacancy", payload={"vacancy_id": str(vacancy.pk)})
    transaction.on_commit(lambda: transitions.send(message), robust=True)


@extend_schema_view(
    list=extend_schema(summary="Vacancies, newest first"),
    create=extend_schema(summary="Open a vacancy; the pool is matched in the background"),
    retrieve=extend_schema(summary="One vacancy"),
    update=extend_schema(summary="Change a vacancy; the pool is matched anew"),
    partial_update=extend_schema(summary="Change parts of a vacancy; the pool is matched anew"),
    destroy=extend_schema(summary="Delete a vacancy and its matches"),
)
class VacancyViewSet(ConditionalEdits, IdempotentPosts, viewsets.ModelViewSet[Vacancy]):
    queryset = Vacancy.objects.all()
    serializer_class = VacancyShape
    permission_classes = [ByRole]
    filterset_class: Any = VacancyFilter
    version_fields = ("id", "title", "description", "skills", "city", "min_years", "open")
    acts = dict.fromkeys(("list", "create", "retrieve", "update", "partial_update", "destroy", "matches"), Act.POOL)

    def get_queryset(self) -> QuerySet[Vacancy]:
        return visible(self.request.user, super().get_queryset())

    def perform_create(self, serializer: Any) -> None:
        with transaction.atomic():
            rematch(serializer.save(owner=self.request.user))

    def perform_update(self, serializer: Any) -> None:
        with transaction.atomic():
            rematch(serializer.save())

    @extend_schema(summary="Candidates by how well they fit", responses=MatchShape(many=True))
    @action(detail=True, pagination_class=BestFirst, filterset_class=None)
    def matches(self, request: Request, pk: str | None = None) -> Response:  # noqa: ARG002
        rows: Any = Match.objects.filter(vacancy=self.get_object(), score__gt=0).select_related("candidate")
        page: Any = self.paginate_queryset(rows)
        return self.get_paginated_response(MatchShape(page, many=True).data)
