"""One's own API tokens through the API: made, listed, revoked."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import mixins, serializers, status, viewsets
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from resumes import tokens
from resumes.api.idempotency import IdempotentPosts
from resumes.api.pagination import Cursor
from resumes.api.permissions import ByRole, signed_in
from resumes.models import ApiToken
from resumes.roles import Act, is_admin


class TokenShape(serializers.ModelSerializer[ApiToken]):
    """A token without itself."""

    id = serializers.CharField(source="token_key", read_only=True, help_text="The first letters of the token.")
    user = serializers.CharField(source="user.username", read_only=True)
    created_at = serializers.DateTimeField(source="created", read_only=True)
    expires_at = serializers.DateTimeField(source="expiry", read_only=True, allow_null=True)

    class Meta:
        model = ApiToken
        fields = ["id", "user", "created_at", "expires_at"]


class MadeToken(TokenShape):
    """With the token, which is shown when it is made and not again."""

    token = serializers.CharField(read_only=True, allow_null=True, help_text="Null where the answer is one repeated by its key.")

    class Meta(TokenShape.Meta):
        fields = [*TokenShape.Meta.fields, "token"]


class MakeToken(serializers.Serializer[Any]):
    days = serializers.IntegerField(
        required=False, min_value=1, max_value=tokens.MOST_DAYS, help_text="How long it lives; 90 where nothing else is set."
    )


class LatestFirst(Cursor):
    ordering = ("-created", "digest")


@extend_schema_view(
    list=extend_schema(summary="Your API tokens, latest first; an admin sees everybody's"),
    retrieve=extend_schema(summary="One API token"),
    destroy=extend_schema(summary="Revoke an API token at once"),
)
class TokenViewSet(
    IdempotentPosts,
    mixins.RetrieveModelMixin,
    mixins.ListModelMixin,
    mixins.DestroyModelMixin,
    viewsets.GenericViewSet[ApiToken],
):
    queryset = ApiToken.objects.select_related("user")
    serializer_class = TokenShape
    permission_classes = [ByRole]
    pagination_class = LatestFirst
    lookup_field = "token_key"
    lookup_url_kwarg = "id"
    lookup_value_regex = "[0-9A-Za-z]+"
    not_kept = ("token",)
    acts = dict.fromkeys(("list", "retrieve", "create", "destroy"), Act.TOKENS)

    def get_queryset(self) -> QuerySet[ApiToken]:
        rows = super().get_queryset()
        return rows if is_admin(self.request.user) else rows.filter(user=self.request.user.pk)

    @extend_schema(summary="Make an API token; the answer holds it", request=MakeToken, responses={201: MadeToken})
    def create(self, request: Request) -> Response:
        """It acts as you, and ends: after `days`, and no later than the token it was made with."""
        asked = MakeToken(data=request.data)
        asked.is_valid(raise_exception=True)
        made = ApiToken()
        until = getattr(request.auth, "expiry", None)
        made.token = tokens.issue(made, signed_in(request), asked.validated_data.get("days"), until=until)
        headers = {"Location": reverse("token-detail", args=[made.token_key], request=request)}
        return Response(MadeToken(made).data, status=status.HTTP_201_CREATED, headers=headers)
