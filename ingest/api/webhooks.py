"""Webhooks through the API: made, changed, rotated, tried out, and looked into."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field, extend_schema_view
from rest_framework import status, viewsets
from rest_framework.decorators import action
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from ingest.api.webhook_shapes import DeliveryShape, WebhookShape, WebhookWithSecret
from ingest.models import Delivery, Webhook
from ingest.webhooks import events, sending, signing
from resumes.api.answers import accepted
from resumes.api.conditional import ConditionalEdits
from resumes.api.filters import AnyOf
from resumes.api.idempotency import IdempotentPosts
from resumes.api.permissions import ByRole, signed_in
from resumes.api.problems import Conflict
from resumes.roles import Act, is_admin


class DeliveryFilter(django_filters.FilterSet):  # type: ignore[misc]  # no stubs
    state = AnyOf(choices=Delivery.State.choices)
    event = extend_schema_field(OpenApiTypes.STR)(
        django_filters.ChoiceFilter(choices=[(name, name) for name in (*events.Event, events.PING)])
    )


@extend_schema_view(
    list=extend_schema(summary="Webhooks, newest first"),
    retrieve=extend_schema(summary="One webhook"),
    update=extend_schema(summary="Change a webhook"),
    partial_update=extend_schema(summary="Change parts of a webhook; enabling one again is one of them"),
    destroy=extend_schema(summary="Delete a webhook and what waits for it"),
)
class WebhookViewSet(ConditionalEdits, IdempotentPosts, viewsets.ModelViewSet[Webhook]):
    """Everybody has their own; admins see all."""

    queryset = Webhook.objects.all()
    serializer_class = WebhookShape
    permission_classes = [ByRole]
    filterset_class: type[DeliveryFilter] | None = None
    version_fields = ("id", "url", "description", "events", "enabled", "disabled_why", "old_secret_until")
    acts = dict.fromkeys(
        (
            *("list", "create", "retrieve", "update", "partial_update", "destroy"),
            *("rotate_secret", "ping", "deliveries", "replay"),
        ),
        Act.LISTEN,
    )

    def get_queryset(self) -> QuerySet[Webhook]:
        rows: QuerySet[Webhook] = super().get_queryset()
        mine = rows if is_admin(self.request.user) else rows.filter(owner=self.request.user.pk)
        return mine.annotate(waiting=Count("deliveries", filter=Q(deliveries__state=Delivery.State.PENDING)))

    @extend_schema(summary="Make a webhook; the answer holds its secret", responses={201: WebhookWithSecret})
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ARG002 - DRF's signature, here and below
        asked = WebhookShape(data=request.data)
        asked.is_valid(raise_exception=True)
        try:
            with transaction.atomic():
                made = asked.save(owner=signed_in(request))
        except IntegrityError:
            raise Conflict(_("You have a webhook for callback addresses already."), code="exists") from None
        return Response(WebhookWithSecret(made).data, status=status.HTTP_201_CREATED)

    def perform_update(self, serializer: Any) -> None:
        changed = {"disabled_why": ""} if serializer.validated_data.get("enabled") else {}
        serializer.save(**changed)

    @extend_schema(
        summary="Change the secret; the old one stays valid for a day", request=None, responses={200: WebhookWithSecret}
    )
    @action(detail=True, methods=["post"], url_path="rotate-secret")
    def rotate_secret(self, request: Request, pk: str | None = None) -> Response:  # noqa: ARG002
        """For a day every message carries a signature by each of the two."""
        webhook = self.get_object()
        signing.rotate(webhook)
        return Response(WebhookWithSecret(webhook).data)

    @extend_schema(summary="Send a test message", request=None, responses={202: DeliveryShape})
    @action(detail=True, methods=["post"])
    def ping(self, request: Request, pk: str | None = None) -> Response:  # noqa: ARG002
        """Sent within seconds; look at it among the deliveries."""
        webhook = self.get_object()
        if not webhook.url:
            raise Conflict(_("This webhook has no address of its own."), code="no_address")
        return accepted(DeliveryShape(events.ping(webhook)).data)

    @extend_schema(summary="Messages of a webhook, newest first", responses=DeliveryShape(many=True))
    @action(detail=True, filterset_class=DeliveryFilter)
    def deliveries(self, request: Request, pk: str | None = None) -> Response:  # noqa: ARG002
        rows: Any = self._webhook().deliveries.all()
        page: Any = self.paginate_queryset(self.filter_queryset(rows))
        return self.get_paginated_response(DeliveryShape(page, many=True).data)

    @extend_schema(
        summary="Send a message again",
        request=None,
        responses={202: DeliveryShape},
        parameters=[OpenApiParameter("delivery", OpenApiTypes.UUID, OpenApiParameter.PATH)],
    )
    @action(detail=True, methods=["post"], url_path=r"deliveries/(?P<delivery>[^/.]+)/replay")
    def replay(self, request: Request, pk: str | None = None, delivery: str = "") -> Response:  # noqa: ARG002
        found = get_object_or_404(self.get_object().deliveries.all(), pk=delivery)
        return accepted(DeliveryShape(sending.replay(found)).data)

    def _webhook(self) -> Webhook:
        """The webhook of a list inside it, whose filters are not the webhook's own."""
        return get_object_or_404(self.get_queryset(), pk=self.kwargs["pk"])
